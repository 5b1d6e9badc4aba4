#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/solve/contacts/contact_group.hpp"

/// Contacts whose friction bounds are known. Their forces minimize a convex function.
namespace vinculum::solve {
namespace {

constexpr int kMostSweeps = 4000;   // most passes over the contacts of a convex group
constexpr int kSweepsPerLook = 40;  // after this many passes the modes are read from the forces and verified
constexpr int kMostHalvings = 200;  // most halvings of an interval that contains a root
constexpr int kMostNeighbors = 4;   // contacts at the limit between two modes for which the other mode is tried too
constexpr double kFree = std::numeric_limits<double>::infinity();

/// Minimizes ½ xᵀK x + g·x subject to |x| ≤ bound. \returns false if there is no minimum.
bool minimize_in_ball(const Matrix& K, const Vector& g, double bound, double g_size, Vector& x) {
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(K);
  const Vector along = eigen.eigenvectors().transpose() * g;
  const double largest = eigen.eigenvalues().tail(1)[0];
  Vector free = Vector::Zero(g.size());
  bool is_free = true;
  for (Eigen::Index k = 0; k < g.size(); ++k) {
    if (eigen.eigenvalues()[k] > tolerance::kDerivedRank * largest)
      free[k] = -along[k] / eigen.eigenvalues()[k];
    else if (std::abs(along[k]) > tolerance::kConditioned * g_size)
      is_free = false;
  }
  if (is_free && free.norm() <= bound) {
    x = eigen.eigenvectors() * free;
    return true;
  }
  if (bound == kFree) return false;
  // Otherwise (K + λ) x = −g with |x| = bound. 1/|x| is nearly linear in λ, so λ is found by interpolation of 1/|x|.
  double low = 0.0, high = bound > 0.0 ? g.norm() / bound : kFree, lambda = low;
  if (!(bound > 0.0) || !(high > 0.0)) {
    x.setZero();
    return true;
  }
  for (int turn = 0; turn < kMostHalvings && high - low > tolerance::kEqual * high; ++turn) {
    lambda = 0.5 * (low + high);
    const Vector at = -along.cwiseQuotient((eigen.eigenvalues().cwiseMax(0.0).array() + lambda).matrix());
    (at.norm() > bound ? low : high) = lambda;
  }
  const Vector at = -along.cwiseQuotient((eigen.eigenvalues().cwiseMax(0.0).array() + high).matrix());
  x = eigen.eigenvectors() * at * (bound / at.norm());
  return true;
}

}  // namespace

/// Minimizes ½ xᵀG x + b·x by repeated passes over the contacts. In each pass the force of one contact after the other
/// is set to its minimum within the bound of the contact.
/// \returns false if there is no minimum for a contact whose force is not bounded.
bool ContactGroup::sweep(const std::vector<double>& bound, Vector& x, int most) const {
  for (int pass = 0; pass < most; ++pass) {
    double changed = 0.0;
    for (std::size_t c = 0; c < count(); ++c) {
      if (!contact(c).is_at_rest()) continue;
      const int first = contact(c).first, size = contact(c).count;
      const Matrix K = problem_.G.block(first, first, size, size);
      Vector own = x.segment(first, size);
      const Vector g = problem_.b.segment(first, size) + problem_.G.middleRows(first, size) * x - K * own;
      const double g_size = problem_.w_size.segment(first, size).maxCoeff();
      if (!minimize_in_ball(K, g, bound[c], g_size, own)) return false;
      changed =
          std::max(changed, (own - x.segment(first, size)).norm() / problem_.x_size.segment(first, size).maxCoeff());
      x.segment(first, size) = own;
    }
    if (changed <= tolerance::kConverged) break;
  }
  return true;
}

/// Minimizes ½ xᵀG x + b·x within the bounds. Contacts with a static ratio above 1 are first assumed to stick. Then the
/// contact that exceeds its bound most is released, until no contact exceeds its bound.
bool ContactGroup::solve_convex() {
  std::vector<char> is_forced(count(), 0);
  for (std::size_t c = 0; c < count(); ++c)
    is_forced[c] = contact(c).is_at_rest() && contact(c).static_ratio > 1.0 + tolerance::kZero ? 1 : 0;
  while (true) {
    std::vector<double> bound = known_.bound;
    Vector x = known_.x;
    for (std::size_t c = 0; c < count(); ++c)
      if (is_forced[c] != 0) bound[c] = kFree;
    bool is_bounded = true;
    for (int passes = 0; passes < kMostSweeps && is_bounded; passes += kSweepsPerLook) {
      is_bounded = sweep(bound, x, kSweepsPerLook);
      if (is_bounded && take_convex(x, bound)) return true;
    }
    int worst = -1;
    double most = 0.0;
    for (std::size_t c = 0; c < count(); ++c) {
      if (is_forced[c] == 0) continue;
      const double force = x.segment(contact(c).first, contact(c).count).norm();
      const double load = known_.bound[c] > 0.0 ? force / (contact(c).static_ratio * known_.bound[c]) : kFree;
      if (worst >= 0 && !(load > most)) continue;
      worst = static_cast<int>(c);
      most = load;
    }
    if (worst < 0) return false;
    nth(is_forced, worst) = 0;
  }
}

/// Reads the modes from forces x near the minimum, and computes the exact forces for these modes.
/// \returns whether the modes are valid.
bool ContactGroup::take_convex(const Vector& x, const std::vector<double>& bound) {
  ContactModes modes = assumed();
  for (std::size_t c = 0; c < count(); ++c) {
    if (!contact(c).is_at_rest()) continue;
    const Vector own = x.segment(contact(c).first, contact(c).count);
    if (own.norm() < (1.0 - tolerance::kHalfDigits) * bound[c] || !(own.norm() > 0.0)) continue;
    modes.mode[c] = ContactMode::kSlides;
    modes.direction.segment(contact(c).first, contact(c).count) = -own.normalized();
  }
  const std::vector<std::size_t> turning = unknown_directions(modes);
  if (!turning.empty() && !turn_all(turning, modes)) return false;
  ContactAnswer answer = answer_of(problem_, std::move(modes));
  if (!answer.holds()) return false;
  add(answer);
  add_neighbors(answer);
  return true;
}

/// Adds answers with other modes and the same motion. Such answers exist if a contact is at the limit between two
/// modes: its sticking force equals its bound, or it begins to slide with acceleration 0.
void ContactGroup::add_neighbors(const ContactAnswer& answer) {
  std::vector<std::size_t> at_end;
  for (std::size_t c = 0; c < count(); ++c)
    if (contact(c).is_at_rest() && answer.margins[c] <= tolerance::kBeside && at_end.size() < kMostNeighbors)
      at_end.push_back(c);
  for (unsigned choice = 1; choice < 1U << at_end.size(); ++choice) {
    ContactModes modes = answer.modes;
    for (std::size_t k = 0; k < at_end.size(); ++k) {
      if (((choice >> k) & 1U) == 0) continue;
      const std::size_t c = at_end[k];
      auto d = modes.direction.segment(contact(c).first, contact(c).count);
      const Vector own = answer.x.segment(contact(c).first, contact(c).count);
      const bool sticks = modes.mode[c] == ContactMode::kSticks && own.norm() > 0.0;
      modes.mode[c] = sticks ? ContactMode::kSlides : ContactMode::kSticks;
      d.setZero();
      if (sticks) d = -own.normalized();
    }
    add(answer_of(problem_, std::move(modes)));
  }
}

}  // namespace vinculum::solve
