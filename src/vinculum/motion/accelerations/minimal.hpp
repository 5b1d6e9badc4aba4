#pragma once

#include "vinculum/motion/accelerations/route.hpp"
#include "vinculum/solve/generated/reduced_solve.hpp"

namespace vinculum::sim {

struct CompiledModel;
struct Mode;
struct SolveCounts;

/// Solver of the minimal formulation (theory.md §7). Chooses independent speeds by the rows with a velocity residual ψ,
/// and independent accelerations by all rows. The solver `explicit_route` supplies the efforts; it also supplies the
/// multipliers if rates of extra states depend on them.
class Minimal final : public Route {
 public:
  Minimal(const CompiledModel& compiled, Route& explicit_route);
  /// Sets the mode that stores the choices of independent speeds and counts them. It must outlive later calls.
  void remember_in(Mode& mode);
  [[nodiscard]] Outcome<void> factor(const Matrices& at, double defect) override;
  [[nodiscard]] Outcome<void> solve(const Matrices& at, double defect, ConstVector force, ConstVector b,
                                    SolvedMotion& found) override;
  /// Replaces the independent speeds if another choice is clearly better conditioned. Speeds that the model states to
  /// be independent are not replaced.
  /// \param at  vectors and matrices at a state that satisfies the constraints
  /// \param defect  largest relative violation at position level
  /// \returns kSingularKinematics if the stated speeds no longer determine the others.
  /// \pre `read_speed_rows` at the same state
  [[nodiscard]] Outcome<void> review_choice(const Matrices& at, double defect);

  /// Copies A and ψ of the rows that have a ψ.
  void read_speed_rows(const Matrices& at);
  /// Chooses independent speeds if there is no choice yet.
  /// \returns kSingularKinematics if the stated speeds do not determine the others.
  [[nodiscard]] Outcome<void> choose_speeds(const Matrices& at, double defect);

  solve::ReducedSolve speeds, accelerations;
  Matrix A;  ///< [velocity_rows × nu] A of the rows with a ψ
  Vector psi, u;

 private:
  [[nodiscard]] Outcome<void> choose(const Matrices& at, double defect);
  /// Returns the failure that speeds stated to be independent do not determine the others; success if they do.
  [[nodiscard]] Outcome<void> judge(const solve::ReducedSolve& reduced) const;

  Vector certainty_;  ///< [velocity_rows] row weights
  const CompiledModel& compiled_;
  const std::vector<int>& rows_;  ///< indices of the rows with a ψ
  bool has_efforts_, gives_multipliers_;
  Route& explicit_;
  SolveCounts* counts_ = nullptr;
  Vector force_;
  SolvedMotion known_;
};

}  // namespace vinculum::sim
