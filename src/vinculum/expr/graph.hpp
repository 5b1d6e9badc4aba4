#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "vinculum/base/blocks.hpp"
#include "vinculum/base/content_table.hpp"
#include "vinculum/base/contract.hpp"
#include "vinculum/base/id.hpp"
#include "vinculum/expr/operation.hpp"
#include "vinculum/expr/spline.hpp"

namespace vinculum {
struct Rounded;
}

namespace vinculum::expr {

class Graph;
using NodeId = Id<struct NodeTag>;
using TableId = Id<struct TableTag>;

/// A scalar expression: a node of a Graph, with arithmetic operators. Cheap to copy. Both operands of an operator
/// belong to one graph; doubles become constants of that graph.
class Expr {
 public:
  Expr() = default;
  Expr(Graph* graph, NodeId node) : graph_(graph), node_(node) {}
  [[nodiscard]] Graph& graph() const { return *graph_; }
  [[nodiscard]] NodeId node() const { return node_; }
  [[nodiscard]] bool is_valid() const { return graph_ != nullptr; }
  [[nodiscard]] bool is_constant() const;
  [[nodiscard]] bool is_zero() const;  ///< the constant 0
  [[nodiscard]] double value() const;  ///< value of a constant   \pre is_constant()
  /// Value of a constant, with the bound of its rounding error (see `Graph::constant`).
  [[nodiscard]] Rounded rounded() const;
  [[nodiscard]] Op op() const;
  [[nodiscard]] Expr operand(int i) const;
  friend bool operator==(const Expr& a, const Expr& b) { return a.graph_ == b.graph_ && a.node_ == b.node_; }

 private:
  Graph* graph_ = nullptr;
  NodeId node_;
};

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator-(Expr a);
Expr operator+(Expr a, double b);
Expr operator+(double a, Expr b);
Expr operator-(Expr a, double b);
Expr operator-(double a, Expr b);
Expr operator*(Expr a, double b);
Expr operator*(double a, Expr b);
Expr operator/(Expr a, double b);
Expr operator/(double a, Expr b);
inline Expr& operator+=(Expr& a, Expr b) { return a = a + b; }
inline Expr& operator-=(Expr& a, Expr b) { return a = a - b; }

/// Directed acyclic graph of scalar expressions in which equal expressions share one node. Operands have smaller
/// NodeIds than the nodes that use them, so one forward pass evaluates everything.
///
/// `make` converts a node to canonical form. Its rules are exact in real arithmetic and change a value at most by
/// rounding errors:
/// * constants fold, but only to finite values; 0/0 stays a node that a failure can name;
/// * summands 0 and factors 1 are removed, commutative operands are ordered, and signs are moved out of products;
/// * like terms are collected: x − x = 0, x + x = 2 x, x³ x = x⁴, sin² x + cos² x = 1;
/// * constant factors and summands are collected, and x/c becomes (1/c) x.
///
/// No rule assumes x ≠ 0 to remove a division.
///
/// Every constant has a bound of its rounding error; for folded constants it follows from running error analysis. A
/// folded constant that is smaller than its error bound becomes the constant 0. This is decided when the terms are
/// combined, because the terms are not known later. So frames rotated by constants about oblique axes are exactly at
/// rest relative to one another, and 0.1 + 0.2 − 0.3 is 0.
///
/// Not thread-safe while it grows. Once it is complete, any number of threads may read it.
class Graph {
 public:
  struct Node {
    Op op{};
    std::uint8_t derivative_order = 0;  ///< kTable: which derivative of the spline
    NodeId operands[3];
    double value = 0.0;         ///< kConstant: its value
    std::uint32_t payload = 0;  ///< kSymbol: index of its name; kTable: TableId
    float doubt = 0.0F;         ///< kConstant: bound of its relative error
    /// kConstant: bound of its absolute error.
    [[nodiscard]] double error() const { return static_cast<double>(doubt) * (value < 0.0 ? -value : value); }
  };

  Graph() = default;
  Graph(const Graph&) = delete;  // every Expr contains the address of its graph
  Graph& operator=(const Graph&) = delete;

  /// A number from a model text or the program, with the error bound of `as_stated`.
  [[nodiscard]] Expr constant(double value);
  /// A number with its error bound; it is the constant 0 if the bound includes 0. Equal values with relative errors up
  /// to 64 ε share one node, which keeps the error bound of the first. Other equal values share a node only if their
  /// error bounds are equal.
  [[nodiscard]] Expr constant(const Rounded& value);
  /// The symbol with this name; each call returns the same node.
  [[nodiscard]] Expr symbol(const std::string& name);
  [[nodiscard]] Expr make(Op op, Expr first, Expr second = {}, Expr third = {});
  [[nodiscard]] TableId add_table(std::shared_ptr<const Spline> spline);
  /// The derivative of the given order of the spline at x; orders above its degree give the constant 0.
  [[nodiscard]] Expr table(TableId table, int derivative_order, Expr x);

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id.index()]; }
  [[nodiscard]] const Node& node(Expr e) const { return nodes_[e.node().index()]; }
  [[nodiscard]] const std::string& symbol_name(NodeId id) const { return symbol_names_[node(id).payload]; }
  [[nodiscard]] const Spline& spline(TableId id) const { return *tables_[id.index()]; }
  [[nodiscard]] const std::shared_ptr<const Spline>& shared_spline(TableId id) const { return tables_[id.index()]; }

 private:
  [[nodiscard]] NodeId interned(const Node& node, std::uint64_t hash) const;
  NodeId intern(const Node& node);
  NodeId intern(const Node& node, std::uint64_t hash);

  Blocks<Node> nodes_;
  std::vector<std::string> symbol_names_;
  std::unordered_map<std::string, NodeId> symbols_;
  std::vector<std::shared_ptr<const Spline>> tables_;
  ContentTable<NodeTag> table_of_nodes_;
};

// These are inline because the derivation of equations calls them millions of times.
inline Op Expr::op() const { return graph_->node(node_).op; }
inline bool Expr::is_constant() const { return op() == Op::kConstant; }
inline bool Expr::is_zero() const { return is_constant() && graph_->node(node_).value == 0.0; }
inline Expr Expr::operand(int i) const { return {graph_, graph_->node(node_).operands[i]}; }
inline double Expr::value() const {
  VINCULUM_EXPECTS(is_valid() && is_constant());
  return graph_->node(node_).value;
}

Expr power(Expr base, Expr exponent);
Expr power(Expr base, double exponent);
Expr square(Expr x);
Expr square_root(Expr x);
Expr sine(Expr x);
Expr cosine(Expr x);
Expr absolute(Expr x);
Expr minimum(Expr a, Expr b);
Expr maximum(Expr a, Expr b);
Expr less(Expr a, Expr b);
Expr select(Expr condition, Expr if_true, Expr if_false);

}  // namespace vinculum::expr
