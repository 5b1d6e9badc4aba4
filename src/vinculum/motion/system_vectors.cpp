#include <fmt/format.h>

#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/nonlinear_speeds.hpp"
#include "vinculum/motion/dynamics_impl.hpp"

/// Vectors of the whole model that no single constraint has: a, Qi, Qc (theory.md §3.1, 4.4).
namespace vinculum::sim {

std::pair<Matrix, Vector> Dynamics::Impl::given() {
  if (!bound->given.kernel) return {matrices.M, matrices.f};
  evaluate(bound->given);
  return {Eigen::Map<const Matrix>(result.data(), nu, nu), Eigen::Map<const Vector>(result.data() + nu * nu, nu)};
}

/// Qi is what the rows would exert were all of them ideal. Where they are, and no law adds to M and f, the reaction has
/// it; else it is a solve of its own.
Outcome<Vector> Dynamics::Impl::ideal_force(const Matrix& M, const Vector& f, const solve::Reaction& reaction) {
  if (!directed && !bound->given.kernel) return reaction.Q_ideal();
  PivotedSolve solver(nu, nc);
  if (auto done = solver.factor(M, matrices.A, matrices.certainty, seen_by_rows(relative_defect(matrices))); !done)
    return fail(std::move(done.error()));
  solve::Solution solution;
  if (auto done = solver.solver().solve(f, matrices.b, solution); !done) return fail(std::move(done.error()));
  return solution.Q;
}

Outcome<void> Dynamics::Impl::fill_vectors(Sample& sample) {
  sample.vectors.resize(static_cast<Eigen::Index>(compiled->system->vectors.size()));
  if (sample.vectors.size() == 0) return {};
  const auto [M, f] = given();
  const auto named_failure = [&](Failure failure) {
    return fail(named(std::move(failure), sample.t, model::Level::kAcceleration));
  };
  auto free = solve::free_motion(M, f, matrices.A, matrices.b);
  if (!free) return named_failure(std::move(free.error()));
  auto Q_ideal = ideal_force(M, f, sample.reaction);
  if (!Q_ideal) return named_failure(std::move(Q_ideal.error()));
  sample.vectors.head(nu) = free->a;
  sample.vectors.segment(nu, nu) = *Q_ideal;
  sample.vectors.tail(nu) = bound->given.kernel ? Vector(M * sample.reaction.u_dot() - f) : sample.reaction.Q_c;
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
        d.compiled->model->constraint(d.higher->structure.constraint_of_mu.front()).name);
    return fail(std::move(failure));
  }
  const auto named_failure = [&](Failure failure) {
    return fail(d.named(std::move(failure), t, model::Level::kAcceleration));
  };
  if (auto done = d.factor_for_report(t, y); !done) return fail(std::move(done.error()));
  solve::Reaction reaction;
  if (auto done = d.react(d.seen_by_rows(d.relative_defect(d.matrices)), reaction); !done)
    return named_failure(std::move(done.error()));
  const Matrices& at = d.matrices;
  auto [M, f] = d.given();
  d.show_integrals(t, y, d.matrices);
  auto found = solve::geometry(M, f, at.A, at.b);
  if (!found) return named_failure(std::move(found.error()));
  const bool is_of_udwadia_kalaba = !d.directed && !d.bound->given.kernel;
  MotionGeometry geometry{*std::move(found), std::move(M), at.A, std::move(f), at.b,
                          reaction.u_dot(),  reaction.Q_c, at.C};
  if (d.bound->given.kernel) geometry.Q_constraint = geometry.M * geometry.u_dot - geometry.f;
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
