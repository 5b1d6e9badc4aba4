#pragma once

#include "vinculum/sim/plant/accelerations/route.hpp"
#include "vinculum/solve/reduced_solve.hpp"

namespace vinculum::sim {

struct CompiledModel;
struct SolveCounts;

/// The minimal formulation: independent speeds among those that ψ = 0 ties, and independent accelerations among all
/// rows. Efforts, and multipliers where rates of states hold them, come from the explicit route.
class Minimal final : public Route {
 public:
  Minimal(const CompiledModel& compiled, Route& explicit_route, SolveCounts& counts);
  [[nodiscard]] Outcome<void> factor(const Matrices& at, double defect) override;
  [[nodiscard]] Outcome<void> solve(const Matrices& at, double defect, ConstVector force, ConstVector b,
                                    SolvedMotion& found) override;
  /// Chooses independent speeds afresh where others are clearly better.
  /// \pre `at` at a state on the constraints, `read_speed_rows` there.  \param defect  of the positions.
  void review_choice(const Matrices& at, double defect);

  /// A and ψ of the rows with ψ.
  void read_speed_rows(const Matrices& at);
  /// Chooses dependent speeds if none are chosen yet.
  void choose_speeds(const Matrices& at, double defect);

  solve::ReducedSolve speeds, accelerations;
  Matrix A;  ///< [velocity_rows × nu]
  Vector psi, u;

 private:
  void choose(const Matrices& at, double defect);

  Vector certainty_;              ///< [velocity_rows]
  const std::vector<int>& rows_;  ///< with ψ
  bool has_efforts_, gives_multipliers_;
  Route& explicit_;
  SolveCounts& counts_;
  Vector force_;
  SolvedMotion known_;
};

}  // namespace vinculum::sim
