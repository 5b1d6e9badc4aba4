#pragma once

#include <functional>
#include <optional>
#include <string>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/outcome.hpp"

namespace vinculum::integrate {

/// Direction in which a guard passes through zero.
enum class Direction { kFalling, kRising, kEither };

/// Effect of an event on a run.
enum class Action {
  kMark,    ///< the event is recorded and the motion continues
  kStop,    ///< the motion ends there
  kChange,  ///< the step ends at the event, the equations change, and integration restarts
  kRetake,  ///< the step is repeated with a smaller size
  kCross,   ///< the step is accepted, and the motion after it is integrated with a larger tolerance
};

/// An event of a motion y(t) as a value: g(t, y) passes through zero. It is detected if g has different signs at the
/// ends of an accepted step, and located on the dense output.
struct Event {
  std::string name = {};  ///< name under which it is recorded
  /// g, which is 0 only at the event. A NaN hides the event.
  std::function<double(double t, const Vector& y)> guard = {};
  Direction direction = Direction::kEither;
  double accuracy = 0.0;          ///< accuracy of its time as a fraction of the step; 0: full precision
  Action action = Action::kStop;  ///< or kMark
  Failure reason = {};            ///< failure of a motion that the event stops, with the place in the model text
  /// Replaces g at the start of every step, for a g whose value there is not meaningful. May be empty.
  std::function<double(double t, const Vector& y)> begin = {};
};

/// Whether a change from one value to another passes through zero in the given direction: −1 downwards, 1 upwards, 0
/// not at all.
[[nodiscard]] int passage(double from, double to, Direction direction);

/// Two instants between which a margin ceases to be positive.
struct Crossing {
  double before = 0.0, after = 0.0;
  /// Why the margin could not be evaluated in between; the instants are then as close as possible.
  std::optional<Failure> blind;
};
/// \param margin    function of t, continuous or not.
/// \param at_before, at_after  its values at the ends; at_before > 0 ≥ at_after, otherwise the result is `before`.
/// \param accuracy  of the time, ≥ 0.
/// Regula falsi (Illinois); every fourth section is a bisection, and after fifty sections all are. Source: Dowell &
/// Jarratt, BIT 11 (1971) 168–174.
[[nodiscard]] Crossing find_crossing(const std::function<Outcome<double>(double t)>& margin, double before,
                                     double at_before, double after, double at_after, double accuracy);

/// An instant at which a vector jumps from one direction to another.
struct Jump {
  double t = 0.0;
  double shorter = 0.0;  ///< length of the shorter of the two vectors next to the jump
  bool exists = true;    ///< false: the vector cannot be evaluated there
};
/// Finds a turn of a vector that remains when its interval is halved again and again.   \param read  returns false if
/// the vector cannot be evaluated.
[[nodiscard]] std::optional<Jump> find_jump(const std::function<bool(double t, Vector& vector)>& read, double begin,
                                            double end);

}  // namespace vinculum::integrate
