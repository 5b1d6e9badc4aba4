#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <tuple>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/contacts.hpp"
#include "vinculum/hybrid/event_source.hpp"
#include "vinculum/hybrid/friction_changes.hpp"
#include "vinculum/hybrid/friction_state.hpp"
#include "vinculum/hybrid/margin_shape.hpp"
#include "vinculum/hybrid/state_in_step.hpp"
#include "vinculum/motion/friction_of.hpp"

namespace vinculum::sim {
namespace {

using integrate::Action;

// Part of the step to take again if a direction of sliding reversed within it without coming to rest.
constexpr double kAfterTooLong = 0.25;
constexpr double kSetsOff = 0.1;  // part of the step to take again if it did not resolve how a contact starts to slide
constexpr int kLooks = 4;         // instants at which a step is examined if all contacts slide
// Degree of the interpolant of the margin of sticking contacts, over a part of a step.
constexpr int kDegreeOfMargin = 8;
constexpr int kMostPartsStuck = 400;  // largest number of parts of a step
// Part of the typical speed: above it a sticking contact moves by more than rounding errors.
constexpr double kCarriedAlong = tolerance::kConditioned;
// A state of friction is contradicted if it is violated by this many times the error of the state.
constexpr double kContradicts = 1e3;
// Changes between stick and slip, within `tolerance::kSameEvent` of the time, that end the run.
constexpr std::size_t kMostChanges = 200;

bool has_one(const std::vector<char>& sticks) { return std::ranges::find(sticks, char{1}) != sticks.end(); }

/// The components of a contact in a vector of all contacts.
auto part(const Dynamics& dynamics, const Vector& of, int slide) {
  return of.segment(slide_of(dynamics, slide).first, slide_of(dynamics, slide).count);
}

/// Follows stick and slip along a run (theory.md §4.6). If a sliding velocity comes to zero within a step, the step
/// ends there: the contact sticks if the force that keeps the velocity at zero is within the bound, otherwise it starts
/// to slide against that force. A sticking contact starts to slide if that force exceeds the bound. Both instants are
/// found on the dense output, up to rounding. If a direction has reversed without coming to rest, the step is taken
/// again, shorter.
///
/// Sticking contacts do not limit the step size, and their load may exceed the bound anywhere within a step. The margin
/// bound² − |force|², which is smooth where the force vanishes, is interpolated at Chebyshev nodes, over parts of the
/// step. Parts are halved until the last coefficients are small and the others exclude a zero, or show where it is. If
/// forces of sticking contacts are not unique, the margin is the largest that any choice of them has (FrictionReading).
///
/// At both ends of every step the state of friction must hold; otherwise the run ends as region-contradiction.
/// Test: tests/hybrid (creeping blocks).
class StickSlipSource final : public EventSource {
 public:
  explicit StickSlipSource(const Watched& run)
      : run_(run),
        count_(static_cast<int>(run.dynamics.binding()->system->slides.size())),
        typical_(Vector::Zero(count_)),
        usual_(Vector::Zero(count_)),
        squares_(Vector::Zero(count_)),
        largest_bounds_(Vector::Zero(count_)),
        margins_(Matrix::Ones(kDegreeOfMargin + 1, count_)),
        contacts_(run.dynamics, run.duration) {}

  Outcome<void> check(const integrate::Step& step, std::vector<Found>& found) override;
  void keep(const integrate::Step&, Mode& mode, RunRecord&) override { set_friction(mode, at_end_); }
  Outcome<void> pass(const Found& found, Transition& to) override;
  /// Forces may jump with the state, so which contacts stick is decided again.
  Outcome<void> follow(const Vector&, Transition& to) override {
    return to.sets ? settle_friction(run_.dynamics, to.mode, to.t, to.y.data()) : Outcome<void>();
  }
  std::optional<Failure> explain(double t, const Vector& y) override;

 private:
  struct Instant {
    double t = 0.0;
    Vector y, v, size;
    FrictionReading reading;  ///< set if a contact sticks
  };
  [[nodiscard]] bool sticks(int slide) const { return run_.mode.friction.sticks[static_cast<std::size_t>(slide)] != 0; }
  [[nodiscard]] Outcome<void> look(const integrate::Step& step, double t, Instant& at);
  [[nodiscard]] Outcome<void> read(Instant& at);
  void begin_step(const Instant& at, double length, const std::vector<Found>& found);
  [[nodiscard]] double margin(const Instant& at, int slide) const;
  [[nodiscard]] double size(const Instant& at, int slide) const;
  [[nodiscard]] bool is_carried(const Instant& at, int slide) const;
  [[nodiscard]] bool is_over(const Instant& at, int slide) const;
  [[nodiscard]] bool is_clear(const Instant& at) const;
  [[nodiscard]] std::pair<double, double> smooth_margin(const Instant& at, int slide) const;
  [[nodiscard]] Outcome<Instant> end_of(const integrate::Step& step, const Instant& before, const Instant& after,
                                        int slide);
  [[nodiscard]] Outcome<void> look_along(const integrate::Step& step, Instant& before, Instant& at,
                                         std::vector<int>& over);
  [[nodiscard]] Outcome<void> look_at_nodes(const integrate::Step& step, double from, double to, int stride,
                                            const Instant& begin);
  [[nodiscard]] std::size_t find_over(std::vector<int>& over) const;
  [[nodiscard]] bool is_resolved() const;
  /// Values of bound² − |force|² (of the margin, if forces are not unique) up to this size count as zero in `is_over`.
  [[nodiscard]] double noise(int slide) const {
    if (is_shared_) return tolerance::kConsistency;
    return 2.0 * tolerance::kZero *
           (is_unilateral(run_.dynamics, slide) ? largest_bounds_[slide] * largest_bounds_[slide] : squares_[slide]);
  }
  [[nodiscard]] bool stays_stuck(int stride) const;
  [[nodiscard]] bool stays_stuck(int slide, int stride) const;
  [[nodiscard]] Outcome<bool> stop_at_negative(const integrate::Step& step, std::vector<Found>& found);
  [[nodiscard]] int contradiction(const Instant& at) const;
  [[nodiscard]] bool stop_at_contradiction(const Instant& at, std::vector<Found>& found) const;
  void note_over(const Instant& at, std::vector<int>& over) const;
  void look_at_end(const integrate::Step& step, const Instant& begin, const Instant& end, std::vector<Found>& found);
  [[nodiscard]] Outcome<void> note_time(double t);

  Watched run_;
  int count_;
  /// [slides] 0 while the unilateral constraint with this friction is open, in the present step
  std::vector<char> acts_;
  Vector typical_;          ///< [slides] largest speeds so far
  Vector usual_;            ///< [slides] sliding speeds if all u have their typical size
  double length_ = 0.0;     ///< [s] of the present step
  double last_part_ = 1.0;  ///< part of the step up to which contacts remain closed
  double shown_ = 0.0;      ///< [s] time up to which it is proved what happens in the step
  Vector squares_;          ///< [slides] bound² at the last node
  Vector largest_bounds_;   ///< [slides] so far, of contacts that stick
  bool is_shared_ = false;  ///< forces are not unique at some node
  Matrix margins_;          ///< [nodes × slides] bound² − |force|² of sticking contacts
  Contacts contacts_;
  std::vector<double> times_;  ///< [s] of the last changes
  /// [s] Begin of the last step that was taken again, shorter, because `shown_` did not reach its end. NaN if there was
  /// none.
  double hidden_at_ = std::numeric_limits<double>::quiet_NaN();
  std::vector<Instant> nodes_;           ///< of the part of a step that is examined
  Instant clear_;                        ///< the last instant of the step at which `is_clear`, or its begin
  FrictionState at_end_;                 ///< directions at the end of a step without event
  std::vector<int> at_rest_, released_;  ///< contacts whose velocity is zero at the event; contacts that no longer
                                         ///< stick
};

Outcome<void> StickSlipSource::read(Instant& at) {
  FrictionOf(run_.dynamics).read_slides(run_.mode, at.t, at.y.data(), at.v, at.size);
  if (!has_one(run_.mode.friction.sticks)) return {};
  auto done = FrictionOf(run_.dynamics).read(run_.mode, at.t, at.y.data(), at.reading);
  if (done) largest_bounds_ = largest_bounds_.cwiseMax(at.reading.static_bound);
  return done;
}

/// Updates the sliding speeds at typical u. Errors of contacts at rest are relative to these, not to their own speeds.
/// \param found  events of other sources in the step
void StickSlipSource::begin_step(const Instant& at, double length, const std::vector<Found>& found) {
  acts_ = acting_slides(run_.dynamics, run_.mode);
  typical_ = typical_.cwiseMax(at.size);
  length_ = length;
  last_part_ = 1.0;
  if (contacts_.has_any())
    for (const Found& other : found) last_part_ = std::min(last_part_, (other.t - at.t) / length);
  const auto first = static_cast<Eigen::Index>(run_.dynamics.binding()->nq()),
             count = static_cast<Eigen::Index>(run_.dynamics.binding()->nu());
  Vector moving = at.y, v, size;
  moving.segment(first, count) = run_.dynamics.scale().segment(first, count);
  FrictionOf(run_.dynamics).read_slides(run_.mode, at.t, moving.data(), v, size);
  usual_ = usual_.cwiseMax(size);
}

Outcome<void> StickSlipSource::look(const integrate::Step& step, double t, Instant& at) {
  at.t = t;
  if (auto done = state_in_step(run_.dynamics, run_.mode, step, t, at.y); !done) return done;
  return read(at);
}

/// > 0 while the contact continues to stick or slide.
double StickSlipSource::margin(const Instant& at, int slide) const {
  if (!sticks(slide))
    return part(run_.dynamics, at.v, slide).dot(part(run_.dynamics, run_.mode.friction.direction, slide));
  if (is_carried(at, slide)) return kCarriedAlong * usual_[slide] - part(run_.dynamics, at.v, slide).norm();
  return at.reading.is_shared ? at.reading.margin[slide]
                              : at.reading.static_bound[slide] - part(run_.dynamics, at.reading.force, slide).norm();
}

/// Margins up to this size are rounding errors.
double StickSlipSource::size(const Instant& at, int slide) const {
  if (!sticks(slide)) return tolerance::kZero * at.size[slide];
  if (at.reading.is_shared) return tolerance::kConsistency;
  // Where a contact opens, its bound and its force become 0. Their rounding errors are those of the largest forces.
  const double bound = is_unilateral(run_.dynamics, slide) ? largest_bounds_[slide] : at.reading.static_bound[slide];
  return tolerance::kZero * bound;
}

/// Whether a sticking contact that no force can hold is carried along by a motion.
bool StickSlipSource::is_carried(const Instant& at, int slide) const {
  return sticks(slide) && part(run_.dynamics, at.v, slide).norm() > kCarriedAlong * usual_[slide];
}

bool StickSlipSource::is_over(const Instant& at, int slide) const {
  if (nth(acts_, slide) == 0) return false;
  return is_carried(at, slide) || margin(at, slide) < -size(at, slide);
}

/// Whether all sticking contacts have a margin larger than rounding errors. A node may lie on the bound within
/// rounding; a contact that lets go after such a node has let go since the last clear instant.
bool StickSlipSource::is_clear(const Instant& at) const {
  for (int slide = 0; slide < count_; ++slide)
    if (sticks(slide) && !(margin(at, slide) > size(at, slide))) return false;
  return true;
}

/// Finds where the margin of a contact is zero between two instants; returns the instant just beyond.
Outcome<StickSlipSource::Instant> StickSlipSource::end_of(const integrate::Step& step, const Instant& before,
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

void StickSlipSource::note_over(const Instant& at, std::vector<int>& over) const {
  for (int slide = 0; slide < count_; ++slide) {
    if (is_over(at, slide)) over.push_back(slide);
  }
}

/// Finds the first end of a stick or slip phase in a step, between the instants `before` and `at`. If no phase ends,
/// `at` is the end of the step.
Outcome<void> StickSlipSource::look_along(const integrate::Step& step, Instant& before, Instant& at,
                                          std::vector<int>& over) {
  const double t0 = step.t_begin(), h = step.t_end() - t0;
  const auto time_of = [&](double part) { return part == 1.0 ? step.t_end() : t0 + part * h; };
  if (!has_one(run_.mode.friction.sticks)) {
    for (int look_at = 1; look_at <= kLooks && over.empty(); ++look_at) {
      if (auto done = look(step, time_of(static_cast<double>(look_at) / kLooks), at); !done) return done;
      note_over(at, over);
      if (over.empty()) before = at;
    }
    return {};
  }
  std::vector<std::pair<double, double>> parts = {{0.0, last_part_}};  // the earliest last
  for (int count = 0; !parts.empty(); ++count) {
    const auto [from, to] = parts.back();
    parts.pop_back();
    const Instant begin = before;
    const bool is_shortest = to - from <= tolerance::kSameEvent;
    // Every second node is enough if the margin is wide; otherwise all nodes are used.
    std::size_t first_over = 0;
    bool stays = false;
    for (const int stride : {2, 1}) {
      if (auto done = look_at_nodes(step, time_of(from), time_of(to), stride, begin); !done) return done;
      first_over = find_over(over);
      stays = over.empty() && (stays_stuck(stride) || (stride == 1 && is_shortest));
      if (stays) break;
    }
    // If the margins are polynomials up to a thousandth, they are known between the nodes. Then the first node beyond
    // the bound comes after the first crossing.
    if (stays || (!over.empty() && (is_resolved() || is_shortest))) {
      const std::size_t last = over.empty() ? nodes_.size() - 1 : first_over;
      for (std::size_t node = 0; node < last; ++node)
        if (is_clear(nodes_[node])) clear_ = nodes_[node];
      before = nodes_[over.empty() ? last : last - 1];
      at = nodes_[last];
      if (over.empty() && is_clear(at)) clear_ = at;
      if (!over.empty()) return {};
      continue;
    }
    over.clear();
    if (count >= kMostPartsStuck) {
      shown_ = time_of(from);
      return {};
    }
    parts.emplace_back(0.5 * (from + to), to);
    parts.emplace_back(from, 0.5 * (from + to));
  }
  return {};
}

/// bound² − |force|² and bound². The former is smooth where the force vanishes.
std::pair<double, double> StickSlipSource::smooth_margin(const Instant& at, int slide) const {
  if (at.reading.is_shared) return {margin(at, slide), 1.0};
  const double bound = at.reading.static_bound[slide];
  return {bound * bound - part(run_.dynamics, at.reading.force, slide).squaredNorm(), bound * bound};
}

/// Evaluates the Chebyshev nodes of a part of a step that begins at `begin`. Stops after a node that cannot be
/// evaluated.
Outcome<void> StickSlipSource::look_at_nodes(const integrate::Step& step, double from, double to, int stride,
                                             const Instant& begin) {
  nodes_.clear();
  is_shared_ = false;
  for (int node = 0; node <= kDegreeOfMargin; node += stride) {
    const double part = 0.5 * (1.0 - std::cos(std::numbers::pi * node / kDegreeOfMargin));
    Instant at = begin;
    if (node > 0) {
      auto done = look(step, node == kDegreeOfMargin ? to : from + part * (to - from), at);
      std::vector<int> over;
      if (!nodes_.empty()) note_over(nodes_.back(), over);
      if (!done && !over.empty()) at = nodes_.back();  // already beyond the bound
      if (!done && over.empty()) return done;
    }
    is_shared_ = is_shared_ || at.reading.is_shared;
    for (int slide = 0; slide < count_; ++slide) {
      if (!sticks(slide)) continue;
      std::tie(margins_(node, slide), squares_[slide]) = smooth_margin(at, slide);
    }
    nodes_.push_back(std::move(at));
  }
  return {};
}

/// The first node after the begin at which a contact is beyond its bound; `over` lists these contacts.
std::size_t StickSlipSource::find_over(std::vector<int>& over) const {
  over.clear();
  for (std::size_t node = 1; node < nodes_.size(); ++node) {
    note_over(nodes_[node], over);
    if (!over.empty()) return node;
  }
  return 0;
}

/// Whether the nodes resolve the margins.
bool StickSlipSource::is_resolved() const {
  for (int slide = 0; slide < count_; ++slide)
    if (sticks(slide) && !MarginShape(margins_.col(slide), 1, noise(slide)).is_resolved) return false;
  return true;
}

/// Whether contacts stick over the whole part whose nodes were evaluated.
bool StickSlipSource::stays_stuck(int stride) const {
  for (int slide = 0; slide < count_; ++slide)
    if (!stays_stuck(slide, stride)) return false;
  return true;
}

bool StickSlipSource::stays_stuck(int slide, int stride) const {
  if (!sticks(slide)) return true;
  const MarginShape shape(margins_.col(slide), stride, noise(slide));
  const bool is_constant = shape.others <= tolerance::kZero * shape.size;
  return is_constant || (shape.is_resolved && shape.middle - shape.others - shape.last > -noise(slide));
}

/// For a load that reaches the bound again and again, however short the step is.
std::optional<Failure> StickSlipSource::explain(double t, const Vector&) {
  if (t != hidden_at_) return std::nullopt;
  for (int slide = 0; slide < count_; ++slide) {
    if (!stays_stuck(slide, 1))
      return friction_failure(run_.dynamics, FailureKind::kStepTooSmall, t, slide,
                              "`{}` seems to change between sticking and sliding within every step, however short");
  }
  return std::nullopt;
}

/// A contact whose state of friction is contradicted by more than errors of the state; −1: none. States at both ends of
/// every step satisfy this unless an event was missed.
int StickSlipSource::contradiction(const Instant& at) const {
  for (int slide = 0; slide < count_; ++slide) {
    const double moved = kContradicts * (run_.tolerance * usual_[slide] + tolerance::kZero * at.size[slide]);
    if (!sticks(slide)) {
      if (nth(acts_, slide) != 0 && margin(at, slide) < -moved) return slide;
      continue;
    }
    const double bound = at.reading.is_shared ? 1.0 : at.reading.static_bound[slide];
    if (part(run_.dynamics, at.v, slide).norm() > moved + kCarriedAlong * usual_[slide]) return slide;
    if (!is_carried(at, slide) && margin(at, slide) < -tolerance::kRoot * kContradicts * bound) return slide;
  }
  return -1;
}

/// \returns whether the run ends here.
bool StickSlipSource::stop_at_contradiction(const Instant& at, std::vector<Found>& found) const {
  const int slide = contradiction(at);
  if (slide < 0) return false;
  const char* const what = sticks(slide) ? "`{}` is taken to stick, but moves, or needs more than its bound of friction"
                                         : "`{}` is taken to slide, but against the direction of its friction";
  Found stop{at.t, Action::kStop};
  stop.reason = friction_failure(run_.dynamics, FailureKind::kRegionContradiction, at.t, slide, what);
  found.push_back(std::move(stop));
  return true;
}

/// Finds where a stated coefficient or bound falls below 0.
/// \returns whether the run ends there.
Outcome<bool> StickSlipSource::stop_at_negative(const integrate::Step& step, std::vector<Found>& found) {
  Vector stated, y;
  FrictionOf(run_.dynamics).read_stated(run_.mode, step.t_end(), step.y_end().data(), stated);
  for (int slide = 0; slide < count_; ++slide) {
    if (!(stated[slide] < 0.0)) continue;
    const double at_end = stated[slide];
    double least = at_end;
    FrictionOf(run_.dynamics).read_stated(run_.mode, step.t_begin(), step.y_begin().data(), stated);
    const auto stated_at = [&](double t) -> Outcome<double> {
      if (auto done = step.interpolate(t, y); !done) return fail(done.error());
      FrictionOf(run_.dynamics).read_stated(run_.mode, t, y.data(), stated);
      if (stated[slide] < 0.0) least = stated[slide];
      return stated[slide];
    };
    const integrate::Crossing crossing =
        integrate::find_crossing(stated_at, step.t_begin(), stated[slide], step.t_end(), at_end, 0.0);
    if (crossing.blind) return fail(*crossing.blind);
    Found stop{crossing.after, Action::kStop};
    stop.reason = FrictionOf(run_.dynamics).negative(crossing.after, slide, least);
    found.push_back(std::move(stop));
    return true;
  }
  return false;
}

Outcome<void> StickSlipSource::check(const integrate::Step& step, std::vector<Found>& found) {
  if (FrictionOf(run_.dynamics).is_varying()) {
    const auto stops = stop_at_negative(step, found);
    if (!stops) return fail(stops.error());
    if (*stops) return {};
  }
  const double h = step.t_end() - step.t_begin();
  Instant before;
  before.t = step.t_begin();
  before.y = step.y_begin();
  if (auto done = read(before); !done) return done;
  const Instant begin = clear_ = before;
  begin_step(begin, h, found);
  if (!(last_part_ > 0.0)) return {};  // another event happens at the begin of the step
  if (stop_at_contradiction(begin, found)) return {};

  std::vector<int> over;
  Instant at;
  shown_ = step.t_end();
  if (auto done = look_along(step, before, at, over); !done) return done;
  if (over.empty() && shown_ < step.t_end()) {
    found.push_back({step.t_begin(), Action::kRetake, {}, shown_ - step.t_begin()});
    hidden_at_ = step.t_begin();
    return {};
  }
  at_rest_.clear();
  released_.clear();
  at_end_ = run_.mode.friction;
  if (over.empty()) {
    if (!stop_at_contradiction(at, found)) look_at_end(step, begin, at, found);
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
  const double last_places = kLastPlaces * std::abs(step.t_begin());  // below this, times cannot be distinguished, so
                                                                      // no step ends closer to its begin
  for (std::size_t i = 0; i < over.size(); ++i) {
    if (ends[i].t > t + tolerance::kSameEvent * h) continue;
    const int slide = over[i];
    if (sticks(slide)) {
      released_.push_back(slide);
      continue;
    }
    if (ends[i].t - step.t_begin() <= last_places && kSetsOff * h > last_places) {
      // it started to slide and came back within a step that is too long
      found.push_back({step.t_begin(), Action::kRetake, {}, kSetsOff * h});
      return {};
    }
    const double by_time = last_places *
                           (part(run_.dynamics, at.v, slide) - part(run_.dynamics, before.v, slide)).norm() /
                           (at.t - before.t);
    const double least =
        kRestPerTolerance * run_.tolerance * typical_[slide] + tolerance::kZero * ends[i].size[slide] + by_time;
    if (part(run_.dynamics, ends[i].v, slide).norm() > least) {
      found.push_back({step.t_begin(), Action::kRetake, {}, kAfterTooLong * h});
      return {};
    }
    at_rest_.push_back(slide);
  }
  found.push_back({t, Action::kChange});
  return {};
}

/// Updates directions at the end of the step. A contact whose speed decreases there, and is below the errors of the
/// run, has come to rest.
void StickSlipSource::look_at_end(const integrate::Step& step, const Instant& begin, const Instant& end,
                                  std::vector<Found>& found) {
  for (int slide = 0; slide < count_; ++slide) {
    if (sticks(slide) || nth(acts_, slide) == 0) continue;
    const equations::Slide& s = slide_of(run_.dynamics, slide);
    const double v = part(run_.dynamics, end.v, slide).norm();
    if (v <= run_.tolerance * typical_[slide] && v < part(run_.dynamics, begin.v, slide).norm())
      at_rest_.push_back(slide);
    const Vector& until = at_end_.held_until;
    const bool is_held = until.size() > 0 && begin.t < until[slide];  // other users of the step hold it as well
    if (!is_held && v > tolerance::kZero * end.size[slide])
      at_end_.direction.segment(s.first, s.count) = part(run_.dynamics, end.v, slide) / v;
  }
  if (!at_rest_.empty()) found.push_back({step.t_end(), Action::kChange});
}

/// A failure if changes follow each other ever faster.
Outcome<void> StickSlipSource::note_time(double t) {
  times_.push_back(t);
  if (times_.size() <= kMostChanges) return {};
  const auto first = times_.end() - 1 - static_cast<std::ptrdiff_t>(kMostChanges);
  if (t - *first <= tolerance::kSameEvent * std::abs(t)) {
    return fail(friction_failure(run_.dynamics, FailureKind::kStepTooSmall, t,
                                 at_rest_.empty() ? released_.front() : at_rest_.front(),
                                 "sticking and sliding at `{}` follow each other ever faster"));
  }
  times_.erase(times_.begin(), first);
  return {};
}

Outcome<void> StickSlipSource::pass(const Found& found, Transition& to) {
  const auto holds = [](const std::vector<int>& slides, int slide) {
    return std::ranges::find(slides, slide) != slides.end();
  };
  const auto sticks_behind = [&](int slide) { return to.mode.friction.sticks[static_cast<std::size_t>(slide)] != 0; };
  set_friction(to.mode, at_end_);
  if (auto done = note_time(found.t); !done) return done;
  std::vector<int> resting = at_rest_;
  for (int slide = 0; slide < count_; ++slide)
    if (sticks(slide) && !holds(released_, slide)) resting.push_back(slide);
  Mode in = to.mode;
  auto done = go_on_from_rest(run_.dynamics, in, to.t, to.y.data(), resting, released_, length_);
  if (contacts_.has_any()) {
    if (done) set_friction(to.mode, in.friction);
    const auto opens = contacts_.open_first(in, to);
    if (!opens) return fail(opens.error());
    if (*opens) done = go_on_from_rest(run_.dynamics, in, to.t, to.y.data(), resting, released_, length_);
  }
  if (!done) return done;
  set_friction(to.mode, in.friction);
  using To = FrictionChange::To;
  for (int slide = 0; slide < count_; ++slide) {
    const bool is_same = sticks(slide) == sticks_behind(slide);
    if (is_same && !(holds(at_rest_, slide) && has_friction(run_.dynamics, to, slide))) continue;
    to.events.push_back(FrictionChange{found.t, slide,
                                       sticks_behind(slide) ? To::kSticks
                                       : sticks(slide)      ? To::kSlides
                                                            : To::kSlidesOn});
  }
  return {};
}

}  // namespace

std::unique_ptr<EventSource> make_stick_slip_source(const Watched& run) {
  return run.dynamics.binding()->system->slides.empty() ? nullptr : std::make_unique<StickSlipSource>(run);
}

}  // namespace vinculum::sim
