#pragma once

#include <vector>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Friction of a model at states, in any mode, which stays as it is (theory.md §4.6): `FrictionOf(dynamics).read(…)`.
class FrictionOf {
 public:
  explicit FrictionOf(Dynamics& dynamics) : dynamics_(dynamics) {}

  /// \returns as `Dynamics::derivative`; kFrictionManySolutions where forces that stick are not unique,
  /// kFrictionNoSolution where a clause states another force than one against the velocity of sliding.
  [[nodiscard]] Outcome<void> read(const Mode& mode, double t, const double* y, FrictionReading& reading);
  /// Friction of all slides as one problem: those at rest undecided, the others along their directions.
  /// \param at_rest [slides]   \param guess  see ContactReading; empty: the multipliers of the ideal constraints
  /// \returns kNegativeFriction, kFrictionNoSolution where a clause states another force than one against its velocity,
  /// and as `Dynamics::derivative`. Allocates.
  [[nodiscard]] Outcome<ContactReading> read_contacts(const Mode& mode, double t, const double* y,
                                                      const std::vector<char>& at_rest, const Vector& guess = {});
  /// Whether the reactions that forces depend on are the only ones that agree with them: generated accelerations find
  /// one answer and look for no others. \returns kFrictionManySolutions where there are more.
  [[nodiscard]] Outcome<void> look_for_other_reactions(const Mode& mode, double t, const double* y);
  /// Learns how large the mobility of sliding velocities is near a state, so that one that vanishes at a dead point is
  /// known for that.
  void learn_reach(const Mode& mode, double t, const double* y);
  /// Whether stated coefficients or bounds of friction vary along a motion.
  [[nodiscard]] bool is_varying() const;
  /// Of each slide, what must not be negative: its coefficient or bound as stated [slides].
  void read_stated(const Mode& mode, double t, const double* y, Vector& stated);
  /// The end of a motion whose friction is negative.
  [[nodiscard]] Failure negative(double t, int slide, double stated) const;
  /// Velocities of sliding [ns] and the sum of the sizes of what they are made of, slide by slide [slides].
  void read_slides(const Mode& mode, double t, const double* y, Vector& v, Vector& size);

 private:
  Dynamics& dynamics_;
};

}  // namespace vinculum::sim
