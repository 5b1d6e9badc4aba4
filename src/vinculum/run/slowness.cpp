#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <set>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/friction_state.hpp"
#include "vinculum/run/spectrum.hpp"
#include "vinculum/run/standard_sources.hpp"

namespace vinculum::sim {
namespace {

// Number of suspicious steps after which the alarm is triggered, and number of successive other steps that resets the
// count (Hairer & Wanner II, IV.2).
constexpr int kAlarm = 15, kResetting = 6;
// A step is suspicious from this stiffness indicator on. The step control settles slightly below 1.
constexpr double kNearBound = 0.9;
constexpr double kManySteps = 5000.0;      // a run counts as slow if it needs more than this many further steps
constexpr double kTooManySteps = 1e7;      // remaining steps above which a run counts as slow whatever the cause
constexpr int kShortSteps = 1000;          // short steps before a note; a start from rest may take some hundred
constexpr double kNearResolution = 1e3;    // steps shorter than this many times the resolution of time count as short
constexpr std::size_t kManyChanges = 100;  // number of changes in quick succession that count as chattering
constexpr double kOfStability = 0.5;       // least h|λ| of the fastest mode for a note on stiffness

/// Counts suspicious steps. Several other steps in succession reset the count.
struct Alarm {
  int most = kAlarm;
  int with = 0, without = 0;
  /// Counts a step.   \param has_sign  the step is suspicious   \returns true if this step triggers the alarm.
  bool hear(bool has_sign) {
    without = has_sign ? 0 : without + 1;
    if (has_sign) ++with;
    if (without == kResetting) with = 0;
    return has_sign && with == most;
  }
};

/// Notes, while a run is slow, the reason: steps limited by stability, changes in quick succession, or a limit of the
/// step size. Each kind is noted once. The motion does not change.
///
/// Source: Hairer & Wanner II, IV.2 (the quotient of two stages at the end of a step; their 15 and 6).
class SlownessSource final : public EventSource {
 public:
  explicit SlownessSource(const Watched& run) : run_(run) {}

  std::optional<Failure> begin(Transition& start, RunRecord& run) override {
    t_end_ = start.t + run_.duration;
    record_ = &run;
    return std::nullopt;
  }
  /// The changes are examined here and not in `keep`, because `keep` is not called for steps that end at a change.
  Outcome<void> check(const integrate::Step& step, std::vector<Found>&) override {
    look_at_changes(step.t_begin(), *record_);
    return {};
  }
  void keep(const integrate::Step& step, Mode& mode, RunRecord& run) override;

 private:
  void look_at_stability(const integrate::Step& step, RunRecord& run);
  void look_at_changes(double t, RunRecord& run);
  void look_at_limits(const integrate::Step& step, RunRecord& run);
  void say(Note note, RunRecord& run);
  [[nodiscard]] std::string ahead(double h) const { return fmt::format("{:.2g} more to the end", left_ / h); }

  Watched run_;
  RunRecord* record_ = nullptr;  ///< record of the run, set by `begin`
  double t_end_ = 0.0;
  double left_ = 0.0;  ///< [s] remaining time of the run
  Alarm stiff_, limited_, short_{.most = kShortSteps};
  int false_alarms_ = 0;
  std::deque<double> changes_;  ///< [s] times of the last switchings and friction changes
  std::size_t known_events_ = 0;
  std::set<std::string> said_;
};

void SlownessSource::say(Note note, RunRecord& run) {
  if (said_.insert(note.kind).second) run.notes.push_back(std::move(note));
}

void SlownessSource::keep(const integrate::Step& step, Mode&, RunRecord& run) {
  left_ = t_end_ - step.t_end();
  look_at_stability(step, run);
  look_at_limits(step, run);
}

/// Notes that stability limits the steps, if the linearized motion has an eigenmode that is fast enough. It is
/// stiffness if the mode decays, otherwise an oscillation.
void SlownessSource::look_at_stability(const integrate::Step& step, RunRecord& run) {
  const double h = step.t_end() - step.t_begin();
  if (!stiff_.hear(step.stiffness() > kNearBound && left_ > kManySteps * h)) return;
  stiff_.with = -kAlarm * (1 << std::min(false_alarms_++, 20));  // doubles the number of steps until the next analysis
  const auto mode = fastest_mode(run_.dynamics, run_.mode, step.t_end(), step.y_end());
  if (!mode || !(h * std::abs(mode->rate) > kOfStability)) return;
  Note note;
  note.kind = mode->is_damped() ? "stiffness" : "oscillation";
  note.t = step.t_end();
  note.rate = std::abs(mode->rate);
  note.steps = left_ / h;
  note.component = component_name(run_.dynamics.binding(), mode->component);
  note.term = mode->term;
  const std::string by = note.term.empty() ? "" : fmt::format(" by `{}`", note.term);
  note.text = mode->is_damped()
                  ? fmt::format(
                        "stiff: `{}` is damped{} at a rate of {:.2g} 1/s, so that stability and not accuracy limits "
                        "the steps, {}; less damping, a constraint in its place or `method radau` needs fewer",
                        note.component, by, note.rate, ahead(h))
                  : fmt::format(
                        "fast: `{}` swings{} at {:.2g} rad/s, which steps have to follow, {}; a constraint in "
                        "its place needs fewer",
                        note.component, by, note.rate, ahead(h));
  say(std::move(note), run);
}

/// Notes switchings and changes between stick and slip that follow each other closely.
void SlownessSource::look_at_changes(double t, RunRecord& run) {
  const auto is_change = [](const RunEvent& event) {
    return std::holds_alternative<Passage>(event) || std::holds_alternative<FrictionChange>(event);
  };
  const auto known = static_cast<std::ptrdiff_t>(std::exchange(known_events_, run.events.size()));
  if (std::none_of(run.events.begin() + known, run.events.end(), is_change)) return;
  changes_.push_back(t);
  left_ = t_end_ - t;
  if (changes_.size() <= kManyChanges) return;
  changes_.pop_front();
  const double pace = (changes_.back() - changes_.front()) / static_cast<double>(kManyChanges - 1);
  if (!(left_ > kManySteps * pace)) return;
  Note note;
  note.kind = "chatter";
  note.t = t;
  note.rate = 1.0 / std::max(pace, tolerance::kLeast);
  note.steps = left_ / std::max(pace, tolerance::kLeast);
  const auto* const friction = run.last<FrictionChange>();
  const auto* const passage = run.last<Passage>();
  const bool is_friction = friction != nullptr && friction->t == changes_.back();
  note.term = is_friction ? name_of_slide(run_.dynamics, friction->slide) : passage != nullptr ? passage->of : "";
  note.text = fmt::format("chatter: `{}` switches every {:.2g} s, {}; steps end at each", note.term, pace, ahead(pace));
  say(std::move(note), run);
}

/// Notes steps that are as long as `max step` permits, or so short that the resolution of time limits them.
void SlownessSource::look_at_limits(const integrate::Step& step, RunRecord& run) {
  const double h = step.t_end() - step.t_begin();
  const bool is_limited = run_.largest_step > 0.0 && h >= (1.0 - tolerance::kSameEvent) * run_.largest_step;
  Note note;
  note.t = step.t_end();
  note.rate = 1.0 / h;
  note.steps = left_ / h;
  if (limited_.hear(is_limited && left_ > kManySteps * h)) {
    note.kind = "max-step";
    note.text = fmt::format("`max step` keeps steps at {:.3g} s, {}", run_.largest_step, ahead(h));
    say(note, run);
  }
  const double resolution =
      4.0 * tolerance::kEqual * std::max(std::abs(step.t_end()), tolerance::kBeside * run_.duration);
  const bool is_short = left_ > kTooManySteps * h || (left_ > kManySteps * h && h < kNearResolution * resolution);
  const bool is_explained = !said_.empty();  // another note has already given a reason for short steps
  if (!short_.hear(is_short && !is_limited) || is_explained) return;
  note.kind = "short-steps";
  const integrate::WorstComponent worst = step.worst();
  if (worst.index >= 0) note.component = component_name(run_.dynamics.binding(), worst.index);
  note.text = fmt::format("steps of {:.2g} s, {}; `{}` has the largest error", h, ahead(h), note.component);
  say(std::move(note), run);
}

}  // namespace

std::unique_ptr<EventSource> make_slowness_source(const Watched& run) { return std::make_unique<SlownessSource>(run); }

}  // namespace vinculum::sim
