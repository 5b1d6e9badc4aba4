#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"
#include "vinculum/expr/traversal.hpp"

namespace vinculum::expr {

/// Taylor coefficients of expressions along a curve of their symbols, order by order: with x(s) = Σ x_k s^k the c_k of
/// f(x(s)) = Σ c_k s^k. No derivative is ever written out, so that tenth derivatives cost a hundred times the value and
/// not a power of it.
///
/// Coefficient k of an operation is a sum over those up to k of its operands and below k of itself, as
/// k e_k = Σ_i i a_i e_(k−i) of e = exp a. What has branches takes the branch of the values; tables are polynomials
/// between their knots. Source: Griewank & Walther, Evaluating Derivatives, 13.2; Moore 1966.
class TaylorSeries {
 public:
  /// \param symbols  everything the roots depend on.  \param highest  order, ≥ 0.
  TaylorSeries(std::vector<Expr> roots, std::vector<Expr> symbols, int highest);

  /// Coefficient k of a symbol.
  void set(std::size_t symbol, int k, double coefficient);
  /// Coefficient k of everything, from those of the symbols up to k; may be repeated when they change.
  /// \pre the orders below have been computed.
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
  std::vector<std::array<std::uint32_t, 3>> operands_;  ///< places among the nodes
  std::vector<std::uint32_t> roots_, symbols_;          ///< likewise; Subgraph::kOutside of a symbol without a use
  std::vector<std::uint32_t> beside_;                   ///< [nodes] first of the series that help to compute it
  std::size_t width_;
  std::vector<double> coefficients_;
};

}  // namespace vinculum::expr
