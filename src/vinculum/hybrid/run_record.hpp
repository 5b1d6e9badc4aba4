#pragma once

#include <string>
#include <variant>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/solve/contacts/impact_process.hpp"

namespace vinculum::sim {

/// Records an instant at which the constraint Jacobian A loses rank while the motion continues, for example when a
/// closed linkage passes a flat configuration.
struct RankDrop {
  double t = 0.0;
  int rank = 0;          ///< rank of A at t
  int generic_rank = 0;  ///< rank of A elsewhere along the motion
};

/// Records a change of a friction contact between stick and slip.
struct FrictionChange {
  enum class To {
    kSticks,
    kSlides,
    kSlidesOn
  };  ///< it comes to rest and sticks; it starts to slide; it passes
      ///< through rest and slides on
  double t = 0.0;
  int slide = 0;  ///< index into System::slides
  To to{};
};

/// Records that the motion enters or leaves a sliding mode on a switching surface (theory.md §10.1).
struct SurfaceChange {
  double t = 0.0;
  std::string of;  ///< the switch, as stated in the model
  bool is_along = false;
};

/// Records that a constraint with a `when` clause begins or ceases to act.
struct ActingChange {
  double t = 0.0;
  model::ConstraintId constraint;
  bool acts = false;  ///< true: begins to act
};

/// What a unilateral constraint does in an impact (theory.md §10.3).
struct ContactImpact {
  model::ConstraintId constraint;
  model::RestitutionLaw law{};
  solve::ImpactWork work;  ///< [J] of its impulses on the velocities of the contact
  /// Whether this work is positive by more than rounding errors, which Newton's, Poisson's and Moreau's law can cause.
  /// False for the energetic law, under which it is a rounding error or that of an impulse that ends a flight.
  [[nodiscard]] bool creates_energy() const;
};

/// Impulses p of the constraints at an instant; the speeds u jump by M⁻¹Aᵀp (theory.md §10.2).
struct Impulse {
  double t = 0.0;
  Vector rows;  ///< [nc] impulse p of each row, in the unit of its multiplier times s
  /// [nc] 1 if the jump of u determines the impulse of the row. If 0, `rows` contains the solution p of least norm.
  std::vector<char> unique = {};
  /// [slides; or empty] Impulses of friction, in components of the sliding velocity; empty for a contact without
  /// impact.
  std::vector<Vector> friction = {};
  std::vector<ContactImpact> contacts = {};  ///< the unilateral constraints with an impulse
  Vector state = {};                         ///< (q, u, z) after the impulse
};

/// Advice to the user about a run: the start is one of several possible ones, the run is slow and why, or an impact
/// created energy.
struct Note {
  std::string kind;       ///< "start", "impact", "stiffness", "oscillation", "chatter", "max-step", "short-steps"
  double t = 0.0;         ///< [s] when it was noticed
  std::string text;       ///< a sentence
  std::string component;  ///< coordinate, speed or state concerned; may be empty
  std::string term;       ///< load, constraint or switch that causes it, with the name used in tables; may be empty
  double rate = 0.0;      ///< [1/s] rate of the process that makes the steps short
  double steps = 0.0;     ///< steps still to be taken at the present step size
};

/// Records that the state crosses a switching surface.
struct Passage {
  double t = 0.0;
  std::string of;  ///< the switch, as stated in the model; empty at a start or end that lies on a surface, where
                   ///< nothing is crossed
};

/// Records that an event with action kMark happened.
struct Mark {
  double t = 0.0;
  std::string event;
};

using RunEvent = std::variant<RankDrop, FrictionChange, SurfaceChange, ActingChange, Impulse, Passage, Mark>;

/// Statistics of the enclosure checks of steps (watches.hpp).
struct Looking {
  long steps = 0;                        ///< steps checked
  long closer = 0;                       ///< of these, checked along the dense polynomial in parts
  long crossings = 0;                    ///< steps that ended on a surface
  long shortened = 0;                    ///< steps shortened because a value left the range that the stages saw
  long not_proven = 0;                   ///< steps for which nothing could be proved
  double first_not_proven = 0.0;         ///< [s] begin of the first of these
  std::string not_proven_of;             ///< the expression concerned
  std::vector<std::string> not_watched;  ///< expressions of unknowns such as reactions: evaluated at the stages only,
                                         ///< not enclosed
};

/// Events, largest residuals, notes and statistics of a run.
struct RunRecord {
  Vector worst_residual;    ///< [constraints] largest residual at the constraint's own level, over accepted steps and
                            ///< samples
  Vector worst_residual_t;  ///< [constraints] [s] time of that residual
  std::vector<RunEvent> events;  ///< in the order of the steps; within a step grouped by event source
  std::vector<Note> notes;
  Looking looking;  ///< zeros if the model has nothing to check

  /// The events of one kind, in the order of `events`.
  template <class Kind>
  [[nodiscard]] std::vector<Kind> all() const {
    std::vector<Kind> found;
    for (const RunEvent& event : events)
      if (const auto* one = std::get_if<Kind>(&event)) found.push_back(*one);
    return found;
  }
  /// The last event of one kind; null if there is none.
  template <class Kind>
  [[nodiscard]] const Kind* last() const {
    for (auto event = events.rbegin(); event != events.rend(); ++event)
      if (const auto* one = std::get_if<Kind>(&*event)) return one;
    return nullptr;
  }

  /// Updates the largest residuals with the residuals at t.
  /// \param of_rows  [nc] residual of each row
  void note_residuals(double t, const Vector& of_rows, const CompiledModel& compiled);
  void note_residuals(const Sample& sample);
};

}  // namespace vinculum::sim
