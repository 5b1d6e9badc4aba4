#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/sim/run/friction_state.hpp"
#include "vinculum/sim/run/guards/guard.hpp"

namespace vinculum::sim {
namespace {

using integrate::Action;

constexpr double kRestPerTolerance = 10.0;  // × tolerance × typical speed: it has come to rest
constexpr double kCreeps = 0.01;            // the same, for what only nears zero
constexpr double kAfterTooLong = 0.25;      // of a step within which a direction of sliding turned about
constexpr double kSetsOff = 0.1;            // of a step that has not resolved how what was at rest sets off
constexpr int kLooks = 4;                   // into a step in which all slide
constexpr int kDegreeOfMargin = 8;          // of the margin of what sticks, interpolated over a part of a step
constexpr int kMostPartsStuck = 400;        // of a step
constexpr std::size_t kMostChanges = 200;   // within `tolerance::kSameEvent` of the time so far

bool has_one(const std::vector<char>& sticks) { return std::ranges::find(sticks, char{1}) != sticks.end(); }

/// Follows stick and slip along a run (theory.md §4.6). A sliding velocity that comes to zero within a step ends it
/// there: where the force that would keep it at zero stays within the bound it sticks, else it sets off against that
/// force. What sticks starts to slide where that force exceeds the bound. Both instants are found on the dense output
/// of the step, to rounding. Where a direction has turned about without rest the step is taken again, shorter.
///
/// What sticks lets steps grow, and its load may exceed the bound anywhere within one: bound² − |force|², smooth where
/// the force vanishes, is interpolated at Chebyshev's nodes, over parts of the step that are halved until the last
/// coefficients are small and the others leave the margin no room to vanish.   Law: tests/hybrid (creeping blocks).
class StickSlipGuard final : public Guard {
 public:
  explicit StickSlipGuard(const Watched& run)
      : dynamics_(run.dynamics),
        tolerance_(run.tolerance),
        count_(static_cast<int>(run.dynamics.compiled().system->slides.size())),
        typical_(Vector::Zero(count_)),
        squares_(Vector::Zero(count_)),
        margins_(Matrix::Ones(kDegreeOfMargin + 1, count_)) {}

  Outcome<void> check(const integrate::Step& step, std::vector<Found>& found) override;
  void keep(const integrate::Step&, Trajectory&) override { dynamics_.set_friction(at_end_); }
  Outcome<void> pass(const Found& found, Vector& y, Trajectory& run) override;
  std::optional<Failure> explain(double t, const Vector& y) override;

 private:
  struct Instant {
    double t = 0.0;
    Vector y, v, size;
    FrictionReading reading;  ///< where something sticks
  };
  [[nodiscard]] bool sticks(int slide) const {
    return dynamics_.friction().sticks[static_cast<std::size_t>(slide)] != 0;
  }
  [[nodiscard]] auto part(const Vector& of, int slide) const {
    return of.segment(slide_of(dynamics_, slide).first, slide_of(dynamics_, slide).count);
  }
  [[nodiscard]] Outcome<void> look(const integrate::Step& step, double t, Instant& at);
  [[nodiscard]] Outcome<void> read(Instant& at);
  [[nodiscard]] double margin(const Instant& at, int slide) const;
  [[nodiscard]] bool is_over(const Instant& at, int slide) const;
  [[nodiscard]] bool is_clear(const Instant& at) const;
  [[nodiscard]] Outcome<Instant> end_of(const integrate::Step& step, const Instant& before, const Instant& after,
                                        int slide);
  [[nodiscard]] Outcome<void> look_along(const integrate::Step& step, Instant& before, Instant& at,
                                         std::vector<int>& over);
  [[nodiscard]] Outcome<void> look_at_nodes(const integrate::Step& step, double from, double to, Instant& before,
                                            Instant& at, std::vector<int>& over);
  [[nodiscard]] bool stays_stuck() const;
  [[nodiscard]] bool stays_stuck(int slide) const;
  void note_over(const Instant& at, std::vector<int>& over) const;
  void look_at_end(const integrate::Step& step, const Instant& begin, const Instant& end, std::vector<Found>& found);
  [[nodiscard]] Outcome<void> note_time(double t);

  Dynamics& dynamics_;
  double tolerance_;
  int count_;
  Vector typical_;                                               ///< [slides] largest speeds so far
  double shown_ = 0.0;                                           ///< up to where of a step is known what happens
  Vector squares_;                                               ///< [slides] bound² at the last node
  Matrix margins_;                                               ///< [nodes × slides] bound² − |force|² of what sticks
  std::vector<double> times_;                                    ///< of the last changes
  double hidden_at_ = std::numeric_limits<double>::quiet_NaN();  ///< begin of the last step that was too long for this
  Instant clear_;                        ///< the last of the step at which `is_clear`, or its begin
  FrictionState at_end_;                 ///< directions at the end of a step in which nothing happens
  std::vector<int> at_rest_, released_;  ///< slides whose velocity is zero at the event; that stick no longer
};

Outcome<void> StickSlipGuard::read(Instant& at) {
  dynamics_.read_slides(at.t, at.y.data(), at.v, at.size);
  if (!has_one(dynamics_.friction().sticks)) return {};
  return dynamics_.read_friction(at.t, at.y.data(), at.reading);
}

Outcome<void> StickSlipGuard::look(const integrate::Step& step, double t, Instant& at) {
  at.t = t;
  if (t == step.t_end()) {
    at.y = step.y_end();
  } else if (auto done = step.interpolate(t, at.y); !done) {
    return done;
  } else if (const auto moved = dynamics_.project(t, at.y.data()); !moved) {
    return fail(moved.error());
  }
  return read(at);
}

/// > 0 while the slide goes on as it does.
double StickSlipGuard::margin(const Instant& at, int slide) const {
  if (sticks(slide)) return at.reading.static_bound[slide] - part(at.reading.force, slide).norm();
  return part(at.v, slide).dot(part(dynamics_.friction().direction, slide));
}

bool StickSlipGuard::is_over(const Instant& at, int slide) const {
  return margin(at, slide) < -tolerance::kZero * (sticks(slide) ? at.reading.static_bound[slide] : at.size[slide]);
}

/// Whether all that sticks does so by more than `is_over` takes for nothing. A node may lie on the bound as far as that
/// tells: what lets go behind it has done so since the last instant in the clear.
bool StickSlipGuard::is_clear(const Instant& at) const {
  for (int slide = 0; slide < count_; ++slide)
    if (sticks(slide) && !(margin(at, slide) > tolerance::kZero * at.reading.static_bound[slide])) return false;
  return true;
}

/// Where the margin is zero between two instants: the one just beyond.
Outcome<StickSlipGuard::Instant> StickSlipGuard::end_of(const integrate::Step& step, const Instant& before,
                                                        const Instant& after, int slide) {
  Instant at, beyond = after;
  const auto margin_at = [&](double t) -> Outcome<double> {
    if (auto done = look(step, t, at); !done) return fail(done.error());
    const double value = margin(at, slide);
    if (!(value > 0.0)) beyond = at;
    return value;
  };
  const Instant& from = sticks(slide) && margin(clear_, slide) > 0.0 ? clear_ : before;
  const double at_from = margin(from, slide);
  if (!(at_from > 0.0)) return before;
  const integrate::Crossing crossing =
      integrate::find_crossing(margin_at, from.t, at_from, after.t, margin(after, slide), 0.0);
  if (crossing.blind) return fail(*crossing.blind);
  return beyond;
}

void StickSlipGuard::note_over(const Instant& at, std::vector<int>& over) const {
  for (int slide = 0; slide < count_; ++slide) {
    if (is_over(at, slide)) over.push_back(slide);
  }
}

/// What ends first in a step, between the instants `before` and `at`; otherwise `at` is its end.
Outcome<void> StickSlipGuard::look_along(const integrate::Step& step, Instant& before, Instant& at,
                                         std::vector<int>& over) {
  const double t0 = step.t_begin(), h = step.t_end() - t0;
  const auto time_of = [&](double part) { return part == 1.0 ? step.t_end() : t0 + part * h; };
  if (!has_one(dynamics_.friction().sticks)) {
    for (int look_at = 1; look_at <= kLooks && over.empty(); ++look_at) {
      if (auto done = look(step, time_of(static_cast<double>(look_at) / kLooks), at); !done) return done;
      note_over(at, over);
      if (over.empty()) before = at;
    }
    return {};
  }
  std::vector<std::pair<double, double>> parts = {{0.0, 1.0}};  // the earliest last
  for (int count = 0; !parts.empty(); ++count) {
    const auto [from, to] = parts.back();
    parts.pop_back();
    const Instant begin = before, clear = clear_;
    if (auto done = look_at_nodes(step, time_of(from), time_of(to), before, at, over); !done || !over.empty())
      return done;
    if (stays_stuck() || to - from <= tolerance::kSameEvent) continue;
    before = begin;
    clear_ = clear;
    if (count >= kMostPartsStuck) {
      shown_ = time_of(from);
      return {};
    }
    parts.emplace_back(0.5 * (from + to), to);
    parts.emplace_back(from, 0.5 * (from + to));
  }
  return {};
}

/// At Chebyshev's nodes from `before`, where the part begins, to its end, or to where something is over.
Outcome<void> StickSlipGuard::look_at_nodes(const integrate::Step& step, double from, double to, Instant& before,
                                            Instant& at, std::vector<int>& over) {
  at = before;
  for (int node = 0; node <= kDegreeOfMargin; ++node) {
    const double part = 0.5 * (1.0 - std::cos(std::numbers::pi * node / kDegreeOfMargin));
    if (node > 0) {
      if (auto done = look(step, node == kDegreeOfMargin ? to : from + part * (to - from), at); !done) return done;
      note_over(at, over);
      if (!over.empty()) return {};
    }
    for (int slide = 0; slide < count_; ++slide) {
      if (!sticks(slide)) continue;
      const double bound = at.reading.static_bound[slide];
      margins_(node, slide) = bound * bound - this->part(at.reading.force, slide).squaredNorm();
      squares_[slide] = bound * bound;
    }
    before = at;
    if (is_clear(at)) clear_ = at;
  }
  return {};
}

/// Whether what sticks does so all over the part whose nodes were looked at.
bool StickSlipGuard::stays_stuck() const {
  for (int slide = 0; slide < count_; ++slide)
    if (!stays_stuck(slide)) return false;
  return true;
}

bool StickSlipGuard::stays_stuck(int slide) const {
  if (!sticks(slide)) return true;
  double middle = 0.0, others = 0.0, last = 0.0;
  for (int k = 0; k <= kDegreeOfMargin; ++k) {
    double sum = 0.0;
    for (int node = 0; node <= kDegreeOfMargin; ++node) {
      const double weight = node == 0 || node == kDegreeOfMargin ? 0.5 : 1.0;
      sum += weight * margins_(node, slide) * std::cos(std::numbers::pi * k * node / kDegreeOfMargin);
    }
    const double coefficient = sum * (k == 0 || k == kDegreeOfMargin ? 1.0 : 2.0) / kDegreeOfMargin;
    if (k == 0)
      middle = coefficient;
    else
      others += std::abs(coefficient);
    if (k + 1 >= kDegreeOfMargin) last += std::abs(coefficient);
  }
  const double size = margins_.col(slide).cwiseAbs().maxCoeff();
  const bool is_constant = others <= tolerance::kZero * size;
  const double noise = 2.0 * tolerance::kZero * squares_[slide];  // what `is_over` takes for none
  const bool is_resolved = last <= tolerance::kFloor * size || last <= noise;
  return is_constant || (is_resolved && middle - others - last > -noise);
}

/// A load that comes to the bound again and again, however short the step.
std::optional<Failure> StickSlipGuard::explain(double t, const Vector&) {
  if (t != hidden_at_) return std::nullopt;
  for (int slide = 0; slide < count_; ++slide) {
    if (!stays_stuck(slide))
      return friction_failure(dynamics_, FailureKind::kStepTooSmall, t, slide,
                              "whether `{}` sticks changes, or seems to, within every step however short");
  }
  return std::nullopt;
}

Outcome<void> StickSlipGuard::check(const integrate::Step& step, std::vector<Found>& found) {
  const double h = step.t_end() - step.t_begin();
  Instant before;
  before.t = step.t_begin();
  before.y = step.y_begin();
  if (auto done = read(before); !done) return done;
  const Instant begin = clear_ = before;
  typical_ = typical_.cwiseMax(begin.size);

  std::vector<int> over;
  Instant at;
  shown_ = step.t_end();
  if (auto done = look_along(step, before, at, over); !done) return done;
  if (over.empty() && shown_ < step.t_end()) {
    found.push_back({step.t_begin(), Action::kRetake, {}, shown_ - step.t_begin()});
    hidden_at_ = step.t_begin();
    return {};
  }
  typical_ = typical_.cwiseMax(at.size);
  at_rest_.clear();
  released_.clear();
  at_end_ = dynamics_.friction();
  if (over.empty()) {
    look_at_end(step, begin, at, found);
    return {};
  }

  std::vector<Instant> ends;
  double t = std::numeric_limits<double>::infinity();
  for (const int slide : over) {
    auto end = end_of(step, before, at, slide);
    if (!end) return fail(end.error());
    t = std::min(t, end->t);
    ends.push_back(std::move(*end));
  }
  const double last_places = kLastPlaces * std::abs(step.t_begin());  // of the time: no step ends within them
  for (std::size_t i = 0; i < over.size(); ++i) {
    if (ends[i].t > t + tolerance::kSameEvent * h) continue;
    const int slide = over[i];
    if (sticks(slide)) {
      released_.push_back(slide);
      continue;
    }
    if (ends[i].t - step.t_begin() <= last_places && kSetsOff * h > last_places) {
      found.push_back({step.t_begin(), Action::kRetake, {}, kSetsOff * h});  // set off and back within too long a step
      return {};
    }
    const double by_time = last_places * (part(at.v, slide) - part(before.v, slide)).norm() / (at.t - before.t);
    const double least =
        kRestPerTolerance * tolerance_ * typical_[slide] + tolerance::kZero * ends[i].size[slide] + by_time;
    if (part(ends[i].v, slide).norm() > least) {
      found.push_back({step.t_begin(), Action::kRetake, {}, kAfterTooLong * h});
      return {};
    }
    at_rest_.push_back(slide);
  }
  found.push_back({t, Action::kChange});
  return {};
}

/// Directions at the end; what creeps towards zero there has come to rest.
void StickSlipGuard::look_at_end(const integrate::Step& step, const Instant& begin, const Instant& end,
                                 std::vector<Found>& found) {
  for (int slide = 0; slide < count_; ++slide) {
    if (sticks(slide)) continue;
    const dynamics::Slide& s = slide_of(dynamics_, slide);
    const double v = part(end.v, slide).norm();
    if (v <= kCreeps * tolerance_ * typical_[slide] && v < part(begin.v, slide).norm()) at_rest_.push_back(slide);
    if (v > tolerance::kZero * end.size[slide]) at_end_.direction.segment(s.first, s.count) = part(end.v, slide) / v;
  }
  if (!at_rest_.empty()) found.push_back({step.t_end(), Action::kChange});
}

/// Changes must not follow each other ever faster.
Outcome<void> StickSlipGuard::note_time(double t) {
  times_.push_back(t);
  if (times_.size() <= kMostChanges) return {};
  const auto first = times_.end() - 1 - static_cast<std::ptrdiff_t>(kMostChanges);
  if (t - *first <= tolerance::kSameEvent * std::abs(t)) {
    return fail(friction_failure(dynamics_, FailureKind::kStepTooSmall, t,
                                 at_rest_.empty() ? released_.front() : at_rest_.front(),
                                 "sticking and sliding at `{}` follow each other ever faster"));
  }
  times_.erase(times_.begin(), first);
  return {};
}

Outcome<void> StickSlipGuard::pass(const Found& found, Vector& y, Trajectory& run) {
  const auto holds = [](const std::vector<int>& slides, int slide) {
    return std::ranges::find(slides, slide) != slides.end();
  };
  const FrictionState before = dynamics_.friction();
  dynamics_.set_friction(at_end_);
  if (auto done = note_time(found.t); !done) return done;
  const auto stuck = [&](int slide) { return before.sticks[static_cast<std::size_t>(slide)] != 0; };
  std::vector<int> resting = at_rest_;
  for (int slide = 0; slide < count_; ++slide) {
    if (stuck(slide) && !holds(released_, slide)) resting.push_back(slide);
  }
  if (auto done = go_on_from_rest(dynamics_, found.t, y.data(), resting, released_); !done) return done;
  using To = FrictionChange::To;
  for (int slide = 0; slide < count_; ++slide) {
    if (stuck(slide) == sticks(slide) && !holds(at_rest_, slide)) continue;
    run.friction_changes.push_back({found.t, slide, slide_of(dynamics_, slide).constraint,
                                    sticks(slide)  ? To::kSticks
                                    : stuck(slide) ? To::kSlides
                                                   : To::kSlidesOn});
  }
  return {};
}

}  // namespace

std::unique_ptr<Guard> make_stick_slip_guard(const Watched& run) {
  return run.dynamics.compiled().system->slides.empty() ? nullptr : std::make_unique<StickSlipGuard>(run);
}

}  // namespace vinculum::sim
