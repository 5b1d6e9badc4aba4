#include "vinculum/motion/friction_of.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/motion/dynamics_impl.hpp"
#include "vinculum/motion/friction/failures.hpp"

namespace vinculum::sim {

Outcome<void> FrictionOf::look_for_other_reactions(const Mode& mode, double t, const double* y) {
  auto done = dynamics_.in_copy(mode).reports.reactions.factor(t, y);
  if (done || done.error().kind != FailureKind::kFrictionManySolutions) return {};
  return done;
}

bool FrictionOf::is_varying() const {
  return dynamics_.impl_->at.slides && dynamics_.impl_->forces->forces.has_varying_bounds;
}

void FrictionOf::read_stated(const Mode& mode, double t, const double* y, Vector& stated) {
  Dynamics::Impl& d = dynamics_.in_copy(mode);
  d.at.load(t, y);
  ReactionForces& forces = d.forces->forces;
  forces.take_state();
  forces.evaluate_bounds(forces.lambda_ideal);
  stated = forces.coefficients;
}

Failure FrictionOf::negative(double t, int slide, double stated) const {
  return dynamics_.impl_->pieces.named(negative_bound(dynamics_.binding(), slide, stated), t,
                                       model::Level::kAcceleration);
}

void FrictionOf::read_slides(const Mode& mode, double t, const double* y, Vector& v, Vector& size) {
  Dynamics::Impl& d = dynamics_.in_copy(mode);
  d.at.load(t, y);
  d.at.read_slides();
  const SlideMotion& motion = *d.at.slides;
  const std::vector<equations::Slide>& slides = dynamics_.binding().compiled->system->slides;
  v = motion.v;
  size.setZero(static_cast<Eigen::Index>(slides.size()));
  const auto u = Eigen::Map<const Vector>(y + d.at.nq, d.at.nu);
  for (std::size_t i = 0; i < slides.size(); ++i) {
    double& largest = size[static_cast<Eigen::Index>(i)];
    for (int c = slides[i].first; c < slides[i].first + slides[i].count; ++c) {
      largest = std::max(largest,
                         motion.J.row(c).cwiseAbs().dot(u.cwiseAbs()) + std::abs(motion.v[c] - motion.J.row(c).dot(u)));
    }
  }
}

Outcome<void> FrictionOf::read(const Mode& mode, double t, const double* y, FrictionReading& reading) {
  Dynamics::Impl& d = dynamics_.in_copy(mode);
  DependentForces::OfContacts& contacts = *d.forces->contacts;
  const bool may_be_generated = contacts.held.is_generated() && d.routes.takes_generated(*d.at.bound) &&
                                d.at.mode->calls_on_constraints == 0 && !dynamics_.binding().compiled->compares_rows;
  if (may_be_generated && contacts.held.read(t, y, reading)) return {};
  reading.is_shared = false;
  const auto defect = d.problem.factor_at(t, y);
  if (!defect) return fail(defect.error());
  auto done = d.problem.solve(d.pieces.rows.seen_by_rows(*defect));
  const Vector u_dot = d.problem.solved().u;
  if (done) done = contacts.sticking.read_bounds(reading);
  if (!done) return fail(d.pieces.named(std::move(done.error()), t, model::Level::kAcceleration));
  reading.v_dot = d.at.slides->J * u_dot + d.at.slides->beta;
  if (contacts.sticking.response().is_shared) return contacts.shared.read(t, y, reading);
  return {};
}

void FrictionOf::learn_reach(const Mode& mode, double t, const double* y) {
  if (Dynamics::Impl& d = dynamics_.in_copy(mode); d.at.slides) d.forces->contacts->problem.learn_reach(t, y);
}

Outcome<ContactReading> FrictionOf::read_contacts(const Mode& mode, double t, const double* y,
                                                  const std::vector<char>& at_rest, const Vector& guess,
                                                  const std::vector<int>& unilateral) {
  return dynamics_.in_copy(mode).forces->contacts->problem.read(t, y, at_rest, guess, unilateral);
}

}  // namespace vinculum::sim
