// Finds constant vectors of one rigid frame that cancel up to rounding, and replaces them by their sum.
#include "vinculum/equations/offset_parts.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/equations/lowering.hpp"

namespace vinculum::equations {
namespace {

bool is_constant(const ExprVector& r) {
  return std::ranges::all_of(r, [](const expr::Expr& x) { return x.is_constant(); });
}

double largest_number(const ExprVector& r) {
  double size = 0.0;
  for (const expr::Expr& x : r) size = std::max(size, std::abs(x.value()));
  return size;
}

}  // namespace

std::vector<OffsetPart> Lowering::without_rounding(std::vector<OffsetPart> parts) {
  // indices of constant offsets, by the root of their rigid frame
  std::unordered_map<std::size_t, std::vector<std::size_t>> groups;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (is_constant(parts[i].r)) groups[tree_.rigid_root(parts[i].frame).index()].push_back(i);
  }
  std::vector<char> is_summed(parts.size(), 0);
  for (const auto& [root, group] : groups) {
    if (group.size() < 2) continue;
    OffsetPart& first = parts[group.front()];
    ExprVector sum = zero_vector(graph_);
    double size = 0.0;
    for (const std::size_t i : group) {
      sum = add(sum, express(parts[i].r, parts[i].frame, first.frame));
      size = std::max(size, largest_number(parts[i].r));
    }
    if (!is_constant(sum)) continue;
    bool has_rounding = false;
    for (expr::Expr& x : sum) {
      if (x.value() == 0.0 || std::abs(x.value()) > tolerance::kEqual * size) continue;
      x = graph_.constant(0.0);
      has_rounding = true;
    }
    if (!has_rounding) continue;
    first.r = sum;
    for (const std::size_t i : group) is_summed[i] = i != group.front() ? 1 : 0;
  }
  std::vector<OffsetPart> rest;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (is_summed[i] == 0) rest.push_back(std::move(parts[i]));
  }
  return rest;
}

}  // namespace vinculum::equations
