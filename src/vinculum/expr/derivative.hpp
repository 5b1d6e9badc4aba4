#pragma once

#include <span>
#include <utility>
#include <vector>

#include "vinculum/expr/graph.hpp"
#include "vinculum/expr/sparse_row.hpp"

namespace vinculum::expr {

/// One non-zero entry of a sparse Jacobian.
struct Entry {
  int row;
  int column;
  Expr value;
};

/// Entries ∂f_row/∂x_column of the Jacobian, exact. Only entries that are not identically zero are returned, by
/// ascending row and then column. The numbers of f and x decide between forward and reverse mode.   \param x  symbols
[[nodiscard]] std::vector<Entry> sparse_jacobian(std::span<const Expr> f, std::span<const Expr> x);

/// ∂f/∂x for one symbol.
[[nodiscard]] Expr derivative(Expr f, Expr x);

/// ∂f/∂x_i for all symbols x by one reverse pass; zeros where f does not depend on x_i.
[[nodiscard]] std::vector<Expr> gradient(Expr f, std::span<const Expr> x);
/// The entries of `gradient` that are not zero.
[[nodiscard]] SparseRow sparse_gradient(Expr f, std::span<const Expr> x);

/// Σ_i ∂f/∂x_i rate_i for every f, by one forward pass that shares intermediate results. With rate = dx/dt this is the
/// total time derivative.
[[nodiscard]] std::vector<Expr> directional_derivative(std::span<const Expr> f, std::span<const Expr> x,
                                                       std::span<const Expr> rate);

/// Whether f, in its canonical form, depends on any of x.
[[nodiscard]] bool depends_on(Expr f, std::span<const Expr> x);
/// For each of f, in one pass: 1 if it depends on any of x, else 0.
[[nodiscard]] std::vector<char> which_depend_on(std::span<const Expr> f, std::span<const Expr> x);

/// f with all symbols x_i replaced by by_i at the same time.
[[nodiscard]] std::vector<Expr> substitute(std::span<const Expr> f, std::span<const Expr> x, std::span<const Expr> by);
/// f rebuilt in another graph, with every symbol x_i replaced by a number. Constants fold, so branches that depend only
/// on numbers are decided. The graph of f stays unchanged.   \param values  finite or not, as many as x
[[nodiscard]] std::vector<Expr> substitute_into(Graph& other, std::span<const Expr> f, std::span<const Expr> x,
                                                std::span<const double> values);

}  // namespace vinculum::expr
