#pragma once

#include <functional>
#include <optional>
#include <string>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/outcome.hpp"

namespace vinculum::integrate {

/// Direction in which the function g of an event passes through zero.
enum class Direction { kFalling, kRising, kEither };

/// Effect of an event on a run.
enum class Action {
  kMark,    ///< the event is recorded and the motion continues
  kStop,    ///< the motion ends at the event
  kChange,  ///< the step ends at the event, the equations change, and integration restarts
  kRetake,  ///< the step is repeated with a smaller size
  kCross,   ///< the step is accepted, and the motion after it is integrated with a larger tolerance
};

/// An event of a motion y(t), defined by a function g(t, y) that passes through zero. The event is detected if g has
/// different signs at the ends of an accepted step. It is located on the dense output of the step.
struct Event {
  std::string name = {};  ///< name under which it is recorded
  /// The function g. It is 0 only at the event; if it is NaN, the event is not detected.
  std::function<double(double t, const Vector& y)> guard = {};
  Direction direction = Direction::kEither;
  double accuracy = 0.0;          ///< accuracy of the event's time as a fraction of the step; 0: full precision
  Action action = Action::kStop;  ///< kStop or kMark
  Failure reason = {};            ///< failure reported if the event stops the motion, with the place in the model text
  /// If not empty, replaces g at the start of every step; for a g that has no meaningful value there.
  std::function<double(double t, const Vector& y)> begin = {};
};

/// Whether a change from `from` to `to` passes through zero in the given direction. Returns −1 downwards, 1 upwards, 0
/// if it does not.
[[nodiscard]] int passage(double from, double to, Direction direction);

/// Two instants, between which a margin changes from positive to not positive.
struct Crossing {
  double before = 0.0, after = 0.0;
  /// Reason why the margin could not be evaluated between the two instants, which are then as close as possible.
  std::optional<Failure> blind;
};
/// Locates the instant at which a margin ceases to be positive.
/// \param margin    function of t, continuous or not.
/// \param before, after  [s] ends of the searched interval.
/// \param at_before, at_after  margin at the two ends; at_before > 0 ≥ at_after, otherwise the result is `before`.
/// \param accuracy  [s] of the located instant, ≥ 0.
/// Regula falsi (Illinois variant). Every fourth section is a bisection, and after fifty sections all are. Source:
/// Dowell & Jarratt, BIT 11 (1971) 168–174.
[[nodiscard]] Crossing find_crossing(const std::function<Outcome<double>(double t)>& margin, double before,
                                     double at_before, double after, double at_after, double accuracy);

/// An instant at which a vector jumps from one direction to another.
struct Jump {
  double t = 0.0;
  double shorter = 0.0;  ///< length of the shorter one of the two vectors just before and just after the jump
  bool exists = true;    ///< false: the vector cannot be evaluated at t
};
/// Searches [begin, end] for a jump of a vector's direction: a turn that remains when the interval around it is halved
/// again and again.   \param read  returns false if the vector cannot be evaluated at t.
[[nodiscard]] std::optional<Jump> find_jump(const std::function<bool(double t, Vector& vector)>& read, double begin,
                                            double end);

}  // namespace vinculum::integrate
