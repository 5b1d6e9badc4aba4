#include "vinculum/dynamics/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "vinculum/expr/interpreter.hpp"
#include "vinculum/expr/rounding.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::dynamics {
namespace {

constexpr int kMostTrials = 40, kEnough = 3;

bool has_pieces(expr::Op op) {
  using expr::Op;
  switch (op) {
    case Op::kAbsolute:
    case Op::kSign:
    case Op::kFloor:
    case Op::kMinimum:
    case Op::kMaximum:
    case Op::kLess:
    case Op::kLessEqual:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kAnd:
    case Op::kOr:
    case Op::kNot:
    case Op::kSelect:
    case Op::kTable: return true;
    default: return false;
  }
}

}  // namespace

bool is_analytic(expr::Expr expression) {
  const expr::Subgraph below({&expression, 1});
  const expr::Graph& graph = expression.graph();
  return std::none_of(below.nodes().begin(), below.nodes().end(),
                      [&graph](expr::NodeId id) { return has_pieces(graph.node(id).op); });
}

bool is_analytic(expr::Expr expression, std::span<const expr::Expr> in) {
  const expr::Subgraph below({&expression, 1});
  const expr::Graph& graph = expression.graph();
  std::vector<char> varies(below.size(), 0);
  for (const expr::Expr symbol : in) {
    if (const auto at = below.position(symbol.node()); at != expr::Subgraph::kOutside) varies[at] = 1;
  }
  for (std::size_t i = 0; i < below.size(); ++i) {
    const expr::Graph::Node& node = graph.node(below[i]);
    const auto operand_varies = [&](std::size_t k) {
      return node.operands[k].is_valid() && varies[below.position(node.operands[k])] != 0;
    };
    const bool any = operand_varies(0) || operand_varies(1) || operand_varies(2);
    if (any) varies[i] = 1;
    if (has_pieces(node.op) && (node.op == expr::Op::kSelect ? operand_varies(0) : any)) return false;
  }
  return true;
}

Sampler::Sampler(std::vector<expr::Expr> symbols, std::uint64_t seed) : symbols_(std::move(symbols)) {
  std::mt19937_64 generator(seed);
  std::uniform_real_distribution<double> anywhere(-1.5, 1.5), positive(0.2, 1.4);
  for (int trial = 0; trial < kMostTrials; ++trial) {
    std::vector<double> state(symbols_.size());
    // Roots and logarithms often want positive arguments: every other state is positive.
    for (double& x : state) x = trial % 2 == 0 ? anywhere(generator) : positive(generator);
    states_.push_back(std::move(state));
  }
}

std::vector<std::vector<double>> Sampler::sample(std::span<const expr::Expr> expressions, int wanted) const {
  std::vector<std::vector<double>> samples;
  for (const std::vector<double>& state : states_) {
    if (static_cast<int>(samples.size()) == wanted) break;
    std::vector<double> values = expr::interpret(expressions, symbols_, state);
    bool is_finite = true;
    for (const double value : values) is_finite = is_finite && std::isfinite(value);
    if (is_finite) samples.push_back(std::move(values));
  }
  return samples;
}

bool Sampler::is_generically_zero(expr::Expr expression) const {
  if (expression.is_constant()) return expression.is_zero();
  if (!is_analytic(expression)) return false;
  int seen = 0;
  for (const std::vector<double>& state : states_) {
    const Rounded at = expr::interpret_with_noise({&expression, 1}, symbols_, state)[0];
    if (!std::isfinite(at.value) || !std::isfinite(at.error)) continue;
    if (!at.may_be_zero()) return false;
    if (++seen == kEnough) return true;
  }
  return seen > 0;
}

}  // namespace vinculum::dynamics
