#include "vinculum/motion/reports/reported_forces.hpp"

#include <utility>

namespace vinculum::sim {

Outcome<void> ReportedForces::factor(double t, const double* y) {
  Matrices& m = pieces_.matrices;
  if (auto done = pieces_.evaluate(t, y, m); !done) return done;
  pieces_.rows.learn_sizes(m);
  const double defect = pieces_.rows.seen_defect(m);
  Directed* const directed = routes_.directed.get();
  auto done = routes_.pivoted.factor(m, defect);
  if (done && directed != nullptr && (forces_ != nullptr || &routes_.truth() == directed))
    done = directed->factor(m, defect);
  if (done && &routes_.truth() == routes_.augmented.get()) done = routes_.augmented->factor(m, defect);
  if (done) done = problem_.settle_forces();
  if (forces_ != nullptr && forces_->contacts) {
    forces_->contacts->shared.free_forces = {};
    if (done && is_shared()) done = forces_->contacts->shared.share(t, y, forces_->contacts->sticking.response().force);
  }
  if (!done) return fail(pieces_.named(std::move(done.error()), t, model::Level::kAcceleration));
  return {};
}

Outcome<void> ReportedForces::fill_directions(Vector& s) {
  if (!is_shared()) return forces_->contacts->sticking.fill_directions(s);
  s = forces_->contacts->shared.directions;
  return {};
}

const FreeForces& ReportedForces::free_forces() const {
  static const FreeForces none;
  return forces_ != nullptr && forces_->contacts ? forces_->contacts->shared.free_forces : none;
}

}  // namespace vinculum::sim
