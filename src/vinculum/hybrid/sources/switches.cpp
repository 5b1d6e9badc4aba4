#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/constraint_impulse.hpp"
#include "vinculum/hybrid/contacts.hpp"
#include "vinculum/hybrid/event_actions.hpp"
#include "vinculum/hybrid/event_source.hpp"
#include "vinculum/hybrid/event_surfaces.hpp"
#include "vinculum/hybrid/friction_state.hpp"
#include "vinculum/hybrid/look.hpp"
#include "vinculum/hybrid/region_check.hpp"
#include "vinculum/hybrid/start_sides.hpp"
#include "vinculum/hybrid/surface_state.hpp"
#include "vinculum/hybrid/velocity_change.hpp"
#include "vinculum/motion/jumps.hpp"
#include "vinculum/motion/packed_state.hpp"

namespace vinculum::sim {
namespace {

constexpr int kMostShortenings = 12;  // most retries of a step in a row
// Most crossings within `tolerance::kBeside` of the run; more of them count as infinitely many.
constexpr std::size_t kMostPassages = 20;
// Part of a step: if the surface comes earlier than this, the step is taken again, up to the surface.
constexpr double kFarBehind = 0.5;
// Part of the step to take again if it has not resolved how the motion leaves the surface.
constexpr double kShorter = 0.1;
constexpr int kMostRounds = 1000;       // rounds of events that cause each other at one instant
constexpr int kStepsAsStated = 40;      // steps with the equations as stated, before sides are used again
constexpr int kMostAsStated = 1 << 24;  // largest number of such steps

/// Whether the equations as stated and the equations on a side have different rates at a state. Used at a start and an
/// end, which may lie on a surface without crossing it.
bool are_switched(const Vector& stated, const Vector& on_side) {
  return stated.size() == on_side.size() && stated != on_side;
}

/// Indices of the surfaces whose x − y has no value (NaN) at a state and a short time later.
std::vector<std::size_t> without_value_from(Look& look, double t, const Vector& y, const Vector& rate,
                                            double duration) {
  const double time = tolerance::kBeside * duration;
  const std::vector<double> now = look.program().differences_at(t, y);
  std::vector<std::size_t> found;
  for (std::size_t k = 0; k < now.size(); ++k) {
    if (!std::isnan(now[k])) continue;
    const Vector later = rate.size() == y.size() ? Vector(y + time * rate) : y;
    if (std::isnan(look.program().difference_at(k, t + time, later))) found.push_back(k);
  }
  return found;
}

/// Surfaces whose x − y a jump of the state has changed.
struct SurfacesOfJump {
  std::vector<char> is_passed;
  std::vector<double> behind;     ///< sides after the jump for these surfaces; the present sides for the others
  std::vector<double> from_here;  ///< sides according to the state after the jump alone
};

/// x − y of a surface after the jump belongs to the sides on which its inner surfaces are then: `max(x, n)` jumps with
/// n although x was the larger one before.
SurfacesOfJump surfaces_of_jump(Look& look, double t, const Vector& y_before, const Vector& y_after) {
  const std::vector<double> sides = look.sides(), before = look.program().differences_at(t, y_before);
  SurfacesOfJump jump{std::vector<char>(sides.size(), 0), sides, look.sides_at(t, y_after)};
  for (bool is_new = true; is_new;) {
    is_new = false;
    look.take(jump.behind);
    const std::vector<double> after = look.program().differences_at(t, y_after);
    for (std::size_t k = 0; k < sides.size(); ++k) {
      const double size = std::max(std::abs(after[k]), std::abs(before[k]));
      if (jump.is_passed[k] != 0 || !(std::abs(after[k] - before[k]) > tolerance::kAtStates * size)) continue;
      jump.is_passed[k] = 1;
      is_new = is_new || jump.behind[k] != jump.from_here[k];
      jump.behind[k] = jump.from_here[k];
    }
  }
  look.take(sides);
  return jump;
}

/// Notes events whose expressions are 0 at the start of the motion and leave 0 in the direction of the event, such as
/// two balls that touch: they do not happen.
void note_left_at_start(const Binding& bound, const std::vector<double>& sides_at_start,
                        const std::vector<EventSurfaces::LeftAtStart>& left, EventActions& events,
                        const Transition& start, RunRecord& run) {
  for (const EventSurfaces::LeftAtStart& one : left) {
    using Trigger = model::Event::Trigger;
    const model::Event& event = events.events()[one.event];
    if (event.is_closing()) continue;
    Mode mode = start.mode;
    std::vector<double> sides = sides_at_start;
    sides[one.surface] = one.side;
    set_sides(mode, bound, sides);
    const bool is_true = events.truths(mode)[one.event] != 0;
    if (event.trigger != Trigger::kChanges && is_true == (event.trigger == Trigger::kBecomesFalse)) continue;
    const std::string text = fmt::format(
        "the expression of event `{0}` is 0 at the start and passes to the side for which `{0}` is stated: this is no "
        "event; start a little before 0 if it should be one",
        event.name);
    run.notes.push_back({"start", start.t, text, "", event.name, 0.0, 0.0});
  }
}

/// Notes where a sliding mode begins or ends.
/// \param before, after  sides
void note_changes(const Binding& bound, const std::vector<double>& before, const std::vector<double>& after,
                  Transition& to) {
  const std::vector<Switches::Surface>& surfaces = bound->watches->switches.surfaces();
  for (std::size_t k = 0; k < surfaces.size(); ++k) {
    const bool was = surfaces[k].is_between(before[k]), is = surfaces[k].is_between(after[k]);
    if (was != is) to.events.push_back(SurfaceChange{to.t, surfaces[k].text, is});
  }
}

/// Keeps every step on one side of the switching surfaces, and ends it where the state crosses one. Shortens steps
/// whose stages have missed a value that matters (look.hpp).
///
/// If the vector fields of both regions point towards a surface, the motion enters a sliding mode (surface_state.hpp).
/// The equations are used as stated for a while, and the step control finds the kink, in two cases: if no step can be
/// taken on a side (for example the root of a number that is negative beyond the surface), or if crossings follow each
/// other ever faster.
class SwitchSource final : public EventSource {
 public:
  explicit SwitchSource(const Watched& run)
      : run_(run),
        regions_(run.dynamics, run.duration),
        look_(run, regions_),
        surfaces_(run.dynamics, run.mode, regions_),
        check_(run.dynamics, run.tolerance, run.duration),
        events_(run),
        met_(run, look_, regions_),
        gaps_(run.dynamics.binding()) {}

  std::optional<Failure> begin(Transition& start, RunRecord& run) override;
  void resume(Transition& at, RunRecord&) override {
    if (has_surfaces()) take(at.mode, at.mode.sides.empty() ? look_.sides_at(at.t, at.y) : at.mode.sides);
  }
  Outcome<void> check(const integrate::Step& step, std::vector<Found>& found) override;
  void keep(const integrate::Step& step, Mode& mode, RunRecord&) override;
  Outcome<void> pass(const Found& found, Transition& to) override;
  Outcome<void> follow(const Vector& y_before, Transition& to) override;
  bool gives_way(double t, const Vector& y, Mode& mode) override;
  void end(RunRecord& run, const Sample* last) override;

 private:
  void take(Mode& mode, std::vector<double> sides);
  [[nodiscard]] bool has_surfaces() const { return run_.dynamics.binding()->watches->surface_count() > 0; }
  [[nodiscard]] Outcome<void> change_sides(Transition& to, std::vector<double> sides, int round = 0);
  [[nodiscard]] Outcome<void> enter_region(Transition& to, std::vector<double> sides, int round);
  [[nodiscard]] Outcome<void> read_again(const Vector& y_before, Transition& to, int round);
  [[nodiscard]] Outcome<void> act_from_start(Transition& start);
  /// The failure of a jump of the speeds, after which the run does not try the equations as stated.
  [[nodiscard]] Outcome<void> stop_at_jump(const Failure& failure) {
    is_at_an_end_ = failure.kind == FailureKind::kNotUnique;
    return fail(failure);
  }
  [[nodiscard]] Outcome<void> cross(Transition& to);
  void rest_on_surfaces(Transition& to);
  [[nodiscard]] Outcome<void> take_meetings(std::vector<double> sides, Transition& to);
  [[nodiscard]] Outcome<void> leave(Transition& to);
  [[nodiscard]] bool is_too_fast(double t);
  /// Events whose conditions have changed happen, round by round.   \param was, is [events] truths before and after
  [[nodiscard]] Outcome<void> react(std::vector<char> was, std::vector<char> is, Transition& to);
  /// Sets the regions after a jump of the state, and in `judged` the regions of the surfaces that the jump has passed.
  [[nodiscard]] Outcome<void> take_after_jump(const Vector& y_before, Transition& to, Mode& judged);
  [[nodiscard]] Failure endless(double t, std::span<const std::size_t> happened);
  [[nodiscard]] Failure without_value() const;
  [[nodiscard]] Outcome<void> end_on_surface(const integrate::Step& step, std::vector<Found>& found);
  void land(const integrate::Step& step, double next, std::vector<Found>& found);
  void look_at_truth(const integrate::Step& step, std::vector<Found>& found);
  void look_at_meetings(const integrate::Step& step, std::vector<Found>& found);
  void note_unproven(double t, const std::string& of);

  Watched run_;
  Regions regions_;
  Look look_;
  SurfaceState surfaces_;
  RegionCheck check_;
  EventActions events_;
  EventSurfaces met_;
  Pace pace_;
  GapSurfaces gaps_;                ///< surfaces gap = 0 of unilateral constraints
  Seen seen_;                       ///< result for the present step
  std::optional<Leaving> leaving_;  ///< where the present step leaves a sliding mode
  std::vector<double> passages_;    ///< [s] the last crossings
  int shortenings_ = 0;             ///< retries since the last step that was kept
  struct AsStated {
    int steps = 0;              ///< steps still to be taken with the equations as stated
    int next = kStepsAsStated;  ///< number of such steps next time; doubled each time
  } as_stated_;
  /// The sides that `change_sides` has left apply to the surface that is crossed: an impulse has moved the state off
  /// it, or a constraint that begins to act holds the motion on it.
  bool keeps_sides_ = false;
  bool has_opened_ = false;     ///< contacts have opened in this event, and the regions do not show it yet
  bool comes_to_rest_ = false;  ///< the motion comes to rest on the surface of `seen_` at the end of the present step
  bool is_at_an_end_ = false;   ///< the constraints allow no motion beyond the surface
  Looking counts_;
  Vector y_landed_, step_begin_;
};

/// Sets the sides in the mode and in all members that depend on the sides.
void SwitchSource::take(Mode& mode, std::vector<double> sides) {
  set_sides(mode, run_.dynamics.binding(), sides);
  surfaces_.take(sides);
  met_.take(sides);
  look_.take(std::move(sides));
}

std::optional<Failure> SwitchSource::begin(Transition& start, RunRecord& run) {
  if (!has_surfaces()) return std::nullopt;
  const double t = start.t;
  const Vector& y = start.y;
  const Vector stated = rate_at(run_.dynamics, start.mode, t, y);
  take(start.mode, look_.sides_at(t, y));
  for (const std::size_t k : without_value_from(look_, t, y, stated, run_.duration)) {
    if (!look_.is_in_force(k) || !look_.decides(k, t, y)) continue;
    seen_ = {Seen::What::kUndefined, t, 0.0, k, false, run_.dynamics.binding()->watches->switches.surfaces()[k].text};
    return without_value();
  }
  if (events_.has_any()) take(start.mode, met_.sides_at_start(start.mode, t, y));
  if (!gaps_.all.empty()) {
    constexpr double kTouches = tolerance::kConsistency;
    take(start.mode, events_.contacts().sides_of_gaps(look_.sides(), start.mode, t, y, kTouches, true));
  }
  if (auto done = act_from_start(start); !done) return std::move(done.error());
  rest_on_surfaces(start);
  if (const auto event = met_.event_on_plateau()) return events_.failure_on_plateau(*event, t);
  const std::vector<char> truths = events_.truths(start.mode);
  for (std::size_t i = 0; i < truths.size(); ++i)
    if (truths[i] != 0 && events_.events()[i].terminates) start.ends = events_.ending(i, t);
  if (!run_.is_continued)
    note_left_at_start(run_.dynamics.binding(), look_.sides(), met_.left_at_start(start.mode, t, y), events_, start,
                       run);
  if (are_switched(stated, rate_at(run_.dynamics, start.mode, t, y))) start.events.push_back(Passage{t, ""});
  for (const std::size_t k : look_.met_at(t, y)) {
    if (!goes_the_other_way(run_.dynamics, start.mode, look_, t, y, k, run_.duration)) continue;
    const std::string text = fmt::format(
        "the start is where `{}` changes, and another motion leaves it to the other side: this motion takes the side "
        "that the comparison states for equal values, else the greater side; start at another value to choose",
        run_.dynamics.binding()->watches->switches.surfaces()[k].text);
    run.notes.push_back({"start", t, text, "", "", 0.0, 0.0});
  }
  return std::nullopt;
}

void SwitchSource::note_unproven(double t, const std::string& of) {
  if (counts_.not_proven++ > 0) return;
  counts_.first_not_proven = t;
  counts_.not_proven_of = of;
}

Outcome<void> SwitchSource::check(const integrate::Step& step, std::vector<Found>& found) {
  ++counts_.steps;
  seen_ = look_.into(step);
  comes_to_rest_ = false;
  step_begin_ = step.y_begin();
  leaving_.reset();
  if (surfaces_.is_along()) {
    const auto lasting = surfaces_.lasting(step);
    if (!lasting) return fail(lasting.error());
    const bool is_first = seen_.what == Seen::What::kQuiet;
    const auto& leaving = lasting->leaving;
    if (leaving && (is_first || leaving->t <= seen_.t)) leaving_ = *leaving;
    if (!leaving && lasting->shown < (is_first ? step.t_end() : seen_.t)) {
      ++counts_.shortened;
      found.push_back({step.t_begin(), integrate::Action::kRetake, {}, lasting->shown - step.t_begin()});
      return {};
    }
  }
  if (leaving_) {
    shortenings_ = 0;
    found.push_back({leaving_->t, integrate::Action::kChange, {}, step.t_end() - step.t_begin()});
    found.back().lands = true;
    return {};
  }
  using integrate::Action;
  switch (seen_.what) {
    case Seen::What::kQuiet:
      shortenings_ = 0;
      look_at_truth(step, found);
      look_at_meetings(step, found);
      return {};
    case Seen::What::kCrossing: return end_on_surface(step, found);
    case Seen::What::kUndefined: found.push_back({seen_.t, Action::kStop, without_value()}); return {};
    case Seen::What::kSharp:
    case Seen::What::kUnproven: break;
  }
  if (shortenings_++ >= kMostShortenings) {
    note_unproven(step.t_begin(), seen_.of);
    shortenings_ = 0;
    look_at_truth(step, found);
    return {};
  }
  ++counts_.shortened;
  const bool is_at_begin = seen_.t - step.t_begin() <= tolerance::kSameEvent * (step.t_end() - step.t_begin());
  if (!is_at_begin) shortenings_ = 0;
  if (is_at_begin)
    found.push_back({step.t_begin(), Action::kRetake, {}, seen_.length});
  else
    land(step, seen_.length, found);
  return {};
}

/// The failure at an instant after which a condition has no value.
Failure SwitchSource::without_value() const {
  Failure failure;
  failure.kind = FailureKind::kNonFinite;
  failure.t = seen_.t;
  failure.message = fmt::format("the condition `{}` has no value from here on", seen_.of);
  failure.advice =
      "let the condition have a value along the whole motion, or let it act together with another one, as in `x < 1 "
      "and "
      "sqrt(1 - x) > 0.5` or `sqrt(1 - x) if x < 1 else 0`";
  run_.dynamics.binding()->watches->places_of_surfaces[seen_.surface].join_to(failure);
  return failure;
}

/// At the end of a step that is kept, the conditions must be true or false as its regions say.
void SwitchSource::look_at_truth(const integrate::Step& step, std::vector<Found>& found) {
  if (auto failure = check_.contradiction(step.t_end(), step.y_end(), look_))
    found.push_back({step.t_end(), integrate::Action::kStop, std::move(failure)});
}

/// Events at the end of a step that the examination of the step leaves open.
void SwitchSource::look_at_meetings(const integrate::Step& step, std::vector<Found>& found) {
  if (!found.empty() || (!events_.has_any() && run_.dynamics.binding()->switched.empty())) return;
  const double t = step.t_end(), h = t - step.t_begin();
  const auto met = met_.met_at_end(run_.mode, t, step.y_end());
  if (!met) return;
  const std::string& text = run_.dynamics.binding()->watches->switches.surfaces()[met->surface].text;
  seen_ = {Seen::What::kCrossing, t, h, met->surface, look_.sides()[met->surface] < 0.0, text};
  comes_to_rest_ = met->rests;
  found.push_back({t, integrate::Action::kChange, {}, h});
}

/// After an event a constraint may keep the motion on a surface of events. Its side is rounding error from here on.
void SwitchSource::rest_on_surfaces(Transition& to) {
  if (to.ends || !events_.has_any() || look_.sides().empty()) return;
  std::vector<double> sides = met_.sides_at_rest(to.mode, to.t, to.y);
  if (sides != look_.sides()) take(to.mode, std::move(sides));
}

/// Ends the step at `seen_.t` by a separate step. The step is taken again up to there if the separate step is less
/// accurate than required, or if the state there is not on the examined polynomial. (The error of a step from rest is
/// measured by the sizes of the components that begin to move.)
void SwitchSource::land(const integrate::Step& step, double next, std::vector<Found>& found) {
  using integrate::Action;
  const bool is_seen = step.step_to(seen_.t, y_landed_) &&
                       (seen_.what != Seen::What::kSharp || look_.is_on_polynomial(step, seen_.t, y_landed_));
  if (is_seen) {
    found.push_back({seen_.t, Action::kChange, {}, next});
    found.back().lands = true;
  } else {
    found.push_back({step.t_begin(), Action::kRetake, {}, seen_.t - step.t_begin()});
  }
}

/// Ends the step on the surface. If the step goes far beyond it, its error was measured by sizes that the motion does
/// not reach; the step is then taken again up to the surface.
Outcome<void> SwitchSource::end_on_surface(const integrate::Step& step, std::vector<Found>& found) {
  using integrate::Action;
  shortenings_ = 0;
  const double h = step.t_end() - step.t_begin(), way = seen_.t - step.t_begin();
  // No step ends closer to its begin than times can be distinguished. A surface that depends on the time only is met
  // with that accuracy, however short the step.
  const double one =
      look_.is_of_time(seen_.surface) ? 0.0 : std::min(tolerance::kSameEvent * h, tolerance::kSameTime * run_.duration);
  const double t0 = step.t_begin();
  const bool leaves = met_.is_leaving(seen_.surface, run_.mode, t0, step.y_begin(), way);
  const bool is_at_begin = leaves || way <= std::max(one, kLastPlaces * std::abs(t0)) ||
                           met_.is_landing(seen_.surface, run_.mode, t0, step.y_begin(), way);
  const bool is_resolvable = kShorter * h > kLastPlaces * std::abs(t0);
  // A flight that is rounding error in height ends here (`Contacts::impact`), however long the step is.
  const bool is_flat = leaves && gaps_.hold(seen_.surface);
  const bool departs = is_at_begin && !is_flat &&
                       (surfaces_.departs(t0, step.y_begin(), look_.sides(), seen_.surface, seen_.upward) ||
                        met_.is_left(seen_.surface, run_.mode, t0, step.y_begin()));
  if (departs && is_resolvable) {
    // it left and came back within a step that is too long
    found.push_back({step.t_begin(), Action::kRetake, {}, kShorter * h});
  } else if (is_at_begin) {
    // The step up to a landing may have been very short; the flight after it is not.
    found.push_back({step.t_begin(), Action::kChange, {}, gaps_.hold(seen_.surface) ? std::max(h, pace_.longest) : h});
  } else if (way < kFarBehind * h) {
    found.push_back({step.t_begin(), Action::kRetake, {}, way});
  } else {
    land(step, h, found);
  }
  return {};
}

void SwitchSource::keep(const integrate::Step& step, Mode& mode, RunRecord&) {
  const double t = step.t_end();
  pace_.join(t - step.t_begin());
  if (as_stated_.steps > 0 && --as_stated_.steps == 0) take(mode, look_.sides_at(t, step.y_end()));
  if (std::vector<double> sides = look_.sides_defined_at(t, step.y_end()); sides != look_.sides())
    take(mode, std::move(sides));
  if (!events_.has_any()) return;
  if (met_.leave_rest(mode, t, step.y_end())) take(mode, gaps_.kept(look_.sides_at(t, step.y_end()), look_.sides()));
  if (gaps_.all.empty()) return;
  std::vector<double> sides =
      events_.contacts().sides_of_gaps(look_.sides(), mode, t, step.y_end(), tolerance::kZero, false);
  if (sides != look_.sides()) take(mode, std::move(sides));
}

/// Takes the constraints on the other side of a surface. If the velocity of a row jumps, the ideal reaction is an
/// impulse: M Δu = Aᵀp, A Δu = −ψ (theory.md §10.2). If the gradient of a row jumps, the impulse has two directions; if
/// its position jumps, there is no motion.
/// \param round  number of impulses before this one at the same instant
Outcome<void> SwitchSource::enter_region(Transition& to, std::vector<double> sides, int round) {
  const double t = to.t;
  Vector& y = to.y;
  const Binding& bound = run_.dynamics.binding();
  const std::vector<double> before = look_.sides();
  const std::vector<char> was_acting = acting_rows(run_.dynamics, to.mode);
  const RowsAtSurface rows_before = rows_at_surface(run_.dynamics, to.mode, t, y, before);
  const Mode mode_before = bound->switched.empty() ? Mode() : to.mode;
  const Vector y_before = y;
  take(to.mode, std::move(sides));
  if (bound->system->higher) return {};
  is_at_an_end_ = true;
  Vector beside = y;
  if (const Vector rate = rate_at(run_.dynamics, to.mode, t, y); rate.size() == y.size())
    beside += kLastPlaces * (y.cwiseAbs() + std::abs(t) * rate.cwiseAbs()).cwiseProduct(rate.cwiseSign());
  const auto jump = jump_of_momenta(bound, t, y, beside, before, look_.sides(), look_.is_of_motion(seen_.surface));
  if (!jump) return fail(jump.error());
  is_at_an_end_ = false;
  const bool is_pushed = jump->size() > 0 && !jump->isZero(0.0);
  if (is_pushed) add_impulse(run_.dynamics, to.mode, t, *jump, y);
  if (auto moved = keeps_inertia_of_laws(run_, to); !moved) return stop_at_jump(moved.error());
  if (bound->nc() == 0) return let_slide_what_moves(run_.dynamics, to);
  const RowsAtSurface rows = rows_at_surface(run_.dynamics, to.mode, t, y, look_.sides());
  is_at_an_end_ = true;
  const std::vector<char> is_acting = acting_rows(run_.dynamics, to.mode);
  record_acting(bound, was_acting, is_acting, to);
  if (auto cannot = cannot_begin(run_.dynamics, to.mode, t, y, was_acting, is_acting, run_.tolerance))
    return fail(*std::move(cannot));
  const RowsChange change{was_acting, is_acting, rows_before, rows};
  const auto has_impulse = velocities_may_jump(run_.dynamics, t, change);
  if (!has_impulse) return fail(has_impulse.error());
  is_at_an_end_ = false;
  if (turns_contacts(run_.dynamics, change)) {
    if (auto done = events_.turn_contacts(to); !done) return stop_at_jump(done.error());
    has_opened_ = true;
    return {};
  }
  bool jumps = is_pushed;
  if (*has_impulse || is_pushed) {
    const Transition in_region = to;
    const auto impulse = jump_by_rows(run_.dynamics, to, was_acting != is_acting);
    if (!impulse && events_.open_contacts(in_region, to)) {
      has_opened_ = true;
      return {};
    }
    if (!impulse) return stop_at_jump(impulse.error());
    jumps = jumps || *impulse;
  } else if (auto done = let_slide_what_moves(run_.dynamics, to); !done) {
    return done;
  }
  if (was_acting != is_acting) {
    const auto held = held_by_own_row(run_.dynamics, mode_before, y_before, to.mode, look_.sides(), t, y,
                                      tolerance::kBeside * run_.duration);
    is_at_an_end_ = held && held->is_false;
    if (is_at_an_end_) return fail(false_where_it_holds(bound, *held, t));
    if (held && held->surface == seen_.surface) keeps_sides_ = true;
  }
  return jumps ? read_again(y_before, to, round) : Outcome<void>();
}

/// Reads the surfaces again that an impulse has passed: constraints begin and cease to act by their conditions after
/// it. A state on a surface is where the comparison states equality.
/// \param y_before  state before the impulse
Outcome<void> SwitchSource::read_again(const Vector& y_before, Transition& to, int round) {
  const std::vector<double> sides = look_.sides();
  if (sides.empty()) return {};
  const Vector rate = rate_at(run_.dynamics, run_.mode, to.t, y_before);
  if (rate.size() != to.y.size()) return {};
  const Placement at_first = met_.placed(to.t, y_before, rate);
  const Placement here = met_.placed(to.t, to.y, rate);
  auto [is_passed, behind, from_here] = surfaces_of_jump(look_, to.t, y_before, to.y);
  std::vector<char> is_met(sides.size(), 0);
  for (const std::size_t k : gaps_.all) is_passed[k] = 0;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (is_passed[k] == 0) continue;
    is_met[k] = met_.is_near(here, k) ? 1 : 0;
    is_passed[k] = is_met[k] == 0 || !met_.is_near(at_first, k) ? 1 : 0;
  }
  std::vector<double> now = sides;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (is_passed[k] == 0) continue;
    const double of_equals = run_.dynamics.binding()->watches->switches.surfaces()[k].side_of_equals;
    now[k] = is_met[k] == 0 ? from_here[k] : of_equals != 0.0 ? of_equals : sides[k];
    if (k == seen_.surface) keeps_sides_ = true;
  }
  if (now == sides) return {};
  if (round == kMostRounds) {
    Failure failure = endless(to.t, {});
    failure.message = "constraints begin and cease to act without end, each by the impulse of another one";
    return fail(std::move(failure));
  }
  const std::vector<char> acted = acting_rows(run_.dynamics, to.mode);
  if (auto done = change_sides(to, std::move(now), round + 1); !done) return done;
  const std::vector<char> acts = acting_rows(run_.dynamics, to.mode);
  // A row that has acted for an instant is not in the mode after it, by which audits explain the jump.
  for (std::size_t row = 0; row < acts.size(); ++row) to.sets = to.sets || (acted[row] != 0 && acts[row] == 0);
  return {};
}

/// Enters another region. A failure without a place gets the place of a switch whose side changes.
Outcome<void> SwitchSource::change_sides(Transition& to, std::vector<double> sides, int round) {
  const std::vector<double> before = look_.sides();
  auto done = enter_region(to, std::move(sides), round);
  const std::vector<double>& after = look_.sides();
  if (done || before.size() != after.size()) return done;
  const std::vector<SwitchPlaces>& places = run_.dynamics.binding()->watches->places_of_surfaces;
  for (std::size_t k = 0; k < after.size() && !has_place(done.error()); ++k)
    if (before[k] != after[k]) places[k].join_to(done.error());
  return done;
}

/// Constraints may begin to act at the start, such as one with `when t > 0`, or by an event there.
Outcome<void> SwitchSource::act_from_start(Transition& start) {
  const Binding& bound = run_.dynamics.binding();
  if (bound->switched.empty() || bound->system->higher) return {};
  const std::vector<char> acts = acting_rows(run_.dynamics, start.mode);
  const std::vector<char> stated = acting_as_stated(bound, start.t, start.y);
  record_acting(bound, stated, acts, start);
  std::vector<char> others = acts;
  for (const int row : bound->switched) others[static_cast<std::size_t>(row)] = 0;
  if (auto cannot = cannot_begin(run_.dynamics, start.mode, start.t, start.y, others, acts, run_.tolerance))
    return fail(*std::move(cannot));
  if (std::ranges::find(acts, 1) != acts.end())  // friction at these rows begins with them
    if (auto done = settle_friction(run_.dynamics, start.mode, start.t, start.y.data()); !done) return done;
  const Vector y_before = start.y;
  Vector y = y_before;
  auto impulses = meet_constraints(run_.dynamics, start.mode, start.t, y);
  if (!impulses) return fail(std::move(impulses.error()));
  if (!*impulses) return {};
  start.y = std::move(y);
  start.events.emplace_back(**std::move(impulses));
  if (auto done = settle_friction(run_.dynamics, start.mode, start.t, start.y.data()); !done) return done;
  return read_again(y_before, start, 0);
}

/// Whether crossings follow each other so fast that there may be infinitely many.
bool SwitchSource::is_too_fast(double t) {
  passages_.push_back(t);
  if (passages_.size() <= kMostPassages) return false;
  const double first = *(passages_.end() - 1 - static_cast<std::ptrdiff_t>(kMostPassages));
  passages_.erase(passages_.begin());
  return t - first <= tolerance::kBeside * run_.duration;
}

Outcome<void> SwitchSource::cross(Transition& to) {
  if (comes_to_rest_ || met_.is_rested_on(seen_.surface, run_.mode, to.t, to.y, step_begin_)) {
    std::vector<double> sides = look_.sides();
    sides[seen_.surface] = Switches::kEqual;
    take(to.mode, std::move(sides));
    if (!comes_to_rest_) return {};
    to.events.push_back(Passage{to.t, seen_.of});
    return react(events_.truths(run_.mode), events_.truths(to.mode), to);
  }
  // It returns within a time that cannot be resolved. At a gap this is rounding error; no impact follows.
  if (!gaps_.hold(seen_.surface) && met_.is_left(seen_.surface, run_.mode, to.t, to.y)) return fail(endless(to.t, {}));
  ++counts_.crossings;
  to.events.push_back(Passage{to.t, seen_.of});
  const std::vector<double> before = look_.sides();
  const Vector y_landed = to.y;
  const auto landed = events_.has_any() ? met_.placed(run_.mode, to.t, to.y) : std::nullopt;
  std::vector<double> behind = look_.sides_behind(seen_.surface, seen_.upward, to.t, to.y);
  auto after = surfaces_.beyond(to.t, to.y, before, std::move(behind), seen_.surface, seen_.upward);
  is_at_an_end_ = surfaces_.ends();
  if (!after) return fail(std::move(after.error()));
  const Switches::Surface& surface = run_.dynamics.binding()->watches->switches.surfaces()[seen_.surface];
  std::vector<double> through = *after;
  if (surface.is_between(through[seen_.surface])) {
    const double between = through[seen_.surface];
    through[seen_.surface] = seen_.upward ? surface.upper(between) : surface.lower(between);
    regions_.complete_beyond(through, seen_.surface, seen_.upward, to.t, to.y);
  }
  keeps_sides_ = false;
  const std::vector<double> taken = through;
  if (auto done = change_sides(to, std::move(through)); !done) return done;
  if (look_.sides() == taken && !keeps_sides_) take(to.mode, std::move(*after));
  note_changes(run_.dynamics.binding(), before, look_.sides(), to);
  if (surfaces_.is_along()) {
    const auto moved = run_.dynamics.project(to.mode, to.t, to.y.data());
    if (!moved) return fail(moved.error());
  }
  if (!events_.has_any()) return {};
  met_.lie_on(seen_.surface);
  if (landed)
    if (auto done = take_meetings(met_.sides_after_meetings(y_landed, *landed, before, to, counts_.crossings), to);
        !done)
      return done;
  if (const auto event = met_.event_on_plateau()) {
    is_at_an_end_ = true;
    return fail(events_.failure_on_plateau(*event, to.t));
  }
  return react(events_.truths(run_.mode), events_.truths(to.mode), to);
}

/// Takes the sides of surfaces that meet at one instant. The normals of closed contacts may jump there, too.
Outcome<void> SwitchSource::take_meetings(std::vector<double> sides, Transition& to) {
  const std::vector<char> acting = acting_rows(run_.dynamics, to.mode);
  if (sides == look_.sides() || gaps_.all.empty() || std::ranges::find(acting, 1) == acting.end()) {
    take(to.mode, std::move(sides));
    return {};
  }
  const RowsAtSurface before = rows_at_surface(run_.dynamics, to.mode, to.t, to.y, look_.sides());
  take(to.mode, std::move(sides));
  const std::vector<char> acts = acting_rows(run_.dynamics, to.mode);
  const RowsAtSurface after = rows_at_surface(run_.dynamics, to.mode, to.t, to.y, look_.sides());
  if (!turns_contacts(run_.dynamics, {acting, acts, before, after})) return {};
  has_opened_ = true;
  auto done = events_.turn_contacts(to);
  return done ? done : stop_at_jump(done.error());
}

Outcome<void> SwitchSource::leave(Transition& to) {
  const std::vector<double> before = look_.sides();
  auto after = surfaces_.off(to.t, to.y, before, leaving_->surface, leaving_->upward);
  is_at_an_end_ = surfaces_.ends();
  if (!after) return fail(std::move(after.error()));
  take(to.mode, std::move(*after));
  note_changes(run_.dynamics.binding(), before, look_.sides(), to);
  return {};
}

Outcome<void> SwitchSource::take_after_jump(const Vector& y_before, Transition& to, Mode& judged) {
  const std::vector<double> sides = look_.sides();
  std::vector<double> passed = sides;
  auto [is_passed, behind, from_here] = surfaces_of_jump(look_, to.t, y_before, to.y);
  const auto placed = met_.placed_at_jump(to.mode, to.t, {y_before, to.y, sides, behind});
  const std::vector<Switches::Surface>& surfaces = run_.dynamics.binding()->watches->switches.surfaces();
  std::vector<std::size_t> reached;  // floors whose whole number the motion has reached at this instant
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (is_passed[k] != 0) {
      passed[k] = from_here[k];
      met_.move_off(k);
    } else if (surfaces[k].is_floor() && !met_.is_on(k)) {
      if (from_here[k] != sides[k]) reached.push_back(k);
      passed[k] = from_here[k];
    } else if (placed) {
      from_here[k] = met_.side_after_jump(k, placed->before, placed->after, from_here[k], passed[k]);
    }
  }
  for (std::size_t k = 0; k < sides.size(); ++k)
    if (is_passed[k] == 0 && run_.dynamics.binding()->watches->switches.holds_any(k, reached)) passed[k] = from_here[k];
  for (const std::size_t k : gaps_.all) from_here[k] = passed[k] = sides[k];
  for (std::size_t k = 0; k < to.decided.size(); ++k)
    if ((is_passed[k] == 0 || gaps_.hold(k)) && !std::isnan(to.decided[k])) from_here[k] = passed[k] = to.decided[k];
  set_sides(judged, run_.dynamics.binding(), passed);
  if (from_here == sides) return {};
  const std::vector<double> taken = from_here;
  if (auto done = change_sides(to, std::move(from_here)); !done) return done;
  for (std::size_t k = 0; k < sides.size(); ++k)
    if (look_.sides()[k] != taken[k]) passed[k] = look_.sides()[k];  // an impulse has passed it
  set_sides(judged, run_.dynamics.binding(), passed);
  return {};
}

Outcome<void> SwitchSource::react(std::vector<char> was, std::vector<char> is, Transition& to) {
  for (int round = 0;; ++round) {
    const std::vector<std::size_t> happened = events_.caused_by(was, is);
    if (happened.empty()) {
      if (round > 0) rest_on_surfaces(to);
      return {};
    }
    if (round == kMostRounds) return fail(endless(to.t, happened));
    const Vector y_before = to.y;
    if (auto done = events_.happen(happened, to); !done) return done;
    if (to.ends) return {};
    const bool is_decided = std::ranges::any_of(to.decided, [](double side) { return !std::isnan(side); });
    if (to.y == y_before && !is_decided) {
      rest_on_surfaces(to);
      return {};
    }
    // Truths that the jump before has changed without an event, as where a motion turns back, cause none now.
    was = events_.truths(to.mode);
    Mode judged = to.mode;
    if (auto done = take_after_jump(y_before, to, judged); !done) return done;
    is = events_.truths(judged);
  }
}

Outcome<void> SwitchSource::follow(const Vector& y_before, Transition& to) {
  if (!has_surfaces() || look_.sides().empty() || (!to.sets && !events_.has_any())) return {};
  met_.lie_on(std::nullopt);
  const std::vector<char> was = events_.truths(to.mode);
  if (!to.sets) {
    if (const auto here = met_.placed(to.mode, to.t, to.y))
      if (auto done = take_meetings(met_.sides_after_meetings(to.y, *here, look_.sides(), to, counts_.crossings), to);
          !done)
        return done;
    return react(was, events_.truths(to.mode), to);
  }
  Mode judged = to.mode;
  if (auto done = take_after_jump(y_before, to, judged); !done) return done;
  auto done = react(was, events_.truths(judged), to);
  return done && std::exchange(has_opened_, false) ? follow(y_before, to) : done;
}

/// \param happened  events of the last round; empty: events at ever shorter intervals
Failure SwitchSource::endless(double t, std::span<const std::size_t> happened) {
  is_at_an_end_ = true;
  if (!happened.empty()) {
    const std::size_t first = happened.front();
    return EventActions::failure_of(
        first, FailureKind::kEventLoop, t,
        fmt::format("event `{}` and the events that it causes do not come to an end", events_.events()[first].name));
  }
  Failure failure;
  failure.kind = FailureKind::kEventLoop;
  failure.t = t;
  failure.message = fmt::format("events follow each other at ever shorter intervals where `{}` changes",
                                leaving_ ? surfaces_.text_of(*leaving_) : seen_.of);
  const std::size_t surface = leaving_ ? leaving_->surface : seen_.surface;
  run_.dynamics.binding()->watches->places_of_surfaces[surface].join_to(failure);
  std::ranges::stable_partition(failure.statements,
                                [](const StatementId& one) { return one.kind == StatementId::Kind::kEvent; });
  return failure;
}

/// Called with the state on a surface, or just before a sharp value.
Outcome<void> SwitchSource::pass(const Found& found, Transition& to) {
  if (!leaving_ && seen_.what != Seen::What::kCrossing) return {};
  // Contacts end accumulations of impacts.
  const bool is_landing = !leaving_ && gaps_.hold(seen_.surface);
  if (is_landing || !is_too_fast(found.t)) {
    const Vector y_before = to.y;
    auto done = leaving_ ? leave(to) : cross(to);
    return done && std::exchange(has_opened_, false) ? follow(y_before, to) : done;
  }
  if (events_.has_any()) return fail(endless(found.t, {}));
  note_unproven(found.t, leaving_ ? surfaces_.text_of(*leaving_) : seen_.of);
  passages_.clear();
  as_stated_.steps = as_stated_.next;
  as_stated_.next = std::min(2 * as_stated_.next, kMostAsStated);
  take(to.mode, {});
  return {};
}

bool SwitchSource::gives_way(double t, const Vector&, Mode& mode) {
  if (look_.sides().empty() || is_at_an_end_ || !gaps_.all.empty()) return false;
  note_unproven(t, seen_.of.empty() ? run_.dynamics.binding()->watches->switches.surfaces().front().text : seen_.of);
  as_stated_.steps = kStepsAsStated;
  take(mode, {});
  return true;
}

void SwitchSource::end(RunRecord& run, const Sample* last) {
  counts_.closer = look_.closer();
  counts_.not_watched = run_.dynamics.binding()->watches->of_unknowns;
  run.looking = counts_;
  if (look_.sides().empty() || last == nullptr) return;
  const Vector y = packed_state(*last);
  Mode stated = run_.mode;
  set_sides(stated, run_.dynamics.binding(), {});
  if (are_switched(rate_at(run_.dynamics, stated, last->t, y), rate_at(run_.dynamics, run_.mode, last->t, y)))
    run.events.push_back(Passage{last->t, ""});
}

}  // namespace

std::unique_ptr<EventSource> make_switch_source(const Watched& run) {
  return run.dynamics.binding()->watches ? std::make_unique<SwitchSource>(run) : nullptr;
}

}  // namespace vinculum::sim
