#include "vinculum/compiled/knots.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "vinculum/compiled/switches.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;
using expr::NodeId;
using expr::Op;

constexpr double kMostPeriods = 1e6;  // largest number of periods that are counted in an interval of the argument

/// Integral of one polynomial piece with the coefficients c over [0, s].
double integral_of(std::span<const double> c, double s) {
  return s * (c[0] + s * (c[1] / 2.0 + s * (c[2] / 3.0 + s * c[3] / 4.0)));
}

/// Jumps of the derivatives at the knot between two pieces with the coefficients `c` and `next`.   \param h  length of
/// the first piece
Knots::Jumps jumps_of(const expr::Spline& spline, std::span<const double> c, std::span<const double> next, double h) {
  Knots::Jumps jumps{};
  switch (spline.shape().kind) {
    case expr::Spline::Kind::kHold: jumps[0] = next[0] - c[0]; break;
    case expr::Spline::Kind::kLinear: jumps[1] = next[1] - c[1]; break;
    case expr::Spline::Kind::kSmooth: jumps[2] = 2.0 * (next[2] - c[2] - 3.0 * c[3] * h); [[fallthrough]];
    case expr::Spline::Kind::kSpline: jumps[3] = 6.0 * (next[3] - c[3]); break;
    case expr::Spline::Kind::kLookup: break;
  }
  return jumps;
}

Knots::Table table_of(const expr::Spline& spline, Expr argument, std::span<const Expr> states) {
  Knots::Table table{argument, &spline, !expr::depends_on(argument, states), {}, {}, {{}}, {0.0}};
  const std::span<const double> knots = spline.knots(), c = spline.coefficients();
  const std::size_t pieces = knots.size() - 1;
  for (std::size_t k = 0; k < pieces; ++k)
    table.integrals.push_back(table.integrals.back() + integral_of(c.subspan(4 * k, 4), knots[k + 1] - knots[k]));
  for (std::size_t k = spline.is_periodic() ? 0 : 1; k < pieces; ++k) {
    const std::size_t before = k == 0 ? pieces - 1 : k - 1;
    table.knots.push_back(knots[k]);
    table.jumps.push_back(
        jumps_of(spline, c.subspan(4 * before, 4), c.subspan(4 * k, 4), knots[before + 1] - knots[before]));
    table.jumps_before.push_back(table.jumps_before.back());
    for (std::size_t d = 0; d < Knots::kOrders; ++d) table.jumps_before.back()[d] += std::abs(table.jumps.back()[d]);
  }
  return table;
}

/// True if the expression contains no symbols other than `symbols`.
bool is_known(Expr e, std::span<const Expr> symbols) {
  const expr::Subgraph subgraph(std::span(&e, 1));
  return std::ranges::all_of(subgraph.nodes(), [&](NodeId id) {
    return e.graph().node(id).op != Op::kSymbol || std::ranges::find(symbols, Expr(&e.graph(), id)) != symbols.end();
  });
}

}  // namespace

std::size_t Knots::Table::place(std::ptrdiff_t number) const {
  if (!spline->is_periodic()) return static_cast<std::size_t>(number);
  const auto count = static_cast<std::ptrdiff_t>(knots.size());
  return static_cast<std::size_t>(((number % count) + count) % count);
}

double Knots::Table::knot(std::ptrdiff_t number) const {
  const std::size_t at = place(number);
  const auto turns = (number - static_cast<std::ptrdiff_t>(at)) / static_cast<std::ptrdiff_t>(knots.size());
  return turns == 0 ? knots[at] : knots[at] + static_cast<double>(turns) * spline->period();
}

std::ptrdiff_t Knots::Table::first_knot(double x, bool is_included) const {
  const double turns = spline->turns(x);
  x -= turns * (spline->is_periodic() ? spline->period() : 0.0);
  const auto at = is_included ? std::ranges::lower_bound(knots, x) : std::ranges::upper_bound(knots, x);
  return (at - knots.begin()) + static_cast<std::ptrdiff_t>(turns) * static_cast<std::ptrdiff_t>(knots.size());
}

Knots::Jumps Knots::Table::total(double from, double to) const {
  Jumps sum{};
  if (knots.empty()) return sum;
  const auto count = static_cast<std::ptrdiff_t>(knots.size());
  const bool is_whole = spline->is_periodic() && !(to - from < spline->period() * kMostPeriods);
  if (is_whole) from = spline->first(), to = from + spline->period() * kMostPeriods;
  const std::ptrdiff_t first = first_knot(from, false), last = first_knot(to, true);
  if (last <= first) return sum;
  const std::size_t begin = place(first), end = spline->is_periodic() ? place(last) : static_cast<std::size_t>(last);
  const std::ptrdiff_t whole_turns =
      (last - static_cast<std::ptrdiff_t>(end)) / count - (first - static_cast<std::ptrdiff_t>(begin)) / count;
  const auto turns = static_cast<double>(whole_turns);
  for (std::size_t d = 0; d < kOrders; ++d) {
    sum[d] = jumps_before[end][d] - jumps_before[begin][d];
    if (turns != 0.0) sum[d] += turns * jumps_before.back()[d];
  }
  return sum;
}

double Knots::Table::value(double x, int order) const {
  if (order >= 0) return spline->evaluate(x, order);
  const double turns = spline->turns(x);
  if (spline->is_periodic()) x -= turns * spline->period();
  const std::span<const double> all = spline->knots();
  const auto above = std::upper_bound(all.begin() + 1, all.end() - 1, x);
  const auto piece = static_cast<std::size_t>(above - all.begin()) - 1;
  const double inside = integrals[piece] + integral_of(spline->coefficients().subspan(4 * piece, 4), x - all[piece]);
  return turns == 0.0 ? inside : inside + turns * integrals.back();
}

Knots::Knots(const std::string& name, std::span<const Expr> equations, std::span<const Expr> known,
             std::span<const Expr> fixed) {
  if (equations.empty()) return;
  expr::Graph& graph = equations.front().graph();
  std::vector<Expr> symbols(known.begin(), known.end());
  symbols.insert(symbols.end(), fixed.begin(), fixed.end());
  const expr::Subgraph subgraph(equations);
  // Each derivative of a table is replaced by a symbol, with respect to which the equations are then differentiated.
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
    if (node.op == Op::kTable && !is_switch(graph, node)) {
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
