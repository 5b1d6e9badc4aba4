// Checks the friction of contacts that stick or slip.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/sliding.hpp"
#include "vinculum/verify/audit/lines.hpp"

namespace vinculum::audit {
namespace {

/// A slip velocity and its rate; for slip along a line only the first component is used.
struct Value {
  Vector3 value = Vector3::Constant(Rounded()), rate = value;
};

Value value_of(model::TermValues& at, model::Term v) {
  const model::SeriesVector all = v.is_scalar() ? model::SeriesVector{at.series(v), 0.0, 0.0} : at.series_vector(v);
  Value result;
  for (std::size_t i = 0; i < 3; ++i) {
    nth(result.value, i) = all[i].value();
    nth(result.rate, i) = all[i].derivative(1);
  }
  return result;
}

/// Returns the magnitudes of the force terms. If large loads cancel, their sum contains only rounding errors, but the
/// error bound of the sum reveals their magnitude.
Vector sizes_of_forces(const Equations& at) {
  return at.sizes() + (errors_of(at.f).cwiseAbs() + errors_of(at.C).cwiseAbs()) / tolerance::kRounding;
}

/// Whether the contact changes between stick and slip at time t. A sample at that time belongs to the mode before the
/// change.
bool changes_at(const Trajectory& run, int slide, double t) {
  return std::ranges::any_of(run.all<sim::FrictionChange>(), [&](const sim::FrictionChange& change) {
    return change.slide == slide && std::abs(change.t - t) <= tolerance::kSameTime * run.end().t;
  });
}

// If the cosine of the angle between two successive slip directions is below this value, the direction has been
// reversed, not turned.
constexpr double kAgainst = -0.9;

/// Whether the constraint with this friction acts at a sample. A contact of an open unilateral constraint does not.
bool acts(const Case& of, const Sample& sample, std::size_t slide) {
  const std::vector<equations::Row>& rows = of.bound->system->rows;
  const model::ConstraintId constraint = of.bound->system->slides[slide].constraint;
  for (std::size_t row = 0; row < sample.acts.size(); ++row)
    if (constraint.is_valid() && rows[row].constraint == constraint) return sample.acts[row] != 0;
  return true;
}

/// Whether the constraint with this friction begins or ceases to act between two times. Then its friction starts anew.
bool begins_anew(const Case& of, std::size_t slide, double from, double to) {
  const model::ConstraintId constraint = of.bound->system->slides[slide].constraint;
  return std::ranges::any_of(of.trajectory.all<sim::ActingChange>(), [&](const sim::ActingChange& change) {
    return change.constraint == constraint && from <= change.t && change.t <= to;
  });
}

/// Whether the direction of a contact changes a force at a sample. Without friction, a reversal is no change of it.
bool has_friction(const Case& of, const Sample& sample, const equations::Slide& slide) {
  return !ForceSlopes(of.bound, sample).by_direction.middleCols(slide.first, slide.count).isZero(0.0);
}

/// The mode of a contact, and the direction of slip along a line, may change only at a recorded change of friction, or
/// while the contact does not act. In a plane, a direction can turn by any angle between two samples. When slip begins,
/// it must continue in the direction that its friction assumes. At a start where several derivatives of the velocity
/// are 0, this is the only check of the direction.
/// \param sets_off  [samples] 1 if the slip is known to begin at this sample
void see_changes(Judge& judge, const Case& of, std::size_t slide, const std::string& name,
                 const std::vector<char>& sets_off) {
  const equations::Slide& at = of.bound->system->slides[slide];
  const std::vector<Sample>& all = of.trajectory.samples;
  std::size_t change = 0;  // first change at or after the current sample
  const auto changes = of.trajectory.all<sim::FrictionChange>();
  for (std::size_t k = 0; k + 1 < all.size(); ++k) {
    const double same = tolerance::kSameTime * of.trajectory.end().t;
    while (change < changes.size() &&
           (changes[change].t < all[k].t - same || changes[change].slide != static_cast<int>(slide)))
      ++change;
    if (change < changes.size() && changes[change].t <= all[k + 1].t + same) continue;
    if (!acts(of, all[k], slide) || !acts(of, all[k + 1], slide)) continue;
    if (begins_anew(of, slide, all[k].t - same, all[k + 1].t + same)) continue;
    const sim::FrictionState &before = all[k].friction, &after = all[k + 1].friction;
    const bool is_other_mode = (before.sticks[slide] != 0) != (after.sticks[slide] != 0);
    judge.see(is_other_mode ? 1.0 : 0.0, 1.0, all[k].t, name + ", stick or slip without a change of it");
    if (is_other_mode || before.sticks[slide] != 0 || (at.count > 1 && sets_off[k] == 0)) continue;
    const double cosine = before.direction.segment(at.first, at.count).dot(after.direction.segment(at.first, at.count));
    const bool is_reversed = cosine < kAgainst && (has_friction(of, all[k], at) || has_friction(of, all[k + 1], at));
    judge.see(is_reversed ? 1.0 : 0.0, 1.0, all[k].t, name + ", direction reversed without a change of it");
  }
}

}  // namespace

AuditLine audit_friction(const Case& of) {
  Judge judge("friction is against the velocity of sliding, and sticks within its bound", "4.6",
              "residual of projections and of the search for sticking");
  const std::vector<model::Slide>& slides = of.bound->model->slides;
  const std::vector<Sample>& all = of.trajectory.samples;
  std::vector<std::vector<char>> sets_off(slides.size(), std::vector<char>(all.size(), 0));
  for (const auto& e : of.evidence) {
    const sim::FrictionState& friction = e->sample.friction;
    const Vector unit = e->at.units(), forces = sizes_of_forces(e->at);
    for (std::size_t i = 0; i < slides.size(); ++i) {
      if (!acts(of, e->sample, i)) continue;
      const equations::Slide& slide = of.bound->system->slides[i];
      const std::string name = model::name_of(*of.bound->model, slides[i]);
      const Value v = value_of(e->now(), slides[i].velocity), still = value_of(e->rest(), slides[i].velocity),
                  stated = value_of(e->held(), slides[i].velocity);
      double speed = size_of(still.value), typical = speed, rate = 0.0;  // magnitudes of the terms of v, of v at the
                                                                         // typical speeds, and of v'
      for (std::size_t r = 0; r < of.bound->model->speeds.size(); ++r) {
        const auto at = static_cast<Eigen::Index>(r);
        const double partial = size_of(value_of(e->unit(r), slides[i].velocity).value - stated.value);
        speed += partial * std::abs(e->sample.u[at]);
        typical += partial * of.scales.u[at];
        rate += partial * (std::abs(e->sample.reaction.u_dot()[at]) + forces[at] * unit[at] * unit[at]);
      }
      Vector3 s = Vector3::Constant(Rounded());
      for (int c = 0; c < slide.count; ++c) s[c] = friction.direction[slide.first + c];
      if (friction.sticks[i] != 0) {
        const Rounded ratio = slides[i].static_ratio.is_valid() ? e->scalar(slides[i].static_ratio) : 1.0;
        judge.see(length_of(v.value), typical, e->sample.t, name + ", velocity of what sticks",
                  tolerance::kStagnation * typical);
        judge.see(length_of(v.rate), rate, e->sample.t, name + ", acceleration of what sticks",
                  tolerance::kConsistency * rate);
        judge.see({std::max(size_of(s) - ratio.value, 0.0), ratio.error}, ratio.value, e->sample.t,
                  name + ", force of what sticks over its bound", tolerance::kConsistency * ratio.value);
      } else if (size_of(v.value) > tolerance::kConditioned * typical) {
        const double doubt = Eigen::Vector3d(errors_of(v.value)).norm() / size_of(v.value);
        judge.see({size_of(s - v.value / Rounded(size_of(v.value))), doubt}, 1.0, e->sample.t,
                  name + ", direction of sliding", tolerance::kConsistency);
      } else if (!(size_of(s) > 0.0)) {
        judge.see(has_friction(of, e->sample, slide) ? 1.0 : 0.0, 1.0, e->sample.t,
                  name + ", no direction of friction");
      } else {
        judge.see(size_of(s) - 1.0, 1.0, e->sample.t, name + ", friction of what sets off", tolerance::kConsistency);
        sets_off[i][static_cast<std::size_t>(&e->sample - all.data())] = 1;
        if (changes_at(of.trajectory, static_cast<int>(i), e->sample.t)) continue;
        const Rounded along = v.rate.dot(s);
        judge.see({std::min(along.value, 0.0), along.error}, rate, e->sample.t,
                  name + ", direction in which it sets off", tolerance::kConsistency * rate);
      }
    }
  }
  for (std::size_t i = 0; i < slides.size(); ++i)
    see_changes(judge, of, i, model::name_of(*of.bound->model, slides[i]), sets_off[i]);
  return judge.verdict();
}

}  // namespace vinculum::audit
