#include "vinculum/sim/run/stick_slip.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace vinculum::sim {
namespace {

constexpr double kTolRest = 1e-12;          // × what a velocity is made of: it is zero
constexpr double kTolBound = 1e-12;         // × bound
constexpr double kTolSetsOff = 1e-9;        // × what friction accelerates
constexpr double kRestPerTolerance = 10.0;  // × tolerance × typical speed: it has come to rest
constexpr double kCreeps = 0.01;            // the same, for what only nears zero
constexpr double kTolDirection = 1e-14;
constexpr int kTurns = 200;  // of a direction in which sliding sets off
constexpr int kLooks = 4;    // into a step
constexpr int kBisectionsOfChange = 100;
constexpr double kSame = 1e-9;  // of a step: two events are one
constexpr std::size_t kMostChanges = 200;
constexpr double kShortest = 1e-9;  // of the time so far, for so many changes

const dynamics::Slide& slide_of(const Dynamics& dynamics, int slide) {
  return dynamics.compiled().system->slides[static_cast<std::size_t>(slide)];
}
int slide_count(const Dynamics& dynamics) { return static_cast<int>(dynamics.compiled().system->slides.size()); }

std::string name_of(const Dynamics& dynamics, int slide) {
  return dynamics.compiled().model->constraint(slide_of(dynamics, slide).constraint).name;
}

Failure failure_at(const Dynamics& dynamics, FailureKind kind, double t, int slide, std::string message) {
  Failure failure;
  failure.kind = kind;
  failure.t = t;
  failure.message = std::move(message);
  const CompiledModel& compiled = dynamics.compiled();
  for (int row = 0; row < compiled.nc(); ++row) {
    if (compiled.system->rows[static_cast<std::size_t>(row)].constraint == slide_of(dynamics, slide).constraint)
      failure.rows.push_back(row);
  }
  return failure;
}

/// What those at rest do next.
class Decision {
 public:
  Decision(Dynamics& dynamics, double t, double* y) : dynamics_(dynamics), t_(t), y_(y), state_(dynamics.friction()) {}

  Outcome<void> take(const std::vector<int>& resting, const std::vector<int>& released) {
    std::vector<int> all = resting;
    all.insert(all.end(), released.begin(), released.end());
    for (const int slide : all) sticks(slide) = 1;
    dynamics_.set_friction(state_);
    if (const auto moved = dynamics_.project(t_, y_); !moved) return fail(moved.error());
    if (auto done = read(); !done) return done;
    std::vector<char> has_returned(state_.sticks.size(), 0);
    for (const int slide : released) {
      if (auto done = release(slide); !done) return done;
    }
    // Forces on the others change with every one that sets off, or sticks after all.
    for (std::size_t turn = 0; turn <= 2 * all.size() + 2; ++turn) {
      int worst = -1;
      double largest = 1.0 + kTolBound;
      for (const int slide : all) {
        if (sticks(slide) != 0 && load(slide) > largest) {
          worst = slide;
          largest = load(slide);
        }
      }
      if (worst >= 0) {
        if (auto done = release(worst); !done) return done;
        continue;
      }
      for (const int slide : all) {
        if (sticks(slide) == 0 && setting_off(slide) < -kTolSetsOff) worst = slide;
      }
      if (worst < 0) return confirm(all, released);
      char& returned = has_returned[static_cast<std::size_t>(worst)];
      if (returned != 0) return fail(neither(worst));
      returned = 1;
      sticks(worst) = 1;
      if (auto done = read(); !done) return done;
      if (load(worst) > 1.0 + kTolSetsOff) return fail(neither(worst));
    }
    return fail(neither(all.front()));
  }

 private:
  char& sticks(int slide) { return state_.sticks[static_cast<std::size_t>(slide)]; }
  Eigen::Ref<Vector> direction(int slide) {
    return state_.direction.segment(slide_of(dynamics_, slide).first, slide_of(dynamics_, slide).count);
  }
  [[nodiscard]] Vector part(const Vector& of, int slide) const {
    return of.segment(slide_of(dynamics_, slide).first, slide_of(dynamics_, slide).count);
  }
  Outcome<void> read() {
    dynamics_.set_friction(state_);
    return dynamics_.read_friction(t_, y_, reading_);
  }
  /// The force that would keep it at rest over what friction has; 0 where none is wanted.
  [[nodiscard]] double load(int slide) const {
    const double force = part(reading_.force, slide).norm();
    const double bound = reading_.static_bound[slide];
    return force > 0.0 ? (bound > 0.0 ? force / bound : std::numeric_limits<double>::infinity()) : 0.0;
  }
  /// How fast it gains speed along its direction, over what friction takes of that.
  double setting_off(int slide) {
    const double rate = part(reading_.v_dot, slide).dot(direction(slide));
    const double friction = reading_.mobility[slide] * reading_.bound[slide];
    return friction > 0.0 ? rate / friction : rate;
  }
  [[nodiscard]] Failure neither(int slide) const {
    return failure_at(
        dynamics_, FailureKind::kFrictionNoSolution, t_, slide,
        fmt::format("at `{}` neither sticking nor sliding agrees with the law of friction", name_of(dynamics_, slide)));
  }
  [[nodiscard]] Failure both(int slide) const {
    return failure_at(dynamics_, FailureKind::kFrictionManySolutions, t_, slide,
                      fmt::format("at `{}` the law of friction agrees with more than one way to go on from rest",
                                  name_of(dynamics_, slide)));
  }

  /// Slides against the force that it would take to stick, in the direction in which it then gains speed.
  Outcome<void> release(int slide) {
    const Vector force = part(reading_.force, slide);
    sticks(slide) = 0;
    direction(slide) = -force / force.norm();
    if (auto done = read(); !done) return done;
    const double pull = 0.5 * reading_.mobility[slide] * reading_.bound[slide];
    for (int turn = 0; turn < kTurns && reading_.freedom[static_cast<std::size_t>(slide)] > 1; ++turn) {
      const Vector before = direction(slide);
      const Vector next = part(reading_.v_dot, slide) + pull * before;
      if (!(next.norm() > 0.0)) break;
      direction(slide) = next / next.norm();
      if (auto done = read(); !done) return done;
      if ((direction(slide) - before).norm() <= kTolDirection) break;
    }
    return {};
  }

  /// With one way to slide: whether the law leaves another answer (Painlevé).
  Outcome<void> confirm(const std::vector<int>& all, const std::vector<int>& released) {
    if (all.size() != 1 || !released.empty()) return {};
    const int slide = all.front();
    const bool has_one_coefficient = reading_.static_bound[slide] <= reading_.bound[slide] * (1.0 + kTolBound);
    const Vector force = part(reading_.force, slide);
    if (reading_.freedom[static_cast<std::size_t>(slide)] != 1 || !has_one_coefficient) return {};
    const FrictionState taken = state_;
    const Vector along = sticks(slide) == 0   ? part(state_.direction, slide)
                         : force.norm() > 0.0 ? Vector(force / force.norm())
                                              : Vector();
    if (along.size() == 0) return {};
    for (const double sign : {-1.0, 1.0}) {
      if (taken.sticks[static_cast<std::size_t>(slide)] == 0 && sign > 0.0) continue;  // the one it takes
      sticks(slide) = 0;
      direction(slide) = sign * along;
      dynamics_.set_friction(state_);
      const auto rates = dynamics_.rates_of_slides(t_, y_);
      if (!rates && rates.error().kind == FailureKind::kFrictionManySolutions) return fail(rates.error());
      const double friction = reading_.mobility[slide] * reading_.bound[slide];
      const auto sets_off = [&](const Vector& rate) {
        return part(rate, slide).dot(direction(slide)) > kTolSetsOff * friction;
      };
      if (rates && std::ranges::any_of(*rates, sets_off)) return fail(both(slide));
    }
    state_ = taken;
    return read();
  }

  Dynamics& dynamics_;
  double t_;
  double* y_;
  FrictionState state_;
  FrictionReading reading_;
};

}  // namespace

Outcome<void> settle_friction(Dynamics& dynamics, double t, double* y) {
  const int count = slide_count(dynamics);
  if (count == 0) return {};
  FrictionState state;
  state.sticks.assign(static_cast<std::size_t>(count), 0);
  state.direction = Vector::Constant(dynamics.compiled().slide_size(), std::numeric_limits<double>::quiet_NaN());
  dynamics.set_friction(state);
  Vector v, size;
  dynamics.read_slides(t, y, v, size);
  std::vector<int> resting;
  for (int slide = 0; slide < count; ++slide) {
    const dynamics::Slide& s = slide_of(dynamics, slide);
    const Vector of_slide = v.segment(s.first, s.count);
    if (of_slide.norm() > kTolRest * size[slide])
      state.direction.segment(s.first, s.count) = of_slide / of_slide.norm();
    else
      resting.push_back(slide);
  }
  dynamics.set_friction(state);
  return resting.empty() ? Outcome<void>() : Decision(dynamics, t, y).take(resting, {});
}

Outcome<void> FrictionMonitor::look(const integrate::Step& step, double t, Instant& at) {
  at.t = t;
  if (t == step.t_end()) {
    at.y = step.y_end();
  } else if (auto done = step.interpolate(t, at.y); !done) {
    return done;
  } else if (const auto moved = dynamics_.project(t, at.y.data()); !moved) {
    return fail(moved.error());
  }
  dynamics_.read_slides(t, at.y.data(), at.v, at.size);
  const std::vector<char>& sticks = dynamics_.friction().sticks;
  if (std::ranges::none_of(sticks, [](char one) { return one != 0; })) return {};
  return dynamics_.read_friction(t, at.y.data(), at.reading);
}

double FrictionMonitor::speed(const Instant& at, int slide) const {
  const dynamics::Slide& s = slide_of(dynamics_, slide);
  return at.v.segment(s.first, s.count).norm();
}

double FrictionMonitor::margin(const Instant& at, int slide) const {
  const dynamics::Slide& s = slide_of(dynamics_, slide);
  const FrictionState& state = dynamics_.friction();
  if (state.sticks[static_cast<std::size_t>(slide)] != 0) {
    return at.reading.static_bound[slide] - at.reading.force.segment(s.first, s.count).norm();
  }
  return at.v.segment(s.first, s.count).dot(state.direction.segment(s.first, s.count));
}

bool FrictionMonitor::is_over(const Instant& at, int slide) const {
  const bool sticks = dynamics_.friction().sticks[static_cast<std::size_t>(slide)] != 0;
  return margin(at, slide) < -(sticks ? kTolBound * at.reading.static_bound[slide] : kTolRest * at.size[slide]);
}

/// Where the margin is zero between two instants: the one just beyond.
Outcome<FrictionMonitor::Instant> FrictionMonitor::end_of(const integrate::Step& step, Instant before, Instant after,
                                                          int slide) {
  double below = margin(before, slide), above = margin(after, slide);
  if (!(below > 0.0)) return before;
  int side = 0;
  for (int i = 0; i < kBisectionsOfChange; ++i) {
    const double width = after.t - before.t;
    double t = before.t + width * below / (below - above);  // regula falsi, Illinois
    if (i % 4 == 3 || !(t > before.t && t < after.t)) t = before.t + 0.5 * width;
    if (!(t > before.t && t < after.t)) break;
    Instant at;
    if (auto done = look(step, t, at); !done) return fail(done.error());
    const double value = margin(at, slide);
    if (value > 0.0) {
      before = std::move(at);
      below = value;
      if (side == 1) above *= 0.5;
      side = 1;
    } else {
      after = std::move(at);
      above = value;
      if (side == -1) below *= 0.5;
      side = -1;
      if (value == 0.0) break;
    }
  }
  return after;
}

Outcome<std::optional<FrictionMonitor::Event>> FrictionMonitor::check(const integrate::Step& step) {
  const int count = slide_count(dynamics_);
  if (count == 0) return std::optional<Event>();
  const double h = step.t_end() - step.t_begin();
  Instant before;
  before.t = step.t_begin();
  before.y = step.y_begin();
  dynamics_.read_slides(before.t, before.y.data(), before.v, before.size);
  const Instant begin = before;
  const std::vector<char> sticks = dynamics_.friction().sticks;
  if (std::ranges::any_of(sticks, [](char one) { return one != 0; })) {
    if (auto done = dynamics_.read_friction(before.t, before.y.data(), before.reading); !done)
      return fail(done.error());
  }
  if (typical_.size() == 0) typical_ = Vector::Zero(count);
  typical_ = typical_.cwiseMax(begin.size);

  std::vector<int> over;
  Instant at;
  for (int look_at = 1; look_at <= kLooks && over.empty(); ++look_at) {
    const double t = look_at == kLooks ? step.t_end() : step.t_begin() + h * look_at / kLooks;
    if (auto done = look(step, t, at); !done) return fail(done.error());
    for (int slide = 0; slide < count; ++slide) {
      if (is_over(at, slide)) over.push_back(slide);
    }
    if (over.empty()) before = at;
  }
  typical_ = typical_.cwiseMax(at.size);

  Event event;
  if (over.empty()) {
    FrictionState state = dynamics_.friction();
    event.t = step.t_end();
    for (int slide = 0; slide < count; ++slide) {
      if (sticks[static_cast<std::size_t>(slide)] != 0) continue;
      const dynamics::Slide& s = slide_of(dynamics_, slide);
      const double v = speed(at, slide);
      if (v <= kCreeps * tolerance_ * typical_[slide] && v < speed(begin, slide)) event.at_rest.push_back(slide);
      if (v > kTolRest * at.size[slide]) state.direction.segment(s.first, s.count) = at.v.segment(s.first, s.count) / v;
    }
    dynamics_.set_friction(state);
    return event.at_rest.empty() ? std::optional<Event>() : event;
  }

  std::vector<Instant> ends;
  event.t = std::numeric_limits<double>::infinity();
  for (const int slide : over) {
    auto end = end_of(step, before, at, slide);
    if (!end) return fail(end.error());
    event.t = std::min(event.t, end->t);
    ends.push_back(std::move(*end));
  }
  for (std::size_t i = 0; i < over.size(); ++i) {
    if (ends[i].t > event.t + kSame * h) continue;
    const int slide = over[i];
    if (sticks[static_cast<std::size_t>(slide)] != 0) {
      event.released.push_back(slide);
      continue;
    }
    const double least = kRestPerTolerance * tolerance_ * typical_[slide] + kTolRest * ends[i].size[slide];
    if (speed(ends[i], slide) > least) {
      event.is_too_long = true;
      event.t = step.t_begin();
      return std::optional<Event>(event);
    }
    event.at_rest.push_back(slide);
  }
  return std::optional<Event>(std::move(event));
}

Outcome<void> FrictionMonitor::pass(const Event& event, double* y, std::vector<FrictionChange>& changes) {
  const FrictionState before = dynamics_.friction();
  times_.push_back(event.t);
  if (times_.size() > kMostChanges) {
    if (event.t - times_[times_.size() - 1 - kMostChanges] <= kShortest * std::abs(event.t)) {
      const int slide = event.at_rest.empty() ? event.released.front() : event.at_rest.front();
      return fail(failure_at(
          dynamics_, FailureKind::kStepTooSmall, event.t, slide,
          fmt::format("sticking and sliding at `{}` follow each other ever faster", name_of(dynamics_, slide))));
    }
    times_.erase(times_.begin(), times_.begin() + static_cast<std::ptrdiff_t>(times_.size() - 1 - kMostChanges));
  }
  std::vector<int> resting = event.at_rest;
  for (int slide = 0; slide < slide_count(dynamics_); ++slide) {
    const bool is_released = std::ranges::find(event.released, slide) != event.released.end();
    if (before.sticks[static_cast<std::size_t>(slide)] != 0 && !is_released) resting.push_back(slide);
  }
  if (auto done = Decision(dynamics_, event.t, y).take(resting, event.released); !done) return done;
  const FrictionState& after = dynamics_.friction();
  for (int slide = 0; slide < slide_count(dynamics_); ++slide) {
    const bool stuck = before.sticks[static_cast<std::size_t>(slide)] != 0,
               does_stick = after.sticks[static_cast<std::size_t>(slide)] != 0;
    const bool came_to_rest = std::ranges::find(event.at_rest, slide) != event.at_rest.end();
    if (stuck == does_stick && !came_to_rest) continue;
    using To = FrictionChange::To;
    changes.push_back({event.t, slide, slide_of(dynamics_, slide).constraint,
                       does_stick ? To::kSticks
                       : stuck    ? To::kSlides
                                  : To::kSlidesOn});
  }
  return {};
}

}  // namespace vinculum::sim
