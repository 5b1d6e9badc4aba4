#include "vinculum/hybrid/contact_equations.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/hybrid/constraint_impulse.hpp"
#include "vinculum/hybrid/friction_state.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/motion/friction/failures.hpp"
#include "vinculum/motion/friction_of.hpp"
#include "vinculum/solve/contacts/contact_problem.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::sim {
namespace {

constexpr double kLeastMass = tolerance::kZero;  // part of the largest mass; smaller masses are rounding errors

}  // namespace

Mode ContactEquations::with_closed(const Mode& mode, double t, const Vector& y, const std::vector<char>& closed,
                                   Vector& y_closed) const {
  y_closed = y;
  Vector changed = y;  // all contacts count as changed, since an impact may have opened some that still act in `mode`
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    y_closed[rows_[k].closed_at] = closed[k] != 0 ? 1.0 : 0.0;
    changed[rows_[k].closed_at] = closed[k] != 0 ? 0.0 : 1.0;
  }
  Mode in = mode;
  // Closing a gap changes velocities without the law of the impact, so quantities of `conserve` have other values.
  if (in.levels) std::fill_n(in.levels->is_kept.begin(), dynamics_.binding()->model->conserved.size(), char{0});
  if (mode.sides.empty()) return in;
  const std::vector<double> decided = conditions_after_set(dynamics_.binding(), mode.sides, t, changed, y_closed);
  std::vector<double> sides = mode.sides;
  for (std::size_t k = 0; k < decided.size(); ++k)
    if (!std::isnan(decided[k])) sides[k] = decided[k];
  set_sides(in, dynamics_.binding(), sides);
  return in;
}

Outcome<NormalEquations> ContactEquations::along_normals(const Mode& mode, double t, const Vector& y,
                                                         const std::vector<char>& closed) {
  Vector y_closed;
  const Mode in = with_closed(mode, t, y, closed, y_closed);
  Matrices m;
  EquationsOf(dynamics_).matrices_as_they_are(in, t, y_closed.data(), m);
  const Binding& bound = dynamics_.binding();
  const int nu = static_cast<int>(m.M.rows()), nc = static_cast<int>(m.A.rows());
  const Vector u = y.segment(bound->nq(), nu);
  const bool has_scale = dynamics_.scale().size() == y.size();
  const Vector typical = has_scale ? Vector(dynamics_.scale().segment(bound->nq(), nu)) : Vector(u.cwiseAbs());
  NormalEquations at;
  solve::ConstrainedSolve all(nu, nc);
  all.set_certainty(m.certainty);
  all.set_compliance(m.compliance);
  if (auto done = all.factor(m.M, m.A); !done) return fail(std::move(done.error()));
  at.is_unique = all.unique();
  Matrix others = m.A;
  Vector b = m.b;
  for (std::size_t k = 0; k < rows_.size(); ++k) {
    others.row(rows_[k].row).setZero();
    b[rows_[k].row] = 0.0;
    if (closed[k] != 0) at.contacts.push_back(k);
  }
  const auto n = static_cast<Eigen::Index>(at.contacts.size());
  Matrix W(n, nu);
  for (Eigen::Index i = 0; i < n; ++i) W.row(i) = m.A.row(rows_[nth(at.contacts, i)].row);
  solve::ConstrainedSolve rows(nu, nc);
  rows.set_certainty(m.certainty);
  if (auto done = rows.factor(m.M, others); !done) return fail(std::move(done.error()));
  solve::Solution found;
  at.du.resize(nu, n);
  at.reaction.resize(nc, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    if (auto done = rows.solve(W.row(i).transpose(), Vector::Zero(nc), found); !done)
      return fail(std::move(done.error()));
    at.du.col(i) = found.u;
    at.reaction.col(i) = found.lambda;
    at.reaction(rows_[nth(at.contacts, i)].row, i) = 1.0;
  }
  at.G = W * at.du;
  at.G = 0.5 * (at.G + at.G.transpose()).eval();
  at.G_size = (W.cwiseAbs() * at.du.cwiseAbs()).diagonal();
  for (Eigen::Index i = 0; i < n; ++i) {
    // Other rows may hold the bodies of a contact. Then G is rounding error, relative to the masses alone.
    const double alone =
        (W.row(i).transpose().cwiseAbs2().array() / m.M.diagonal().array().max(kLeastMass * m.M.diagonal().maxCoeff()))
            .sum();
    at.G_size[i] = std::max({at.G_size[i], alone, std::numeric_limits<double>::min()});
    if (!(at.G(i, i) > tolerance::kZero * at.G_size[i])) {
      at.G.row(i).setZero();
      at.G.col(i).setZero();
      at.du.col(i).setZero();
    }
  }
  if (auto done = rows.solve(m.f, b, found); !done) return fail(std::move(done.error()));
  at.acceleration = W * found.u;
  at.acceleration_size = W.cwiseAbs() * (found.u.cwiseAbs() + typical / duration_);
  at.velocity.resize(n);
  at.velocity_size = W.cwiseAbs() * u.cwiseAbs().cwiseMax(typical);
  for (Eigen::Index i = 0; i < n; ++i) {
    const int row = rows_[nth(at.contacts, i)].row;
    at.acceleration[i] -= m.b[row];
    at.acceleration_size[i] += std::abs(m.b[row]);
    at.velocity[i] = m.psi[row];
    at.velocity_size[i] += std::abs(m.psi[row] - W.row(i).dot(u));
  }
  return at;
}

std::vector<int> ContactEquations::rows_of(const NormalEquations& at) const {
  std::vector<int> rows;
  for (const std::size_t k : at.contacts) rows.push_back(rows_[k].row);
  return rows;
}

std::vector<char> ContactEquations::closed_of(const NormalEquations& at) const {
  std::vector<char> closed(rows_.size(), 0);
  for (const std::size_t k : at.contacts) closed[k] = 1;
  return closed;
}

Outcome<ImpactEquations> ContactEquations::of_impact(const Mode& mode, double t, const Vector& y,
                                                     const NormalEquations& at) {
  const std::size_t count = at.contacts.size();
  ImpactEquations equations;
  equations.problem.G = at.G;
  equations.problem.G_size = at.G_size;
  equations.problem.velocity = at.velocity;
  equations.problem.velocity_size = at.velocity_size;
  equations.du = at.du;
  equations.reaction = at.reaction;
  equations.slides.assign(count, -1);
  equations.basis.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const ContactRow& row = rows_[at.contacts[i]];
    solve::ImpactContact contact;
    contact.normal = static_cast<int>(i);
    contact.restitution = row.restitution;
    contact.law = row.law;
    contact.is_sequential = row.is_sequential;
    if (const Vector& all = dynamics_.binding().compliance; all.size() > 0) contact.compliance = all[row.row];
    equations.problem.contacts.push_back(contact);
  }
  if (!have_friction() || count == 0) return equations;
  Vector y_closed, v, size;
  Mode in = with_closed(mode, t, y, closed_of(at), y_closed);
  std::vector<int> resting;
  set_friction(in, friction_by_velocities(dynamics_, in, t, y_closed.data(), resting));
  const std::vector<char> at_rest(dynamics_.binding()->system->slides.size(), 1);
  const auto read = FrictionOf(dynamics_).read_contacts(in, t, y_closed.data(), at_rest, {}, rows_of(at));
  if (!read) return fail(read.error());
  FrictionOf(dynamics_).read_slides(in, t, y_closed.data(), v, size);
  std::vector<int> parts(count, 0);  // components of the reading: first the normal forces, then friction
  Vector velocity = at.velocity, velocity_size = at.velocity_size;
  for (std::size_t i = 0; i < count; ++i) {
    const auto of = static_cast<std::size_t>(read->of_row[i]);
    const solve::Contact& contact = read->problem.contacts[of];
    parts[i] = contact.unilateral;
    if (read->slides[of] < 0 || !contact.has_normal()) continue;
    solve::ImpactContact& to = equations.problem.contacts[i];
    to.first = static_cast<int>(parts.size());
    to.count = contact.count;
    to.mu = contact.mu * read->problem.R(contact.normal.front(), contact.unilateral);
    equations.slides[i] = read->slides[of];
    equations.basis[i] = read->basis[of];
    const equations::Slide& slide = slide_of(dynamics_, read->slides[of]);
    const Eigen::Index first = velocity.size();
    velocity.conservativeResize(first + contact.count);
    velocity_size.conservativeResize(first + contact.count);
    velocity.tail(contact.count) = read->basis[of].transpose() * v.segment(slide.first, slide.count);
    velocity_size.tail(contact.count).setConstant(size[read->slides[of]]);
    for (int k = 0; k < contact.count; ++k) parts.push_back(contact.first + k);
  }
  if (parts.size() == count) return equations;
  equations.problem.G = read->problem.G(parts, parts);
  equations.problem.G_size = read->problem.G_size(parts);
  equations.problem.velocity = std::move(velocity);
  equations.problem.velocity_size = std::move(velocity_size);
  equations.du = read->u_dot_of_x(Eigen::all, parts);
  equations.reaction = read->lambda_of_x(Eigen::all, parts);
  return equations;
}

Failure ContactEquations::failure_of(FailureKind kind, double t, const NormalEquations& at) const {
  Failure failure;
  failure.kind = kind;
  failure.t = t;
  failure.rows = rows_of(at);
  std::vector<std::string> names;
  for (const int row : failure.rows) names.push_back("`" + dynamics_.binding()->row_name(row) + "`");
  const std::string all = fmt::format("{}", fmt::join(names, ", "));
  failure.message =
      kind == FailureKind::kFrictionNoSolution
          ? fmt::format(
                "no motion agrees with the laws of contact and friction here: {} can neither stay closed nor open", all)
          : fmt::format("the laws of contact and friction at {} allow more than one motion here", all);
  failure.advice = advice_for_contacts(kind);
  return failure;
}

Outcome<ContactForces> ContactEquations::forces_with_friction(const Mode& mode, double t, const Vector& y,
                                                              const NormalEquations& at) {
  Vector y_closed;
  Mode in = with_closed(mode, t, y, closed_of(at), y_closed);
  std::vector<int> resting;
  set_friction(in, friction_by_velocities(dynamics_, in, t, y_closed.data(), resting));
  std::vector<char> at_rest(dynamics_.binding()->system->slides.size(), 0);
  for (const int slide : resting) nth(at_rest, slide) = 1;
  const auto read = FrictionOf(dynamics_).read_contacts(in, t, y_closed.data(), at_rest, {}, rows_of(at));
  if (!read) return fail(read.error());
  solve::ContactProblem problem = read->problem;
  for (std::size_t c = 0; c < problem.contacts.size(); ++c)
    if (read->slides[c] >= 0 && has_let_go(mode.friction, read->slides[c], t))
      problem.contacts[c].static_ratio = std::min(problem.contacts[c].static_ratio, 1.0);
  const solve::ContactAnswers found = solve::solve_contacts(problem);
  if (found.answers.empty()) return fail(failure_of(FailureKind::kFrictionNoSolution, t, at));
  if (found.motions > 1) return fail(failure_of(FailureKind::kFrictionManySolutions, t, at));
  const solve::ContactAnswer& best =
      *std::ranges::max_element(found.answers, {}, [](const solve::ContactAnswer& one) { return one.margin; });
  const auto n = static_cast<Eigen::Index>(at.contacts.size());
  ContactForces forces{Vector(n), Vector(n)};
  for (Eigen::Index i = 0; i < n; ++i) {
    const int x = nth(problem.contacts, nth(read->of_row, i)).unilateral;
    forces.force[i] = best.x[x];
    forces.acceleration[i] = best.w[x];
  }
  return forces;
}

}  // namespace vinculum::sim
