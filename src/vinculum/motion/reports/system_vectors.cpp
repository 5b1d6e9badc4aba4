#include "vinculum/motion/reports/system_vectors.hpp"

#include <fmt/format.h>

#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/nonlinear_speeds.hpp"

namespace vinculum::sim {

std::pair<Matrix, Vector> SystemVectors::given() {
  if (!at_.bound->given.kernel) return {pieces_.matrices.M, pieces_.matrices.f};
  at_.evaluate(at_.bound->given);
  return {Eigen::Map<const Matrix>(at_.result.data(), at_.nu, at_.nu),
          Eigen::Map<const Vector>(at_.result.data() + at_.nu * at_.nu, at_.nu)};
}

/// Qi is the reaction that the rows would have if all of them were ideal. If there are no servo constraints and no law
/// adds to M or f, `reaction` already contains Qi. Otherwise another system is solved.
Outcome<Vector> SystemVectors::ideal_force(const Matrix& M, const Vector& f, const solve::Reaction& reaction) {
  if (!is_directed() && !at_.bound->given.kernel) return reaction.Q_ideal();
  PivotedSolve solver(at_.nu, at_.nc);
  if (auto done =
          solver.factor(M, pieces_.matrices.A, pieces_.matrices.certainty, pieces_.rows.seen_defect(pieces_.matrices));
      !done)
    return fail(std::move(done.error()));
  solve::Solution solution;
  if (auto done = solver.solver().solve(f, pieces_.matrices.b, solution); !done) return fail(std::move(done.error()));
  return solution.Q;
}

Outcome<void> SystemVectors::fill(Sample& sample) {
  sample.vectors.resize(static_cast<Eigen::Index>(at_.compiled->system->vectors.size()));
  if (sample.vectors.size() == 0) return {};
  const auto [M, f] = given();
  const auto named_failure = [&](Failure failure) {
    return fail(pieces_.named(std::move(failure), sample.t, model::Level::kAcceleration));
  };
  auto free = solve::free_motion(M, f, pieces_.matrices.A, pieces_.matrices.b);
  if (!free) return named_failure(std::move(free.error()));
  auto Q_ideal = ideal_force(M, f, sample.reaction);
  if (!Q_ideal) return named_failure(std::move(Q_ideal.error()));
  sample.vectors.head(at_.nu) = free->a;
  sample.vectors.segment(at_.nu, at_.nu) = *Q_ideal;
  sample.vectors.tail(at_.nu) = at_.bound->given.kernel ? Vector(M * sample.reaction.u_dot() - f) : sample.reaction.Q_c;
  sample.is_free_motion_unique = !free->is_mass_singular;
  return {};
}

Outcome<MotionGeometry> SystemVectors::geometry(double t, const double* y) {
  if (highest_ != nullptr) {
    Failure failure;
    failure.kind = FailureKind::kNotUnique;
    failure.t = t;
    failure.constraints = highest_->constraints();
    failure.message = fmt::format(
        "constraint `{}` is of higher order and has no row in A u' = b, whose geometry this is; its reaction depends "
        "on "
        "the history of its multipliers",
        at_.compiled->model->constraint(highest_->structure().constraint_of_mu.front()).name);
    return fail(std::move(failure));
  }
  const auto named_failure = [&](Failure failure) {
    return fail(pieces_.named(std::move(failure), t, model::Level::kAcceleration));
  };
  if (auto done = forces_.factor(t, y); !done) return fail(std::move(done.error()));
  solve::Reaction reaction;
  if (auto done = forces_.react(reaction); !done) return named_failure(std::move(done.error()));
  const Matrices& at = pieces_.matrices;
  auto [M, f] = given();
  pieces_.show_integrals(t, y, pieces_.matrices);
  auto found = solve::geometry(M, f, at.A, at.b);
  if (!found) return named_failure(std::move(found.error()));
  const bool is_of_udwadia_kalaba = !is_directed() && !at_.bound->given.kernel;
  MotionGeometry geometry{*std::move(found), std::move(M), at.A, std::move(f), at.b,
                          reaction.u_dot(),  reaction.Q_c, at.C};
  if (at_.bound->given.kernel) geometry.Q_constraint = geometry.M * geometry.u_dot - geometry.f;
  if (!is_of_udwadia_kalaba) geometry.C = geometry.Q_nonideal();
  return geometry;
}

Outcome<MotionGeometry> shown_geometry(const Binding& bound, double t, const double* y, MotionGeometry over) {
  if (!NonlinearSpeeds::are_in(bound)) return over;
  const NonlinearSpeeds speeds(bound);
  const auto change = speeds.change(t, y);
  if (!change) return fail(speeds.singular(t));
  // With u̇ = G (u̇_shown − rest), G = J⁻¹, forces are multiplied by Gᵀ, and rows become A G u̇_shown = b + A G rest.
  const Matrix& G = change->inverse;
  const Matrix M = G.transpose() * over.M * G, A = over.A * G;
  const Vector f = G.transpose() * over.f + M * change->rest, b = over.b + A * change->rest;
  auto found = solve::geometry(M, f, A, b);
  if (!found) return fail(std::move(found.error()));
  return MotionGeometry{
      *std::move(found),     M, A, f, b, change->J * over.u_dot + change->rest, G.transpose() * over.Q_constraint,
      G.transpose() * over.C};
}

}  // namespace vinculum::sim
