#include "vinculum/motion/friction/shared_friction.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {
namespace {

constexpr int kMostShares = 60;  // most iterations to find reactions for given friction directions

/// Computes A B. Entries whose terms cancel up to rounding errors are set to exactly 0.
Matrix sum_of_products(const Matrix& A, const Matrix& B) {
  Matrix sums = A * B;
  const Matrix sizes = A.cwiseAbs() * B.cwiseAbs();
  for (Eigen::Index i = 0; i < sums.size(); ++i)
    if (std::abs(sums.data()[i]) <= tolerance::kUnique * sizes.data()[i]) sums.data()[i] = 0.0;
  return sums;
}

/// Sets entries of changes of forces to 0 whose effect is within rounding errors of the largest effect in the same
/// column. For example, two sticking feet of a bar share horizontal forces. If the bar is inclined by a rounding error,
/// these forces have a moment, and the vertical forces change by rounding errors.
/// \param effect  effect of a unit of each entry   \param largest [columns]
void drop_without_effect(Matrix& changes, const Vector& effect, const Vector& largest) {
  for (Eigen::Index k = 0; k < changes.cols(); ++k) {
    const auto is_noise = changes.col(k).array().abs() * effect.array() <= tolerance::kUnique * largest[k];
    changes.col(k) = is_noise.select(0.0, changes.col(k));
  }
}

/// Returns the largest effect of an entry of each column.
Vector largest_effects(const Matrix& changes, const Vector& effect) {
  if (changes.rows() == 0) return Vector::Zero(changes.cols());
  return (effect.asDiagonal() * changes.cwiseAbs()).colwise().maxCoeff().transpose();
}

}  // namespace

/// Returns the present state (sticks, or slips in a direction) of each contact, in the order of
/// `ContactReading::problem`.
/// \param closed  rows of the unilateral constraints in `contacts`
solve::ContactModes SharedFriction::modes_in_force(const ContactReading& contacts, const std::vector<int>& closed,
                                                   const Vector& forces) const {
  const solve::ContactProblem& problem = contacts.problem;
  solve::ContactModes modes;
  modes.direction = Vector::Zero(problem.b.size());
  Vector x = Vector::Zero(problem.b.size());
  for (std::size_t c = 0; c < problem.contacts.size(); ++c) {
    const solve::Contact& contact = problem.contacts[c];
    if (contacts.slides[c] < 0) {  // without friction
      modes.mode.push_back(solve::ContactMode::kSlides);
      continue;
    }
    const equations::Slide& at = nth(at_.compiled->system->slides, contacts.slides[c]);
    const bool sticks = nth(at_.mode->friction.sticks, contacts.slides[c]) != 0;
    modes.mode.push_back(sticks ? solve::ContactMode::kSticks : solve::ContactMode::kSlides);
    if (sticks)
      x.segment(contact.first, contact.count) = contacts.basis[c].transpose() * forces.segment(at.first, at.count);
    else
      modes.direction[contact.first] = 1.0;
  }
  for (std::size_t i = 0; i < closed.size(); ++i)
    x[problem.contacts[static_cast<std::size_t>(contacts.of_row[i])].unilateral] = friction_.lambda()[closed[i]];
  const Vector r = problem.r0 + problem.R * x;
  for (const solve::Contact& contact : problem.contacts) {
    Vector normal = contact.normal_force(r);
    const double size = normal.norm();
    modes.normal.push_back(size > 0.0 ? Vector(normal / size) : Vector(Vector::Unit(normal.size(), 0)));
    if (normal.size() == 0) modes.normal.back() = Vector();
    if (contact.is_pushing) modes.normal.back() = Vector::Ones(1);
  }
  return modes;
}

Outcome<void> SharedFriction::read(double t, const double* y, FrictionReading& reading) {
  const Vector guess = friction_.lambda(), found = reading.force;
  const std::vector<int> closed = contacts_.closed_rows();
  auto contacts = contacts_.read(t, y, at_.mode->friction.sticks, guess, closed);
  if (!contacts) return fail(contacts.error());
  const solve::ContactAnswer answer =
      solve::best_answer_of(contacts->problem, modes_in_force(*contacts, closed, found));
  reading.is_shared = true;
  reading.margin.setOnes(reading.bound.size());
  reading.force.setZero();
  for (std::size_t c = 0; c < contacts->slides.size(); ++c) {
    const int slide = contacts->slides[c];
    const solve::Contact& contact = contacts->problem.contacts[c];
    if (slide < 0 || nth(at_.mode->friction.sticks, slide) == 0) continue;
    const equations::Slide& at = nth(at_.compiled->system->slides, slide);
    reading.force.segment(at.first, at.count) = contacts->basis[c] * answer.x.segment(contact.first, contact.count);
    reading.bound[slide] = contact.given + contact.mu * contact.normal_force(answer.r).norm();
    reading.static_bound[slide] = contact.static_ratio * reading.bound[slide];
    reading.margin[slide] = answer.margins[c];
  }
  reading.shares = answer;
  reading.contacts = std::move(*contacts);
  return {};
}

Outcome<void> SharedFriction::share(double t, const double* y, const Vector& force) {
  const std::vector<equations::Slide>& slides = at_.compiled->system->slides;
  FrictionReading reading;
  reading.force = force;
  reading.bound = reading.static_bound = Vector::Zero(static_cast<Eigen::Index>(slides.size()));
  if (auto done = read(t, y, reading); !done) return done;
  if (auto done = contacts_.load(t, y); !done) return done;  // with the rows that `read` has taken for forces
  const ContactReading& contacts = *reading.contacts;
  directions = at_.slides->s;
  for (std::size_t i = 0; i < slides.size(); ++i) {
    if (at_.mode->friction.sticks[i] == 0) continue;
    const equations::Slide& at = slides[i];
    const double bound = reading.bound[static_cast<Eigen::Index>(i)];
    directions.segment(at.first, at.count).setZero();
    if (bound > 0.0) directions.segment(at.first, at.count) = reading.force.segment(at.first, at.count) / -bound;
  }
  Vector multipliers = contacts.lambda + contacts.lambda_of_x * reading.shares.x;
  forces_.set_directions(directions);
  forces_.evaluate_bounds(multipliers);
  for (const equations::Slide& slide : slides) {  // `FrictionProblem::read` evaluated f without friction
    if (!slide.constraint.is_valid())
      pieces_.matrices.f +=
          forces_.C_s.middleCols(slide.first, slide.count) * directions.segment(slide.first, slide.count);
  }
  if (auto done = find_reactions(std::move(multipliers)); !done) return done;
  find_free_forces(reading);
  return {};
}

Outcome<void> SharedFriction::find_reactions(Vector multipliers) {
  Matrices& m = pieces_.matrices;
  Vector total, lambda;
  Matrix slope;
  for (int turn = 0; turn < kMostShares; ++turn) {
    forces_.evaluate(multipliers, forces_.lambda_ideal, total, slope);
    if (!total.allFinite()) total.setZero();
    m.C = total;
    total += m.f;
    if (auto done = free_.to(total, m.b, lambda); !done) return done;
    const double changed = (lambda - multipliers).lpNorm<Eigen::Infinity>();
    multipliers = lambda;
    if (!(changed > tolerance::kRounded * multipliers.lpNorm<Eigen::Infinity>())) break;
  }
  return {};
}

void SharedFriction::find_free_forces(const FrictionReading& reading) {
  const ContactReading& contacts = *reading.contacts;
  const solve::ContactProblem& problem = contacts.problem;
  const solve::ContactAnswer& shares = reading.shares;
  Matrix free_x = shares.free_x;
  free_forces.s = Matrix::Zero(directions.size(), free_x.cols());
  free_forces.lambda =
      sum_of_products(contacts.lambda_of_x, free_x) + sum_of_products(contacts.free_multipliers, shares.free_y);
  const Vector largest =
      largest_effects(free_x, contacts.x_effect).cwiseMax(largest_effects(free_forces.lambda, contacts.lambda_effect));
  drop_without_effect(free_x, contacts.x_effect, largest);
  drop_without_effect(free_forces.lambda, contacts.lambda_effect, largest);
  Matrix of_r = problem.R * free_x + problem.Z * shares.free_y;
  // Changes of normal forces that are rounding errors, compared with the changes of friction forces, are 0.
  const double size = free_x.size() > 0 ? free_x.cwiseAbs().maxCoeff() : 0.0;
  of_r = (of_r.array().abs() <= tolerance::kUnique * size).select(0.0, of_r);
  for (std::size_t c = 0; c < contacts.slides.size(); ++c) {
    const solve::Contact& contact = problem.contacts[c];
    const int slide = contacts.slides[c];
    if (slide < 0) continue;
    const double bound = reading.bound[slide];
    if (nth(at_.mode->friction.sticks, slide) == 0 || !(bound > 0.0)) continue;
    const equations::Slide& at = nth(at_.compiled->system->slides, slide);
    free_forces.s.middleRows(at.first, at.count) =
        -sum_of_products(contacts.basis[c], free_x.middleRows(contact.first, contact.count)) / bound;
    for (std::size_t row = 0; row < contact.normal.size(); ++row) {
      const double share = contact.mu * shares.modes.normal[c][static_cast<Eigen::Index>(row)] / bound;
      free_forces.s.middleRows(at.first, at.count) -=
          share * directions.segment(at.first, at.count) * of_r.row(contact.normal[row]);
    }
  }
}

}  // namespace vinculum::sim
