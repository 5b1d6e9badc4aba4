#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vinculum/codegen/kernel.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::sim {

/// Tables in equations, and what their knots do to these. A table is a cubic spline: at a knot x_k its third derivative
/// jumps by J_k. Where an equation holds the derivative of order r of the spline, the derivative of order 3 − r of that
/// equation jumps along the motion by J_k (dx/dt)^(3−r).
class Knots {
 public:
  static constexpr int kOrderOfJump = 3;  ///< of the derivative of a cubic spline that jumps at its knots
  /// A spline at one argument.
  struct Table {
    expr::Expr argument;  ///< on sides
    const expr::Spline* spline = nullptr;
    bool is_of_time = false;           ///< its argument is a function of the time alone
    std::vector<double> knots;         ///< inner ones, ascending
    std::vector<double> jumps;         ///< [knots] J
    std::vector<double> jumps_before;  ///< [knots + 1] Σ |J| of the knots ahead of each
    std::vector<double> integrals;     ///< [all knots] of the spline from its first one
    /// Σ |J| of the knots inside (from, to).
    [[nodiscard]] double total(double from, double to) const;
    /// The derivative of this order, −1: the integral. \pre x in the table's range
    [[nodiscard]] double value(double x, int order) const;
  };
  /// ∂(equation)/∂(derivative of a spline), a column of `slopes`.
  struct Slope {
    std::size_t equation = 0, table = 0;
    int order = 0;  ///< of the spline's derivative
  };

  Knots() = default;
  /// \param equations  on sides, of symbols in known, unknown and fixed. What depends on unknowns is left out.
  Knots(const std::string& name, std::span<const expr::Expr> equations, std::span<const expr::Expr> known,
        std::span<const expr::Expr> fixed);

  [[nodiscard]] bool is_empty() const { return slopes.empty(); }
  std::vector<Table> tables;
  std::vector<Slope> slopes;
  /// (t, q, u, z) → arguments of the tables, then the slopes; parameters and sides are fixed. None where there are
  /// none.
  std::shared_ptr<const codegen::Kernel> kernel;
};

}  // namespace vinculum::sim
