#pragma once

#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// The force λW of a constraint row on a point: W as a vector formula in the vectors of the user.
struct PointReaction {
  PointId point;
  Term W;  ///< vector; unit: force per multiplier
};

/// The torque λτ of a constraint row on a solid, in addition to its forces at points.
struct BodyReaction {
  FrameId body;  ///< the frame that a body owns; the newtonian frame for the ground
  Term tau;      ///< vector; unit: torque per multiplier
};

/// The forces and torques of one scalar row: Σ v^P·W + Σ ω^B·τ (+ bare coordinates) = rate of the row at its own level.
struct RowInspection {
  std::vector<PointReaction> forces;  ///< on particles and points of solids, in the order in which the row names them
  std::vector<BodyReaction> torques;  ///< on solids, in the same order
  /// The row contains coordinates outside of vectors: that part is a generalized force (theory.md §5.6)
  bool has_bare_part = false;

  /// Adds a force or torque to those already acting there.
  void add_force(PointId point, Term W);
  void add_torque(FrameId body, Term tau);
};

/// Only the forces on particles and bodies, for listings; the rest acts on the ground.
[[nodiscard]] RowInspection without_ground(const Model& model, RowInspection inspection);

/// W_P = ∂row/∂p_P, ∂row/∂v^P or ∂row/∂a^P by the row's level, and τ_B = Σ b × ∂row/∂b over the vectors that turn with
/// B, ∂row/∂ω^B or ∂row/∂α^B. These are vector derivatives of the row as written: position vectors, velocities and
/// basis vectors are independent arguments; points and frames that belong to no body are expanded first.
///
/// * A velocity seen in the frame of a body exerts the opposite force on the coincident point of that body if the model
///   has one (`ModelBuilder::add_rows` adds it), else on its mass center with a couple.
/// * The place of a contact in a row of position level is the point of action if the force there is equivalent to the
///   row (theory.md §5.3, tested at random states); else it is expanded.
///
/// Source: theory.md §5.1, 5.2; [R] ch. 2, 3, 5.
[[nodiscard]] RowInspection inspect_row(const Model& model, Term row, Level level);
/// As above for a row of a constraint, using its rate in vectors if the constraint states one (Constraint::row_rates).
/// Use this version whenever there is a constraint.
[[nodiscard]] RowInspection inspect_row(const Model& model, ConstraintId constraint, std::size_t row);

/// W at a massless point that the row names, as if it had mass: the force there is transmitted to whatever holds the
/// point.
[[nodiscard]] Term passed_on(const Model& model, ConstraintId constraint, std::size_t row, PointId massless);

/// ∂term/∂leaf for a vector leaf (kPosition, kVelocity, kAcceleration, …) of a scalar term: a vector.
[[nodiscard]] Term vector_gradient(const Model& model, Term scalar, Term leaf);

/// `force(c, P)` as a term: Σ over rows of λ_row W_row at the point, plus μ_row E_row for laws with a μ (`react` in
/// variation.hpp), plus the forces of `nonideal on` there. For a directed law: the efforts times the forces of the
/// actuators there; then the ideal force equals the total one. For a massless point that the constraint names: the
/// force it transmits to whatever holds the point (`passed_on`).
[[nodiscard]] Term total_force(const Model& model, ConstraintId constraint, PointId point);
/// `ideal_force(c, P)`: λ_ideal W plus μ E.
[[nodiscard]] Term ideal_force(const Model& model, ConstraintId constraint, PointId point);
/// total − ideal: the force of Qni at P, not of C.
[[nodiscard]] Term nonideal_force(const Model& model, ConstraintId constraint, PointId point);
/// λW with the actual λ, without stated forces.
[[nodiscard]] Term reaction(const Model& model, ConstraintId constraint, PointId point);
/// Whether force(c, P) at a massless point is a transmitted force: the constraint names the point, and the force comes
/// from its multipliers alone.
[[nodiscard]] bool passes_on(const Model& model, ConstraintId constraint, PointId point);
/// Points on which the constraint exerts a force, in the order in which it names them. Points of the ground are
/// included only if a clause or an actuator names them.
[[nodiscard]] std::vector<PointId> points_of(const Model& model, ConstraintId constraint);
/// Points of the ground on which it exerts a force. A relation names them only if it contains positions or velocities
/// relative to them; the reaction to a velocity seen in the newtonian frame acts at no point of the ground.
[[nodiscard]] std::vector<PointId> ground_points_of(const Model& model, ConstraintId constraint);
/// Whether it exerts a force or a torque on the ground.
[[nodiscard]] bool acts_on_ground(const Model& model, ConstraintId constraint);
/// Frames on which it exerts a torque in addition: bodies, and other frames named by `from` or an actuator.
[[nodiscard]] std::vector<FrameId> frames_of_torques(const Model& model, ConstraintId constraint);
/// Whether it also acts on coordinates: through bare coordinates in its rows, `nonideal` or an actuator on a coordinate
/// (theory.md §5.6), the law itself, or μ if rows change with bare coordinates (`vary_row`).
[[nodiscard]] bool acts_on_coordinates(const Model& model, ConstraintId constraint);
/// Whether its rows name the place not by vectors but by coordinates that move it: then an unknown part of its
/// reaction, a generalized force, acts there (theory.md §5.6).
[[nodiscard]] bool acts_by_coordinates(const Model& model, ConstraintId constraint, PointId point);
/// \param solid  the frame that a body owns, or the newtonian one
[[nodiscard]] bool acts_by_coordinates(const Model& model, ConstraintId constraint, FrameId solid);
/// Bodies on which it exerts a torque, or a force at one of their points, in the order in which it names them.
[[nodiscard]] std::vector<FrameId> bodies_of(const Model& model, ConstraintId constraint);

/// The body that a point is fixed in; see KinematicTree::carrier_of.
[[nodiscard]] std::optional<BodyId> carrier_of(const Model& model, PointId point);

/// The part of a constraint's reaction. kTotal: all of it, including `nonideal` forces; kReaction: the part of the
/// actual λ; kIdeal: the ideal part; kNonideal: total − ideal.
enum class Share { kTotal, kReaction, kIdeal, kNonideal };
/// Couple on the body (on the ground for the newtonian frame), in addition to the forces at the named points: Σ λτ, and
/// torques of `nonideal`. Zero vector if there is none.
[[nodiscard]] Term torque_on(const Model& model, ConstraintId constraint, FrameId body, Share share = Share::kTotal);
/// Resultant of the forces at points of the body, or of the ground.
[[nodiscard]] Term resultant_force(const Model& model, ConstraintId constraint, FrameId body,
                                   Share share = Share::kTotal);
/// Resultant moment about a point: Σ (p − about) × force + couples.
[[nodiscard]] Term resultant_moment(const Model& model, ConstraintId constraint, FrameId body, PointId about,
                                    Share share = Share::kTotal);

/// Measure number k of a reveal: λ_s = −(F_s + F*_s) for an auxiliary motion in which the point (the body) and
/// everything that follows it has the unit velocity (angular velocity) along[k]. F_s includes all loads and the
/// reactions of all constraints. Source: [R] 2.5, 3.5, 4.2; theory.md §5.5.
[[nodiscard]] Term revealed(const Model& model, RevealId reveal, int k);
/// Names of the loads and constraints that act on coordinates, for which no revealed force can account; for an error
/// message.
[[nodiscard]] std::vector<std::string> loads_without_place(const Model& model);

/// Whether the relation as written contains the position, velocity or acceleration of the point, massless or not.
[[nodiscard]] bool names_point(const Constraint& constraint, PointId point);

/// Kinetic energy and, below, other energies and momenta, as terms over all particles, bodies and loads.
[[nodiscard]] Term kinetic_energy(const Model& model);
/// Potential energy of gravity (zero at the newtonian origin), springs and `potential`. Gravity, stiffness and length
/// may change with time; a load whose parameters contain coordinates or speeds has no potential and is left out.
[[nodiscard]] Term potential_energy(const Model& model);
/// The potential energy of one load; invalid if it has none.
[[nodiscard]] Term potential_of(const Model& model, const Load& load);
/// Σ (q'·∂L/∂q' − L) over the stated Lagrangian functions.
[[nodiscard]] Term lagrangian_energy(const Model& model);
/// Kinetic energy, potential energy and `lagrangian_energy`.
[[nodiscard]] Term total_energy(const Model& model);
/// E plus the energy stored by reaction laws (Law::stored_energy), E + μ^a ∂F_a/∂q'·q' for multipliers μ that are
/// states. Its rate is D·q' − ∂L/∂t − μ^a ∂F_a/∂t plus the power of all other reactions.   Source: [S] 3.31–3.35;
/// theory.md §6.4.
[[nodiscard]] Term effective_energy(const Model& model);
/// Contribution of one constraint to the effective energy.
[[nodiscard]] Term stored_energy(const Model& model, ConstraintId constraint);
/// Σ ∂f/∂q_i' q_i'.
[[nodiscard]] Term along_the_rates(const Model& model, Term f);
/// ∂L/∂q' of particles, bodies and Lagrangian functions.
[[nodiscard]] Term generalized_momentum(const Model& model, CoordinateId coordinate);
[[nodiscard]] Term momentum(const Model& model, ParticleId particle);
[[nodiscard]] Term angular_momentum(const Model& model, ParticleId particle, PointId about);
[[nodiscard]] Term momentum(const Model& model, BodyId body);
[[nodiscard]] Term angular_momentum(const Model& model, BodyId body, PointId about);
/// I·v with the central inertia of the body.
[[nodiscard]] Term times_inertia(const Model& model, BodyId body, Term vector);
/// Power of all forces of a constraint: Σ force · vel + Σ torque · omega over the points and bodies it names. If it
/// also acts on coordinates: Σ Q_r u_r (theory.md §5.6); invalid in that case if points, frames or speeds depend
/// explicitly on time.
[[nodiscard]] Term power_of_constraint(const Model& model, ConstraintId constraint);

/// Text of the factor of an actuator's forces: "effort(c, 1)", divided by its unit if the scale is an expression.
[[nodiscard]] std::string effort_text(const Model& model, ConstraintId id, std::size_t actuator);

}  // namespace vinculum::model
