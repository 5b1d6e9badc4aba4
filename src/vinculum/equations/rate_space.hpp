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

/// Functions of (q, q', t) in which the q' are independent symbols, and their contributions to the equations of motion
/// in the speeds.
class RateSpace final : public model::LawEquations {
 public:
  /// \pre the kinematics of the system are written.
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
  /// Substitutes q' = G u + g: functions in which the q' are independent symbols become functions of q, u, t.
  [[nodiscard]] std::vector<expr::Expr> at_speeds(std::span<const expr::Expr> values);

 private:
  Lowering& lowering();
  System& system_;
  std::unique_ptr<Lowering> lowering_;  ///< created at the first use
};

/// Adds the contributions of Lagrangian functions to M and f (theory.md §1), and writes the metric.
void write_lagrangian(System& system, RateSpace& rates);

/// Adds the contributions of the reaction laws to M and f, and stores them in `System::changes`.
/// \pre rows are written; M and f contain all loads.
/// \returns kNotUnique, with the name of the constraint, if a law does not apply to its rows (Law::rows), or if a row
///   contains states that the law does not allow
[[nodiscard]] std::optional<Failure> write_laws(System& system, RateSpace& rates);

}  // namespace vinculum::equations
