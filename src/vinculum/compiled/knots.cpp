#include "vinculum/compiled/knots.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;
using expr::NodeId;
using expr::Op;

/// Integral of one spline piece from its start over the length s.
double integral_of(std::span<const double> c, double s) {
  return s * (c[0] + s * (c[1] / 2.0 + s * (c[2] / 3.0 + s * c[3] / 4.0)));
}

Knots::Table table_of(const expr::Spline& spline, Expr argument, std::span<const Expr> states) {
  Knots::Table table{argument, &spline, !expr::depends_on(argument, states), {}, {}, {0.0}, {0.0}};
  const std::span<const double> knots = spline.knots(), c = spline.coefficients();
  for (std::size_t k = 0; k + 1 < knots.size(); ++k)
    table.integrals.push_back(table.integrals.back() + integral_of(c.subspan(4 * k, 4), knots[k + 1] - knots[k]));
  for (std::size_t k = 1; k + 1 < knots.size(); ++k) {
    table.knots.push_back(knots[k]);
    table.jumps.push_back(6.0 * (c[4 * k + 3] - c[4 * (k - 1) + 3]));
    table.jumps_before.push_back(table.jumps_before.back() + std::abs(table.jumps.back()));
  }
  return table;
}

/// True if the expression contains no other symbols.
bool is_known(Expr e, std::span<const Expr> symbols) {
  const expr::Subgraph subgraph(std::span(&e, 1));
  return std::ranges::all_of(subgraph.nodes(), [&](NodeId id) {
    return e.graph().node(id).op != Op::kSymbol || std::ranges::find(symbols, Expr(&e.graph(), id)) != symbols.end();
  });
}

}  // namespace

double Knots::Table::total(double from, double to) const {
  const auto first = std::ranges::upper_bound(knots, from) - knots.begin();
  const auto last = std::ranges::lower_bound(knots, to) - knots.begin();
  return last > first ? jumps_before[static_cast<std::size_t>(last)] - jumps_before[static_cast<std::size_t>(first)]
                      : 0.0;
}

double Knots::Table::value(double x, int order) const {
  if (order >= 0) return spline->evaluate(x, order);
  const std::span<const double> all = spline->knots();
  const auto above = std::upper_bound(all.begin() + 1, all.end() - 1, x);
  const auto piece = static_cast<std::size_t>(above - all.begin()) - 1;
  return integrals[piece] + integral_of(spline->coefficients().subspan(4 * piece, 4), x - all[piece]);
}

Knots::Knots(const std::string& name, std::span<const Expr> equations, std::span<const Expr> known,
             std::span<const Expr> fixed) {
  if (equations.empty()) return;
  expr::Graph& graph = equations.front().graph();
  std::vector<Expr> symbols(known.begin(), known.end());
  symbols.insert(symbols.end(), fixed.begin(), fixed.end());
  const expr::Subgraph subgraph(equations);
  // While equations are differentiated, a symbol replaces each derivative of a spline.
  std::map<std::pair<std::uint32_t, std::size_t>, std::size_t> known_tables;
  std::vector<Expr> nodes, stand_ins;
  std::vector<Slope> of_nodes;
  std::vector<Expr> images(subgraph.size());
  for (std::size_t i = 0; i < subgraph.size(); ++i) {
    const expr::Graph::Node node = graph.node(subgraph[i]);
    std::array<Expr, 3> a;
    bool is_changed = false;
    for (int k = 0; k < 3; ++k) {
      if (!node.operands[k].is_valid()) continue;
      a[k] = images[subgraph.position(node.operands[k])];
      is_changed = is_changed || a[k].node() != node.operands[k];
    }
    images[i] = Expr(&graph, subgraph[i]);
    if (node.op == Op::kTable && node.derivative_order <= Knots::kOrderOfJump) {
      const auto [at, is_new] = known_tables.try_emplace({node.payload, node.operands[0].index()}, tables.size());
      const Expr argument(&graph, node.operands[0]);
      if (is_new) tables.push_back(table_of(graph.spline(expr::TableId(node.payload)), argument, known.subspan(1)));
      nodes.push_back(images[i]);
      of_nodes.push_back({0, at->second, node.derivative_order});
      images[i] = stand_ins.emplace_back(graph.symbol("value of table " + std::to_string(nodes.size())));
    } else if (is_changed) {
      images[i] = graph.make(node.op, a[0], a[1], a[2]);
    }
  }
  if (nodes.empty()) return;
  codegen::KernelSpec spec{name + ".knots", {known.begin(), known.end()}, {fixed.begin(), fixed.end()}, {}};
  for (const Table& table : tables) spec.outputs.push_back(table.argument);
  for (std::size_t i = 0; i < equations.size(); ++i) {
    const Expr image = images[subgraph.position(equations[i].node())];
    if (image == equations[i]) continue;
    const std::vector<Expr> by = expr::substitute(expr::gradient(image, stand_ins), stand_ins, nodes);
    for (std::size_t j = 0; j < by.size(); ++j) {
      if (by[j].is_zero() || !is_known(by[j], symbols)) continue;
      slopes.push_back({i, of_nodes[j].table, of_nodes[j].order});
      spec.outputs.push_back(by[j]);
    }
  }
  if (!slopes.empty()) kernel = codegen::compile(std::span(&spec, 1), {codegen::Backend::kTape, {}}).front();
}

}  // namespace vinculum::sim
