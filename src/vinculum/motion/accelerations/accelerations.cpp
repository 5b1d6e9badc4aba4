#include "vinculum/motion/accelerations/accelerations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/accelerations/guards.hpp"
#include "vinculum/motion/accelerations/near_singular.hpp"
#include "vinculum/numeric/finite.hpp"

namespace vinculum::sim {
namespace {

// Near a singular configuration generated code is used only if the tolerance of the run is at least this, which is a
// hundred times the error of generated accelerations that the guards accept.
constexpr double kLeavesRoom = tolerance::kQuadratic;

}  // namespace

Accelerations::Accelerations(StateKernels& at, EquationPieces& pieces, Routes& routes, DependentForces* forces,
                             HighestDerivatives* highest, SparseSolver& sparse, ConstraintProjection& constraints,
                             LinearProblem& problem)
    : at_(at),
      pieces_(pieces),
      routes_(routes),
      forces_(forces),
      highest_(highest),
      sparse_(sparse),
      constraints_(constraints),
      problem_(problem),
      projected_(Vector::Zero(at.ny)) {}

Outcome<void> Accelerations::derivative(double t, const double* y, double* y_dot) {
  // Generated code is tried before the list below. Most evaluations end here, and a loop over the list would make the
  // shortest evaluations a tenth slower.
  if (by_generated_code(t, y, y_dot) == Answer::kAnswered) return {};
  using Way = Outcome<Answer> (Accelerations::*)(double, const double*, double*);
  static constexpr std::array<Way, 3> kInOrder{&Accelerations::by_highest_derivatives, &Accelerations::by_entries,
                                               &Accelerations::by_routes};
  for (const Way way : kInOrder) {
    Outcome<Answer> answer = (this->*way)(t, y, y_dot);
    if (!answer) return fail(std::move(answer.error()));
    if (*answer == Answer::kAnswered) break;
  }
  return {};
}

const double* Accelerations::state_for_generated_code(double t, const double* y) {
  if (!at_.mode->has_short_rows && !(at_.sizes.tolerance >= kLeavesRoom)) return nullptr;
  projected_ = Eigen::Map<const Vector>(y, at_.ny);
  return constraints_.project(t, projected_.data()) ? projected_.data() : nullptr;
}

bool Accelerations::is_found_by(const BoundKernel& kernel, double t, const double* y, double* y_dot) {
  if (at_.slides) {
    if (!forces_->contacts->held.is_found_by(kernel)) return false;
  } else {
    kernel.evaluate_at(t, y, at_.result.data(), at_.workspace.data());
  }
  return numeric::copy_finite(at_.result.data(), at_.ny, y_dot) && is_accepted(at_.result.data() + at_.ny) &&
         (!at_.compiled->compares_rows || pieces_.rows.do_left_out_agree());
}

Accelerations::Answer Accelerations::by_generated_code(double t, const double* y, double* y_dot) {
  is_on_constraints_ = false;
  Mode& mode = *at_.mode;
  const bool is_near = routes_.is_explicit() && mode.calls_on_constraints > 0;
  if (is_near) --mode.calls_on_constraints;
  const Binding& bound = *at_.bound;
  if (!routes_.takes_generated(bound)) return Answer::kRefused;
  const double* const at = is_near ? state_for_generated_code(t, y) : y;
  if (at == nullptr) return Answer::kRefused;
  if (at_.slides) at_.load(t, at);
  const bool is_found =
      (bound.reduced_accelerations.kernel && is_found_by(bound.reduced_accelerations, t, at, y_dot)) ||
      is_found_by(bound.accelerations, t, at, y_dot);
  is_on_constraints_ = is_near;
  if (!is_found) return Answer::kRefused;
  ++mode.counts.static_solves;
  return Answer::kAnswered;
}

Outcome<Accelerations::Answer> Accelerations::by_highest_derivatives(double t, const double* y, double* y_dot) {
  if (highest_ == nullptr) return Answer::kRefused;
  if (!routes_.is_explicit()) {
    Failure failure;
    failure.kind = FailureKind::kNotUnique;
    failure.t = t;
    failure.message = fmt::format("constraints of higher order have one formulation, `{}` is not one of theirs",
                                  to_string(routes_.formulation()));
    failure.constraints = highest_->constraints();
    return fail(std::move(failure));
  }
  if (auto done = highest_->derivative(t, y, y_dot); !done) return fail(std::move(done.error()));
  return Answer::kAnswered;
}

void Accelerations::note_rank(int rank) {
  int& lowest = at_.mode->counts.lowest_rank;
  lowest = lowest < 0 ? rank : std::min(lowest, rank);
}

Outcome<Accelerations::Answer> Accelerations::by_entries(double t, const double* y, double* y_dot) {
  if (!sparse_.takes_accelerations() || !sparse_.solve_at(t, y)) return Answer::kRefused;
  if (sparse_.defect() > tolerance::kRounded && sparse_.is_doubtful()) {
    at_.mode->calls_on_constraints = kCallsNearSingular;
    projected_ = Eigen::Map<const Vector>(y, at_.ny);
    if (!constraints_.project(t, projected_.data()) || !sparse_.solve_at(t, projected_.data())) return Answer::kRefused;
  }
  if (!sparse_.do_left_out_agree()) return Answer::kRefused;
  ++at_.mode->counts.fallbacks;
  note_rank(sparse_.rank());
  std::copy_n(pieces_.matrices.q_dot.data(), at_.nq, y_dot);
  std::copy_n(sparse_.u_dot().data(), at_.nu, y_dot + at_.nq);
  return Answer::kAnswered;
}

Outcome<Accelerations::Answer> Accelerations::by_routes(double t, const double* y, double* y_dot) {
  const Matrices& m = pieces_.matrices;
  Mode& mode = *at_.mode;
  if (routes_.is_explicit()) ++mode.counts.fallbacks;
  bool is_projected = is_on_constraints_;
  auto defect = problem_.factor_at(t, is_projected ? projected_.data() : y);
  // If the state violates the constraints, a small inertia cannot be distinguished from zero, and M seems singular. At
  // the projected state the errors of the pivots are smaller, so the factorization is tried there.
  const bool is_hidden = !is_projected && !defect && defect.error().kind == FailureKind::kSingularByMultipliers &&
                         pieces_.rows.relative_defect(m) > tolerance::kRounded;
  if (!defect && !is_hidden) return fail(defect.error());
  const bool is_off = is_hidden || is_projected || *defect > tolerance::kRounded;
  const bool is_explicit = &routes_.asked() == &routes_.pivoted;
  bool is_to_project = is_hidden;
  if (is_off && !is_hidden && is_explicit && routes_.pivoted.rows().conditioning() < kNearlyDependent) {
    mode.calls_on_constraints = kCallsNearSingular;
    is_to_project = !is_projected;
  }
  if (!routes_.is_explicit() && !is_hidden) {
    is_to_project = is_off;  // these solvers square the pivots, or depend on one choice of speeds, and so
                             // are sensitive to constraint violations
    mode.calls_on_constraints = std::max(0, mode.calls_on_constraints - 1);
    const bool is_near = routes_.pivoted.factor(m, pieces_.rows.seen_by_rows(*defect)) &&
                         routes_.pivoted.rows().conditioning() < kNearlyDependent;
    if (is_near) mode.calls_on_constraints = kCallsNearSingular;
  }
  if (is_off && !is_projected && !is_to_project && pieces_.rows.has_doubtful_row(m, *defect)) {
    mode.calls_on_constraints = kCallsNearSingular;
    is_to_project = true;
  }
  while (true) {
    if (std::exchange(is_to_project, false)) {
      is_projected = true;
      projected_ = Eigen::Map<const Vector>(y, at_.ny);
      if (auto done = constraints_.project(t, projected_.data()); !done) return fail(std::move(done.error()));
      defect = problem_.factor_at(t, projected_.data());
      if (!defect) return fail(defect.error());
    }
    auto done = problem_.solve(pieces_.rows.seen_by_rows(*defect));
    if (done) break;
    // If the state violates the constraints, dependent rows may contradict each other. It is a failure only if they
    // also do so at the projected state.
    if (is_projected || !is_off || done.error().kind != FailureKind::kInconsistent) {
      return fail(pieces_.named(std::move(done.error()), t, model::Level::kAcceleration));
    }
    is_to_project = true;
  }
  if (is_explicit) note_rank(routes_.pivoted.rows().rank());
  problem_.write_rates(t, is_projected ? projected_.data() : y, y_dot);
  if (pieces_.nonlinear) pieces_.nonlinear->follow(t);
  return Answer::kAnswered;
}

}  // namespace vinculum::sim
