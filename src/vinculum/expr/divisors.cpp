#include "vinculum/expr/divisors.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/expr/rounding.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::expr {
namespace {

constexpr std::size_t kShownNodes = 12;

bool is_reciprocal(const Graph& graph, const Graph::Node& node) {
  const auto exponent = node.op == Op::kPower ? node.operands[1] : NodeId{};
  return exponent.is_valid() && graph.node(exponent).op == Op::kConstant && graph.node(exponent).value < 0.0;
}

/// Accuracy of a value: 1 if it is accurate to its last digit, near 0 if it is only a rounding error of its terms.
double relative_size(const Rounded& x) {
  const double size = std::abs(x.value);
  if (x.value == 0.0 || !std::isfinite(x.error)) return 0.0;
  return std::min(1.0, size * tolerance::kRounding / std::max(x.error, tolerance::kRounding * size));
}

}  // namespace

std::optional<Divisor> smallest_divisor(std::span<const Expr> roots, std::span<const Expr> symbols,
                                        std::span<const double> values) {
  if (roots.empty()) return std::nullopt;
  Graph& graph = roots[0].graph();
  const Subgraph subgraph(roots);
  std::vector<Expr> divisors;
  for (const NodeId id : subgraph.nodes()) {
    const Graph::Node& node = graph.node(id);
    const NodeId by = node.op == Op::kDivide       ? node.operands[1]
                      : is_reciprocal(graph, node) ? node.operands[0]
                                                   : NodeId{};
    if (by.is_valid() && graph.node(by).op != Op::kConstant) divisors.emplace_back(&graph, by);
  }
  std::vector<Rounded> known;
  for (const double value : values) known.emplace_back(value, tolerance::kRounding * std::abs(value));
  const std::vector<Rounded> sizes = interpret_with_noise(divisors, symbols, known);
  std::optional<Divisor> smallest;
  for (std::size_t i = 0; i < divisors.size(); ++i) {
    const double relative = relative_size(sizes[i]);
    if (!smallest || relative < smallest->relative) smallest = {to_text(divisors[i], kShownNodes), relative};
  }
  return smallest;
}

}  // namespace vinculum::expr
