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

/// One equation of the start: a constraint row, a condition stated with `=` that does not fix a single unknown, the
/// unit norm of a quaternion, or a condition on a relation that contains states (FunctionalCondition).
struct StartEquation {
  int row = -1;         ///< constraint row, or −1
  int start = -1;       ///< start condition, or −1
  int quaternion = -1;  ///< index into System::quaternions, or −1
  int functional = -1;  ///< index into Assembly::functional_, or −1
};

/// The equations of one level and their unknowns z (q or u). Unknowns that a `=` condition fixes keep their values; the
/// others are free.
struct StartProblem {
  model::Level level = model::Level::kPosition;
  Vector z;                 ///< stated values, including those with `=`
  std::vector<int> held;    ///< for each unknown, the `=` condition that fixes it; −1 if it is free
  std::vector<char> fixed;  ///< for each unknown: true if it keeps its value although no start condition fixes it
  std::vector<int> guess;   ///< for each unknown, the `~` condition that gives its guess; −1 if there is none
  std::vector<int> free;
  std::vector<char> takes_part;  ///< for each unknown: whether some equation depends on it
  std::vector<StartEquation> equations;
  /// Computes the residuals and the Jacobian with respect to all unknowns [equations × size of z]. \returns false if
  /// they are not finite.
  std::function<bool(const Vector& z, Vector& r, Matrix& J)> evaluate;
  std::function<Matrix()> metric;  ///< metric in which changes of z are measured
  Vector scale, reach;             ///< typical magnitudes of z; changes of z that are plausible in a search
};

/// The values with one of them increased by `change`; place −1: none.
[[nodiscard]] inline Vector changed(Vector values, int place, double change) {
  if (place >= 0) values[place] += change;
  return values;
}

/// Finds positions first, then speeds. For each level, sets up the equations and changes the unknowns as little as
/// possible to satisfy them. If the equations have no solution, the failure names the statements in conflict.
class Assembly {
 public:
  Assembly(Dynamics& dynamics, const AssemblyOptions& options, const StartChange& change = {})
      : dynamics_(dynamics),
        bound_(dynamics.binding()),
        options_(options),
        change_(change),
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
  /// Solves, one after the other, equations that contain only one unknown that is not known yet, and replaces the
  /// guesses in `z` by the results.
  void meet_rows_alone(StartProblem& problem);
  /// Changes unknowns without a stated guess so that the residuals become least; unknowns with a stated guess keep it.
  void let_unstated_follow(StartProblem& problem);
  /// Solves the equations in `found` and marks their unknowns as known.   \returns true if at least one was solved.
  [[nodiscard]] static bool meet(StartProblem& problem, const std::vector<Alone>& found, std::vector<char>& is_known);
  /// Unknowns of the equation that are not known yet.
  [[nodiscard]] std::vector<Eigen::Index> unknowns_of(const StartEquation& equation,
                                                      const std::vector<char>& is_known) const;
  /// Weights of squared changes. The weights of unknowns without a stated guess are small compared with the other
  /// weights.
  [[nodiscard]] Vector weights_of(const StartProblem& problem) const;
  /// Adds to `start_` a note on each stated guess that is far from the start found.
  void note_far_guesses(const StartProblem& problem, const Vector& found);
  void note_what_takes_part(StartProblem& problem) const;
  [[nodiscard]] bool evaluate_positions(const std::vector<StartEquation>& equations, const Vector& q, Vector& r,
                                        Matrix& J);
  /// Returns scales for residuals whose gradient is zero [equations]: typical values, formed from a mass, a length and
  /// the duration of the run.
  [[nodiscard]] Vector sizes_without_gradient(const StartProblem& problem) const;
  /// Returns the rows with a velocity form ψ, including rows that are integrals of the motion.
  [[nodiscard]] std::vector<int> rows_of_speeds() const {
    std::vector<int> rows = bound_->velocity_rows;
    rows.insert(rows.end(), bound_->integrals.begin(), bound_->integrals.end());
    return rows;
  }
  [[nodiscard]] Outcome<void> prepare_quaternions(StartProblem& problem) const;
  [[nodiscard]] std::string quaternion_text(int quaternion) const;
  [[nodiscard]] static std::string joined(const std::vector<std::string>& parts);  ///< joins texts as "a, b and c"
  [[nodiscard]] Outcome<StartProblem> speed_problem(const Vector& q);
  [[nodiscard]] Outcome<LeastChange> solve(StartProblem& problem);
  /// Tests whether random starts lead to a solution other than `found`, and if so notes this in `start_`.
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
  /// The derivative of order `order` of a relation that contains states. It must be 0 at the start, but is not a
  /// constraint row (theory.md §6.10).
  struct FunctionalCondition {
    model::ConstraintId constraint;
    std::size_t row;
    int order;
  };
  void find_functional_conditions();
  /// [starts] Right-hand sides of the start conditions at q.
  [[nodiscard]] Vector start_values(const Vector& q) const {
    return changed(evaluate_start_values(bound_, options_.t0, q), change_.start, change_.change);
  }
  [[nodiscard]] double functional_value(const FunctionalCondition& condition, const Vector& q) const;
  void at(const Vector& q, const Vector& u, WithMass with_mass = WithMass::kNo) {
    y_.head(bound_->nq()) = q;
    y_.segment(bound_->nq(), bound_->nu()) = u;
    if (bound_->nz() > 0)
      y_.tail(bound_->nz()) = changed(evaluate_state_starts(bound_, options_.t0, q), change_.state, change_.change);
    EquationsOf(dynamics_).matrices_as_they_are(dynamics_.mode(), options_.t0, y_.data(), m_, with_mass);
    EquationsOf(dynamics_).show_integrals(options_.t0, y_.data(), m_);
  }

  Dynamics& dynamics_;
  const Binding& bound_;
  const AssemblyOptions& options_;
  const StartChange change_;
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
