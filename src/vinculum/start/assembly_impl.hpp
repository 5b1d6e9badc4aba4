#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/base/index.hpp"
#include "vinculum/compiled/nonlinear_speeds.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/motion/least_change.hpp"
#include "vinculum/start/assembly.hpp"
#include "vinculum/start/start_conditions.hpp"

namespace vinculum::sim {

/// One equation of the start: a constraint row, a held condition that is not a value for one unknown, the unit norm
/// of a quaternion, or a derivative of a relation with states that no row keeps.
struct StartEquation {
  int row = -1;         ///< constraint row, or −1
  int start = -1;       ///< start condition, or −1
  int quaternion = -1;  ///< of System::quaternions, or −1
  int functional = -1;  ///< of Assembly::functional_, or −1
};

/// A level of the start in the free unknowns x of z (z = q or u): held ones keep their values.
struct StartProblem {
  model::Level level = model::Level::kPosition;
  Vector z;                 ///< as stated, held values in place
  std::vector<int> held;    ///< for each unknown the start condition that holds it, −1 when free
  std::vector<char> fixed;  ///< for each unknown: keeps its value though no condition holds it
  std::vector<int> guess;   ///< for each unknown the start condition that guesses it, −1 where none does
  std::vector<int> free;
  std::vector<char> takes_part;  ///< for each unknown: some equation depends on it
  std::vector<StartEquation> equations;
  /// Residuals and full Jacobian [equations × size of z]. \returns false where they are not finite.
  std::function<bool(const Vector& z, Vector& r, Matrix& J)> evaluate;
  std::function<Matrix()> metric;  ///< of z
  Vector scale, reach;             ///< of z
};

/// Positions first, then speeds: each level is stated, solved by least change, and explained where it has no solution.
class Assembly {
 public:
  Assembly(Dynamics& dynamics, const AssemblyOptions& options)
      : dynamics_(dynamics),
        bound_(dynamics.binding()),
        options_(options),
        conditions_(sort_start_conditions(bound_)),
        y_(Vector::Zero(bound_->nq() + bound_->nu() + bound_->nz())) {
    if (NonlinearSpeeds::are_in(bound_)) nonlinear_.emplace(bound_);
  }
  [[nodiscard]] Outcome<Start> run();

 private:
  [[nodiscard]] Outcome<void> state(StartProblem& problem, const std::vector<StartConditions::Condition>& conditions,
                                    const Vector& values, bool only_constants);
  [[nodiscard]] Outcome<StartProblem> position_problem();
  /// An unknown, and an equation in which it is the only unknown.
  struct Alone {
    Eigen::Index equation = 0, unknown = 0;
  };
  /// Solves equations with one unknown, one after the other, and writes the values to `z` in place of guesses.
  void meet_rows_alone(StartProblem& problem);
  /// Changes unknowns without a stated guess so that the equations are missed least while stated ones stay.
  void let_unstated_follow(StartProblem& problem);
  /// Solves these equations and marks their unknowns as known.   \returns whether some were solved.
  [[nodiscard]] static bool meet(StartProblem& problem, const std::vector<Alone>& found, std::vector<char>& is_known);
  /// Unknowns of the equation that are not known yet.
  [[nodiscard]] std::vector<Eigen::Index> unknowns_of(const StartEquation& equation,
                                                      const std::vector<char>& is_known) const;
  /// Weights of squared changes: unknowns without a stated guess weigh little relative to those with one.
  [[nodiscard]] Vector weights_of(const StartProblem& problem) const;
  /// Notes in `start_` the stated guesses that are far from the start that was found.
  void note_far_guesses(const StartProblem& problem, const Vector& found);
  void note_what_takes_part(StartProblem& problem) const;
  [[nodiscard]] bool evaluate_positions(const std::vector<StartEquation>& equations, const Vector& q, Vector& r,
                                        Matrix& J);
  /// What residuals without a gradient are measured by [equations]: a mass, a length and the time of the run.
  [[nodiscard]] Vector sizes_without_gradient(const StartProblem& problem) const;
  /// Rows with ψ, including those that are integrals of the motion.
  [[nodiscard]] std::vector<int> rows_of_speeds() const {
    std::vector<int> rows = bound_->velocity_rows;
    rows.insert(rows.end(), bound_->integrals.begin(), bound_->integrals.end());
    return rows;
  }
  [[nodiscard]] Outcome<void> prepare_quaternions(StartProblem& problem) const;
  [[nodiscard]] std::string quaternion_text(int quaternion) const;
  [[nodiscard]] static std::string joined(const std::vector<std::string>& parts);  ///< "a, b and c"
  [[nodiscard]] Outcome<StartProblem> speed_problem(const Vector& q);
  [[nodiscard]] Outcome<LeastChange> solve(StartProblem& problem);
  /// Whether random starts lead elsewhere than to what was found by one; says so in `start_`.
  void look_for_another(const StartProblem& problem, const Vector& found);
  [[nodiscard]] bool holds_without_gradient(const StartProblem& problem) const;
  [[nodiscard]] LeastChange attempt(const StartProblem& problem, const Vector& z) const;
  [[nodiscard]] Failure explain(const StartProblem& problem, const LeastChange& best) const;
  [[nodiscard]] Vector matching_speeds(const StartProblem& problem,
                                       const std::vector<StartConditions::Condition>& conditions, const Vector& values);
  void rate_missed(int start, const Vector& u, const Vector& values, double& missed,
                   Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> by_u);
  [[nodiscard]] const std::array<int, 4>& quaternion(const StartEquation& equation) const {
    return nth(bound_->system->quaternions, equation.quaternion);
  }
  /// Derivative `order` of a row of a relation with states, a condition on the start (theory.md §6.10).
  struct FunctionalCondition {
    model::ConstraintId constraint;
    std::size_t row;
    int order;
  };
  void find_functional_conditions();
  [[nodiscard]] double functional_value(const FunctionalCondition& condition, const Vector& q) const;
  void at(const Vector& q, const Vector& u, WithMass with_mass = WithMass::kNo) {
    y_.head(bound_->nq()) = q;
    y_.segment(bound_->nq(), bound_->nu()) = u;
    if (bound_->nz() > 0) y_.tail(bound_->nz()) = evaluate_state_starts(bound_, options_.t0, q);
    EquationsOf(dynamics_).matrices_as_they_are(dynamics_.mode(), options_.t0, y_.data(), m_, with_mass);
    EquationsOf(dynamics_).show_integrals(options_.t0, y_.data(), m_);
  }

  Dynamics& dynamics_;
  const Binding& bound_;
  const AssemblyOptions& options_;
  StartConditions conditions_;
  std::vector<FunctionalCondition> functional_;
  std::optional<NonlinearSpeeds> nonlinear_;
  Vector y_;
  Matrices m_;
  Start start_;
};

[[nodiscard]] inline Failure assembly_failure(double t) {
  Failure failure;
  failure.kind = FailureKind::kAssembly;
  failure.t = t;
  return failure;
}

[[nodiscard]] inline StatementId start_statement(int start) { return {StatementId::Kind::kStart, start}; }

}  // namespace vinculum::sim
