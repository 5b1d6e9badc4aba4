#include "vinculum/expr/enclosure.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::expr {
namespace {

Interval or_whole(Interval x) { return x.lo <= x.hi ? x : Interval::whole(); }

double smoothstep(double s) {
  const auto rising = [](double x) { return x * x * x * (x * (6.0 * x - 15.0) + 10.0); };
  return s <= 0.5 ? rising(s) : 1.0 - rising(1.0 - s);
}

/// smoothstep(s), rounded outward by the error of about a dozen operations.
Interval smoothstep(Interval s) {
  if (!std::isfinite(s.lo) || !std::isfinite(s.hi)) return Interval::whole();
  const double lo = smoothstep(s.lo), hi = smoothstep(s.hi), part = 4.0 * tolerance::kEqual;
  const auto beside_one = [](double s_end, double value) { return s_end > 0.5 ? 1.0 - value : value; };
  return {lo - part * std::abs(beside_one(s.lo, lo)), hi + part * std::abs(beside_one(s.hi, hi))};
}

}  // namespace

bool may_jump(Op op, Interval first, Interval second) {
  switch (op) {
    case Op::kDivide: return second.holds(0.0);
    case Op::kTangent: return enclose_operation(Op::kTangent, first) == Interval::whole();
    case Op::kPower: return second.lo < 0.0 && first.holds(0.0);
    case Op::kArcTangent2: return second.lo <= 0.0 && first.holds(0.0);
    default: return false;
  }
}

Interval cone(double a, double b, Interval rate, double h) {
  if (!std::isfinite(a) || !std::isfinite(b)) return Interval::whole();
  double least = std::min(a, b), most = std::max(a, b);
  if (rate.lo < 0.0 && rate.hi > 0.0) {
    const double opening = rate.hi - rate.lo;
    if (!std::isfinite(opening)) return Interval::whole();  // the difference of finite rates may overflow
    const double up = std::clamp((b - a - rate.lo * h) / opening, 0.0, h);
    const double down = std::clamp((a - b + rate.hi * h) / opening, 0.0, h);
    most = std::max(most, a + rate.hi * up);
    least = std::min(least, a + rate.lo * down);
  }
  const double rounding = tolerance::kEqual * (std::abs(least) + std::abs(most));
  return {least - rounding, most + rounding};
}

Enclosure::Enclosure(std::span<const Expr> equations, std::span<const Look> looks, std::span<const Expr> varying,
                     std::span<const Expr> fixed) {
  VINCULUM_EXPECTS(!equations.empty());
  std::vector<Expr> roots(equations.begin(), equations.end());
  for (const Look& look : looks) roots.insert(roots.end(), {look.value, look.reason});
  const Graph& graph = roots.front().graph();
  const Subgraph subgraph(roots);
  nodes_.resize(subgraph.size());
  users_.resize(nodes_.size());
  for (std::size_t i = 0; i < subgraph.size(); ++i) {
    const Graph::Node& from = graph.node(subgraph[i]);
    Node& node = nodes_[i];
    node.op = from.op;
    node.value = from.value;
    for (int k = 0; k < 3; ++k) {
      if (!from.operands[k].is_valid()) continue;
      node.operands[k] = static_cast<int>(subgraph.position(from.operands[k]));
      users_[static_cast<std::size_t>(node.operands[k])].push_back(i);
      node.varies = node.varies || nodes_[static_cast<std::size_t>(node.operands[k])].varies;
    }
    if (node.op != Op::kTable) continue;
    node.spline = &graph.spline(TableId(from.payload));
    node.derivative_order = from.derivative_order;
    node.table = static_cast<int>(tables_.size());
    for (int order = 0; order < 2; ++order) tables_.emplace_back(*node.spline, node.derivative_order + order);
  }
  const auto know = [&](std::span<const Expr> symbols, bool varies) {
    for (std::size_t i = 0; i < symbols.size(); ++i) {
      const std::uint32_t at = subgraph.position(symbols[i].node());
      if (at == Subgraph::kOutside) continue;
      nodes_[at].symbol = static_cast<int>(i);
      nodes_[at].varies = varies;
    }
  };
  know(varying, true);
  know(fixed, false);
  for (const Expr& e : fixed) {
    const std::uint32_t at = subgraph.position(e.node());
    fixed_at_.push_back(at == Subgraph::kOutside ? -1 : static_cast<int>(at));
  }
  for (Node& node : nodes_) {
    VINCULUM_EXPECTS(node.op != Op::kSymbol || node.symbol >= 0);
    for (const int operand : node.operands)
      node.varies = node.varies || (operand >= 0 && nodes_[static_cast<std::size_t>(operand)].varies);
  }
  for (Node& node : nodes_) node.rises_with = argument_of_smoothstep(node);
  for (const Expr& e : equations) equation_at_.push_back(subgraph.position(e.node()));
  for (const Look& look : looks) {
    look_at_.push_back(subgraph.position(look.value.node()));
    reason_at_.push_back(subgraph.position(look.reason.node()));
  }
  is_used_.assign(nodes_.size(), 0);
  is_constant_.assign(nodes_.size(), 0);
  is_reached_.assign(nodes_.size(), 0);
  values_.assign(nodes_.size(), 0.0);
  jets_.assign(nodes_.size(), Jet());
  clamps_.assign(nodes_.size(), std::nullopt);
}

/// The node s if the given node is s^3 (s (6 s − 15) + 10), in the form in which the model's `smoothstep` is compiled;
/// otherwise −1.
int Enclosure::argument_of_smoothstep(const Node& node) const {
  const auto at = [&](int k) -> const Node& { return nodes_[static_cast<std::size_t>(k)]; };
  const auto is_number = [&](int k, double value) { return at(k).op == Op::kConstant && at(k).value == value; };
  /// The operand x if node k is `value op x` or `x op value`; otherwise −1.
  const auto beside_number = [&](int k, Op op, double value) {
    if (at(k).op != op) return -1;
    const auto [a, b] = std::pair(at(k).operands[0], at(k).operands[1]);
    return is_number(a, value) ? b : is_number(b, value) ? a : -1;
  };
  if (node.op != Op::kMultiply) return -1;
  for (const int cube : {node.operands[0], node.operands[1]}) {
    if (at(cube).op != Op::kPower || !is_number(at(cube).operands[1], 3.0)) continue;
    const int s = at(cube).operands[0], polynomial = node.operands[0] == cube ? node.operands[1] : node.operands[0];
    const int product = beside_number(polynomial, Op::kAdd, 10.0);
    if (product < 0 || at(product).op != Op::kMultiply) continue;
    const int linear = at(product).operands[0] == s ? at(product).operands[1] : at(product).operands[0];
    if (at(product).operands[0] != s && at(product).operands[1] != s) continue;
    int multiple = beside_number(linear, Op::kAdd, -15.0);
    if (at(linear).op == Op::kSubtract && is_number(at(linear).operands[1], 15.0)) multiple = at(linear).operands[0];
    if (multiple >= 0 && beside_number(multiple, Op::kMultiply, 6.0) == s) return s;
  }
  return -1;
}

double Enclosure::number(const Node& node) const {
  const auto operand = [&](int k) {
    return node.operands[k] >= 0 ? values_[static_cast<std::size_t>(node.operands[k])] : 0.0;
  };
  if (node.op == Op::kConstant) return node.value;
  if (node.rises_with >= 0) return smoothstep(values_[static_cast<std::size_t>(node.rises_with)]);
  if (node.op == Op::kTable) return node.spline->evaluate(operand(0), node.derivative_order);
  return evaluate_operation(node.op, operand(0), operand(1), operand(2));
}

int Enclosure::skipped_operand(const Node& node) const {
  if (node.op != Op::kSelect) return -1;
  const auto condition = static_cast<std::size_t>(node.operands[0]);
  return nodes_[condition].varies ? -1 : values_[condition] != 0.0 ? 2 : 1;
}

void Enclosure::set_constant(std::size_t at, double value) {
  values_[at] = value;
  jets_[at] = Jet::constant(value);
}

void Enclosure::bind(std::span<const double> fixed) {
  const auto is_same = [](double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
  };
  if (!is_bound_) {
    is_bound_ = true;
    fixed_.assign(fixed.begin(), fixed.end());
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      const Node& node = nodes_[i];
      if (!node.varies)
        set_constant(i, node.op == Op::kSymbol ? fixed[static_cast<std::size_t>(node.symbol)] : number(node));
    }
    return mark_used();
  }
  // Nodes to evaluate, the first one on top of the heap: operands come before their users.
  open_.clear();
  const auto reach = [this](std::size_t at) {
    if (is_constant_[at] == 0 || is_reached_[at] != 0) return;
    is_reached_[at] = 1;
    open_.push_back(at);
    std::ranges::push_heap(open_, std::greater<>());
  };
  for (std::size_t i = 0; i < fixed_.size(); ++i) {
    if (is_same(fixed_[i], fixed[i])) continue;
    fixed_[i] = fixed[i];
    if (fixed_at_[i] >= 0) reach(static_cast<std::size_t>(fixed_at_[i]));
  }
  bool takes_other_branch = false;
  while (!open_.empty()) {
    const std::size_t at = open_.front();
    std::ranges::pop_heap(open_, std::greater<>());
    open_.pop_back();
    is_reached_[at] = 0;
    const Node& node = nodes_[at];
    const double before = values_[at];
    const double now = node.op == Op::kSymbol ? fixed_[static_cast<std::size_t>(node.symbol)] : number(node);
    if (is_same(before, now)) continue;
    set_constant(at, now);
    for (const std::size_t user : users_[at]) {
      const bool decides = nodes_[user].op == Op::kSelect && static_cast<std::size_t>(nodes_[user].operands[0]) == at;
      takes_other_branch = takes_other_branch || (decides && !node.varies && (before != 0.0) != (now != 0.0));
      reach(user);
    }
  }
  if (takes_other_branch) mark_used();
}

void Enclosure::mark_used() {
  std::ranges::fill(is_used_, char{0});
  std::vector<std::size_t> open = equation_at_;
  const auto reach = [&](std::size_t at) {
    if (is_used_[at] != 0) return;
    is_used_[at] = 1;
    open.push_back(at);
  };
  for (const std::size_t at : equation_at_) is_used_[at] = 1;
  while (!open.empty()) {
    const Node& node = nodes_[open.back()];
    open.pop_back();
    const int skipped = skipped_operand(node);
    for (int k = 0; k < 3; ++k) {
      if (k != skipped && node.operands[k] >= 0) reach(static_cast<std::size_t>(node.operands[k]));
    }
    if (!open.empty()) continue;
    for (std::size_t i = 0; i < look_at_.size(); ++i) {
      if (is_used_[reason_at_[i]] != 0) reach(look_at_[i]);
    }
  }
  order_.clear();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    is_constant_[i] = node.varies ? 0 : 1;
    if (is_used_[i] == 0 || !node.varies) continue;
    const int skipped = skipped_operand(node);
    bool is_constant = node.op != Op::kSymbol;
    for (int k = 0; k < 3 && is_constant; ++k) {
      const int operand = node.operands[k];
      is_constant = k == skipped || operand < 0 || is_constant_[static_cast<std::size_t>(operand)] != 0;
    }
    is_constant_[i] = is_constant ? 1 : 0;
    if (is_constant)
      set_constant(i, number(node));
    else
      order_.push_back(i);
  }
}

void Enclosure::find_nodes(std::span<const std::size_t> looks, Nodes& nodes) {
  nodes.clear();
  open_.clear();
  const auto reach = [&](std::size_t at) {
    if (is_used_[at] == 0 || is_constant_[at] != 0 || is_reached_[at] != 0) return;
    is_reached_[at] = 1;
    nodes.push_back(at);
    open_.push_back(at);
  };
  for (const std::size_t look : looks) reach(look_at_[look]);
  while (!open_.empty()) {
    const Node& node = nodes_[open_.back()];
    open_.pop_back();
    const int skipped = skipped_operand(node);
    for (int k = 0; k < 3; ++k)
      if (k != skipped && node.operands[k] >= 0) reach(static_cast<std::size_t>(node.operands[k]));
  }
  for (const std::size_t at : nodes) is_reached_[at] = 0;
  std::ranges::sort(nodes);
}

void Enclosure::evaluate(const double* varying, const Nodes& nodes) {
  for (const std::size_t i : nodes) {
    const Node& node = nodes_[i];
    values_[i] = node.op == Op::kSymbol ? varying[node.symbol] : number(node);
  }
}

Interval Enclosure::rate_of(const Node& node, Interval range) const {
  const auto jet = [&](int k) -> const Jet& { return jets_[static_cast<std::size_t>(node.operands[k])]; };
  if (node.op == Op::kMinimum || node.op == Op::kMaximum) {
    const bool is_below = jet(0).range.hi<jet(1).range.lo, is_above = jet(0).range.lo> jet(1).range.hi;
    if (!is_below && !is_above) return hull(jet(0).rate, jet(1).rate);
  }
  if (node.rises_with >= 0) {
    const Jet& s = jets_[static_cast<std::size_t>(node.rises_with)];
    const Interval bend = enclose_operation(Op::kPower, s.range * (Interval{1.0, 1.0} - s.range), {2.0, 2.0});
    return or_whole(Interval{30.0, 30.0} * bend * s.rate);
  }
  Interval rate;
  for (int k = 0; k < 3 && node.operands[k] >= 0; ++k) {
    if (jet(k).rate == Interval{}) continue;
    const Interval partial =
        node.op == Op::kTable
            ? tables_[static_cast<std::size_t>(node.table) + 1].over(jet(0).range)
            : enclose_partial(node.op, k, range, jet(0).range, node.operands[1] >= 0 ? jet(1).range : Interval{});
    rate = rate + partial * jet(k).rate;
  }
  return or_whole(rate);
}

Jet Enclosure::jet_of(const Node& node, double h) const {
  const auto jet = [&](int k) -> Jet {
    return node.operands[k] >= 0 ? jets_[static_cast<std::size_t>(node.operands[k])] : Jet();
  };
  if (node.op == Op::kSelect) {
    const Interval condition = jet(0).range;
    if (!condition.holds(0.0)) return jet(1);
    if (condition == Interval{}) return jet(2);
  }
  Jet result;
  if (node.op == Op::kTable) {
    result.range = tables_[static_cast<std::size_t>(node.table)].over(jet(0).range);
    result.a = node.spline->evaluate(jet(0).a, node.derivative_order);
    result.b = node.spline->evaluate(jet(0).b, node.derivative_order);
  } else if (node.rises_with >= 0) {
    const Jet& s = jets_[static_cast<std::size_t>(node.rises_with)];
    result = {smoothstep(s.a), smoothstep(s.b), smoothstep(s.range), {}};
  } else {
    result.range = or_whole(enclose_operation(node.op, jet(0).range, jet(1).range, jet(2).range));
    result.a = evaluate_operation(node.op, jet(0).a, jet(1).a, jet(2).a);
    result.b = evaluate_operation(node.op, jet(0).b, jet(1).b, jet(2).b);
  }
  const bool has_rate = node.op != Op::kSelect && !may_jump(node.op, jet(0).range, jet(1).range);
  result.rate = has_rate ? rate_of(node, result.range) : Interval::whole();
  result.range = common(result.range, cone(result.a, result.b, result.rate, h));
  return result;
}

void Enclosure::enclose(const Jet* varying, double h, const Nodes& nodes) {
  for (const std::size_t i : nodes) {
    const Node& node = nodes_[i];
    jets_[i] = node.op == Op::kSymbol ? varying[node.symbol] : jet_of(node, h);
    if (clamps_[i]) jets_[i].range = common(*clamps_[i], jets_[i].range);
  }
}

}  // namespace vinculum::expr
