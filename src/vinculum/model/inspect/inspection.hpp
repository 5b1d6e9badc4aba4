#pragma once

#include <vector>

#include "vinculum/model/model.hpp"

namespace vinculum::model {

/// The force λW that a constraint row puts on a point: W as a vector formula in the user's own vectors.
struct PointReaction {
  PointId point;
  Term W;  ///< vector; unit: force per multiplier
};

/// The torque λτ that a constraint row puts on a solid, in addition to its forces at points.
struct BodyReaction {
  FrameId body;  ///< the frame that a body owns; the newtonian frame for the ground
  Term tau;      ///< vector; unit: torque per multiplier
};

/// What one scalar row does where: Σ v^P·W + Σ ω^B·τ (+ bare coordinates) = rate of the row at its own level.
struct RowInspection {
  std::vector<PointReaction> forces;  ///< on particles and points of solids, in the order the row names them
  std::vector<BodyReaction> torques;  ///< on solids, likewise
  bool has_bare_part = false;         ///< coordinates appear bare: the rest is a generalized force (theory.md §5.6)

  /// Joins a share to what acts there already.
  void add_force(PointId point, Term W);
  void add_torque(FrameId body, Term tau);
};

/// What acts on particles and bodies alone: listings show it, and the rest comes from outside of the model.
[[nodiscard]] RowInspection without_ground(const Model& model, RowInspection inspection);

/// W_P = ∂row/∂p_P, ∂row/∂v^P or ∂row/∂a^P by the row's level, τ_B = Σ b × ∂row/∂b over the vectors that turn with B,
/// ∂row/∂ω^B or ∂row/∂α^B, by vector differentiation of the row as written: position vectors, velocities and basis
/// vectors are independent arguments; points on no body and frames owned by none are expanded first. A velocity seen in
/// the frame of a body puts the opposite force on the point of that body now there, where the model has one
/// (`ModelBuilder::add_rows` sees to it), else on its mass centre with the couple. The place of a contact that a row of
/// position level names is its point of action if the force there does what the row does (theory.md §5.3, tried at
/// random states); else it is expanded. Source: theory.md §5.1, 5.2; [R] ch. 2, 3, 5.
[[nodiscard]] RowInspection inspect_row(const Model& model, Term row, Level level);
/// The same of a constraint's row, from its rate in vectors where the constraint states one (Constraint::row_rates):
/// what everyone calls who has a constraint in hand.
[[nodiscard]] RowInspection inspect_row(const Model& model, ConstraintId constraint, std::size_t row);

/// W at a point without mass that the row names, as if it had one: what the row exerts there is passed on to whatever
/// holds the point.
[[nodiscard]] Term passed_on(const Model& model, ConstraintId constraint, std::size_t row, PointId massless);

/// ∂term/∂leaf for a vector leaf (kPosition, kVelocity, kAcceleration, …) of a scalar term: a vector.
[[nodiscard]] Term vector_gradient(const Model& model, Term scalar, Term leaf);

/// Σ over rows of λ_row W_row at the point, with μ_row E_row of laws that bring a μ (`react` of variation.hpp), plus
/// what `nonideal on` states there: `force(c, P)` as a term. Of a directed law: the efforts times what the actuators
/// exert there, and no split: the ideal force is the total one. On a point without mass that the constraint names: what
/// it passes on to whatever holds the point (`passed_on`).
[[nodiscard]] Term total_force(const Model& model, ConstraintId constraint, PointId point);
/// λ_ideal W, with μ E.
[[nodiscard]] Term ideal_force(const Model& model, ConstraintId constraint, PointId point);
/// total − ideal: Qni at P, not C.
[[nodiscard]] Term nonideal_force(const Model& model, ConstraintId constraint, PointId point);
/// λW, the actual one, without the force stated.
[[nodiscard]] Term reaction(const Model& model, ConstraintId constraint, PointId point);
/// Whether force(c, P) of a point without mass is what the constraint passes on there: it names the point, and its
/// multipliers and nothing else make the force.
[[nodiscard]] bool passes_on(const Model& model, ConstraintId constraint, PointId point);
/// Points on which the constraint exerts a force, in the order it names them. Points of the ground are among them only
/// if a clause or an actuator names them.
[[nodiscard]] std::vector<PointId> points_of(const Model& model, ConstraintId constraint);
/// Points of the ground on which it exerts a force. A relation names them only if it is one of positions or velocities
/// relative to them; the reaction to a velocity seen in the newtonian frame acts nowhere.
[[nodiscard]] std::vector<PointId> ground_points_of(const Model& model, ConstraintId constraint);
/// Whether it exerts a force or a torque on the ground.
[[nodiscard]] bool acts_on_ground(const Model& model, ConstraintId constraint);
/// Frames on which it exerts a torque in addition: bodies, and others if `from` or an actuator names them.
[[nodiscard]] std::vector<FrameId> frames_of_torques(const Model& model, ConstraintId constraint);
/// Whether it acts on coordinates beside: bare ones in its rows, or stated by `nonideal` or an actuator (theory.md
/// §5.6), the law's own, or what μ brings where rows change with bare coordinates (`vary_row`).
[[nodiscard]] bool acts_on_coordinates(const Model& model, ConstraintId constraint);
/// Whether its rows name the place not by vectors but by coordinates that move it: then part of its reaction, which is
/// a generalized force, acts there, and which part is not known (theory.md §5.6).
[[nodiscard]] bool acts_by_coordinates(const Model& model, ConstraintId constraint, PointId point);
/// \param solid  the frame that a body owns, or the newtonian one
[[nodiscard]] bool acts_by_coordinates(const Model& model, ConstraintId constraint, FrameId solid);
/// Bodies on which it exerts a torque or a force at a point of theirs, in the order it names them.
[[nodiscard]] std::vector<FrameId> bodies_of(const Model& model, ConstraintId constraint);

/// The body that a point is fixed in; see KinematicTree::carrier_of.
[[nodiscard]] std::optional<BodyId> carrier_of(const Model& model, PointId point);

/// Whose share of a constraint's reaction: all of it with what `nonideal` states, the actual λ's, the ideal part, total
/// − ideal.
enum class Share { kTotal, kReaction, kIdeal, kNonideal };
/// Couple on the body, or on the ground for the newtonian frame, in addition to the forces at the points named: Σ λτ,
/// and torques that `nonideal` states. Zero vector if there is none.
[[nodiscard]] Term torque_on(const Model& model, ConstraintId constraint, FrameId body, Share share = Share::kTotal);
/// Resultant of the forces at points of the body, or of the ground.
[[nodiscard]] Term resultant_force(const Model& model, ConstraintId constraint, FrameId body,
                                   Share share = Share::kTotal);
/// Resultant moment about a point: Σ (p − about) × force + couples.
[[nodiscard]] Term resultant_moment(const Model& model, ConstraintId constraint, FrameId body, PointId about,
                                    Share share = Share::kTotal);

/// Measure number k of a reveal: λ_s = −(F_s + F*_s) for the auxiliary motion that gives the point (the body) and all
/// that follows it the unit velocity (angular velocity) along[k]; F_s holds all loads and the reactions of all
/// constraints. Source: [R] 2.5, 3.5, 4.2; theory.md §5.5.
[[nodiscard]] Term revealed(const Model& model, RevealId reveal, int k);
/// Loads and constraints that act on coordinates, so that no revealed force can account for them: by name, for an
/// error.
[[nodiscard]] std::vector<std::string> loads_without_place(const Model& model);

/// Whether the relation as written holds the position, velocity or acceleration of the point, with mass or without.
[[nodiscard]] bool names_point(const Constraint& constraint, PointId point);

/// Energies and momenta as terms over all particles, bodies and loads.
[[nodiscard]] Term kinetic_energy(const Model& model);
/// Gravity (zero at the newtonian origin point the particles' positions refer to), springs, `potential`. Gravity,
/// stiffness and length may change with time; a load that holds coordinates or speeds of its own has no potential and
/// is left out.
[[nodiscard]] Term potential_energy(const Model& model);
/// The part of it that one load has; not valid where the load has no potential.
[[nodiscard]] Term potential_of(const Model& model, const Load& load);
/// Σ (q'·∂L/∂q' − L) over the stated Lagrangian functions.
[[nodiscard]] Term lagrangian_energy(const Model& model);
/// Kinetic, potential and that of Lagrangian functions.
[[nodiscard]] Term total_energy(const Model& model);
/// E and what the laws of constraints store (Law::stored_energy), E + μ^a ∂F_a/∂q'·q' of multipliers μ that are states:
/// then its rate is D·q' − ∂L/∂t − μ^a ∂F_a/∂t and the power of all other reactions.   Source: [S] 3.31–3.35; theory.md
/// §6.4.
[[nodiscard]] Term effective_energy(const Model& model);
/// What one constraint adds to the energy there.
[[nodiscard]] Term stored_energy(const Model& model, ConstraintId constraint);
/// Σ ∂f/∂q_i' q_i'.
[[nodiscard]] Term along_the_rates(const Model& model, Term f);
/// ∂L/∂q', of particles, bodies and Lagrangian functions.
[[nodiscard]] Term generalized_momentum(const Model& model, CoordinateId coordinate);
[[nodiscard]] Term momentum(const Model& model, ParticleId particle);
[[nodiscard]] Term angular_momentum(const Model& model, ParticleId particle, PointId about);
[[nodiscard]] Term momentum(const Model& model, BodyId body);
[[nodiscard]] Term angular_momentum(const Model& model, BodyId body, PointId about);
/// I·v of a body's central inertia.
[[nodiscard]] Term times_inertia(const Model& model, BodyId body, Term vector);
/// Power of all forces of a constraint: Σ force · vel + Σ torque · omega over the points and bodies it names; Σ Q_r u_r
/// where it acts on coordinates beside (theory.md §5.6). Not valid where it does and points, frames or speeds move with
/// the time itself.
[[nodiscard]] Term power_of_constraint(const Model& model, ConstraintId constraint);

/// Text of the factor of an actuator's forces: "effort(c, 1)", divided by its unit if the scale is an expression.
[[nodiscard]] std::string effort_text(const Model& model, ConstraintId id, std::size_t actuator);

}  // namespace vinculum::model
