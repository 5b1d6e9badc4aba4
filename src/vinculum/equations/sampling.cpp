#include "vinculum/equations/sampling.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "vinculum/expr/interpreter.hpp"
#include "vinculum/expr/rounding.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::equations {
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

bool is_analytic(expr::Expr expression) { return are_analytic({&expression, 1}); }

bool are_analytic(std::span<const expr::Expr> expressions) {
  if (expressions.empty()) return true;
  const expr::Subgraph below(expressions);
  const expr::Graph& graph = expressions[0].graph();
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
    // All values of every other state are positive, because roots and logarithms often need positive arguments.
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

std::vector<char> Sampler::are_generically_zero(std::span<const expr::Expr> expressions) const {
  std::vector<char> is_zero(expressions.size(), 0);
  std::vector<std::size_t> open;
  const bool all_are_analytic = are_analytic(expressions);
  for (std::size_t i = 0; i < expressions.size(); ++i) {
    if (expressions[i].is_constant()) {
      is_zero[i] = expressions[i].is_zero() ? 1 : 0;
    } else if (all_are_analytic || is_analytic(expressions[i])) {
      open.push_back(i);
    }
  }
  std::vector<int> seen(expressions.size(), 0);
  for (const std::vector<double>& state : states_) {
    if (open.empty()) break;
    std::vector<expr::Expr> asked;
    for (const std::size_t i : open) asked.push_back(expressions[i]);
    const std::vector<expr::Judged> judged = expr::interpret_each_with_noise(asked, symbols_, state);
    std::vector<std::size_t> left;
    for (std::size_t k = 0; k < open.size(); ++k) {
      const std::size_t i = open[k];
      const Rounded& at = judged[k].at;
      const bool is_seen = std::isfinite(at.value) && std::isfinite(at.error);
      if (is_seen && !at.may_be_zero()) {
        is_zero[i] = 0;
        continue;
      }
      if (is_seen) is_zero[i] = 1;
      if (is_seen && ++seen[i] == kEnough) continue;
      left.push_back(i);
    }
    open = std::move(left);
  }
  return is_zero;
}

}  // namespace vinculum::equations
