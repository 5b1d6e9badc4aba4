#pragma once

#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// The force λW of a constraint row on a point. W is a vector formula in the vectors that the user wrote.
struct PointReaction {
  PointId point;
  Term W;  ///< force per unit multiplier
};

/// The torque λτ of a constraint row on a solid, in addition to the row's forces at points.
struct BodyReaction {
  FrameId body;  ///< the frame that a body owns; the newtonian frame for the ground
  Term tau;      ///< torque per unit multiplier
};

/// The forces and torques of one scalar row. For every speed u_r, Σ v_r^P·W + Σ ω_r^B·τ is the entry A_r of the row,
/// except for the generalized force of coordinates outside of vectors (theory.md §5.3).
struct RowInspection {
  std::vector<PointReaction> forces;  ///< on particles and points of solids, in the order in which the row names them
  std::vector<BodyReaction> torques;  ///< on solids, in the order in which the row names them
  /// The row contains coordinates outside of vectors ("bare"). Their part of the reaction is a generalized force
  /// (theory.md §5.6)
  bool has_bare_part = false;

  /// Adds the force W at the point, or the torque tau on the body. If there is an entry for the point or body already,
  /// the vectors are summed.
  void add_force(PointId point, Term W);
  void add_torque(FrameId body, Term tau);
};

/// Removes the forces and torques on the ground from an inspection; used for listings.
[[nodiscard]] RowInspection without_ground(const Model& model, RowInspection inspection);

/// The forces and torques of a row per unit multiplier: W_P = ∂row/∂p_P, ∂row/∂v^P or ∂row/∂a^P by the row's level, and
/// τ_B = Σ b × ∂row/∂b over the vectors b that turn with B, ∂row/∂ω^B or ∂row/∂α^B. These are vector derivatives of the
/// row as written: position vectors, velocities and basis vectors are independent arguments. Points and frames that
/// belong to no body are expanded first.
///
/// * A velocity seen in the frame of a body exerts the opposite force on that body. The force acts on the body's
///   coincident point if the model has one (`ModelBuilder::add_rows` adds it), else on its mass center together with a
///   couple.
/// * A contact point in a row of position level is the point of action if a force there is equivalent to the row
///   (theory.md §5.3, tested at random states). Otherwise the contact point is expanded.
///
/// Source: theory.md §5.1, 5.2; [R] ch. 2, 3, 5.
[[nodiscard]] RowInspection inspect_row(const Model& model, Term row, Level level);
/// Inspection of a row of a constraint. It uses the rate in `Constraint::row_rates` instead of the row if one is
/// stated. Prefer this version wherever there is a constraint.
[[nodiscard]] RowInspection inspect_row(const Model& model, ConstraintId constraint, std::size_t row);

/// W at a massless point that the row names, as if the point had mass. The point transmits this force to the particle
/// or solid that it is offset from.
[[nodiscard]] Term passed_on(const Model& model, ConstraintId constraint, std::size_t row, PointId massless);

/// The vector ∂scalar/∂leaf, for a vector leaf (kPosition, kVelocity, kAcceleration, …) of a scalar term.
[[nodiscard]] Term vector_gradient(const Model& model, Term scalar, Term leaf);

/// `force(c, P)` as a term: Σ λ_row W_row over the rows, plus μ_row E_row for laws with a μ (`react` in variation.hpp),
/// plus the forces of `nonideal on` at P.
/// * Servo forces (`law directed`, `via`): the efforts times the forces of the actuators at P; the ideal force then
///   equals the total one.
/// * A massless point that the constraint names: the force that the point transmits (`passed_on`).
[[nodiscard]] Term total_force(const Model& model, ConstraintId constraint, PointId point);
/// `ideal_force(c, P)`: λ_ideal W plus μ E, summed over the rows.
[[nodiscard]] Term ideal_force(const Model& model, ConstraintId constraint, PointId point);
/// `force(c, P)` − `ideal_force(c, P)`: the force at P of the non-ideal part of the reaction (Qni of theory.md §4). It
/// includes the change of the multipliers by the `nonideal` clauses, so it is not only the force that these clauses
/// state.
[[nodiscard]] Term nonideal_force(const Model& model, ConstraintId constraint, PointId point);
/// λW with the actual λ, summed over the rows, without the stated `nonideal` forces.
[[nodiscard]] Term reaction(const Model& model, ConstraintId constraint, PointId point);
/// λ|W|: the magnitude of `reaction` of a unilateral constraint, whose λ is not negative. It is linear in λ.
[[nodiscard]] Term pushing_reaction(const Model& model, ConstraintId constraint, PointId point);
/// Whether `force(c, P)` at a massless point is a transmitted force. This holds if the constraint names the point and
/// its force there comes from multipliers alone.
[[nodiscard]] bool passes_on(const Model& model, ConstraintId constraint, PointId point);
/// Points on which the constraint exerts a force, in the order in which the constraint names them. Points of the ground
/// are included only if a clause or an actuator names them.
[[nodiscard]] std::vector<PointId> points_of(const Model& model, ConstraintId constraint);
/// Points of the ground on which the constraint exerts a force. A relation names such points only if it contains
/// positions or velocities relative to them. The reaction to a velocity seen in the newtonian frame acts at no point of
/// the ground.
[[nodiscard]] std::vector<PointId> ground_points_of(const Model& model, ConstraintId constraint);
/// Whether the constraint exerts a force or a torque on the ground.
[[nodiscard]] bool acts_on_ground(const Model& model, ConstraintId constraint);
/// Frames on which the constraint exerts a torque in addition to its forces: frames of bodies, and other frames that
/// `from` or an actuator names.
[[nodiscard]] std::vector<FrameId> frames_of_torques(const Model& model, ConstraintId constraint);
/// Whether the constraint also exerts generalized forces on coordinates (theory.md §5.6). Causes are coordinates
/// outside of vectors in its rows, a `nonideal` clause or an actuator on a coordinate, the law itself, or μ if the rows
/// change with such coordinates (`vary_row`).
[[nodiscard]] bool acts_on_coordinates(const Model& model, ConstraintId constraint);
/// Whether the rows refer to the point not by vectors but by coordinates that move the point. Then part of the reaction
/// is a generalized force, which has no known force at the point (theory.md §5.6).
[[nodiscard]] bool acts_by_coordinates(const Model& model, ConstraintId constraint, PointId point);
/// \param solid  the frame that a body owns, or the newtonian one
[[nodiscard]] bool acts_by_coordinates(const Model& model, ConstraintId constraint, FrameId solid);
/// Bodies on which the constraint exerts a torque or a force at one of their points, in the order in which it names
/// them.
[[nodiscard]] std::vector<FrameId> bodies_of(const Model& model, ConstraintId constraint);

/// The body that a point is fixed in; see KinematicTree::carrier_of.
[[nodiscard]] std::optional<BodyId> carrier_of(const Model& model, PointId point);

/// Selects a part of a constraint's reaction. kTotal: all of it, including `nonideal` forces; kReaction: the forces of
/// the actual λ; kIdeal: the ideal part; kNonideal: total − ideal.
enum class Share { kTotal, kReaction, kIdeal, kNonideal };
/// Couple that the constraint exerts on the body (on the ground for the newtonian frame), in addition to its forces at
/// the named points: Σ λτ, and torques of `nonideal`. Zero vector if there is none.
[[nodiscard]] Term torque_on(const Model& model, ConstraintId constraint, FrameId body, Share share = Share::kTotal);
/// Resultant of the constraint's forces at points of the body, or of the ground.
[[nodiscard]] Term resultant_force(const Model& model, ConstraintId constraint, FrameId body,
                                   Share share = Share::kTotal);
/// Resultant moment of the constraint's forces on the body: Σ (p − about) × force + couples.
[[nodiscard]] Term resultant_moment(const Model& model, ConstraintId constraint, FrameId body, PointId about,
                                    Share share = Share::kTotal);

/// Measure number k of the force or torque of a reveal, computed as −(F + F*) for an auxiliary motion. In this motion
/// all coordinates are held fixed, and the point of the reveal has a unit velocity (or the body a unit angular
/// velocity) in the direction of `Reveal::along[k]`. All points and frames defined from this point or body move with
/// it. F is the generalized force of all loads and of the reactions of all constraints, and F* the generalized inertia
/// force (`auxiliary_speed`).   Source: [R] 2.5, 3.5, 4.2; theory.md §5.5.
[[nodiscard]] Term revealed(const Model& model, RevealId reveal, int k);
/// Names, for an error message, of the loads and constraints that act on coordinates. A revealed force cannot include
/// their forces.
[[nodiscard]] std::vector<std::string> loads_without_place(const Model& model);

/// Whether the relations as written contain the position, velocity or acceleration of the point, massless or not.
[[nodiscard]] bool names_point(const Constraint& constraint, PointId point);

/// Kinetic energy of all particles and bodies. The energies and momenta below are sums over all particles, bodies and
/// loads too, unless an argument selects one of these.
[[nodiscard]] Term kinetic_energy(const Model& model);
/// Potential energy of gravity (zero at the newtonian origin), springs and `potential`. Gravity, stiffness and natural
/// length may change with time. A load in which these contain coordinates or speeds has no potential and is left out.
[[nodiscard]] Term potential_energy(const Model& model);
/// The potential energy of one load; invalid if it has none.
[[nodiscard]] Term potential_of(const Model& model, const Load& load);
/// Σ (q'·∂L/∂q' − L) over the stated Lagrangian functions.
[[nodiscard]] Term lagrangian_energy(const Model& model);
/// Kinetic energy, potential energy and `lagrangian_energy`.
[[nodiscard]] Term total_energy(const Model& model);
/// Total energy E plus the energy that reaction laws store (Law::stored_energy). For multipliers μ^a of rows F_a that
/// are states, it is E + μ^a ∂F_a/∂q'·q', summed over a. Its rate is D·q' − ∂L/∂t − μ^a ∂F_a/∂t plus the power of all
/// other reactions, where D are the given forces without potential.   Source: [S] 3.31–3.35; theory.md §6.4.
[[nodiscard]] Term effective_energy(const Model& model);
/// Contribution of one constraint to the effective energy.
[[nodiscard]] Term stored_energy(const Model& model, ConstraintId constraint);
/// Σ ∂f/∂q_i' q_i' of a scalar f, for example 2 T for a kinetic energy T that is quadratic in q'.
[[nodiscard]] Term along_the_rates(const Model& model, Term f);
/// Momentum of a coordinate q_i: ∂L/∂q_i' with L of all particles, bodies and Lagrangian functions.
[[nodiscard]] Term generalized_momentum(const Model& model, CoordinateId coordinate);
[[nodiscard]] Term momentum(const Model& model, ParticleId particle);
[[nodiscard]] Term angular_momentum(const Model& model, ParticleId particle, PointId about);
[[nodiscard]] Term momentum(const Model& model, BodyId body);
[[nodiscard]] Term angular_momentum(const Model& model, BodyId body, PointId about);
/// I·v with the central inertia dyadic I of the body.
[[nodiscard]] Term times_inertia(const Model& model, BodyId body, Term vector);
/// Power of all forces of a constraint: Σ force · vel + Σ torque · omega over the points and bodies that it names. If
/// the constraint also acts on coordinates, the power is Σ Q_r u_r with its generalized forces Q_r (theory.md §5.6);
/// this is invalid if points, frames or speeds depend explicitly on time.
[[nodiscard]] Term power_of_constraint(const Model& model, ConstraintId constraint);

/// Text of the factor that multiplies an actuator's forces: "effort(c, 1)". If the typical effort is an expression
/// (`Actuator::unit`), the effort is divided by it.
[[nodiscard]] std::string effort_text(const Model& model, ConstraintId id, std::size_t actuator);

}  // namespace vinculum::model
