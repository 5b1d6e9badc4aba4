#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::expr {

/// Computes the Taylor coefficients of expressions f along a curve x(s) = Σ x_k s^k of their symbols, that is, the c_k
/// of f(x(s)) = Σ c_k s^k. Lower orders k are computed first. No derivative is written as an expression. So tenth
/// derivatives cost about a hundred times as much as the value; written as expressions, their cost would grow
/// exponentially with the order.
///
/// Coefficient k of an operation is a sum over the coefficients up to k of its operands and the coefficients below k of
/// the operation itself. For example, k e_k = Σ_i i a_i e_(k−i) for e = exp a. Operations with branches follow the
/// branch of the values; tables are polynomials between their points.
/// Source: Griewank & Walther, Evaluating Derivatives, 13.2; Moore 1966.
class TaylorSeries {
 public:
  /// \param symbols  all symbols that the roots depend on   \param highest  highest order, ≥ 0
  TaylorSeries(std::vector<Expr> roots, std::vector<Expr> symbols, int highest);

  /// Sets coefficient k of a symbol.
  void set(std::size_t symbol, int k, double coefficient);
  /// Computes coefficient k of all nodes from the coefficients up to k of the symbols. Call it again if those change.
  /// \pre the coefficients of lower order have been computed
  void compute(int k);
  /// Coefficient k of a root.
  [[nodiscard]] double operator()(std::size_t root, int k) const { return series(roots_[root])[k]; }

 private:
  [[nodiscard]] double* series(std::size_t at) { return coefficients_.data() + at * width_; }
  [[nodiscard]] const double* series(std::size_t at) const { return coefficients_.data() + at * width_; }
  void compute(std::size_t at, int k);
  void transcend(const Graph::Node& node, std::size_t at, const double* a, int k);
  void raise(const Graph::Node& node, std::size_t at, const double* a, const double* b, int k);

  const Graph* graph_ = nullptr;
  std::vector<NodeId> nodes_;
  std::vector<std::array<std::uint32_t, 3>> operands_;  ///< indices into `nodes_`
  /// indices into `nodes_`; Subgraph::kOutside for a symbol that does not occur
  std::vector<std::uint32_t> roots_, symbols_;
  std::vector<std::uint32_t> beside_;  ///< [nodes] index of the first auxiliary series of the node
  std::size_t width_;
  std::vector<double> coefficients_;
};

}  // namespace vinculum::expr
