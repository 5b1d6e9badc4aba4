#pragma once

#include <vector>

#include "vinculum/model/model.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/solve/contacts/impact_process.hpp"

namespace vinculum::sim {

/// A unilateral constraint of the model (model::Unilateral).
struct ContactRow {
  model::ConstraintId constraint;
  int row = 0;                  ///< in System::rows
  std::size_t switched = 0;     ///< in Structure::switched
  Eigen::Index position = 0;    ///< in Structure::position_rows
  Eigen::Index closed_at = 0;   ///< component of y that is 1 while the contact is closed, else 0
  double open_side = 0.0;       ///< side of that surface while the gap is open
  std::size_t gap_surface = 0;  ///< the switching surface gap = 0 of the event that finds a landing
  double restitution = 0.0;     ///< e
  model::RestitutionLaw law{};
  bool is_sequential = false;
};

/// The equations of some closed contacts along their normals, in the space that the other constraints leave: velocities
/// γ + G p after impulses p, accelerations w + G x with forces x. Friction is left out.
struct NormalEquations {
  std::vector<std::size_t> contacts;  ///< indices of contacts
  Matrix G, du, reaction;             ///< [n×n]; [nu×n] change of u and [nc×n] impulses of all rows per unit impulse
  Vector G_size, velocity, velocity_size, acceleration, acceleration_size;
  std::vector<char> is_unique;  ///< [nc] whether the multiplier of each row is unique
};

/// The impact of some closed contacts, with friction if they have any.
struct ImpactEquations {
  solve::ImpactProblem problem;  ///< its contacts are those of the NormalEquations, in the same order
  Matrix du, reaction;           ///< [nu×n] change of u and [nc×n] impulses of all rows per unit impulse
  std::vector<int> slides;       ///< [contacts] index into System::slides; −1 for a contact without friction
  std::vector<Matrix> basis;     ///< [contacts] tangential directions, in components of the sliding velocity
};

/// Normal forces x and accelerations w of the gaps of closed contacts, for the motion that the laws of contact and
/// friction allow.
struct ContactForces {
  Vector force, acceleration;  ///< [contacts]
};

/// Equations of the unilateral constraints at a state.
class ContactEquations {
 public:
  /// \param rows  the contacts of the model; must outlive this object
  ContactEquations(Dynamics& dynamics, const std::vector<ContactRow>& rows, double duration)
      : dynamics_(dynamics), rows_(rows), duration_(duration) {}

  /// The mode, and in `y_closed` the state, in which exactly the given contacts are closed.
  /// \param closed  [contacts]
  [[nodiscard]] Mode with_closed(const Mode& mode, double t, const Vector& y, const std::vector<char>& closed,
                                 Vector& y_closed) const;
  [[nodiscard]] Outcome<NormalEquations> along_normals(const Mode& mode, double t, const Vector& y,
                                                       const std::vector<char>& closed);
  /// \param at  the equations along the normals at this state
  [[nodiscard]] Outcome<ImpactEquations> of_impact(const Mode& mode, double t, const Vector& y,
                                                   const NormalEquations& at);
  /// Solves for the forces with friction. Contacts at rest may stick, slide or open.
  /// \returns kFrictionNoSolution if no motion satisfies the laws, kFrictionManySolutions if several do.
  [[nodiscard]] Outcome<ContactForces> forces_with_friction(const Mode& mode, double t, const Vector& y,
                                                            const NormalEquations& at);
  [[nodiscard]] bool have_friction() const { return !dynamics_.binding()->system->slides.empty(); }

 private:
  [[nodiscard]] std::vector<int> rows_of(const NormalEquations& at) const;
  [[nodiscard]] std::vector<char> closed_of(const NormalEquations& at) const;
  [[nodiscard]] Failure failure_of(FailureKind kind, double t, const NormalEquations& at) const;

  Dynamics& dynamics_;
  const std::vector<ContactRow>& rows_;
  double duration_;
};

}  // namespace vinculum::sim
