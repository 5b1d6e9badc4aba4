#include "vinculum/expr/derivative.hpp"

#include <algorithm>
#include <array>

#include "vinculum/base/contract.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::expr {
namespace {

// In this file an invalid Expr means zero, so that expressions that are identically zero are never built.
using Operands = std::array<Expr, 3>;

Expr sum(Expr a, Expr b) {
  if (!a.is_valid()) return b;
  return b.is_valid() ? a + b : a;
}

Expr product(Expr a, Expr b) { return a.is_valid() && b.is_valid() ? a * b : Expr(); }
Expr negated(Expr a) { return a.is_valid() ? -a : Expr(); }
Expr without_zero(Expr a) { return a.is_valid() && a.is_zero() ? Expr() : a; }
Expr or_zero(Expr a, Graph& graph) { return a.is_valid() ? a : graph.constant(0.0); }

Operands operands_of(Graph& graph, const Graph::Node& node) {
  Operands operands;
  for (int i = 0; i < 3; ++i) {
    if (node.operands[i].is_valid()) operands[i] = Expr(&graph, node.operands[i]);
  }
  return operands;
}

// ∂e/∂a for e = op(a).
Expr unary_partial(Expr e, const Graph::Node& node, Expr a) {
  Graph& graph = e.graph();
  const auto make = [&](Op op) { return graph.make(op, a); };
  switch (node.op) {
    case Op::kSquareRoot: return 0.5 / e;
    case Op::kExponential: return e;
    case Op::kLogarithm: return 1.0 / a;
    case Op::kSine: return make(Op::kCosine);
    case Op::kCosine: return -make(Op::kSine);
    case Op::kTangent: return 1.0 + e * e;
    case Op::kArcSine: return 1.0 / square_root(1.0 - a * a);
    case Op::kArcCosine: return -1.0 / square_root(1.0 - a * a);
    case Op::kArcTangent: return 1.0 / (1.0 + a * a);
    case Op::kHyperbolicSine: return make(Op::kHyperbolicCosine);
    case Op::kHyperbolicCosine: return make(Op::kHyperbolicSine);
    case Op::kHyperbolicTangent: return 1.0 - e * e;
    case Op::kAbsolute: return make(Op::kSign);
    case Op::kTable: return graph.table(TableId(node.payload), node.derivative_order + 1, a);
    default: return {};  // sign, floor, comparisons and logic: the derivative is zero wherever it exists
  }
}

Expr power_partial(Expr base, Expr exponent) { return exponent * power(base, exponent - 1.0); }

// Derivative of e = op(a), given the derivatives d of its operands a.
Expr tangent(Expr e, const Graph::Node& node, const Operands& a, const Operands& d) {
  Graph& graph = e.graph();
  switch (node.op) {
    case Op::kAdd: return sum(d[0], d[1]);
    case Op::kSubtract: return d[0].is_valid() && d[1].is_valid() ? d[0] - d[1] : sum(d[0], negated(d[1]));
    case Op::kMultiply: return sum(product(d[0], a[1]), product(a[0], d[1]));
    case Op::kNegate: return negated(d[0]);
    case Op::kDivide: {
      if (!d[1].is_valid()) return d[0].is_valid() ? d[0] / a[1] : Expr();
      const Expr change = e * d[1];
      return d[0].is_valid() ? (d[0] - change) / a[1] : -(change / a[1]);
    }
    case Op::kPower:
      return sum(d[0].is_valid() ? power_partial(a[0], a[1]) * d[0] : Expr(),
                 d[1].is_valid() ? e * graph.make(Op::kLogarithm, a[0]) * d[1] : Expr());
    case Op::kArcTangent2: {  // e = atan2(y, x) with y = a[0] and x = a[1]
      const Expr left = product(a[1], d[0]);
      const Expr right = product(a[0], d[1]);
      const Expr across = left.is_valid() && right.is_valid() ? left - right : sum(left, negated(right));
      return across.is_valid() ? across / (a[0] * a[0] + a[1] * a[1]) : Expr();
    }
    case Op::kMinimum:
    case Op::kMaximum: {
      if (!d[0].is_valid() && !d[1].is_valid()) return {};
      const Expr takes_first = node.op == Op::kMinimum ? less(a[0], a[1]) : less(a[1], a[0]);
      return select(takes_first, or_zero(d[0], graph), or_zero(d[1], graph));
    }
    case Op::kSelect:
      if (!d[1].is_valid() && !d[2].is_valid()) return {};
      return select(a[0], or_zero(d[1], graph), or_zero(d[2], graph));
    default: return d[0].is_valid() ? product(unary_partial(e, node, a[0]), d[0]) : Expr();
  }
}

bool is_selection(Op op) { return op == Op::kSelect || op == Op::kMinimum || op == Op::kMaximum; }

struct Component {
  int column;
  Expr value;
};
using SparseTangent = std::vector<Component>;  // by ascending column, without zeros

// Forward mode for all columns at once: the derivatives of every node, by the node's position in the subgraph.
std::vector<SparseTangent> forward(Graph& graph, const Subgraph& subgraph, std::span<const Expr> x) {
  std::vector<SparseTangent> tangents(subgraph.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const std::uint32_t at = subgraph.position(x[j].node());
    if (at != Subgraph::kOutside) tangents[at].push_back({static_cast<int>(j), graph.constant(1.0)});
  }
  for (std::size_t i = 0; i < subgraph.size(); ++i) {
    const Graph::Node& node = graph.node(subgraph[i]);
    if (node.op == Op::kConstant || node.op == Op::kSymbol) continue;
    const Operands a = operands_of(graph, node);
    std::array<const SparseTangent*, 3> parts{};
    std::array<std::size_t, 3> next{};
    for (int k = 0; k < 3; ++k) {
      if (a[k].is_valid()) parts[k] = &tangents[subgraph.position(a[k].node())];
    }
    const Expr e(&graph, subgraph[i]);
    while (true) {
      int column = -1;
      for (int k = 0; k < 3; ++k) {
        if (parts[k] == nullptr || next[k] == parts[k]->size()) continue;
        const int candidate = (*parts[k])[next[k]].column;
        if (column < 0 || candidate < column) column = candidate;
      }
      if (column < 0) break;
      Operands d;
      for (int k = 0; k < 3; ++k) {
        if (parts[k] == nullptr || next[k] == parts[k]->size() || (*parts[k])[next[k]].column != column) continue;
        d[k] = (*parts[k])[next[k]++].value;
      }
      const Expr value = without_zero(tangent(e, node, a, d));
      if (value.is_valid()) tangents[i].push_back({column, value});
    }
  }
  return tangents;
}

class Reverse {
 public:
  Reverse(Graph& graph, const Subgraph& subgraph, std::span<const Expr> x)
      : graph_(graph), subgraph_(subgraph), x_(x), is_active_(subgraph.size(), 0), adjoints_(subgraph.size()) {
    for (const Expr& symbol : x) {
      const std::uint32_t at = subgraph.position(symbol.node());
      if (at != Subgraph::kOutside) is_active_[at] = 1;
    }
    for (std::size_t i = 0; i < subgraph.size(); ++i) {
      for (const NodeId id : graph.node(subgraph[i]).operands) {
        if (id.is_valid() && is_active_[subgraph.position(id)] != 0) is_active_[i] = 1;
      }
    }
  }

  // A `select` is not differentiated in reverse: an adjoint of 0 times an infinite partial derivative of the branch not
  // taken would be NaN. It is differentiated in forward mode, where the derivative of that branch stays inside the
  // select.
  std::vector<Expr> run(Expr f) {
    std::vector<Expr> selections;
    adjoints_[subgraph_.position(f.node())] = graph_.constant(1.0);
    for (std::size_t i = subgraph_.size(); i-- > 0;) {
      const Expr adjoint = adjoints_[i];
      if (!adjoint.is_valid() || adjoint.is_zero() || is_active_[i] == 0) continue;
      const Expr e(&graph_, subgraph_[i]);
      if (is_selection(graph_.node(e).op)) {
        selections.push_back(e);
      } else {
        spread(e, graph_.node(e), adjoint);
      }
    }
    std::vector<Expr> result;
    for (const Expr& symbol : x_) {
      const std::uint32_t at = subgraph_.position(symbol.node());
      result.push_back(at == Subgraph::kOutside ? Expr() : adjoints_[at]);
    }
    if (!selections.empty()) {
      const Subgraph below(selections);
      const std::vector<SparseTangent> tangents = forward(graph_, below, x_);
      for (const Expr& e : selections) {
        const Expr adjoint = adjoints_[subgraph_.position(e.node())];
        for (const Component& c : tangents[below.position(e.node())]) {
          result[c.column] = sum(result[c.column], adjoint * c.value);
        }
      }
    }
    return result;
  }

 private:
  void give(Expr operand, Expr share) {
    Expr& adjoint = adjoints_[subgraph_.position(operand.node())];
    adjoint = sum(adjoint, share);
  }

  [[nodiscard]] bool is_active(Expr operand) const { return is_active_[subgraph_.position(operand.node())] != 0; }

  void spread(Expr e, const Graph::Node& node, Expr adjoint) {
    const Operands a = operands_of(graph_, node);
    if (!a[0].is_valid()) return;
    switch (node.op) {
      case Op::kAdd:
      case Op::kSubtract:
        if (is_active(a[0])) give(a[0], adjoint);
        if (is_active(a[1])) give(a[1], node.op == Op::kAdd ? adjoint : -adjoint);
        return;
      case Op::kMultiply:
        if (is_active(a[0])) give(a[0], adjoint * a[1]);
        if (is_active(a[1])) give(a[1], adjoint * a[0]);
        return;
      case Op::kNegate: give(a[0], -adjoint); return;
      case Op::kDivide: {
        const Expr share = adjoint / a[1];
        if (is_active(a[0])) give(a[0], share);
        if (is_active(a[1])) give(a[1], -(share * e));
        return;
      }
      case Op::kPower:
        if (is_active(a[0])) give(a[0], adjoint * power_partial(a[0], a[1]));
        if (is_active(a[1])) give(a[1], adjoint * (e * graph_.make(Op::kLogarithm, a[0])));
        return;
      case Op::kArcTangent2: {
        const Expr share = adjoint / (a[0] * a[0] + a[1] * a[1]);
        if (is_active(a[0])) give(a[0], share * a[1]);
        if (is_active(a[1])) give(a[1], -(share * a[0]));
        return;
      }
      default: {
        const Expr partial = unary_partial(e, node, a[0]);
        if (partial.is_valid()) give(a[0], adjoint * partial);
      }
    }
  }

  Graph& graph_;
  const Subgraph& subgraph_;
  std::span<const Expr> x_;
  std::vector<char> is_active_;
  std::vector<Expr> adjoints_;
};

void expect_symbols(std::span<const Expr> x) {
  for (const Expr& symbol : x) VINCULUM_EXPECTS(symbol.is_valid() && symbol.graph().node(symbol).op == Op::kSymbol);
}

}  // namespace

std::vector<Entry> sparse_jacobian(std::span<const Expr> f, std::span<const Expr> x) {
  std::vector<Entry> entries;
  if (f.empty()) return entries;
  expect_symbols(x);
  Graph& graph = f[0].graph();
  const Subgraph subgraph(f);
  const auto is_used = [&](Expr symbol) { return subgraph.position(symbol.node()) != Subgraph::kOutside; };
  if (static_cast<std::size_t>(std::count_if(x.begin(), x.end(), is_used)) <= f.size()) {
    const std::vector<SparseTangent> tangents = forward(graph, subgraph, x);
    for (std::size_t i = 0; i < f.size(); ++i) {
      for (const Component& c : tangents[subgraph.position(f[i].node())]) {
        entries.push_back({static_cast<int>(i), c.column, c.value});
      }
    }
    return entries;
  }
  for (std::size_t i = 0; i < f.size(); ++i) {
    const Subgraph row(f.subspan(i, 1));
    const std::vector<Expr> partials = Reverse(graph, row, x).run(f[i]);
    for (std::size_t j = 0; j < x.size(); ++j) {
      const Expr value = without_zero(partials[j]);
      if (value.is_valid()) entries.push_back({static_cast<int>(i), static_cast<int>(j), value});
    }
  }
  return entries;
}

Expr derivative(Expr f, Expr x) {
  const Expr one = f.graph().constant(1.0);
  return directional_derivative(std::span(&f, 1), std::span(&x, 1), std::span(&one, 1))[0];
}

SparseRow sparse_gradient(Expr f, std::span<const Expr> x) {
  expect_symbols(x);
  const Subgraph subgraph(std::span<const Expr>(&f, 1));
  const std::vector<Expr> partials = Reverse(f.graph(), subgraph, x).run(f);
  SparseRow row(f.graph(), x.size());
  for (std::size_t i = 0; i < partials.size(); ++i) {
    if (partials[i].is_valid()) row.add(i, partials[i]);
  }
  return row;
}

std::vector<Expr> gradient(Expr f, std::span<const Expr> x) { return sparse_gradient(f, x).dense(); }

std::vector<Expr> directional_derivative(std::span<const Expr> f, std::span<const Expr> x, std::span<const Expr> rate) {
  VINCULUM_EXPECTS(x.size() == rate.size());
  std::vector<Expr> result;
  if (f.empty()) return result;
  expect_symbols(x);
  Graph& graph = f[0].graph();
  const Subgraph subgraph(f);
  std::vector<Expr> tangents(subgraph.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const std::uint32_t at = subgraph.position(x[j].node());
    if (at != Subgraph::kOutside) tangents[at] = sum(tangents[at], without_zero(rate[j]));
  }
  for (std::size_t i = 0; i < subgraph.size(); ++i) {
    const Graph::Node& node = graph.node(subgraph[i]);
    if (node.op == Op::kConstant || node.op == Op::kSymbol) continue;
    const Operands a = operands_of(graph, node);
    Operands d;
    bool is_moving = false;
    for (int k = 0; k < 3; ++k) {
      if (a[k].is_valid()) d[k] = tangents[subgraph.position(a[k].node())];
      is_moving = is_moving || d[k].is_valid();
    }
    if (is_moving) tangents[i] = without_zero(tangent(Expr(&graph, subgraph[i]), node, a, d));
  }
  for (const Expr& root : f) result.push_back(or_zero(tangents[subgraph.position(root.node())], graph));
  return result;
}

bool depends_on(Expr f, std::span<const Expr> x) {
  const Subgraph subgraph(std::span<const Expr>(&f, 1));
  return std::any_of(x.begin(), x.end(),
                     [&](Expr symbol) { return subgraph.position(symbol.node()) != Subgraph::kOutside; });
}

std::vector<char> which_depend_on(std::span<const Expr> f, std::span<const Expr> x) {
  const Subgraph subgraph(f);
  std::vector<char> depends(subgraph.size(), 0);
  for (const Expr& symbol : x) {
    const std::uint32_t at = subgraph.position(symbol.node());
    if (at != Subgraph::kOutside) depends[at] = 1;
  }
  for (std::size_t i = 0; i < subgraph.size(); ++i) {
    for (const NodeId operand : f[0].graph().node(subgraph[i]).operands) {
      if (operand.is_valid() && depends[subgraph.position(operand)] != 0) depends[i] = 1;
    }
  }
  std::vector<char> result;
  for (const Expr& one : f) result.push_back(depends[subgraph.position(one.node())]);
  return result;
}

std::vector<Expr> substitute(std::span<const Expr> f, std::span<const Expr> x, std::span<const Expr> by) {
  VINCULUM_EXPECTS(x.size() == by.size());
  std::vector<Expr> result;
  if (f.empty()) return result;
  expect_symbols(x);
  Graph& graph = f[0].graph();
  const Subgraph subgraph(f);
  std::vector<Expr> images(subgraph.size());
  for (std::size_t i = 0; i < subgraph.size(); ++i) images[i] = Expr(&graph, subgraph[i]);
  for (std::size_t j = 0; j < x.size(); ++j) {
    const std::uint32_t at = subgraph.position(x[j].node());
    if (at != Subgraph::kOutside) images[at] = by[j];
  }
  for (std::size_t i = 0; i < subgraph.size(); ++i) {
    const Graph::Node& node = graph.node(subgraph[i]);
    Operands a;
    bool is_changed = false;
    for (int k = 0; k < 3; ++k) {
      if (!node.operands[k].is_valid()) continue;
      a[k] = images[subgraph.position(node.operands[k])];
      is_changed = is_changed || a[k].node() != node.operands[k];
    }
    if (!is_changed) continue;
    images[i] = node.op == Op::kTable ? graph.table(TableId(node.payload), node.derivative_order, a[0])
                                      : graph.make(node.op, a[0], a[1], a[2]);
  }
  for (const Expr& root : f) result.push_back(images[subgraph.position(root.node())]);
  return result;
}

std::vector<Expr> substitute_into(Graph& other, std::span<const Expr> f, std::span<const Expr> x,
                                  std::span<const double> values) {
  VINCULUM_EXPECTS(x.size() == values.size());
  std::vector<Expr> result;
  if (f.empty()) return result;
  expect_symbols(x);
  const Graph& graph = f[0].graph();
  const Subgraph subgraph(f);
  std::vector<Expr> images(subgraph.size());
  for (std::size_t j = 0; j < x.size(); ++j) {
    const std::uint32_t at = subgraph.position(x[j].node());
    if (at != Subgraph::kOutside) images[at] = other.constant(values[j]);
  }
  for (std::size_t i = 0; i < subgraph.size(); ++i) {
    if (images[i].is_valid()) continue;
    const Graph::Node& node = graph.node(subgraph[i]);
    Operands a;
    for (int k = 0; k < 3; ++k)
      if (node.operands[k].is_valid()) a[k] = images[subgraph.position(node.operands[k])];
    switch (node.op) {
      case Op::kConstant: images[i] = other.constant(node.value); break;
      case Op::kSymbol: images[i] = other.symbol(graph.symbol_name(subgraph[i])); break;
      case Op::kTable:
        images[i] =
            other.table(other.add_table(graph.shared_spline(TableId(node.payload))), node.derivative_order, a[0]);
        break;
      default: images[i] = other.make(node.op, a[0], a[1], a[2]);
    }
  }
  for (const Expr& root : f) result.push_back(images[subgraph.position(root.node())]);
  return result;
}

}  // namespace vinculum::expr
