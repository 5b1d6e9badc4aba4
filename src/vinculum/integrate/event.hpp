#pragma once

#include <functional>
#include <optional>
#include <string>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/outcome.hpp"

namespace vinculum::integrate {

/// Which way a guard passes through zero.
enum class Direction { kFalling, kRising, kEither };

/// What becomes of a run at an event.
enum class Action {
  kMark,    ///< it is noted, the motion goes on
  kStop,    ///< the motion ends there
  kChange,  ///< the step ends there, what the motion obeys changes, and integration starts afresh
  kRetake,  ///< the step is taken again, shorter
  kCross,   ///< the step stands; what lies behind it is crossed at a looser tolerance
};

/// An event of a motion y(t) as a value: g(t, y) passes through zero. It is seen where g has different signs at the
/// ends of an accepted step, and found on the dense output.
struct Event {
  std::string name = {};  ///< under which it is noted
  /// g, 0 only where the event is. A value that is not a number hides it.
  std::function<double(double t, const Vector& y)> guard = {};
  Direction direction = Direction::kEither;
  double accuracy = 0.0;          ///< of its time, in lengths of the step; 0: to the last digits
  Action action = Action::kStop;  ///< or kMark
  Failure reason = {};            ///< of a motion that it stops, with the place in the model's text
  /// Takes the place of g at the begin of every step, for a g that compares with it. May be empty.
  std::function<double(double t, const Vector& y)> begin = {};
};

/// Whether going from one value to another is a passage through zero in the direction: −1 down, 1 up, 0 none.
[[nodiscard]] int passage(double from, double to, Direction direction);

/// Two instants between which a margin ceases to be positive.
struct Crossing {
  double before = 0.0, after = 0.0;
  std::optional<Failure> blind;  ///< why the margin could not be read in between; the instants are as near as it was
};
/// \param margin    continuous or not, of t.
/// \param at_before, at_after  its values at the ends; at_before > 0 ≥ at_after, otherwise `before` is all.
/// \param accuracy  of the time, ≥ 0.
/// Regula falsi (Illinois), every fourth time halving, after fifty times always.   Source: Dowell & Jarratt, BIT 11
/// (1971) 168–174.
[[nodiscard]] Crossing find_crossing(const std::function<Outcome<double>(double t)>& margin, double before,
                                     double at_before, double after, double at_after, double accuracy);

/// Where a vector jumps from one direction to another.
struct Jump {
  double t = 0.0;
  double shorter = 0.0;  ///< length of the shorter of the vectors on its sides
  bool exists = true;    ///< false: the vector cannot be read there
};
/// A turn that stays when its interval is halved again and again.   \param read  false where it cannot be read.
[[nodiscard]] std::optional<Jump> find_jump(const std::function<bool(double t, Vector& vector)>& read, double begin,
                                            double end);

}  // namespace vinculum::integrate
