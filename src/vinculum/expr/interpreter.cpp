#include "vinculum/expr/interpreter.hpp"

#include <fmt/format.h>

#include <cmath>

#include "vinculum/base/contract.hpp"
#include "vinculum/expr/evaluation.hpp"
#include "vinculum/expr/print.hpp"

namespace vinculum::expr {
namespace {

std::vector<double> evaluate_nodes(const Graph& graph, const Subgraph& subgraph, std::span<const Expr> symbols,
                                   std::span<const double> values) {
  VINCULUM_EXPECTS(symbols.size() == values.size());
  std::vector<double> result(subgraph.size(), 0.0);
  std::vector<char> is_known(subgraph.size(), 0);
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const std::uint32_t at = subgraph.position(symbols[i].node());
    if (at == Subgraph::kOutside) continue;
    result[at] = values[i];
    is_known[at] = 1;
  }
  for (std::size_t i = 0; i < subgraph.size(); ++i) {
    const Graph::Node& node = graph.node(subgraph[i]);
    const auto operand = [&](int k) {
      return node.operands[k].is_valid() ? result[subgraph.position(node.operands[k])] : 0.0;
    };
    switch (node.op) {
      case Op::kConstant: result[i] = node.value; break;
      case Op::kSymbol:
        if (is_known[i] == 0) {
          throw InternalError("interpreter: no value for the symbol " + graph.symbol_name(subgraph[i]));
        }
        break;
      case Op::kTable:
        result[i] = graph.spline(TableId(node.payload)).evaluate(operand(0), node.derivative_order);
        break;
      default: result[i] = evaluate_operation(node.op, operand(0), operand(1), operand(2));
    }
  }
  return result;
}

}  // namespace

Evaluation::Evaluation(std::span<const Expr> roots, std::span<const Expr> symbols)
    : roots_(roots.begin(), roots.end()), symbols_(symbols.begin(), symbols.end()), subgraph_(roots) {}

std::vector<double> Evaluation::at(std::span<const double> values) const {
  std::vector<double> result;
  if (roots_.empty()) return result;
  const std::vector<double> all = evaluate_nodes(roots_[0].graph(), subgraph_, symbols_, values);
  result.reserve(roots_.size());
  for (const Expr& root : roots_) result.push_back(all[subgraph_.position(root.node())]);
  return result;
}

std::vector<double> interpret(std::span<const Expr> roots, std::span<const Expr> symbols,
                              std::span<const double> values) {
  return Evaluation(roots, symbols).at(values);
}

std::string explain_non_finite(std::span<const Expr> roots, std::span<const Expr> symbols,
                               std::span<const double> values) {
  constexpr std::size_t kShownNodes = 60,
                        kShownCharacters = 60;  // a long formula in a message is abbreviated to its outer form
  if (roots.empty()) return {};
  Graph& graph = roots[0].graph();
  const Subgraph subgraph(roots);
  const std::vector<double> all = evaluate_nodes(graph, subgraph, symbols, values);
  const auto value_of = [&](NodeId id) { return all[subgraph.position(id)]; };
  const auto text = [&](NodeId id) {
    std::string shown = to_text(Expr(&graph, id), kShownNodes);
    for (std::size_t nodes = kShownNodes; shown.size() > kShownCharacters && nodes > 1;) {
      nodes /= 2;
      shown = to_text(Expr(&graph, id), nodes);
    }
    return shown;
  };

  // Start at the first root that is not finite. Go down, each time to an operand that was used and is not finite.
  NodeId at;
  for (const Expr& root : roots) {
    if (!std::isfinite(value_of(root.node()))) {
      at = root.node();
      break;
    }
  }
  if (!at.is_valid()) return {};
  for (bool is_deeper = true; is_deeper;) {
    is_deeper = false;
    const Graph::Node& node = graph.node(at);
    const int skipped = node.op != Op::kSelect ? -1 : value_of(node.operands[0]) != 0.0 ? 2 : 1;
    for (int k = 0; k < 3 && !is_deeper; ++k) {
      if (k == skipped || !node.operands[k].is_valid() || std::isfinite(value_of(node.operands[k]))) continue;
      at = node.operands[k];
      is_deeper = true;
    }
  }

  const Graph::Node& node = graph.node(at);
  if (node.op == Op::kSymbol) return fmt::format("{} = {}", text(at), value_of(at));
  if (node.op == Op::kConstant) return fmt::format("the number {}", node.value);
  if (node.op == Op::kTable) {
    const Spline& spline = graph.spline(TableId(node.payload));
    return fmt::format("table {} at {} = {} outside [{}, {}]", spline.name(), text(node.operands[0]),
                       value_of(node.operands[0]), spline.first(), spline.last());
  }
  std::string message = text(at);
  const char* joint = " with ";
  for (int k = 0; k < 3; ++k) {
    const NodeId operand = node.operands[k];
    if (!operand.is_valid() || graph.node(operand).op == Op::kConstant || (k > 0 && operand == node.operands[0]))
      continue;
    message += fmt::format("{}{} = {}", joint, text(operand), value_of(operand) + 0.0);  // adding 0.0 turns −0 into 0
    joint = ", ";
  }
  return message;
}

}  // namespace vinculum::expr
