#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "vinculum/base/failure.hpp"
#include "vinculum/equations/lowering.hpp"
#include "vinculum/equations/system.hpp"
#include "vinculum/model/law_equations.hpp"

namespace vinculum::equations {

/// Functions of (q, q', t) with the q' as symbols of their own, and what they add to the equations of motion in speeds.
class RateSpace final : public model::LawEquations {
 public:
  /// \pre the kinematics of the system are there.
  explicit RateSpace(System& system);

  expr::Graph& graph() override { return *system_.graph; }
  const std::vector<expr::Expr>& q() const override { return system_.q; }
  const std::vector<expr::Expr>& q_dot() override;
  expr::Expr scalar(model::Term term) override { return lowering().scalar(term); }
  expr::Expr in_speeds(model::Term term) override { return system_.lowering->scalar(term); }
  expr::Expr held(model::Term term) override { return system_.lowering->held(term); }
  expr::Expr velocity_row(model::Term relation) override;
  model::LawChange variation(expr::Expr Phi) override;
  std::vector<expr::Expr> generalized(std::span<const expr::Expr> f_q) override;
  /// Values at free q' as functions of q, u, t.
  [[nodiscard]] std::vector<expr::Expr> at_speeds(std::span<const expr::Expr> values);

 private:
  Lowering& lowering();
  System& system_;
  std::unique_ptr<Lowering> lowering_;  ///< made when first asked for
};

/// M and f of the Lagrangian functions among the loads (theory.md §1), and the metric.
void write_lagrangian(System& system, RateSpace& rates);

/// What the laws of the constraints add to M and f: `changes`, and their sums.
/// \pre rows and M, f of all loads are there.
/// \returns kNotUnique naming the constraint where a law does not apply to its rows (Law::rows), and where a row holds
/// states that it cannot.
[[nodiscard]] std::optional<Failure> write_laws(System& system, RateSpace& rates);

}  // namespace vinculum::equations
