#include <fmt/format.h>

#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/nonlinear_speeds.hpp"
#include "vinculum/motion/dynamics_impl.hpp"

/// Vectors of the whole model that no single constraint has: a, Qi, Qc (theory.md §3.1, 4.4).
namespace vinculum::sim {

std::pair<Matrix, Vector> Dynamics::Impl::given() {
  if (!at_.bound->given.kernel) return {pieces_.matrices.M, pieces_.matrices.f};
  at_.evaluate(at_.bound->given);
  return {Eigen::Map<const Matrix>(at_.result.data(), at_.nu, at_.nu), Eigen::Map<const Vector>(at_.result.data() + at_.nu * at_.nu, at_.nu)};
}

/// Qi is what the rows would exert were all of them ideal. Where they are, and no law adds to M and f, the reaction has
/// it; else it is a solve of its own.
Outcome<Vector> Dynamics::Impl::ideal_force(const Matrix& M, const Vector& f, const solve::Reaction& reaction) {
  if (!directed && !at_.bound->given.kernel) return reaction.Q_ideal();
  PivotedSolve solver(at_.nu, at_.nc);
  if (auto done = solver.factor(M, pieces_.matrices.A, pieces_.matrices.certainty, pieces_.rows.seen_by_rows(pieces_.rows.relative_defect(pieces_.matrices))); !done)
    return fail(std::move(done.error()));
  solve::Solution solution;
  if (auto done = solver.solver().solve(f, pieces_.matrices.b, solution); !done) return fail(std::move(done.error()));
  return solution.Q;
}

Outcome<void> Dynamics::Impl::fill_vectors(Sample& sample) {
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

Outcome<MotionGeometry> Dynamics::geometry(double t, const double* y) {
  Impl& d = in_copy(mode_);
  if (d.higher) {
    Failure failure;
    failure.kind = FailureKind::kNotUnique;
    failure.t = t;
    for (const model::ConstraintId id : d.higher->structure.constraint_of_mu)
      failure.constraints.push_back(static_cast<int>(id.index()));
    failure.message = fmt::format(
        "constraint `{}` is of higher order and has no row in A u' = b, whose geometry this is; its reaction depends "
        "on "
        "the history of its multipliers",
        d.at_.compiled->model->constraint(d.higher->structure.constraint_of_mu.front()).name);
    return fail(std::move(failure));
  }
  const auto named_failure = [&](Failure failure) {
    return fail(d.pieces_.named(std::move(failure), t, model::Level::kAcceleration));
  };
  if (auto done = d.factor_for_report(t, y); !done) return fail(std::move(done.error()));
  solve::Reaction reaction;
  if (auto done = d.react(d.pieces_.rows.seen_by_rows(d.pieces_.rows.relative_defect(d.pieces_.matrices)), reaction); !done)
    return named_failure(std::move(done.error()));
  const Matrices& at = d.pieces_.matrices;
  auto [M, f] = d.given();
  d.pieces_.show_integrals(t, y, d.pieces_.matrices);
  auto found = solve::geometry(M, f, at.A, at.b);
  if (!found) return named_failure(std::move(found.error()));
  const bool is_of_udwadia_kalaba = !d.directed && !d.at_.bound->given.kernel;
  MotionGeometry geometry{*std::move(found), std::move(M), at.A, std::move(f), at.b,
                          reaction.u_dot(),  reaction.Q_c, at.C};
  if (d.at_.bound->given.kernel) geometry.Q_constraint = geometry.M * geometry.u_dot - geometry.f;
  if (!is_of_udwadia_kalaba) geometry.C = geometry.Q_nonideal();
  return geometry;
}

Outcome<MotionGeometry> Dynamics::shown_geometry(double t, const double* y) {
  auto over = geometry(t, y);
  if (!over || !NonlinearSpeeds::are_in(binding())) return over;
  const NonlinearSpeeds speeds(binding());
  const auto change = speeds.change(t, y);
  if (!change) return fail(speeds.singular(t));
  // With G = J⁻¹ and u̇ = G (u̇_shown − rest): forces by Gᵀ, rows A G u̇_shown = b + A G rest.
  const Matrix& G = change->inverse;
  const Matrix M = G.transpose() * over->M * G, A = over->A * G;
  const Vector f = G.transpose() * over->f + M * change->rest, b = over->b + A * change->rest;
  auto found = solve::geometry(M, f, A, b);
  if (!found) return fail(std::move(found.error()));
  return MotionGeometry{
      *std::move(found),      M, A, f, b, change->J * over->u_dot + change->rest, G.transpose() * over->Q_constraint,
      G.transpose() * over->C};
}

}  // namespace vinculum::sim
