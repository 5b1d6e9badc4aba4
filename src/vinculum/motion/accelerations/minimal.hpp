#pragma once

#include "vinculum/motion/accelerations/route.hpp"
#include "vinculum/solve/generated/reduced_solve.hpp"

namespace vinculum::sim {

struct CompiledModel;
struct Mode;
struct SolveCounts;

/// The minimal formulation: independent speeds among those that ψ = 0 ties, and independent accelerations among all
/// rows. Efforts, and multipliers where rates of states hold them, come from the explicit route.
class Minimal final : public Route {
 public:
  Minimal(const CompiledModel& compiled, Route& explicit_route);
  /// From here on choices are those of this mode, which outlives that, and are made and counted there.
  void remember_in(Mode& mode);
  [[nodiscard]] Outcome<void> factor(const Matrices& at, double defect) override;
  [[nodiscard]] Outcome<void> solve(const Matrices& at, double defect, ConstVector force, ConstVector b,
                                    SolvedMotion& found) override;
  /// Chooses independent speeds afresh where others are clearly better, those that the model states excepted.
  /// \returns kSingularKinematics where the stated ones do not determine the others any more.
  /// \pre `at` at a state on the constraints, `read_speed_rows` there.  \param defect  of the positions.
  [[nodiscard]] Outcome<void> review_choice(const Matrices& at, double defect);

  /// A and ψ of the rows with ψ.
  void read_speed_rows(const Matrices& at);
  /// Chooses dependent speeds if none are chosen yet. \returns kSingularKinematics as above.
  [[nodiscard]] Outcome<void> choose_speeds(const Matrices& at, double defect);

  solve::ReducedSolve speeds, accelerations;
  Matrix A;  ///< [velocity_rows × nu]
  Vector psi, u;

 private:
  [[nodiscard]] Outcome<void> choose(const Matrices& at, double defect);
  /// The failure of speeds stated to be independent; nothing where they are.
  [[nodiscard]] Outcome<void> judge(const solve::ReducedSolve& reduced) const;

  Vector certainty_;  ///< [velocity_rows]
  const CompiledModel& compiled_;
  const std::vector<int>& rows_;  ///< with ψ
  bool has_efforts_, gives_multipliers_;
  Route& explicit_;
  SolveCounts* counts_ = nullptr;
  Vector force_;
  SolvedMotion known_;
};

}  // namespace vinculum::sim
