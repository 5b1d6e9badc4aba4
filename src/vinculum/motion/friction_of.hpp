#pragma once

#include <vector>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Read-only access to the friction of a model at states (theory.md §4.6). Arguments of type Mode do not change. Use:
/// `FrictionOf(dynamics).read(…)`.
class FrictionOf {
 public:
  explicit FrictionOf(Dynamics& dynamics) : dynamics_(dynamics) {}

  /// Computes the rates of sliding velocities, and forces and bounds of the contacts that stick.
  /// \returns the failures of `Dynamics::derivative`; kFrictionManySolutions if forces of sticking contacts are not
  /// unique, kFrictionNoSolution if a clause states a force that does not oppose the sliding velocity.
  [[nodiscard]] Outcome<void> read(const Mode& mode, double t, const double* y, FrictionReading& reading);
  /// Sets up the friction of all contacts as one contact problem. For contacts at rest the problem leaves open whether
  /// they stick or slip. The other contacts slip along their directions.
  /// \param at_rest [slides]  1 for a contact at rest
  /// \param unilateral  rows of closed unilateral constraints whose normal forces are unknowns of the problem too. It
  /// leaves open whether these contacts remain closed.
  /// \param guess  multipliers at which friction bounds of an uncommon form are evaluated (ContactReading::guess);
  /// empty: the multipliers of the ideal constraints
  /// \returns kNegativeFriction, kFrictionNoSolution if a clause states a force that does not oppose the sliding
  /// velocity, and the failures of `Dynamics::derivative`. Allocates.
  [[nodiscard]] Outcome<ContactReading> read_contacts(const Mode& mode, double t, const double* y,
                                                      const std::vector<char>& at_rest, const Vector& guess = {},
                                                      const std::vector<int>& unilateral = {});
  /// Checks whether other reactions are also consistent with the forces that depend on them (theory.md §4.2), since
  /// generated code finds one solution and does not search for others.
  /// \returns kFrictionManySolutions if there are others.
  [[nodiscard]] Outcome<void> look_for_other_reactions(const Mode& mode, double t, const double* y);
  /// Sets `Sizes::slide_reach`: how much a unit force changes each sliding velocity, at states near this one. Compared
  /// with it, a mobility that vanishes at a dead center is recognized as zero.
  void learn_reach(const Mode& mode, double t, const double* y);
  /// Whether stated coefficients or bounds of friction are functions of the state or the time.
  [[nodiscard]] bool is_varying() const;
  /// Evaluates the coefficient or bound of each contact as the model states it [slides]. Negative values are not a
  /// failure here; the caller reports them (`negative`).
  void read_stated(const Mode& mode, double t, const double* y, Vector& stated);
  /// Returns the failure kNegativeFriction of a contact.
  [[nodiscard]] Failure negative(double t, int slide, double stated) const;
  /// Evaluates the sliding velocities v [ns], and for each contact the sum of the absolute values of the terms of v
  /// [slides]. Rounding errors of v are relative to this sum.
  void read_slides(const Mode& mode, double t, const double* y, Vector& v, Vector& size);

 private:
  Dynamics& dynamics_;
};

}  // namespace vinculum::sim
