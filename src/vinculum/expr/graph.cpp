#include "vinculum/expr/graph.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/memory_left.hpp"
#include "vinculum/base/rounded.hpp"
#include "vinculum/expr/canonical.hpp"

namespace vinculum::expr {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ull;
  return hash ^ (hash >> 29);
}

// Constants of equal value share a node if their relative errors are at most this: about the error of a dozen
// operations on numbers typed in a text.
constexpr float kWellKnown = static_cast<float>(64.0 * tolerance::kRounding);

/// Key that distinguishes constants of equal value by their error bounds. It is 0 for relative errors up to kWellKnown.
std::uint32_t doubt_key(const Graph::Node& node) {
  return node.doubt > kWellKnown ? std::bit_cast<std::uint32_t>(node.doubt) : 0;
}

std::uint64_t hash_of(const Graph::Node& node) {
  const std::uint64_t kind = static_cast<std::uint64_t>(node.op) << 8 | node.derivative_order;
  std::uint64_t hash = mix(0x2545f4914f6cdd1dull, kind << 32 | node.payload);
  hash = mix(hash, std::uint64_t{node.operands[0].value} << 32 | node.operands[1].value);
  hash = mix(hash, std::uint64_t{node.operands[2].value} << 32 | doubt_key(node));
  return mix(hash, std::bit_cast<std::uint64_t>(node.value));
}

bool is_same(const Graph::Node& a, const Graph::Node& b) {
  return a.op == b.op && a.derivative_order == b.derivative_order && a.payload == b.payload &&
         a.operands[0] == b.operands[0] && a.operands[1] == b.operands[1] && a.operands[2] == b.operands[2] &&
         doubt_key(a) == doubt_key(b) && std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value);
}

constexpr std::size_t kLookEvery = 1'000'000;  // number of new nodes between two checks of the memory
// Memory in bytes that later stages need per node (tapes, their order, code). On chains of 10 000 links 60 to 75 bytes
// were measured.
constexpr std::size_t kBytesPerNode = 100;

void look_at_memory(std::size_t nodes) {
  const std::size_t asked = kBytesPerNode * nodes, left = memory_left();
  if (asked <= left) return;
  throw TooLarge(
      fmt::format("the expressions of the model have grown to {} million operations, and the data made from them need "
                  "{} MiB, and {} are left: use fewer bodies, or coordinates that couple fewer of them",
                  nodes / kLookEvery, asked >> 20, left >> 20));
}

}  // namespace

NodeId Graph::interned(const Node& node, std::uint64_t hash) const {
  return table_of_nodes_.find(hash, [&](NodeId known) { return is_same(nodes_[known.index()], node); });
}

NodeId Graph::intern(const Node& node) { return intern(node, hash_of(node)); }

NodeId Graph::intern(const Node& node, std::uint64_t hash) {
  const std::size_t before = nodes_.size();
  const NodeId id = table_of_nodes_.find_or_make(
      hash, [&](NodeId known) { return is_same(nodes_[known.index()], node); },
      [&] {
        nodes_.push_back(node);
        return NodeId(nodes_.size() - 1);
      });
  if (nodes_.size() != before && nodes_.size() % kLookEvery == 0) look_at_memory(nodes_.size());
  return id;
}

Rounded Expr::rounded() const { return {value(), graph_->node(node_).error()}; }

Expr Graph::constant(double value) { return constant(as_stated(value)); }

Expr Graph::constant(const Rounded& value) {
  Node node;
  node.op = Op::kConstant;
  const bool is_known = std::isfinite(value.value) && std::isfinite(value.error);
  if (!is_known) {
    node.value = value.value;
    node.doubt = static_cast<float>(tolerance::kEqual);  // the error bound of a number typed in a text
  } else if (!value.may_be_zero()) {  // all constants whose error bound includes 0 are the one constant 0
    node.value = value.value;
    const double doubt = value.error / std::abs(value.value);
    // rounded up, so that it remains a bound
    node.doubt = std::nextafter(static_cast<float>(doubt), std::numeric_limits<float>::infinity());
  }
  return {this, intern(node)};
}

Expr Graph::symbol(const std::string& name) {
  const auto known = symbols_.find(name);
  if (known != symbols_.end()) return {this, known->second};
  Node node;
  node.op = Op::kSymbol;
  node.payload = static_cast<std::uint32_t>(symbol_names_.size());
  symbol_names_.push_back(name);
  const NodeId id = intern(node);
  symbols_.emplace(name, id);
  return {this, id};
}

Expr Graph::make(Op op, Expr first, Expr second, Expr third) {
  const int arity = operation_info(op).arity;
  VINCULUM_EXPECTS(op != Op::kConstant && op != Op::kSymbol && op != Op::kTable);
  VINCULUM_EXPECTS(first.is_valid() && &first.graph() == this);
  VINCULUM_EXPECTS(arity < 2 || (second.is_valid() && &second.graph() == this));
  VINCULUM_EXPECTS(arity < 3 || (third.is_valid() && &third.graph() == this));
  if (is_commutative(op)) {
    const auto rank = [](Expr e) { return std::pair(!e.is_constant(), e.node()); };
    if (rank(second) < rank(first)) std::swap(first, second);
  }
  Node node;
  node.op = op;
  node.operands[0] = first.node();
  if (arity > 1) node.operands[1] = second.node();
  if (arity > 2) node.operands[2] = third.node();
  const std::uint64_t hash = hash_of(node);
  // When an existing node was made, no rule applied to it; so none applies now.
  if (const NodeId known = interned(node, hash); known.is_valid()) return {this, known};
  if (const Expr simpler = canonical_form(op, first, second, third); simpler.is_valid()) return simpler;
  return {this, intern(node, hash)};
}

TableId Graph::add_table(std::shared_ptr<const Spline> spline) {
  VINCULUM_EXPECTS(spline != nullptr);
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    if (tables_[i] == spline) return TableId(i);
  }
  tables_.push_back(std::move(spline));
  return TableId(tables_.size() - 1);
}

Expr Graph::table(TableId table, int derivative_order, Expr x) {
  VINCULUM_EXPECTS(table.is_valid() && table.index() < tables_.size() && derivative_order >= 0);
  VINCULUM_EXPECTS(x.is_valid() && &x.graph() == this);
  if (derivative_order > spline(table).degree()) return constant(0.0);
  if (x.is_constant()) {
    const double value = spline(table).evaluate(x.value(), derivative_order);
    if (std::isfinite(value)) return constant(value);
  }
  Node node;
  node.op = Op::kTable;
  node.derivative_order = static_cast<std::uint8_t>(derivative_order);
  node.operands[0] = x.node();
  node.payload = table.value;
  return {this, intern(node)};
}

Expr operator+(Expr a, Expr b) { return a.graph().make(Op::kAdd, a, b); }
Expr operator-(Expr a, Expr b) { return a.graph().make(Op::kSubtract, a, b); }
Expr operator*(Expr a, Expr b) { return a.graph().make(Op::kMultiply, a, b); }
Expr operator/(Expr a, Expr b) { return a.graph().make(Op::kDivide, a, b); }
Expr operator-(Expr a) { return a.graph().make(Op::kNegate, a); }
Expr operator+(Expr a, double b) { return a + a.graph().constant(b); }
Expr operator+(double a, Expr b) { return b.graph().constant(a) + b; }
Expr operator-(Expr a, double b) { return a - a.graph().constant(b); }
Expr operator-(double a, Expr b) { return b.graph().constant(a) - b; }
Expr operator*(Expr a, double b) { return a * a.graph().constant(b); }
Expr operator*(double a, Expr b) { return b.graph().constant(a) * b; }
Expr operator/(Expr a, double b) { return a / a.graph().constant(b); }
Expr operator/(double a, Expr b) { return b.graph().constant(a) / b; }

Expr power(Expr base, Expr exponent) { return base.graph().make(Op::kPower, base, exponent); }
Expr power(Expr base, double exponent) { return power(base, base.graph().constant(exponent)); }
Expr square(Expr x) { return x * x; }
Expr square_root(Expr x) { return x.graph().make(Op::kSquareRoot, x); }
Expr sine(Expr x) { return x.graph().make(Op::kSine, x); }
Expr cosine(Expr x) { return x.graph().make(Op::kCosine, x); }
Expr absolute(Expr x) { return x.graph().make(Op::kAbsolute, x); }
Expr minimum(Expr a, Expr b) { return a.graph().make(Op::kMinimum, a, b); }
Expr maximum(Expr a, Expr b) { return a.graph().make(Op::kMaximum, a, b); }
Expr less(Expr a, Expr b) { return a.graph().make(Op::kLess, a, b); }

Expr select(Expr condition, Expr if_true, Expr if_false) {
  return condition.graph().make(Op::kSelect, condition, if_true, if_false);
}

}  // namespace vinculum::expr
