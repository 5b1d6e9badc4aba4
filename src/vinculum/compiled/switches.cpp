#include "vinculum/compiled/switches.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "vinculum/expr/enclosure.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;
using expr::NodeId;
using expr::Op;

constexpr std::size_t kShownNodesOfSwitch = 40;

/// The value of Surface::side_of_equals for an operation that compares x with y: 1 if it has for x = y the same value
/// as for x > y, −1 if the same as for x < y, else 0.
double equals_lie(Op op) { return op == Op::kLess ? 1.0 : op == Op::kLessEqual ? -1.0 : 0.0; }

using expr::Spline;

/// A smooth function of the argument of a table with jumps that passes through an integer at each jump, where it is
/// strictly monotone. Before the first jump it is between 0 and 1.
/// \param at  arguments of the jumps, ascending, at least one; those of one period if the table is periodic.
Spline numbers_of(const Spline& table, std::vector<double> at) {
  std::vector<double> numbers;
  for (std::size_t k = 0; k <= at.size(); ++k) numbers.push_back(static_cast<double>(k + 1));
  if (table.is_periodic()) {
    at.push_back(at.front() + table.period());
    return {table.name(), std::move(at), std::move(numbers), {Spline::Kind::kSmooth, Spline::Reach::kPeriodic}};
  }
  numbers.pop_back();
  // Beyond its range the function is constant and not an integer, so that it passes through no further integer.
  const auto extend = [&](double width, bool upward) {
    for (int i = 0; i < 2; ++i) {
      const double outer = upward ? at.back() + width : at.front() - width;
      at.insert(upward ? at.end() : at.begin(), outer);
      numbers.insert(upward ? numbers.end() : numbers.begin(),
                     upward ? std::floor(numbers.back()) + 0.5 : std::ceil(numbers.front()) - 0.5);
    }
  };
  const double width = at.size() > 1 ? at[1] - at[0] : table.period();
  extend(table.first() < at.front() ? at.front() - table.first() : width, false);
  extend(table.last() > at[at.size() - 1] ? table.last() - at.back() : width, true);
  return {table.name(), std::move(at), std::move(numbers), {Spline::Kind::kSmooth, Spline::Reach::kEndPieces}};
}

/// The values of the parts of a table with jumps as a function of the number of the part (counted as in `numbers_of`).
/// \param rise  increase of the values from one period to the next, if the table is periodic.
Spline values_of(const Spline& table, std::vector<double> values, double rise) {
  const bool is_periodic = table.is_periodic();
  if (is_periodic) values.push_back(values.front() + rise);
  std::vector<double> numbers;
  for (std::size_t k = 0; k < values.size(); ++k) numbers.push_back(static_cast<double>(is_periodic ? k + 1 : k));
  return {table.name(),
          std::move(numbers),
          std::move(values),
          {Spline::Kind::kLookup, is_periodic ? Spline::Reach::kPeriodic : Spline::Reach::kEndPieces}};
}

/// The denominator of an operation, at whose zeros the operation may jump; not valid if the operation is continuous
/// where it is defined.
Expr denominator_of(expr::Graph& graph, NodeId id) {
  const expr::Graph::Node node = graph.node(id);
  const auto operand = [&](int k) { return Expr(&graph, node.operands[static_cast<std::size_t>(k)]); };
  switch (node.op) {
    case Op::kDivide: return operand(1);
    case Op::kTangent: return graph.make(Op::kCosine, operand(0));
    case Op::kArcTangent2: return operand(0);
    case Op::kPower: {
      const expr::Graph::Node exponent = graph.node(node.operands[1]);
      const bool is_odd = exponent.op == Op::kConstant && std::abs(std::fmod(exponent.value, 2.0)) == 1.0;
      return is_odd && exponent.value < 0.0 ? operand(0) : Expr();
    }
    default: return {};
  }
}

/// Whether an expression has the same sign for all values of its symbols, as its form shows.
bool keeps_its_sign(Expr e) {
  std::vector<Expr> symbols;
  const expr::Subgraph subgraph(std::span(&e, 1));
  for (const NodeId id : subgraph.nodes())
    if (e.graph().node(id).op == Op::kSymbol) symbols.emplace_back(&e.graph(), id);
  expr::Enclosure enclosure(std::span(&e, 1), {}, symbols, {});
  enclosure.bind({});
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  const expr::Jet any = {kUnknown, kUnknown, expr::Interval::whole(), expr::Interval::whole()};
  enclosure.enclose(std::vector<expr::Jet>(symbols.size(), any).data(), 0.0);
  const expr::Interval range = enclosure.equation(0).range;
  return range.lo >= 0.0 || range.hi <= 0.0;
}

}  // namespace

bool is_switch(const expr::Graph& graph, const expr::Graph::Node& node) {
  switch (node.op) {
    case Op::kTable: {
      const Spline& table = graph.spline(expr::TableId(node.payload));
      return table.order_of_jump() < 3 && node.derivative_order == table.order_of_jump();
    }
    case Op::kAbsolute:
    case Op::kSign:
    case Op::kFloor:
    case Op::kMinimum:
    case Op::kMaximum:
    case Op::kLess:
    case Op::kLessEqual: return true;
    default: return false;
  }
}

Switches::Switches(expr::Graph& graph, std::span<const Expr> known, std::span<const Expr> parameters) : graph_(graph) {
  kinds_.resize(graph.size(), Kind::kUnseen);
  for (const Expr& symbol : known) kinds_[symbol.node().index()] = Kind::kOfState;
  for (const Expr& symbol : parameters) kinds_[symbol.node().index()] = Kind::kFixed;
}

Switches::Kind Switches::kind_of(NodeId id) {
  const Expr e(&graph_, id);
  if (kinds_.size() < graph_.size()) kinds_.resize(graph_.size(), Kind::kUnseen);
  if (kinds_[id.index()] != Kind::kUnseen) return kinds_[id.index()];
  const expr::Subgraph subgraph(std::span(&e, 1));
  for (const NodeId at : subgraph.nodes()) {
    Kind& kind = kinds_[at.index()];
    if (kind != Kind::kUnseen) continue;
    const expr::Graph::Node& node = graph_.node(at);
    kind = node.op == Op::kSymbol ? Kind::kOfUnknown : Kind::kFixed;
    for (const NodeId operand : node.operands) {
      if (operand.is_valid()) kind = std::max(kind, kinds_[operand.index()]);
    }
  }
  return kinds_[id.index()];
}

bool Switches::is_of_state(Expr e) { return kind_of(e.node()) == Kind::kOfState; }

bool Switches::has_switch(Expr e) {
  const expr::Subgraph subgraph(std::span(&e, 1));
  return std::ranges::any_of(subgraph.nodes(), [this](NodeId id) {
    return is_switch(graph_, graph_.node(id)) && kind_of(id) == Kind::kOfState;
  });
}

bool Switches::is_in_graph() {
  for (std::size_t i = 0; i < graph_.size(); ++i)
    if (const NodeId id(i); is_switch(graph_, graph_.node(id)) && kind_of(id) == Kind::kOfState) return true;
  return false;
}

const Switches::Stairs* Switches::stairs_of(const expr::Graph::Node& node) const {
  const auto known = stairs_.find(node.payload);
  return known != stairs_.end() && known->second ? &*known->second : nullptr;
}

/// Finds the parts of a table between its jumps. Neighboring parts with equal constant values are one part.
void Switches::find_stairs(const expr::Graph::Node& node) {
  const auto [known, is_new] = stairs_.try_emplace(node.payload);
  if (!is_new) return;
  const std::shared_ptr<const Spline> table = graph_.shared_spline(expr::TableId(node.payload));
  const std::span<const double> knots = table->knots(), c = table->coefficients();
  const auto order = static_cast<std::size_t>(table->order_of_jump());
  const auto value = [&](std::size_t piece) { return c[4 * piece + order] * (order == 2 ? 2.0 : 1.0); };
  const auto slope = [&](std::size_t piece) { return order == 2 ? 6.0 * c[4 * piece + 3] : 0.0; };
  const std::size_t pieces = knots.size() - 1;
  std::vector<double> at, values, slopes, begins;
  const auto add_part = [&](std::size_t piece) {
    values.push_back(value(piece));
    slopes.push_back(slope(piece));
    begins.push_back(knots[piece]);
  };
  if (!table->is_periodic()) add_part(0);
  for (std::size_t k = table->is_periodic() ? 0 : 1; k < pieces; ++k) {
    const std::size_t before = k == 0 ? pieces - 1 : k - 1;
    if (value(k) == value(before) && slope(k) == 0.0 && slope(before) == 0.0) continue;
    at.push_back(knots[k]);
    add_part(k);
  }
  if (at.empty()) return;
  const auto add = [this](Spline spline) {
    return graph_.add_table(std::make_shared<const Spline>(std::move(spline)));
  };
  const auto reach =
      table->shape().reach == Spline::Reach::kInside ? Spline::Reach::kInside : Spline::Reach::kEndPieces;
  Stairs stairs{add(numbers_of(*table, std::move(at))),
                add(values_of(*table, std::move(values), 0.0)),
                {},
                {},
                add({table->name(), {table->first(), table->last()}, {0.0, 0.0}, {Spline::Kind::kSpline, reach}})};
  if (order == 2) {
    stairs.slope = add(values_of(*table, std::move(slopes), 0.0));
    stairs.begin = add(values_of(*table, std::move(begins), table->period()));
  }
  known->second = stairs;
}

/// The two expressions (x, y) that a switch compares. (−w, 0) is replaced by (0, w), so that `max(v, 0)` and `max(-v,
/// 0)` have the same surface.
std::pair<Expr, Expr> Switches::sides_of(const expr::Graph::Node& node) const {
  const Expr x(&graph_, node.operands[0]);
  if (node.op == Op::kFloor) return {x, Expr()};
  if (node.op == Op::kTable) {
    const Stairs* stairs = stairs_of(node);
    return {stairs != nullptr ? graph_.table(stairs->number, 0, x) : Expr(), Expr()};
  }
  const bool is_of_one = node.op == Op::kAbsolute || node.op == Op::kSign;
  const Expr y = is_of_one ? graph_.constant(0.0) : Expr(&graph_, node.operands[1]);
  const auto negated = [this](Expr e) {
    const expr::Graph::Node& of = graph_.node(e.node());
    return of.op == Op::kNegate ? Expr(&graph_, of.operands[0]) : Expr();
  };
  if (const Expr w = negated(x); w.is_valid() && y.is_zero()) return {y, w};
  if (const Expr w = negated(y); w.is_valid() && x.is_zero()) return {w, x};
  return {x, y};
}

Switches::Pair Switches::pair_of(Expr x, Expr y) {
  if (!y.is_valid()) return {x.node().index(), kNone};
  return std::minmax(std::size_t{x.node().index()}, std::size_t{y.node().index()});
}

/// Index of the surface of a switch; nothing if the node is not a switch or its surface was not collected.
std::optional<std::size_t> Switches::surface_at(const expr::Graph::Node& node) const {
  if (!is_switch(graph_, node)) return std::nullopt;
  const auto [first, second] = sides_of(node);
  if (!first.is_valid()) return std::nullopt;
  const auto found = surface_of_.find(pair_of(first, second));
  return found != surface_of_.end() ? std::optional(found->second) : std::nullopt;
}

void Switches::collect(std::span<const Expr> equations) {
  if (equations.empty()) return;
  const expr::Subgraph subgraph(equations);
  for (const NodeId id : subgraph.nodes()) {
    if (!is_switch(graph_, graph_.node(id))) continue;
    const Kind kind = kind_of(id);
    if (kind == Kind::kFixed) continue;
    const expr::Graph::Node node = graph_.node(id);
    const std::string text = expr::to_text(Expr(&graph_, id), kShownNodesOfSwitch);
    if (kind == Kind::kOfUnknown) {
      of_unknowns_.push_back(text);
      continue;
    }
    if (node.op == Op::kTable) find_stairs(node);
    const auto [first, second] = sides_of(node);
    if (!first.is_valid()) continue;
    const Pair pair = pair_of(first, second);
    const bool is_turned = second.is_valid() && first.node().index() != pair.first;
    const double side_of_equals = (is_turned ? -1.0 : 1.0) * equals_lie(node.op);
    const auto [known, is_new] = surface_of_.emplace(pair, surfaces_.size());
    if (is_new) add_surface(is_turned ? second : first, is_turned ? first : second, text);
    Surface& surface = surfaces_[known->second];
    if (surface.side_of_equals == 0.0) surface.side_of_equals = side_of_equals;
    surface.has_upper_equals = surface.has_upper_equals || side_of_equals > 0.0;
    surface.has_lower_equals = surface.has_lower_equals || side_of_equals < 0.0;
    surface.has_own_equals = surface.has_own_equals || node.op == Op::kSign;
  }
  find_poles();
  if (kinds_.size() < graph_.size()) kinds_.resize(graph_.size(), Kind::kUnseen);
  for (const Expr& symbol : symbols()) kinds_[symbol.node().index()] = Kind::kFixed;
  find_nests();
}

Switches::Surface& Switches::add_surface(Expr x, Expr y, std::string text) {
  if (!live_.is_valid()) live_ = graph_.symbol("the sides in force are those of the state");
  const std::string number = std::to_string(surfaces_.size() + 1);
  Surface& added = surfaces_.emplace_back();
  added.x = x;
  added.y = y;
  added.side = graph_.symbol("side " + number);
  added.free = graph_.symbol("free " + number);
  added.text = std::move(text);
  return added;
}

/// Adds the zeros of denominators in x and y of the surfaces of switches.
void Switches::find_poles() {
  const std::size_t switches = surfaces_.size();
  std::vector<char> is_known(graph_.size(), 0);
  for (std::size_t k = 0; k < switches; ++k) {
    std::vector<Expr> both = {surfaces_[k].x};
    if (!surfaces_[k].is_floor()) both.push_back(surfaces_[k].y);
    const std::vector<NodeId> nodes = expr::Subgraph(both).nodes();
    for (const NodeId id : nodes) {
      if (is_known[id.index()] != 0) continue;
      is_known[id.index()] = 1;
      const Expr zero_at = denominator_of(graph_, id);
      if (!zero_at.is_valid() || !is_of_state(zero_at) || keeps_its_sign(zero_at)) continue;
      add_surface(zero_at, graph_.constant(0.0), surfaces_[k].text).pole = Expr(&graph_, id);
    }
  }
}

/// Finds the inner surfaces of each surface. These are the surfaces whose side symbols, or expressions that jump at
/// their poles, occur in x and y of the surface after switches are replaced.
void Switches::find_nests() {
  std::map<std::size_t, std::vector<std::size_t>> of_node;
  for (std::size_t k = 0; k < surfaces_.size(); ++k) {
    const Expr sign = surfaces_[k].is_pole() ? on_side(surfaces_[k].pole) : surfaces_[k].side;
    of_node[sign.node().index()].push_back(k);
  }
  for (std::size_t at = 0; at < surfaces_.size(); ++at) {
    Surface& surface = surfaces_[at];
    std::vector<Expr> both = {on_side(surface.x)};
    if (!surface.is_floor()) both.push_back(on_side(surface.y));
    const expr::Subgraph subgraph(both);
    for (const NodeId id : subgraph.nodes()) {
      const auto found = of_node.find(id.index());
      if (found != of_node.end()) surface.inner.insert(surface.inner.end(), found->second.begin(), found->second.end());
    }
    std::ranges::sort(surface.inner);
    has_nested_ = has_nested_ || !surface.inner.empty();
  }
}

bool Switches::holds_any(std::size_t surface, std::span<const std::size_t> others) const {
  return std::ranges::any_of(surfaces_[surface].inner,
                             [&](std::size_t k) { return std::ranges::find(others, k) != others.end(); });
}

std::vector<std::size_t> Switches::surfaces_in(std::span<const Expr> expressions) const {
  std::vector<std::size_t> found;
  if (expressions.empty()) return found;
  const expr::Subgraph subgraph(expressions);
  for (const NodeId id : subgraph.nodes()) {
    const expr::Graph::Node node = graph_.node(id);
    const auto surface = surface_at(node);
    if (!surface) continue;
    found.push_back(*surface);
    for (const std::size_t inner : surfaces_[*surface].inner)
      if (surfaces_[inner].is_pole()) found.push_back(inner);
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

std::vector<Expr> Switches::symbols() const {
  std::vector<Expr> all;
  if (surfaces_.empty()) return all;
  all.push_back(live_);
  for (const Surface& surface : surfaces_) all.push_back(surface.side);
  for (const Surface& surface : surfaces_) all.push_back(surface.free);
  return all;
}

std::vector<double> Switches::live_values() const {
  std::vector<double> all;
  if (!surfaces_.empty()) all.assign(1 + 2 * surfaces_.size(), 1.0);
  return all;
}

std::vector<std::size_t> Switches::between(std::span<const double> sides) const {
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < sides.size(); ++k)
    if (surfaces_[k].is_between(sides[k])) found.push_back(k);
  return found;
}

std::vector<double> Switches::sides_of_face(std::span<const double> sides, std::span<const std::size_t> along,
                                            std::size_t face) const {
  std::vector<double> beside(sides.begin(), sides.end());
  for (std::size_t i = 0; i < along.size(); ++i) {
    double& side = beside[along[i]];
    side = face == i + 1 || face > along.size() ? surfaces_[along[i]].upper(side) : surfaces_[along[i]].lower(side);
  }
  return beside;
}

double Switches::in_kernel(std::size_t surface, double side) const {
  if (surfaces_[surface].is_between(side)) return surfaces_[surface].upper(side);
  return !surfaces_[surface].is_floor() && side == kEqual ? 0.0 : side;
}

std::vector<double> Switches::values(std::span<const double> sides, std::span<const std::size_t> held) const {
  std::vector<double> all = {0.0};
  for (std::size_t k = 0; k < sides.size(); ++k) all.push_back(in_kernel(k, sides[k]));
  all.resize(1 + 2 * sides.size(), 1.0);
  for (std::size_t k = 0; k < sides.size(); ++k)
    if (std::ranges::find(held, k) != held.end() || holds_any(k, held)) all[1 + sides.size() + k] = 0.0;
  return all;
}

/// The expression that replaces a switch: its value on the side `Surface::side`, or as stated (`live`, `free`).
Expr Switches::switched(NodeId id, std::span<const Expr> operands, bool is_shown) {
  const expr::Graph::Node node = graph_.node(id);
  const auto [first, second] = sides_of(node);
  const Surface& surface = surfaces_[surface_of_.at(pair_of(first, second))];
  const Expr stated = node.op == Op::kTable
                          ? graph_.table(expr::TableId(node.payload), node.derivative_order, operands[0])
                          : graph_.make(node.op, operands[0], operands[1], operands[2]);
  if (stated.is_constant()) return stated;
  const Expr side = first == surface.x ? surface.side : -surface.side;  // > 0 where first > second
  const Expr zero = graph_.constant(0.0);
  Expr on_side;
  switch (node.op) {
    case Op::kFloor: on_side = surface.side; break;
    case Op::kTable: {
      const Stairs& stairs = *stairs_of(node);
      on_side = graph_.table(stairs.value, 0, surface.side);
      if (stairs.slope.is_valid())
        on_side +=
            graph_.table(stairs.slope, 0, surface.side) * (operands[0] - graph_.table(stairs.begin, 0, surface.side));
      if (graph_.spline(stairs.range).shape().reach == Spline::Reach::kInside)
        on_side += graph_.table(stairs.range, 0, operands[0]);
      break;
    }
    case Op::kSign: on_side = side; break;
    case Op::kAbsolute: on_side = side * operands[0]; break;
    case Op::kMinimum: on_side = select(less(side, zero), operands[0], operands[1]); break;
    case Op::kMaximum: on_side = select(less(side, zero), operands[1], operands[0]); break;
    default: on_side = graph_.make(node.op, side, zero);
  }
  return select(is_shown ? surface.free : live_, stated, on_side);
}

std::vector<Expr> Switches::on_sides(std::span<const Expr> expressions) {
  return images_of(expressions, on_sides_, false);
}

std::vector<Expr> Switches::shown(std::span<const Expr> expressions) { return images_of(expressions, shown_, true); }

std::vector<Expr> Switches::images_of(std::span<const Expr> expressions, Images& images, bool is_shown) {
  std::vector<Expr> result(expressions.begin(), expressions.end());
  if (surfaces_.empty() || expressions.empty()) return result;
  const expr::Subgraph subgraph(expressions);
  if (images.size() < graph_.size()) images.resize(graph_.size());
  for (const NodeId id : subgraph.nodes()) {
    if (images[id.index()].is_valid()) continue;
    const expr::Graph::Node node = graph_.node(id);
    std::array<Expr, 3> operands;
    bool is_changed = false;
    for (std::size_t k = 0; k < 3; ++k) {
      if (!node.operands[k].is_valid()) continue;
      operands[k] = images[node.operands[k].index()];
      is_changed = is_changed || operands[k].node() != node.operands[k];
    }
    Expr image(&graph_, id);
    if (surface_at(node)) {
      image = switched(id, operands, is_shown);
    } else if (is_changed) {
      image = node.op == Op::kTable ? graph_.table(expr::TableId(node.payload), node.derivative_order, operands[0])
                                    : graph_.make(node.op, operands[0], operands[1], operands[2]);
    }
    if (images.size() < graph_.size()) images.resize(graph_.size());
    images[id.index()] = image;
  }
  for (Expr& e : result) e = images[e.node().index()];
  return result;
}

}  // namespace vinculum::sim
