#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vinculum/codegen/kernel.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::sim {

/// Tables in equations, and the effect of their knots. A table is a cubic spline: at a knot x_k its third derivative
/// jumps by J_k. If an equation contains the derivative of order r of the spline, the derivative of order 3 − r of that
/// equation along the motion jumps by J_k (dx/dt)^(3−r).
class Knots {
 public:
  static constexpr int kOrderOfJump = 3;  ///< order of the derivative of a cubic spline that jumps at its knots
  /// A spline with one argument.
  struct Table {
    expr::Expr argument;  ///< argument, with switches replaced by their sides
    const expr::Spline* spline = nullptr;
    bool is_of_time = false;           ///< the argument depends on time only
    std::vector<double> knots;         ///< inner knots, ascending
    std::vector<double> jumps;         ///< [knots] jump J of the third derivative
    std::vector<double> jumps_before;  ///< [knots + 1] Σ |J| of the knots before each one
    std::vector<double> integrals;     ///< [all knots] integral of the spline from its first knot
    /// Σ |J| of the knots inside the interval (from, to).
    [[nodiscard]] double total(double from, double to) const;
    /// Derivative of given order; −1: the integral. \pre x is in the range of the table.
    [[nodiscard]] double value(double x, int order) const;
  };
  /// ∂(equation)/∂(derivative of a spline): one entry of `slopes`.
  struct Slope {
    std::size_t equation = 0, table = 0;
    int order = 0;  ///< order of the spline's derivative
  };

  Knots() = default;
  /// \param equations  with switches replaced by their sides; functions of the symbols `known`, `fixed` and of
  ///   unknowns. Tables whose argument depends on unknowns are left out.
  Knots(const std::string& name, std::span<const expr::Expr> equations, std::span<const expr::Expr> known,
        std::span<const expr::Expr> fixed);

  [[nodiscard]] bool is_empty() const { return slopes.empty(); }
  std::vector<Table> tables;
  std::vector<Slope> slopes;
  /// (t, q, u, z) → arguments of the tables, then the slopes; parameters and sides are parameters of the kernel. Null
  /// if there are no tables.
  std::shared_ptr<const codegen::Kernel> kernel;
};

}  // namespace vinculum::sim
