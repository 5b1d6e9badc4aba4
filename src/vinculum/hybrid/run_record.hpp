#pragma once

#include <string>
#include <variant>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// The constraints lost rank here while the motion went on (a loop passing a flat pose).
struct RankDrop {
  double t = 0.0;
  int rank = 0;          ///< of A there
  int generic_rank = 0;  ///< of A elsewhere on the motion
};

/// Friction changed between rest and sliding here.
struct FrictionChange {
  enum class To { kSticks, kSlides, kSlidesOn };  ///< came to rest and sticks; sets off; passed through rest
  double t = 0.0;
  int slide = 0;  ///< of System::slides
  To to{};
};

/// The motion comes to go along a surface at which the equations switch, or leaves it, here (theory.md §10.1).
struct SurfaceChange {
  double t = 0.0;
  std::string of;  ///< the switch, as stated
  bool is_along = false;
};

/// A constraint with a `when` clause begins or ceases to act here.
struct ActingChange {
  double t = 0.0;
  model::ConstraintId constraint;
  bool acts = false;  ///< from here on
};

/// Reactions of constraints act as impulses here, and u jumps by M⁻¹Aᵀp (theory.md §10.2).
struct Impulse {
  double t = 0.0;
  Vector rows;  ///< [nc] p: of each row its multiplier, times the time
};

/// What a user may want to know of how a run goes on, said while it does: that its start is one of several, why it is
/// slow.
struct Note {
  std::string kind;       ///< "start", "stiffness", "oscillation", "chatter", "max-step", "short-steps"
  double t = 0.0;         ///< [s] when it was seen
  std::string text;       ///< a sentence
  std::string component;  ///< that it is about: a coordinate, a speed, a state; may be empty
  std::string term;       ///< the load, constraint or switch that causes it, as tables name it; may be empty
  double rate = 0.0;      ///< [1/s] of what makes steps short
  double steps = 0.0;     ///< still to be taken at this pace
};

/// The state lies on a surface at which the equations switch, and passes it.
struct Passage {
  double t = 0.0;
  std::string of;  ///< the switch, as stated; empty at the ends of a run, where nothing is passed
};

/// An event that is noted happened here.
struct Mark {
  double t = 0.0;
  std::string event;
};

using RunEvent = std::variant<RankDrop, FrictionChange, SurfaceChange, ActingChange, Impulse, Passage, Mark>;

/// How steps were looked into for what their stages do not see (watches.hpp).
struct Looking {
  long steps = 0;                        ///< looked into
  long closer = 0;                       ///< of these along the dense polynomial, in parts
  long crossings = 0;                    ///< surfaces that a step ended on
  long shortened = 0;                    ///< for a value beyond what the stages had seen
  long not_proven = 0;                   ///< nothing could be shown of them
  double first_not_proven = 0.0;         ///< [s] begin of the first of these
  std::string not_proven_of;             ///< for this expression
  std::vector<std::string> not_watched;  ///< expressions of unknowns such as reactions: steps see them at their stages
};

/// Events and residuals of a run, as they are found.
struct RunRecord {
  Vector worst_residual;         ///< [constraints] at the constraint's own level, over accepted steps and samples
  Vector worst_residual_t;       ///< [constraints] [s] when
  std::vector<RunEvent> events;  ///< as they were met; within a step those of one source after those of another
  std::vector<Note> notes;
  Looking looking;  ///< zeros where the model has nothing to look for

  /// Events of one kind, in their order.
  template <class Kind>
  [[nodiscard]] std::vector<Kind> all() const {
    std::vector<Kind> found;
    for (const RunEvent& event : events)
      if (const auto* one = std::get_if<Kind>(&event)) found.push_back(*one);
    return found;
  }
  /// The last event of one kind; null without any.
  template <class Kind>
  [[nodiscard]] const Kind* last() const {
    for (auto event = events.rbegin(); event != events.rend(); ++event)
      if (const auto* one = std::get_if<Kind>(&*event)) return one;
    return nullptr;
  }

  /// Joins residuals at t to the worst ones. \param of_rows [nc]
  void note_residuals(double t, const Vector& of_rows, const CompiledModel& compiled);
  void note_residuals(const Sample& sample);
};

}  // namespace vinculum::sim
