#include "vinculum/motion/jumps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/watches.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::sim {
namespace {

Failure failure_at(double t, FailureKind kind, std::string message) {
  Failure failure;
  failure.kind = kind;
  failure.t = t;
  failure.message = std::move(message);
  return failure;
}

/// Evaluates a kernel of (t, q, u, z), with every switching surface on the given side.
Vector evaluated(const codegen::Kernel& kernel, const Binding& bound, double t, const Vector& y,
                 std::span<const double> sides) {
  std::vector<double> fixed = bound.parameters, input(kernel.input_count()), workspace(kernel.workspace_size());
  const std::vector<double> values = bound->watches->switches.values(sides);
  fixed.insert(fixed.end(), values.begin(), values.end());
  input[0] = t;
  std::copy_n(y.data(), y.size(), input.data() + 1);
  Vector result(static_cast<Eigen::Index>(kernel.output_count()));
  kernel.evaluate(input.data(), kernel.prepare(fixed).data(), result.data(), workspace.data());
  return result;
}

/// Whether two vectors differ by more than rounding errors.
/// \param shift  norm of the change of the vectors caused by rounding of the state
bool differ(ConstVector a, ConstVector b, double shift) {
  return (a - b).norm() > tolerance::kAtStates * std::max(a.norm(), b.norm()) + shift;
}

}  // namespace

Outcome<Vector> jump_of_momenta(const Binding& bound, double t, const Vector& y, const Vector& beside,
                                std::span<const double> before, std::span<const double> after, bool is_of_motion) {
  const Watches& watches = *bound->watches;
  if (!watches.jumping) return Vector();
  const auto on = [&](std::span<const double> sides, const Vector& state) {
    return evaluated(*watches.jumping, bound, t, state, sides);
  };
  Vector at_rest = y;
  at_rest.segment(bound->nq(), bound->nu()).setZero();
  const Vector now = on(before, y), then = on(after, y);
  const Vector jump = then - now, by_time = on(after, at_rest) - on(before, at_rest);
  // Effect of rounding errors of the state. At a fold at the origin the positions consist of this effect alone.
  const Vector shift = (on(after, beside) - then).cwiseAbs() + (on(before, beside) - now).cwiseAbs();
  Eigen::Index at = bound->nu();
  for (const Watches::Moved& one : watches.moved) {
    if (differ(now.segment(at, one.place), then.segment(at, one.place), shift.segment(at, one.place).norm()))
      return fail(failure_at(t, FailureKind::kInconsistent,
                             fmt::format("the place of `{}` jumps here: no motion follows it", one.name)));
    at += one.place;
    const Vector beyond = jump.segment(at, one.velocity) - by_time.segment(at, one.velocity);
    if (beyond.norm() >
        tolerance::kAtStates * (now.segment(at, one.velocity).norm() + then.segment(at, one.velocity).norm()))
      return fail(failure_at(t, FailureKind::kNotUnique,
                             fmt::format("how the coordinates move `{}` jumps here, as at a fold: the motion from here "
                                         "on is not unique",
                                         one.name)));
    at += one.velocity;
  }
  if (!is_of_motion) return jump.head(bound->nu());
  // Energies at a surface are often 0 and then provide no scale. So jumps are also compared with |p·u|, the momenta
  // times the speeds at which the motion meets the surface.
  const double moving = std::abs(now.head(bound->nu()).dot(y.segment(bound->nq(), bound->nu())));
  const auto jumps = [&](Eigen::Index i) {
    const double size = std::max({std::abs(now[i]), std::abs(then[i]), moving});
    return std::abs(jump[i]) > tolerance::kAtStates * size + shift[i];
  };
  for (; at + 1 < jump.size(); ++at) {
    if (jumps(at))
      return fail(failure_at(t, FailureKind::kInconsistent,
                             "the potential energy jumps here: no force follows it. State the motion on both sides as "
                             "separate models, or let it rise over a width"));
  }
  if (jumps(at))
    return fail(failure_at(
        t, FailureKind::kNotUnique,
        "the kinetic energy or the Lagrangian jumps here with the place or the velocity: no equation determines the "
        "impulse across. State the motion on both sides as separate models, or let it rise over a width"));
  return jump.head(bound->nu());
}

Vector terms_of_rows(const Binding& bound, double t, const Vector& y, std::span<const double> sides) {
  const auto& kernel = bound->watches->row_terms;
  return kernel ? evaluated(*kernel, bound, t, y, sides) : Vector();
}

void add_impulse(Dynamics& dynamics, const Mode& mode, double t, const Vector& jump, Vector& y) {
  Matrices m;
  EquationsOf(dynamics).matrices_as_they_are(mode, t, y.data(), m);
  const Eigen::Index nu = m.M.rows(), nc = m.A.rows();
  numeric::FullPivotLu lu(static_cast<int>(nu + nc));
  auto system = lu.matrix(static_cast<int>(nu + nc));
  system.setZero();
  system.topLeftCorner(nu, nu) = m.M;
  system.topRightCorner(nu, nc) = -m.A.transpose();
  system.bottomLeftCorner(nc, nu) = m.A;
  lu.factor(tolerance::kRank);
  Vector change = Vector::Zero(nu + nc);
  change.head(nu) = -jump;
  (void)lu.solve(change);
  y.segment(m.q_dot.size(), nu) += change.head(nu);
}

std::vector<char> acting_rows(Dynamics& dynamics, const Mode& mode) {
  std::vector<char> acts(static_cast<std::size_t>(dynamics.binding()->nc()), 1);
  if (dynamics.binding()->switched.empty()) return acts;
  const std::shared_ptr<const Binding> bound = dynamics.binding_of(mode);
  for (std::size_t row = 0; row < acts.size(); ++row) acts[row] = bound->embedding()[row] != Embedding::kNotActing;
  return acts;
}

Vector gaps_of_switched(Dynamics& dynamics, const Mode& mode, double t, const Vector& y) {
  const std::shared_ptr<const Binding> bound = dynamics.binding_of(mode);
  const BoundKernel& rows = bound->switched_rows;
  std::vector<double> output(rows.kernel->output_count()), workspace(rows.kernel->workspace_size());
  rows.evaluate_at(t, y.data(), output.data(), workspace.data());
  const auto count = static_cast<Eigen::Index>(bound->compiled->switched.size());
  const Eigen::Index columns = static_cast<Eigen::Index>(output.size()) / count;
  return Eigen::Map<const Matrix>(output.data(), columns, count).row(1);
}

std::optional<Failure> direction_of_jump(Dynamics& dynamics, const Mode& mode, double t, const Vector& y_before,
                                         const Vector& y) {
  const Binding& bound = dynamics.binding();
  std::vector<int> nonlinear;
  for (std::size_t row = 0; row < bound->system->rows.size(); ++row) {
    const equations::Row& stated = bound->system->rows[row];
    if (stated.level != model::Level::kVelocity) continue;
    const expr::SparseRow& A = stated.acts.is_valid() ? stated.while_acting.A : stated.A;
    if (std::ranges::any_of(A, [&](const auto& entry) { return expr::depends_on(entry.value, bound->system->u); }))
      nonlinear.push_back(static_cast<int>(row));
  }
  if (nonlinear.empty()) return std::nullopt;
  Matrices m;
  EquationsOf(dynamics).matrices_as_they_are(mode, t, y_before.data(), m);
  solve::ConstrainedSolve rows(static_cast<int>(m.M.rows()), static_cast<int>(m.A.rows()));
  rows.set_certainty(m.certainty);
  const Vector change = (y - y_before).segment(bound->nq(), bound->nu());
  solve::Solution found;
  // Computes the change of least size, in the metric of M, that has the same A Δu. It equals Δu if M Δu = Aᵀp for some
  // p.
  const bool is_solved =
      rows.factor(m.M, m.A) && static_cast<bool>(rows.solve(Vector::Zero(change.size()), m.A * change, found));
  const Vector size = dynamics.scale().segment(bound->nq(), bound->nu());
  const auto relative = [&size](const Vector& of) { return of.cwiseQuotient(size).norm(); };
  if (is_solved && relative(found.u - change) <= tolerance::kAtStates * relative(change)) return std::nullopt;
  Failure failure = failure_at(
      t, FailureKind::kNotUnique,
      fmt::format("the speeds must jump here to satisfy constraint `{}`, which is not linear in the speeds: its "
                  "gradient turns during the jump, so its impulse is not determined. Let the speeds satisfy it already",
                  bound->row_name(nonlinear.front())));
  failure.rows = nonlinear;
  return failure;
}

Outcome<Vector> impulses_of_jump(Dynamics& dynamics, const Mode& mode, double t, const Vector& y, ConstVector before) {
  Matrices m;
  EquationsOf(dynamics).matrices_as_they_are(mode, t, y.data(), m);
  solve::ConstrainedSolve rows(static_cast<int>(m.M.rows()), static_cast<int>(m.A.rows()));
  rows.set_certainty(m.certainty);
  if (auto done = rows.factor(m.M, m.A); !done) return fail(std::move(done.error()));
  const Vector change = y.segment(m.q_dot.size(), before.size()) - before;
  solve::Solution found;
  if (auto done = rows.solve(Vector::Zero(before.size()), m.A * change, found); !done)
    return fail(std::move(done.error()));
  return std::move(found.lambda);
}

}  // namespace vinculum::sim
