#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "vinculum/codegen/kernel.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::sim {

/// Tables in equations, and the effect of their knots. At a knot x_k the derivatives of a table of an order d jump by
/// J_kd, with d = 3 for a cubic spline, 2 and 3 for a monotone interpolant, 1 for straight lines. If an equation
/// contains the derivative of order r of the table, the derivative of order d − r of that equation along the motion
/// jumps by J_kd (dx/dt)^(d−r). Values that jump (held values, slopes of straight lines) are switches instead
/// (switches.hpp).
class Knots {
 public:
  static constexpr std::size_t kOrders = 4;   ///< orders of derivatives of a piece, 0 … 3
  using Jumps = std::array<double, kOrders>;  ///< by the order of the derivative
  /// A table with one argument.
  struct Table {
    expr::Expr argument;  ///< argument, with switches replaced by their sides
    const expr::Spline* spline = nullptr;
    bool is_of_time = false;          ///< the argument depends on time only
    std::vector<double> knots;        ///< ascending: inner knots; if the table is periodic, those of one period
    std::vector<Jumps> jumps;         ///< [knots] jumps J
    std::vector<Jumps> jumps_before;  ///< [knots + 1] Σ |J| of the knots before each one
    std::vector<double> integrals;    ///< [all knots] integral of the spline from its first knot
    /// Knots are numbered from 0; those of the next period follow, and those of the period before have negative
    /// numbers.
    [[nodiscard]] double knot(std::ptrdiff_t number) const;
    [[nodiscard]] const Jumps& jump(std::ptrdiff_t number) const { return jumps[place(number)]; }
    /// Number of the first knot at or above x; above x if x is not included.
    [[nodiscard]] std::ptrdiff_t first_knot(double x, bool is_included) const;
    /// Σ |J| of the knots inside the interval (from, to).
    [[nodiscard]] Jumps total(double from, double to) const;
    /// Derivative of given order; −1: the integral. \pre x is in the range of the table.
    [[nodiscard]] double value(double x, int order) const;

   private:
    [[nodiscard]] std::size_t place(std::ptrdiff_t number) const;
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
