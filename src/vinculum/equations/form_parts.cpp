#include "vinculum/equations/form_parts.hpp"

#include "vinculum/expr/traversal.hpp"

namespace vinculum::equations {

using expr::Expr;

std::vector<FormPart> independent_parts(const PfaffianForms& all, std::span<const double> sizes) {
  // Disjoint sets as a forest: each variable refers to another variable of its set; the representative refers to
  // itself.
  std::vector<std::size_t> part_of(all.x.size());
  for (std::size_t j = 0; j < part_of.size(); ++j) part_of[j] = j;
  const auto find = [&](std::size_t j) {
    while (part_of[j] != j) j = part_of[j];
    return j;
  };
  std::vector<std::size_t> variable_of(all.forms.size(), 0);
  for (std::size_t a = 0; a < all.forms.size(); ++a) {
    const std::vector<Expr>& theta = all.forms[a].theta;
    const expr::Subgraph held(theta);
    bool is_first = true;
    for (std::size_t j = 0; j < all.x.size(); ++j) {
      if (theta[j].is_zero() && held.position(all.x[j].node()) == expr::Subgraph::kOutside) continue;
      if (is_first) variable_of[a] = find(j);
      part_of[find(j)] = find(variable_of[a]);
      is_first = false;
    }
  }
  std::vector<FormPart> parts;
  for (std::size_t root = 0; root < all.x.size(); ++root) {
    FormPart part;
    std::vector<std::size_t> columns;
    for (std::size_t j = 0; j < all.x.size(); ++j) {
      if (find(j) != root) continue;
      columns.push_back(j);
      part.read.x.push_back(all.x[j]);
      part.x.size.push_back(sizes[j]);
      part.x.dimension.push_back(all.dimensions[j]);
    }
    for (std::size_t a = 0; a < all.forms.size(); ++a) {
      if (find(variable_of[a]) != root) continue;
      PfaffianForm& form = part.read.forms.emplace_back(all.forms[a]);
      form.theta.clear();
      for (const std::size_t j : columns) form.theta.push_back(all.forms[a].theta[j]);
    }
    if (!part.read.forms.empty()) parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace vinculum::equations
