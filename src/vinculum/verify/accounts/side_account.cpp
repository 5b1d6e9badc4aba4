#include "vinculum/verify/accounts/side_account.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/watches.hpp"
#include "vinculum/hybrid/event_source.hpp"
#include "vinculum/hybrid/friction_changes.hpp"
#include "vinculum/motion/friction_of.hpp"
#include "vinculum/numeric/kronrod_rule.hpp"

namespace vinculum::sim {
namespace {

constexpr double kUnknownReaction = std::numeric_limits<double>::quiet_NaN();
constexpr double kUndecided = std::numeric_limits<double>::quiet_NaN();  // no region has been recorded yet
// If the cosine of the angle between the velocity and the slip direction in force is below this value, the velocity has
// reversed.
constexpr double kReversed = -0.9;

/// Whether the ratio of residual to limit is larger for `one` than for `than`.
bool is_worse(const SideBalance::Miss& one, const SideBalance::Miss& than) {
  const auto share = [](const SideBalance::Miss& miss) {
    return miss.residual == 0.0 ? 0.0 : miss.residual / miss.limit;
  };
  return !(share(one) <= share(than));
}

}  // namespace

void SideAccount::begin(const Stretch& stretch) {
  const Binding& bound = stretch.dynamics.binding();
  watches_ = bound->watches.get();
  surfaces_ = watches_ == nullptr ? 0 : watches_->surface_count();
  slides_ = bound->system->slides.size();
  balance_.emplace();
  balance_->on_sides.resize(surfaces_);
  balance_->as_stated.resize(surfaces_);
  balance_->slides.resize(slides_);
  largest_.assign(surfaces_ + slides_, 0.0);
  limit_ = Vector::Zero(stretch.step.y_begin().size());
  if (surfaces_ == 0) return;
  contacts_ = Contacts(stretch.dynamics, 1.0).rows();
  program_.emplace(watches_->program());
  inputs_.assign(watches_->known.size() + watches_->unknown.size(), kUnknownReaction);
}

void SideAccount::take_sides(const Stretch& stretch) {
  begun_.assign(surfaces_, kUndecided);
  slides_that_act_ = acting_slides(stretch.dynamics, stretch.mode);
  if (surfaces_ == 0) return;
  const auto bound = stretch.dynamics.binding_of(stretch.mode);
  if (sides_ == bound->sides) return;
  sides_ = bound->sides;
  program_->bind(bound->bound_values());
}

/// Sets the limits: the state error that the step control permits in one step over the stretch, but at least the
/// rounding error of the state.
void SideAccount::set_limits(const Stretch& stretch) {
  limits_.set(stretch, limit_);
  if (stretch.problem.beside.size() == 0) return;
  limit_ += (stretch.problem.project ? stretch.tolerance : tolerance::kRounded) * stretch.problem.beside;
}

/// Returns the distance of the last evaluated state from the region in force; 0 if the state is in that region. In a
/// sliding mode it is the distance from the switching surface. If no region is in force, it is the distance from the
/// region in which the stretch began.
double SideAccount::beyond_surface(std::size_t surface) const {
  const Switches::Surface& at = watches_->switches.surfaces()[surface];
  const bool as_stated = sides_.front() != 0.0;
  const double side = as_stated ? begun_[surface] : sides_[1 + surface], x = program_->value(2 * surface);
  if (std::isnan(side)) return 0.0;
  const auto goes_along = [&](std::size_t k) { return !as_stated && sides_[1 + surfaces_ + k] == 0.0; };
  // A sliding mode on an inner surface combines modes in which this switch has different regions.
  if (std::ranges::any_of(at.inner, goes_along)) return 0.0;
  const bool is_along = goes_along(surface);
  if (at.is_floor()) return is_along ? std::abs(x - side) : std::max({side - x, x - (side + 1.0), 0.0});
  const double difference = x - program_->value(2 * surface + 1);
  const bool is_level = is_along || (!as_stated && side == 0.0);
  // A contact that has just opened has the side of equality until its gap is larger than rounding errors.
  const auto contact = std::ranges::find(contacts_, surface, &ContactRow::gap_surface);
  if (is_level && contact != contacts_.end() && y_[contact->closed_at] < 0.5)
    return std::max(-contact->open_side * difference, 0.0);
  return is_level ? std::abs(difference) : std::max(-side * difference, 0.0);
}

/// Returns, for a slipping contact, the component of the velocity against the slip direction in force; for a sticking
/// contact, the excess of the friction force over its bound.
double SideAccount::beyond_slide(const Stretch& stretch, double t, std::size_t slide) {
  if (slides_that_act_[slide] == 0) return 0.0;
  const equations::Slide& at = stretch.dynamics.binding()->system->slides[slide];
  const FrictionState& friction = stretch.mode.friction;
  if (friction.sticks[slide] != 0) {
    // If friction cannot be evaluated at this state, the next step reports the failure.
    if (!FrictionOf(stretch.dynamics).read(stretch.mode, t, y_.data(), reading_)) return 0.0;
    if (reading_.is_shared) return std::max(-nth(reading_.margin, slide) * nth(reading_.static_bound, slide), 0.0);
    return std::max(reading_.force.segment(at.first, at.count).norm() - nth(reading_.static_bound, slide), 0.0);
  }
  FrictionOf(stretch.dynamics).read_slides(stretch.mode, t, y_.data(), v_, size_);
  const auto v = v_.segment(at.first, at.count);
  const double along = v.dot(friction.direction.segment(at.first, at.count));
  if (at.count == 1) return std::max(-along, 0.0);
  // In a plane the slip direction may turn with the velocity within a step, but not reverse.
  return along < kReversed * v.norm() ? v.norm() : 0.0;
}

double SideAccount::beyond(const Stretch& stretch, double t, std::size_t thing) {
  if (thing >= surfaces_) return beyond_slide(stretch, t, thing - surfaces_);
  evaluate(t);
  return beyond_surface(thing);
}

void SideAccount::evaluate(double t) {
  inputs_[0] = t;
  std::copy_n(y_.data(), y_.size(), inputs_.data() + 1);
  program_->evaluate(inputs_.data());
}

/// Raises the largest magnitude so far of the quantity that is compared. \pre `beyond` has been called for `thing`
void SideAccount::note_size(const Stretch& stretch, std::size_t thing) {
  double size = 0.0;
  if (thing < surfaces_) {
    size = std::abs(program_->value(2 * thing)) + std::abs(program_->value(2 * thing + 1));
  } else if (const std::size_t slide = thing - surfaces_; stretch.mode.friction.sticks[slide] != 0) {
    if (reading_.static_bound.size() > 0) size = nth(reading_.static_bound, slide);
  } else if (size_.size() > 0) {
    size = nth(size_, slide);
  }
  if (std::isfinite(size)) largest_[thing] = std::max(largest_[thing], size);
}

/// Change of `beyond` if the state changes by errors as large as the limits.
double SideAccount::doubt(const Stretch& stretch, double t, std::size_t thing) {
  const double here = beyond(stretch, t, thing);
  double sum = 0.0;
  for (Eigen::Index i = 0; i < y_.size(); ++i) {
    const double own = y_[i];
    double most = 0.0;
    for (const double sign : {1.0, -1.0}) {
      y_[i] = own + sign * limit_[i];
      most = std::max(most, std::abs(beyond(stretch, t, thing) - here));
    }
    y_[i] = own;
    sum += most;
  }
  return sum;
}

std::vector<SideBalance::Miss>& SideAccount::entries(std::size_t thing, std::size_t& at) {
  at = thing < surfaces_ ? thing : thing - surfaces_;
  if (thing >= surfaces_) return balance_->slides;
  return sides_.front() != 0.0 ? balance_->as_stated : balance_->on_sides;
}

/// \param nearby  [s] time resolution of an event, or 0. The change of `beyond` during this time before t is added to
/// the limit.
void SideAccount::see(const Stretch& stretch, double t, std::size_t thing, double nearby) {
  if (thing < surfaces_ && !program_->is_used(2 * thing)) return;
  double way = beyond(stretch, t, thing);
  note_size(stretch, thing);
  std::size_t at = 0;
  Miss& worst = entries(thing, at)[at];
  worst.size = largest_[thing];
  if (!(way > 0.0)) return;
  const Vector seen = y_;
  double change = 0.0;
  if (nearby > 0.0) {
    if (stretch.step.interpolate(t - nearby, y_)) change = std::abs(way - beyond(stretch, t - nearby, thing));
    y_ = seen;
  } else if (stretch.step.step_to(t, y_)) {
    way = std::min(way, beyond(stretch, t, thing));
  }
  if (way > 0.0) {
    const double limit = doubt(stretch, t, thing) + change + tolerance::kRounded * largest_[thing];
    const Miss one = {way, limit, largest_[thing], t};
    if (is_worse(one, worst)) worst = one;
  }
  y_ = seen;
}

/// If no region is in force, the regions at the first instant of a stretch become its reference.
void SideAccount::look_at(const Stretch& stretch, double t, double nearby) {
  ++balance_->instants;
  for (std::size_t thing = 0; thing < surfaces_ + slides_; ++thing) see(stretch, t, thing, nearby);
  if (surfaces_ == 0 || sides_.front() == 0.0) return;
  evaluate(t);
  for (std::size_t k = 0; k < surfaces_; ++k) {
    const double x = program_->value(2 * k);
    if (!std::isnan(begun_[k])) continue;
    if (watches_->switches.surfaces()[k].is_floor()) {
      begun_[k] = std::floor(x);
    } else if (const double difference = x - program_->value(2 * k + 1); difference != 0.0) {
      begun_[k] = difference > 0.0 ? 1.0 : -1.0;
    }
  }
}

void SideAccount::sample(const Sample&) {
  before_ = at_sample_;
  at_sample_ = balance_;
}

void SideAccount::passed(const Stretch& stretch) {
  const double from = stretch.step.t_begin(), h = stretch.t_end - from;
  if (!(h > 0.0)) return;
  if (!balance_) begin(stretch);
  if (surfaces_ + slides_ == 0) return;
  set_limits(stretch);
  take_sides(stretch);
  // Time resolution of events: instants closer than this to an end of the stretch are skipped.
  const double apart = std::max(tolerance::kSameEvent * (stretch.step.t_end() - from),
                                kLastPlaces * std::max(std::abs(from), std::abs(stretch.t_end)));
  for (const numeric::KronrodNode& node : numeric::kKronrod) {
    const double t = from + h * node.at;
    if (t - from > apart && stretch.t_end - t > apart && stretch.step.interpolate(t, y_)) look_at(stretch, t, 0.0);
  }
  y_ = stretch.y_end;
  look_at(stretch, stretch.t_end, std::min(apart, h));
}

}  // namespace vinculum::sim
