#pragma once

#include <array>
#include <vector>

#include "vinculum/equations/lowering.hpp"
#include "vinculum/equations/system.hpp"
#include "vinculum/model/calculus.hpp"

namespace vinculum::reaction_laws {

/// Symbols for time derivatives of any order (jets): of the speeds, of the multipliers λ of constraint rows, of states,
/// and of the multipliers μ of constraints of higher order. Total time derivatives are formed with q' = G u + g, du/dt
/// = u', du'/dt = u'' and so on. Source: theory.md §6.5.
class JetSpace {
 public:
  /// Each function has a symbol for its derivatives of order 0 … kHighest.
  static constexpr int kHighest = 2 * model::kHighestDerivative + 2;

  /// \pre the system has its kinematics, constraint rows and states.
  explicit JetSpace(equations::System& system);

  using Jet = std::array<expr::Expr, kHighest + 1>;
  std::vector<Jet> u;       ///< [nu] the first two entries (u, u') are the symbols of the System
  std::vector<Jet> lambda;  ///< [rows] the first entry is the symbol of the System
  /// [nz] the first entry is the symbol of the System; a state that is a derivative of μ has only that entry.
  std::vector<Jet> z;
  std::vector<Jet> mu;                                ///< [number of μ] entries 0 … p − 1 are states, p its order
  std::vector<model::ConstraintId> constraint_of_mu;  ///< [number of μ] the constraint that each μ belongs to
  std::vector<int> row_of_mu;                         ///< [number of μ] index within the constraint
  std::vector<char> is_mu;                            ///< [nz] 1 if the state is a derivative of a μ

  /// Total time derivative.
  [[nodiscard]] expr::Expr rate(expr::Expr value) const;
  [[nodiscard]] std::vector<expr::Expr> rates(std::span<const expr::Expr> values) const;
  /// All symbols of the motion: t, q and the jets.
  [[nodiscard]] const std::vector<expr::Expr>& symbols() const { return x_; }

  /// The expression F of a constraint row F = 0, in t, q, u, u', u'', ….
  [[nodiscard]] expr::Expr relation(model::Term row) { return lowering_->scalar(row); }

  /// Contribution of a constraint row F = 0 of order p to the equations of motion (R) and to the effective energy (h),
  /// with sums over l = 0 … p:
  ///
  ///   R = Gᵀ Σ_l (−1)^l d^l/dt^l (μ ∂F/∂q^(l)),   h = Σ_l Σ_{k<l} (−1)^k d^k/dt^k(μ ∂F/∂q^(l)) · q^(l−k)
  ///
  /// The derivatives are taken at fixed q, q', …, not at fixed speeds.   Source: [S] 3.36–3.39.
  struct Variation {
    std::vector<expr::Expr> R;  ///< [nu] generalized forces
    expr::Expr h;
  };
  [[nodiscard]] Variation variation(expr::Expr F, const Jet& mu, int order);
  /// [order][nq] the derivatives q', …, q^(order) as expressions of the speeds and their derivatives.
  [[nodiscard]] std::vector<std::vector<expr::Expr>> coordinate_rates(int order) const;

 private:
  using Rates = std::function<std::vector<expr::Expr>(const std::vector<expr::Expr>&)>;

  Jet jet(expr::Expr first, const std::string& name);
  [[nodiscard]] expr::Expr by_coordinates(expr::Expr F, const std::vector<std::vector<expr::Expr>>& Q, const Rates& D,
                                          int order) const;

  equations::System& system_;
  std::unique_ptr<equations::Lowering> lowering_;  ///< uses the symbols u'', u''', …
  std::vector<expr::Expr> x_, x_dot_;
};

}  // namespace vinculum::reaction_laws
