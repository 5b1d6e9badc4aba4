#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "vinculum/codegen/kernel.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::sim {

/// Tables in equations, and the effect of their knots (points x_k where two pieces of the interpolant meet). At x_k the
/// derivative of order d of the table jumps by J_kd, with d = 3 for a cubic spline, 2 and 3 for a monotone interpolant,
/// 1 for straight lines. If an equation contains the derivative of order r of the table, the derivative of order d − r
/// of that equation along the motion jumps by J_kd (dx/dt)^(d−r). If a value that occurs in an equation jumps itself
/// (held values, slopes of straight lines), it is a switch instead (switches.hpp).
class Knots {
 public:
  static constexpr std::size_t kOrders = 4;   ///< derivatives of the orders 0 … 3 are considered
  using Jumps = std::array<double, kOrders>;  ///< jumps, indexed by the order of the derivative
  /// A table with one argument.
  struct Table {
    expr::Expr argument;  ///< argument x; switches in it have the value on `Surface::side`
    const expr::Spline* spline = nullptr;
    bool is_of_time = false;          ///< the argument depends on time only
    std::vector<double> knots;        ///< ascending: all knots but the ends; for a periodic table, those of one period
    std::vector<Jumps> jumps;         ///< [knots] jumps J of the derivatives
    std::vector<Jumps> jumps_before;  ///< [knots + 1] Σ |J| over the knots before each knot, and over all knots
    std::vector<double> integrals;    ///< [all knots] integral of the spline from its first knot
    /// Argument x of a knot. Knots are numbered from 0. In a periodic table, the knots of the next period have the next
    /// numbers, and those of the previous period have negative numbers.
    [[nodiscard]] double knot(std::ptrdiff_t number) const;
    [[nodiscard]] const Jumps& jump(std::ptrdiff_t number) const { return jumps[place(number)]; }
    /// Number of the first knot ≥ x if `is_included`, else of the first knot > x.
    [[nodiscard]] std::ptrdiff_t first_knot(double x, bool is_included) const;
    /// Σ |J| over the knots inside the open interval (from, to).
    [[nodiscard]] Jumps total(double from, double to) const;
    /// Derivative of the given order of the table at x; order −1 is the integral. \pre x is in the range of the table.
    [[nodiscard]] double value(double x, int order) const;

   private:
    [[nodiscard]] std::size_t place(std::ptrdiff_t number) const;
  };
  /// Identifies one entry of `slopes`: ∂(equation)/∂(derivative of order `order` of a table).
  struct Slope {
    std::size_t equation = 0, table = 0;
    int order = 0;  ///< order r of the table's derivative in the equation
  };

  Knots() = default;
  /// \param equations  equations in which switches have the value on their present side. They are functions of the
  ///   symbols `known` and `fixed`, and of unknowns. Tables whose argument depends on unknowns are left out.
  Knots(const std::string& name, std::span<const expr::Expr> equations, std::span<const expr::Expr> known,
        std::span<const expr::Expr> fixed);

  [[nodiscard]] bool is_empty() const { return slopes.empty(); }
  std::vector<Table> tables;
  std::vector<Slope> slopes;
  /// (t, q, u, z) → arguments of `tables`, then `slopes`. Parameters of the kernel are those of the model, then the
  /// sides of switches. Null if there are no tables.
  std::shared_ptr<const codegen::Kernel> kernel;
};

}  // namespace vinculum::sim
