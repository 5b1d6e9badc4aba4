#include "vinculum/model/requirements.hpp"

#include <algorithm>

#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {

void require(Model& model, std::vector<Term> terms, std::function<bool(std::span<const double>)> holds,
             std::string text) {
  if (!std::ranges::all_of(terms, &Term::is_valid)) return;
  Requirement requirement{{}, std::move(terms), std::move(holds), std::move(text)};
  for (const Term term : requirement.terms) {
    for (const Term node : in_order(term)) {
      if (node.kind() == TermKind::kParameter) requirement.parameters.emplace_back(std::size_t{node.index()});
    }
  }
  if (!requirement.parameters.empty()) model.requirements.push_back(std::move(requirement));
}

void require_positive(Model& model, Term term, std::string_view what) {
  require(model, {term}, [](std::span<const double> x) { return x[0] > 0.0; }, std::string(what) + " must be positive");
}

void fix_parameters(Model& model, Term term, std::string_view what) {
  for (const Term node : in_order(term)) {
    if (node.kind() == TermKind::kParameter) model.parameters[node.index()].fixed_by = what;
  }
}

std::optional<std::string> broken_requirement(const Model& model) {
  TermValues now(model, {});
  for (const Requirement& requirement : model.requirements) {
    std::vector<double> numbers;
    for (const Term term : requirement.terms) numbers.push_back(now.scalar(term).value);
    if (!requirement.holds(numbers)) return requirement.text;
  }
  return std::nullopt;
}

}  // namespace vinculum::model
