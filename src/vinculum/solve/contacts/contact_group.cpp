#include "vinculum/solve/contacts/contact_group.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <numbers>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::solve {
namespace {

constexpr int kMostTurnsOfDirection = 100;
constexpr int kTurnsPerNewton = 3, kMostNewton = 12;
constexpr double kLooseTurns = 10.0;  // converged if the last Newton step is at most this × rounding error
constexpr int kMostBounds = 200;      // most iterations of `iterate_bounds`
constexpr int kMostStarts = 64;
// Up to this number of contacts, also pulling normal forces of unilateral constraints are tried: such a contact opens.
constexpr std::size_t kMostBothSigns = 2;

double cross(const Vector& a, const Vector& b) { return a[0] * b[1] - a[1] * b[0]; }

/// Angles θ at which a real function of the form Σ_k c_k e^{ikθ}, k = −2 … 2, is 0. They are the roots of a quartic
/// that lie on the unit circle.
std::vector<double> roots_on_circle(const std::function<double(double)>& value) {
  constexpr int kCount = 5;
  std::array<std::complex<double>, kCount> c{};
  double size = 0.0;
  for (int sample = 0; sample < kCount; ++sample) {
    const double angle = 2.0 * std::numbers::pi * sample / kCount, at = value(angle);
    size = std::max(size, std::abs(at));
    for (int k = 0; k < kCount; ++k) nth(c, k) += at * std::polar(1.0 / kCount, -angle * (k - 2));
  }
  int degree = kCount - 1;
  while (degree > 0 && std::abs(nth(c, degree)) <= tolerance::kRounded * size) --degree;
  std::vector<double> roots;
  if (degree == 0) return roots;
  Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(degree, degree);
  for (int k = 0; k < degree; ++k) companion(k, degree - 1) = -nth(c, k) / nth(c, degree);
  for (int k = 1; k < degree; ++k) companion(k, k - 1) = 1.0;
  const Eigen::ComplexEigenSolver<Eigen::MatrixXcd> eigen(companion, false);
  for (int k = 0; k < degree; ++k) {
    const std::complex<double> z = eigen.eigenvalues()[k];
    if (std::abs(std::abs(z) - 1.0) <= tolerance::kRoot)
      roots.push_back(std::arg(z));  // the tolerance allows for a double root, which has only half the digits
  }
  return roots;
}

}  // namespace

ContactAnswers ContactGroup::solve() {
  ContactAnswers found;
  const bool is_convex = std::ranges::none_of(known_.is_varying, [](char one) { return one != 0; });
  if (!(is_convex && solve_convex())) {
    const bool has_few = has_few_modes();
    if (!has_few && solve_by_sweeps()) {
      is_complete_ = found.is_complete = false;
    } else if (count_modes() <= kMostModes) {
      try_all(0, assumed());
      prefer_sticking();
      found.is_complete = is_complete_;
    } else {
      found.is_complete = false;
      iterate_bounds();
    }
  }
  found.answers = std::move(answers_);
  for (std::size_t i = 0; i < found.answers.size(); ++i) {
    bool is_new = true;
    for (std::size_t j = 0; j < i && is_new; ++j) is_new = !is_one_motion(problem_, found.answers[i], found.answers[j]);
    if (is_new) ++found.motions;
    if (!found.answers[i].is_motion_unique) found.motions = std::max(found.motions, 2);
  }
  return found;
}

/// Directions of the normal force of a contact to try: one if the force is known or one-sided, else two.
std::vector<Vector> ContactGroup::normals_of(std::size_t c) const {
  const auto size = static_cast<Eigen::Index>(contact(c).normal.size());
  if (contact(c).unilateral >= 0 || (contact(c).is_pushing && count() > kMostBothSigns)) return {Vector::Ones(1)};
  if (!contact(c).has_normal()) return {Vector::Zero(size)};
  if (known_.is_varying[c] == 0) return {known_.normal[c]};
  Vector along = contact(c).normal_force(problem_.r0);
  if (size == 1 || !(along.norm() > 0.0)) along = Vector::Unit(size, 0);
  along.normalize();
  return {along, -along};
}

ContactModes ContactGroup::assumed() const {
  ContactModes modes;
  modes.mode.assign(count(), ContactMode::kSticks);
  modes.direction = Vector::Zero(problem_.b.size());
  for (std::size_t c = 0; c < count(); ++c) {
    modes.normal.push_back(normals_of(c).front());
    if (contact(c).is_at_rest()) continue;
    modes.mode[c] = ContactMode::kSlides;
    modes.direction.segment(contact(c).first, contact(c).count) = contact(c).slip;
  }
  return modes;
}

/// An earlier contact whose rate w is a constant multiple of the rate of contact c for all forces, and the factor. The
/// index is −1 if no such contact exists.
std::pair<int, double> ContactGroup::moves_with(std::size_t c) const {
  if (!contact(c).is_at_rest() || contact(c).count != 1) return {-1, 0.0};
  const int i = contact(c).first;
  for (std::size_t other = 0; other < c; ++other) {
    const int j = contact(other).first;
    if (!contact(other).is_at_rest() || contact(other).count != 1 || !(problem_.G(j, j) > 0.0)) continue;
    const double factor = problem_.G(i, j) / problem_.G(j, j);
    const Vector differs = (problem_.G.row(i) - factor * problem_.G.row(j)).transpose();
    const double size = std::sqrt(problem_.G_size[i]) + std::abs(factor) * std::sqrt(problem_.G_size[j]);
    const bool is_multiple =
        (differs.cwiseAbs().array() <= tolerance::kZero * size * problem_.G_size.cwiseSqrt().array()).all();
    const double b_size = problem_.w_size[i] + std::abs(factor) * problem_.w_size[j];
    if (factor != 0.0 && is_multiple && std::abs(problem_.b[i] - factor * problem_.b[j]) <= tolerance::kZero * b_size)
      return {static_cast<int>(other), factor};
  }
  return {-1, 0.0};
}

double ContactGroup::count_modes() {
  double all = 1.0;
  tied_.clear();
  for (std::size_t c = 0; c < count(); ++c) {
    tied_.push_back(moves_with(c));
    const bool is_open_to = contact(c).unilateral >= 0;
    const double of_motion = !contact(c).is_at_rest() || tied_[c].first >= 0 ? 1.0 : contact(c).count == 1 ? 3.0 : 2.0;
    all *= (of_motion + (is_open_to ? 1.0 : 0.0)) * static_cast<double>(normals_of(c).size());
  }
  return all;
}

void ContactGroup::try_all(std::size_t c, const ContactModes& modes) {
  if (c == count()) return try_modes(modes);
  ContactModes next = modes;
  for (const Vector& normal : normals_of(c)) {
    next.normal[c] = normal;
    if (contact(c).unilateral >= 0) {
      next.mode[c] = ContactMode::kOpen;
      try_all(c + 1, next);
    }
    if (!contact(c).is_at_rest()) {
      next.mode[c] = ContactMode::kSlides;
      try_all(c + 1, next);
    } else if (contact(c).count == 1) {
      try_in_line(c, modes, next);
    } else {
      for (const ContactMode mode : {ContactMode::kSticks, ContactMode::kSlides}) {
        next.mode[c] = mode;
        try_all(c + 1, next);
      }
    }
  }
}

void ContactGroup::try_in_line(std::size_t c, const ContactModes& modes, ContactModes next) {
  std::vector<double> signs = {0.0, 1.0, -1.0};
  if (const auto [other, factor] = tied_[c]; other >= 0 && nth(modes.mode, other) != ContactMode::kOpen) {
    const bool sticks = nth(modes.mode, other) == ContactMode::kSticks;
    signs = {sticks ? 0.0
                    : modes.direction[contact(static_cast<std::size_t>(other)).first] * (factor > 0.0 ? 1.0 : -1.0)};
  }
  for (const double sign : signs) {
    next.mode[c] = sign == 0.0 ? ContactMode::kSticks : ContactMode::kSlides;
    next.direction[contact(c).first] = sign;
    try_all(c + 1, next);
  }
}

void ContactGroup::try_modes(const ContactModes& modes) {
  const std::vector<std::size_t> turning = unknown_directions(modes);
  if (turning.empty()) return add(answer_of(problem_, modes));
  if (turning.size() == 1) {
    for (const Vector& d : directions_of(turning.front(), modes)) {
      ContactModes at = modes;
      at.direction.segment(contact(turning.front()).first, d.size()) = d;
      add(answer_of(problem_, std::move(at)));
    }
    return;
  }
  is_complete_ = false;
  // Shortly after contacts let go, they slide against the forces that would be needed to stick.
  if (ContactModes at = against_sticking(turning, modes); polish(turning, at)) add(answer_of(problem_, std::move(at)));
  const double starts =
      has_likely_normals(modes) ? std::pow(kStartsOfDirection, static_cast<double>(turning.size())) : 1.0;
  for (int start = 0; start < static_cast<int>(std::min(starts, 1.0 * kMostStarts)); ++start) {
    ContactModes at = modes;
    int digits = start;
    for (const std::size_t c : turning) {
      const double angle = 2.0 * std::numbers::pi * (digits % kStartsOfDirection + 0.1) / kStartsOfDirection;
      auto d = at.direction.segment(contact(c).first, contact(c).count);
      d.setZero();
      d[0] = std::cos(angle);
      d[1] = std::sin(angle);
      digits /= kStartsOfDirection;
    }
    if (turn_all(turning, at)) add(answer_of(problem_, std::move(at)));
  }
}

/// The modes with directions opposite to the forces with which the contacts `turning` would stick.
ContactModes ContactGroup::against_sticking(const std::vector<std::size_t>& turning, const ContactModes& modes) const {
  ContactModes sticking = modes, against = modes;
  for (const std::size_t c : turning) sticking.mode[c] = ContactMode::kSticks;
  const ContactAnswer held = least_answer_of(problem_, std::move(sticking));
  for (const std::size_t c : turning) {
    const Vector force = held.x.segment(contact(c).first, contact(c).count);
    const bool has_direction = held.has_forces && force.norm() > 0.0;
    against.direction.segment(contact(c).first, contact(c).count) =
        has_direction ? Vector(-force.normalized()) : Vector(Vector::Unit(contact(c).count, 0));
  }
  return against;
}

/// True if all assumed normal forces have the same sense as without friction.
bool ContactGroup::has_likely_normals(const ContactModes& modes) const {
  for (std::size_t c = 0; c < count(); ++c)
    if (contact(c).has_normal() && modes.normal[c].dot(contact(c).normal_force(problem_.r0)) < 0.0) return false;
  return true;
}

/// Contacts that begin to slide from rest in a plane or in space, so that their directions are unknown.
std::vector<std::size_t> ContactGroup::unknown_directions(const ContactModes& modes) const {
  std::vector<std::size_t> all;
  for (std::size_t c = 0; c < count(); ++c)
    if (contact(c).is_at_rest() && contact(c).count > 1 && modes.mode[c] == ContactMode::kSlides) all.push_back(c);
  return all;
}

ContactGroup::Response ContactGroup::response_of(std::size_t c, const ContactModes& modes) const {
  ContactProblem pushed = problem_;
  Contact& one = pushed.contacts[c];
  const double size = problem_.x_size.segment(one.first, one.count).maxCoeff();
  one.mu = 0.0;
  one.slip = Vector::Unit(one.count, 0);
  const auto read = [&](double force, int axis) {
    one.given = -force;
    ContactModes at = modes;
    at.direction.segment(one.first, one.count) = Vector::Unit(one.count, axis);
    const ContactAnswer answer = least_answer_of(pushed, std::move(at));
    const double n = contact(c).has_normal() ? modes.normal[c].dot(contact(c).normal_force(answer.r)) : 0.0;
    return std::pair<Vector, double>(answer.w.segment(one.first, one.count), n);
  };
  Response found;
  std::tie(found.w0, found.n0) = read(0.0, 0);
  found.K.resize(one.count, one.count);
  found.nu.resize(one.count);
  for (int k = 0; k < one.count; ++k) {
    const auto [w, n] = read(size, k);
    found.K.col(k) = (w - found.w0) / size;
    found.nu[k] = (n - found.n0) / size;
  }
  return found;
}

/// Directions d of one contact for which its rate w_t is parallel to d, in the same or the opposite sense.
std::vector<Vector> ContactGroup::directions_of(std::size_t c, const ContactModes& modes) const {
  const Response at = response_of(c, modes);
  const double mu = contact(c).has_normal() ? contact(c).mu : 0.0, g = contact(c).given + mu * at.n0;
  const auto w_along = [&](const Vector& d) -> Vector {  // w_t multiplied by 1 + μ ν·d
    return at.w0 * (1.0 + mu * at.nu.dot(d)) - g * (at.K * d);
  };
  std::vector<Vector> found;
  if (contact(c).count == 2) {
    const auto direction = [](double angle) { return Vector{{std::cos(angle), std::sin(angle)}}; };
    for (const double angle : roots_on_circle([&](double a) { return cross(direction(a), w_along(direction(a))); }))
      found.push_back(direction(angle));
    return found;
  }
  // In space d is found by a fixed-point iteration along w_t. The mean part of K d is compensated, so that the
  // iteration converges.
  Vector d = at.w0.norm() > 0.0 ? Vector(at.w0.normalized()) : Vector(Vector::Unit(contact(c).count, 0));
  const double pull = g * at.K.trace() / contact(c).count;
  for (int turn = 0; turn < kMostTurnsOfDirection; ++turn) {
    const Vector next = (w_along(d) + pull * d).normalized();
    const double turned = (next - d).norm();
    d = next;
    if (turned <= tolerance::kRounded) break;
  }
  return {d};
}

/// Sets each of several unknown directions in turn to the nearest direction d with w_t parallel to d. Directions with
/// w_t in the sense of d are preferred. \returns the largest change; NaN if no such d exists for a contact.
double ContactGroup::turn_each(const std::vector<std::size_t>& turning, ContactModes& modes) const {
  double turned = 0.0;
  for (const std::size_t c : turning) {
    auto d = modes.direction.segment(contact(c).first, contact(c).count);
    Vector nearest;
    double best = -std::numeric_limits<double>::infinity();
    for (const Vector& root : directions_of(c, modes)) {
      ContactModes at = modes;
      at.direction.segment(contact(c).first, contact(c).count) = root;
      const ContactAnswer answer = least_answer_of(problem_, std::move(at));
      const bool sets_off = answer.w.segment(contact(c).first, contact(c).count).dot(root) > 0.0;
      const double closeness = root.dot(d) - (sets_off ? 0.0 : 2.0);
      if (!(closeness > best)) continue;
      best = closeness;
      nearest = root;
    }
    if (nearest.size() == 0) return std::numeric_limits<double>::quiet_NaN();
    turned = std::max(turned, (nearest - d).norm());
    d = nearest;
  }
  return turned;
}

/// Newton's iteration for d × w_t = 0 for directions in planes. \returns true if it converged; otherwise the directions
/// are unchanged.
bool ContactGroup::polish(const std::vector<std::size_t>& turning, ContactModes& modes) const {
  const auto n = static_cast<Eigen::Index>(turning.size());
  const auto across = [&](const Vector& angles) {
    ContactModes at = modes;
    for (Eigen::Index k = 0; k < n; ++k) {
      const int first = contact(nth(turning, k)).first;
      at.direction.segment(first, 2) << std::cos(angles[k]), std::sin(angles[k]);
    }
    const ContactAnswer answer = least_answer_of(problem_, at);
    Vector values(n);
    for (Eigen::Index k = 0; k < n; ++k) {
      const int first = contact(nth(turning, k)).first;
      values[k] = cross(at.direction.segment(first, 2), answer.w.segment(first, 2));
    }
    return values;
  };
  Vector angles(n);
  double size = 0.0;
  for (Eigen::Index k = 0; k < n; ++k) {
    const int first = contact(nth(turning, k)).first;
    if (contact(nth(turning, k)).count != 2) return false;
    angles[k] = std::atan2(modes.direction[first + 1], modes.direction[first]);
    size = std::max(size, problem_.w_size.segment(first, 2).maxCoeff());
  }
  Vector value = across(angles);
  // Close to sticking, directions that share a force in other ways are equally good: steps stay large.
  bool is_found = value.lpNorm<Eigen::Infinity>() <= tolerance::kRounded * size;
  for (int turn = 0; turn < kMostNewton && !is_found; ++turn) {
    Matrix slope(n, n);
    for (Eigen::Index k = 0; k < n; ++k) {
      Vector beside = angles;
      beside[k] += tolerance::kDifference;
      slope.col(k) = (across(beside) - value) / tolerance::kDifference;
    }
    const Vector step = slope.fullPivLu().solve(value);
    if (!(step.lpNorm<Eigen::Infinity>() < 1.0)) return false;
    angles -= step;
    value = across(angles);
    const double left = value.lpNorm<Eigen::Infinity>();
    is_found = left <= tolerance::kRounded * size;
    if (step.lpNorm<Eigen::Infinity>() > tolerance::kRounded * kLooseTurns || !value.allFinite()) continue;
    if (left > tolerance::kZero * size) return false;
    is_found = true;
  }
  for (Eigen::Index k = 0; k < n && is_found; ++k)
    modes.direction.segment(contact(nth(turning, k)).first, 2) << std::cos(angles[k]), std::sin(angles[k]);
  return is_found;
}

/// Iterates several unknown directions, by turns of each one and Newton's method. \returns true if this converged.
bool ContactGroup::turn_all(const std::vector<std::size_t>& turning, ContactModes& modes) const {
  for (int turn = 0; turn < kMostTurnsOfDirection; ++turn) {
    const double turned = turn_each(turning, modes);
    if (std::isnan(turned)) return false;
    if (turned <= tolerance::kRounded || (turn % kTurnsPerNewton == 1 && polish(turning, modes))) return true;
  }
  return false;
}

/// Fixed-point iteration over the friction bounds: each problem is solved with the bounds that follow from the forces
/// of the previous solution.
void ContactGroup::iterate_bounds() {
  ContactProblem frozen = problem_;
  Vector r = problem_.r0;
  for (int turn = 0; turn < kMostBounds; ++turn) {
    double changed = 0.0;
    for (std::size_t c = 0; c < count(); ++c) {
      if (contact(c).unilateral >= 0) return;
      if (!contact(c).has_normal()) continue;
      const double g = contact(c).given + contact(c).mu * contact(c).normal_force(r).norm();
      changed = std::max(changed, std::abs(g - frozen.contacts[c].given) / std::max(g, tolerance::kLeast));
      frozen.contacts[c].given = g;
      frozen.contacts[c].mu = 0.0;
    }
    ContactAnswers found = ContactGroup(frozen).solve();
    if (found.answers.empty()) return;
    r = problem_.r0 + problem_.R * found.answers.front().x;
    if (changed > tolerance::kConverged) continue;
    ContactModes modes = std::move(found.answers.front().modes);
    for (std::size_t c = 0; c < count(); ++c) {
      if (!contact(c).has_normal()) continue;
      const Vector along = contact(c).normal_force(r);
      if (along.norm() > 0.0) modes.normal[c] = along.normalized();
    }
    return add(answer_of(problem_, std::move(modes)));
  }
}

/// Drops answers in which a contact with a static ratio above 1 begins to slide, if the contact can stick in another
/// answer.
void ContactGroup::prefer_sticking() {
  const auto is_preferred = [&](const ContactAnswer& one, const ContactAnswer& to) {
    bool has_more = false;
    for (std::size_t c = 0; c < count(); ++c) {
      const bool sticks = one.modes.mode[c] == ContactMode::kSticks, other = to.modes.mode[c] == ContactMode::kSticks;
      if (!sticks && other) return false;
      if (sticks && !other && !(contact(c).static_ratio > 1.0 + tolerance::kZero)) return false;
      has_more = has_more || (sticks && !other);
    }
    return has_more;
  };
  std::vector<ContactAnswer> left;
  for (const ContactAnswer& one : answers_) {
    if (std::ranges::none_of(answers_, [&](const ContactAnswer& other) { return is_preferred(other, one); }))
      left.push_back(one);
  }
  answers_ = std::move(left);
}

void ContactGroup::add(ContactAnswer answer) {
  if (!answer.holds()) return;
  const auto is_same = [&](const ContactAnswer& one) {
    return one.modes.mode == answer.modes.mode &&
           (one.modes.direction - answer.modes.direction).norm() <= tolerance::kRoot &&
           is_one_motion(problem_, one, answer);
  };
  if (std::ranges::none_of(answers_, is_same)) answers_.push_back(std::move(answer));
}

}  // namespace vinculum::solve
