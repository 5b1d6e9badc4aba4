#pragma once

#include <array>
#include <vector>

#include "vinculum/equations/lowering.hpp"
#include "vinculum/equations/system.hpp"
#include "vinculum/model/calculus.hpp"

namespace vinculum::reaction_laws {

/// Motions with derivatives of any order as symbols: of the speeds, of multipliers λ of rows, of states, and of the
/// multipliers μ of constraints of higher order. Total time derivatives follow  q' = G u + g, u' , u'', …  and the
/// like. Source: theory.md §6.5.
class JetSpace {
 public:
  /// Derivatives of each function that have a symbol: 0 … kHighest.
  static constexpr int kHighest = 2 * model::kHighestDerivative + 2;

  /// \pre kinematics, rows and states of the system are there.
  explicit JetSpace(equations::System& system);

  using Jet = std::array<expr::Expr, kHighest + 1>;
  std::vector<Jet> u;       ///< [nu] the first two are those of the System
  std::vector<Jet> lambda;  ///< [rows] the first is that of the System
  std::vector<Jet> z;       ///< [nz] likewise; of a state that is a derivative of μ its own alone
  std::vector<Jet> mu;      ///< [number of μ] the first p are states of the System
  std::vector<model::ConstraintId> constraint_of_mu;  ///< [number of μ]
  std::vector<int> row_of_mu;                         ///< [number of μ]
  std::vector<char> is_mu;                            ///< [nz] whether the state is a derivative of a μ

  /// d/dt.
  [[nodiscard]] expr::Expr rate(expr::Expr value) const;
  [[nodiscard]] std::vector<expr::Expr> rates(std::span<const expr::Expr> values) const;
  /// All symbols of motion: t, q and the jets.
  [[nodiscard]] const std::vector<expr::Expr>& symbols() const { return x_; }

  /// F of a row, of t, q, u, u', u'', ….
  [[nodiscard]] expr::Expr relation(model::Term row) { return lowering_->scalar(row); }

  /// What a row of order p adds to the equations of motion and to the effective energy:
  ///
  ///   R = Gᵀ Σ_l (−1)^l d^l/dt^l (μ ∂F/∂q^(l)),   h = Σ_l Σ_{k<l} (−1)^k d^k/dt^k(μ ∂F/∂q^(l)) · q^(l−k)
  ///
  /// with derivatives at fixed q, q', …: not at fixed speeds.   Source: [S] 3.36–3.39.
  struct Variation {
    std::vector<expr::Expr> R;  ///< [nu]
    expr::Expr h;
  };
  [[nodiscard]] Variation variation(expr::Expr F, const Jet& mu, int order);
  /// q^(1), …, q^(order) in speeds and their derivatives. [order][nq]
  [[nodiscard]] std::vector<std::vector<expr::Expr>> coordinate_rates(int order) const;

 private:
  using Rates = std::function<std::vector<expr::Expr>(const std::vector<expr::Expr>&)>;

  Jet jet(expr::Expr first, const std::string& name);
  [[nodiscard]] expr::Expr by_coordinates(expr::Expr F, const std::vector<std::vector<expr::Expr>>& Q, const Rates& D,
                                          int order) const;

  equations::System& system_;
  std::unique_ptr<equations::Lowering> lowering_;  ///< knows u'', u''', …
  std::vector<expr::Expr> x_, x_dot_;
};

}  // namespace vinculum::reaction_laws
