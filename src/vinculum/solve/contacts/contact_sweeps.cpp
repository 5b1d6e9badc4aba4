#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/solve/contacts/contact_group.hpp"

// Many contacts: modes are guessed from approximate forces, and then verified.
namespace vinculum::solve {
namespace {

constexpr int kMostSweptTurns = 2000;
constexpr double kSweptChange = tolerance::kIdentity;  // a sweep changes forces by less than this part of their sizes
constexpr double kAtBound = tolerance::kHalfDigits;

/// Returns the vector of at most this length that is nearest to `x`.
Vector within(const Vector& x, double length) {
  const double own = x.norm();
  return own > length ? Vector(x * (length / own)) : x;
}

double bound_of(const ContactProblem& problem, const Contact& one, const Vector& x) {
  if (!one.has_normal()) return one.given;
  return one.given + one.mu * one.normal_force(problem.r0 + problem.R * x).norm();
}

/// Computes approximate forces by sweeps over the contacts: each contact in turn gets the forces that satisfy its own
/// conditions, with the present forces of the others.
Vector swept_forces(const ContactProblem& problem) {
  Vector x = Vector::Zero(problem.b.size());
  for (int turn = 0; turn < kMostSweptTurns; ++turn) {
    double changed = 0.0;
    for (const Contact& one : problem.contacts) {
      if (const int n = one.unilateral; n >= 0 && problem.G(n, n) > 0.0) {
        const double force = std::max(0.0, x[n] - (problem.G.row(n).dot(x) + problem.b[n]) / problem.G(n, n));
        changed = std::max(changed, std::abs(force - x[n]) / problem.x_size[n]);
        x[n] = force;
      }
      auto own = x.segment(one.first, one.count);
      const Vector before = own;
      const double bound = bound_of(problem, one, x);
      if (!one.is_at_rest()) {
        own = -bound * one.slip;
      } else {
        const auto K = problem.G.block(one.first, one.first, one.count, one.count);
        if (!(K.trace() > 0.0)) continue;
        const Vector w = problem.G.middleRows(one.first, one.count) * x + problem.b.segment(one.first, one.count);
        own = within(before - w / K.trace(), one.static_ratio * bound);
      }
      const double size = problem.x_size.segment(one.first, one.count).maxCoeff();
      changed = std::max(changed, (own - before).norm() / size);
    }
    if (!(changed > kSweptChange)) break;
  }
  return x;
}

/// Whether the tangential rate of a contact exceeds this part of its size.
bool is_moving(const ContactProblem& problem, const Contact& one, const Vector& w, double part) {
  const double size = problem.w_size.segment(one.first, one.count).maxCoeff();
  return w.segment(one.first, one.count).norm() > part * size;
}

}  // namespace

/// Modes of the contacts with approximate forces x: closed contacts without slip velocity stick.
ContactModes ContactGroup::sticking_modes(const Vector& x, const Vector& w) const {
  ContactModes modes = assumed();
  for (std::size_t c = 0; c < count(); ++c) {
    const Contact& one = contact(c);
    const int n = one.unilateral;
    if (n >= 0 && !(x[n] > 0.0) && w[n] > kAtBound * problem_.w_size[n]) {
      modes.mode[c] = ContactMode::kOpen;
      modes.direction.segment(one.first, one.count).setZero();
    } else if (one.has_normal() && n < 0 && !one.is_pushing) {
      const Vector normal = one.normal_force(problem_.r0 + problem_.R * x);
      if (normal.norm() > 0.0) modes.normal[c] = normal.normalized();
    }
  }
  return modes;
}

/// Finds one answer, with modes as the approximate forces suggest. Other answers are not sought. If the bounds are
/// almost reached, sweeps converge slowly, and these modes may be wrong. Then all contacts may stick or begin to slide.
/// \returns whether the modes are valid.
bool ContactGroup::solve_by_sweeps() {
  const Vector x = swept_forces(problem_), w = problem_.G * x + problem_.b;
  const ContactModes sticking = sticking_modes(x, w);
  ContactModes read = sticking, sliding = sticking;
  for (std::size_t c = 0; c < count(); ++c) {
    const Contact& one = contact(c);
    if (!one.is_at_rest() || sticking.mode[c] == ContactMode::kOpen) continue;
    const Vector own = x.segment(one.first, one.count), rate = w.segment(one.first, one.count);
    if (!(own.norm() > 0.0 || rate.norm() > 0.0)) continue;
    sliding.mode[c] = ContactMode::kSlides;
    sliding.direction.segment(one.first, one.count) = own.norm() > 0.0 ? -own.normalized() : rate.normalized();
    const double bound = one.static_ratio * bound_of(problem_, one, x);
    if (own.norm() < (1.0 - kAtBound) * bound || !is_moving(problem_, one, w, kAtBound)) continue;
    read.mode[c] = ContactMode::kSlides;
    read.direction.segment(one.first, one.count) = sliding.direction.segment(one.first, one.count);
  }
  const bool is_found = try_swept(read) || try_swept(sticking);
  const auto is_inside = [](const ContactAnswer& answer) { return answer.margin > tolerance::kBeside; };
  if (std::ranges::any_of(answers_, is_inside)) return true;
  // At the limit contacts may stick or slide with the same motion. Shortly after they let go, they slide against the
  // forces that would be needed to stick.
  return try_swept(against_sticking(unknown_directions(sliding), sliding)) || is_found;
}

/// Adds the answer with these modes if they are valid, and the answer in which contacts stick that begin to slide with
/// acceleration 0.
bool ContactGroup::try_swept(ContactModes modes) {
  const std::vector<std::size_t> turning = unknown_directions(modes);
  if (!turning.empty() && !polish(turning, modes) && !turn_all(turning, modes)) return false;
  const ContactAnswer answer = answer_of(problem_, std::move(modes));
  if (!answer.holds()) return false;
  ContactModes resting = answer.modes;
  for (std::size_t c = 0; c < count(); ++c) {
    const Contact& one = contact(c);
    if (!one.is_at_rest() || resting.mode[c] != ContactMode::kSlides) continue;
    if (is_moving(problem_, one, answer.w, tolerance::kConditioned)) continue;
    resting.mode[c] = ContactMode::kSticks;
    resting.direction.segment(one.first, one.count).setZero();
  }
  if (resting.mode != answer.modes.mode) add(answer_of(problem_, std::move(resting)));
  add(answer);
  return true;
}

/// Whether all modes can be tried within a reasonable time.
bool ContactGroup::has_few_modes() {
  double searches = 1.0;
  bool is_one_sided = false;
  for (std::size_t c = 0; c < count(); ++c) {
    is_one_sided = is_one_sided || contact(c).unilateral >= 0 || contact(c).is_pushing;
    if (contact(c).is_at_rest() && contact(c).count > 1) searches *= kStartsOfDirection;
  }
  const double modes = count_modes();
  return modes <= kMostModes && (!is_one_sided || searches == 1.0 || modes * searches <= kMostSearches);
}

}  // namespace vinculum::solve
