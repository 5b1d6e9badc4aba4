#include "vinculum/sim/run/friction_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {
namespace {

constexpr double kTolBound = tolerance::kZero;           // × bound
constexpr double kTolSetsOff = tolerance::kConditioned;  // × what friction accelerates
constexpr int kTurns = 200;                              // of a direction in which sliding sets off

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
    return friction_failure(dynamics_, FailureKind::kFrictionNoSolution, t_, slide,
                            "at `{}` neither sticking nor sliding agrees with the law of friction");
  }
  [[nodiscard]] Failure both(int slide) const {
    return friction_failure(dynamics_, FailureKind::kFrictionManySolutions, t_, slide,
                            "at `{}` the law of friction agrees with more than one way to go on from rest");
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
      if ((direction(slide) - before).norm() <= tolerance::kRounded) break;
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

const dynamics::Slide& slide_of(const Dynamics& dynamics, int slide) {
  return dynamics.compiled().system->slides[static_cast<std::size_t>(slide)];
}

Failure friction_failure(const Dynamics& dynamics, FailureKind kind, double t, int slide, const char* what) {
  const CompiledModel& compiled = dynamics.compiled();
  const mechanics::ConstraintId constraint = slide_of(dynamics, slide).constraint;
  Failure failure;
  failure.kind = kind;
  failure.t = t;
  failure.message = fmt::format(fmt::runtime(what), compiled.model->constraint(constraint).name);
  for (int row = 0; row < compiled.nc(); ++row) {
    if (compiled.system->rows[static_cast<std::size_t>(row)].constraint == constraint) failure.rows.push_back(row);
  }
  return failure;
}

Outcome<void> go_on_from_rest(Dynamics& dynamics, double t, double* y, const std::vector<int>& resting,
                              const std::vector<int>& released) {
  return Decision(dynamics, t, y).take(resting, released);
}

Outcome<void> settle_friction(Dynamics& dynamics, double t, double* y) {
  const int count = static_cast<int>(dynamics.compiled().system->slides.size());
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
    if (of_slide.norm() > tolerance::kZero * size[slide])
      state.direction.segment(s.first, s.count) = of_slide / of_slide.norm();
    else
      resting.push_back(slide);
  }
  dynamics.set_friction(state);
  return resting.empty() ? Outcome<void>() : go_on_from_rest(dynamics, t, y, resting, {});
}

}  // namespace vinculum::sim
