#pragma once

#include <vector>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// View of the friction of a model at states (theory.md §4.6). The modes passed in do not change. Use:
/// `FrictionOf(dynamics).read(…)`.
class FrictionOf {
 public:
  explicit FrictionOf(Dynamics& dynamics) : dynamics_(dynamics) {}

  /// Rates of sliding velocities, and forces and bounds of the contacts that stick.
  /// \returns as `Dynamics::derivative`; kFrictionManySolutions if forces of sticking contacts are not unique,
  /// kFrictionNoSolution if a clause states a force that does not oppose the sliding velocity.
  [[nodiscard]] Outcome<void> read(const Mode& mode, double t, const double* y, FrictionReading& reading);
  /// Friction of all contacts as one problem. Contacts at rest are undecided; the others slide along their directions.
  /// \param at_rest [slides]  1 for a contact at rest
  /// \param guess  see ContactReading; empty: the multipliers of the ideal constraints
  /// \returns kNegativeFriction, kFrictionNoSolution if a clause states a force that does not oppose the sliding
  /// velocity, and the failures of `Dynamics::derivative`. Allocates.
  [[nodiscard]] Outcome<ContactReading> read_contacts(const Mode& mode, double t, const double* y,
                                                      const std::vector<char>& at_rest, const Vector& guess = {});
  /// Checks whether the reactions are the only ones consistent with the forces that depend on them. Generated
  /// accelerations find one answer and do not look for others.
  /// \returns kFrictionManySolutions if there are more.
  [[nodiscard]] Outcome<void> look_for_other_reactions(const Mode& mode, double t, const double* y);
  /// Learns how large the mobility of each sliding velocity is near a state, so that a mobility that vanishes at a dead
  /// center is recognized as zero.
  void learn_reach(const Mode& mode, double t, const double* y);
  /// Whether stated coefficients or bounds of friction are functions of the state or the time.
  [[nodiscard]] bool is_varying() const;
  /// The coefficient or bound of each contact as stated [slides]; none of them may be negative.
  void read_stated(const Mode& mode, double t, const double* y, Vector& stated);
  /// The failure kNegativeFriction of a contact.
  [[nodiscard]] Failure negative(double t, int slide, double stated) const;
  /// Sliding velocities [ns], and for each contact the sum of the absolute values of the terms of its velocity
  /// [slides].
  void read_slides(const Mode& mode, double t, const double* y, Vector& v, Vector& size);

 private:
  Dynamics& dynamics_;
};

}  // namespace vinculum::sim
