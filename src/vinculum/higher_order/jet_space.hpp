#pragma once

#include <array>
#include <vector>

#include "vinculum/equations/lowering.hpp"
#include "vinculum/equations/system.hpp"
#include "vinculum/model/calculus.hpp"

namespace vinculum::reaction_laws {

/// Motions whose derivatives of any order are symbols: derivatives of the speeds, of the multipliers λ of rows, of
/// states, and of the multipliers μ of constraints of higher order. Total time derivatives use q' = G u + g, du/dt =
/// u', du'/dt = u'' and so on. Source: theory.md §6.5.
class JetSpace {
 public:
  /// Highest derivative of each function that has a symbol; derivatives 0 … kHighest have one.
  static constexpr int kHighest = 2 * model::kHighestDerivative + 2;

  /// \pre kinematics, rows and states of the system are written.
  explicit JetSpace(equations::System& system);

  using Jet = std::array<expr::Expr, kHighest + 1>;
  std::vector<Jet> u;       ///< [nu] the first two entries are the symbols of the System
  std::vector<Jet> lambda;  ///< [rows] the first entry is the symbol of the System
  /// [nz] the first entry is the symbol of the System; a state that is a derivative of μ has only that entry.
  std::vector<Jet> z;
  std::vector<Jet> mu;                                ///< [number of μ] the first p entries are states of the System
  std::vector<model::ConstraintId> constraint_of_mu;  ///< [number of μ]
  std::vector<int> row_of_mu;                         ///< [number of μ]
  std::vector<char> is_mu;                            ///< [nz] 1 if the state is a derivative of a μ

  /// Total time derivative.
  [[nodiscard]] expr::Expr rate(expr::Expr value) const;
  [[nodiscard]] std::vector<expr::Expr> rates(std::span<const expr::Expr> values) const;
  /// All symbols of the motion: t, q and the jets.
  [[nodiscard]] const std::vector<expr::Expr>& symbols() const { return x_; }

  /// Relation F of a row as a function of t, q, u, u', u'', ….
  [[nodiscard]] expr::Expr relation(model::Term row) { return lowering_->scalar(row); }

  /// Contribution of a row of order p to the equations of motion and to the effective energy:
  ///
  ///   R = Gᵀ Σ_l (−1)^l d^l/dt^l (μ ∂F/∂q^(l)),   h = Σ_l Σ_{k<l} (−1)^k d^k/dt^k(μ ∂F/∂q^(l)) · q^(l−k)
  ///
  /// The derivatives are taken at fixed q, q', …, not at fixed speeds.   Source: [S] 3.36–3.39.
  struct Variation {
    std::vector<expr::Expr> R;  ///< [nu]
    expr::Expr h;
  };
  [[nodiscard]] Variation variation(expr::Expr F, const Jet& mu, int order);
  /// [order][nq] q^(1), …, q^(order) in terms of speeds and their derivatives.
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
