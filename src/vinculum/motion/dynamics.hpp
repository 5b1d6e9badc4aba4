#pragma once

#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/equations/formulation.hpp"
#include "vinculum/motion/mode.hpp"
#include "vinculum/solve/contacts/contact_problem.hpp"
#include "vinculum/solve/generated/geometry.hpp"
#include "vinculum/solve/pivoted/reaction.hpp"

namespace vinculum::sim {

class SurfaceMotion;

/// Friction of all contacts at one state as one problem (docs/theory.md §4.6).
struct ContactReading {
  solve::ContactProblem problem;
  std::vector<int> slides;    ///< [contacts] which of System::slides
  std::vector<Matrix> basis;  ///< [contacts] tangential components of the contact, in components of its velocity
  std::vector<int> left_out;  ///< slides at rest of which not even a direction is known: no force moves them
  Vector lambda;              ///< [nc] multipliers without friction
  Matrix lambda_of_x;         ///< [nc × n] what forces add to them
  Vector v;                   ///< [ns]
  Vector guess;               ///< [nc] multipliers at which laws of another form than given + mu |normal| were taken
  bool is_of_guess = false;   ///< there are such laws
};

/// Velocities of sliding and what would change their state.
struct FrictionReading {
  Vector v_dot;         ///< [ns] rates of the velocities of all slides
  Vector force;         ///< [ns] of those that stick: the force conjugate to v that keeps them
  Vector bound;         ///< [slides] of those that stick: |force| if they slid
  Vector static_bound;  ///< [slides] most that sticking can take
  /// Forces of those that stick are not unique: `force` is one choice, and `margin` the largest distance from the
  /// bounds, relative to them, that any choice keeps.
  bool is_shared = false;
  Vector margin;                ///< [slides] 1 − |force|/static_bound of those that stick
  solve::ContactAnswer shares;  ///< where they are shared
  std::optional<ContactReading> contacts;
};

/// Changes of multipliers and of the directions of friction (forces over their bounds) that change no motion, of rows
/// and contacts that stick alike: what is shown is unique where its derivative along them vanishes. Only where contacts
/// that stick have a part; else they are the null space of the rows.
struct FreeForces {
  Matrix lambda;  ///< [nc × k]
  Matrix s;       ///< [ns × k]
};

/// Where rows are this close to dependent, or a row this short beside its usual length, accelerations are taken on the
/// constraint manifold: off it by δ they err by δ over the conditioning, which step control would chase into the
/// singular pose.
inline constexpr double kNearlyDependent = 0.02;

/// Everything that is reported about one instant.
struct Sample {
  double t = 0.0;
  Vector q, u;               ///< [nq], [nu]
  Vector z, z_dot;           ///< [nz] extra states and their rates
  Vector top;                ///< highest derivatives (HigherOrder::top); empty without constraints of higher order
  Vector q_dot;              ///< [nq] G u + g
  solve::Reaction reaction;  ///< u_dot(), lambda(), lambda_ideal(), Q_ideal(), Q_nonideal, Q_c, effort
  Vector vectors;            ///< numbers of System::vectors
  bool is_free_motion_unique = true;  ///< false: M is singular, and the free acceleration among them is one of many
  FrictionState friction;             ///< of all slides; empty where the model has none
  Vector outputs;                     ///< [output_size], columns as in CompiledModel::output_columns
  Vector expectations;  ///< sides of the model's expectations, columns as in CompiledModel::expectation_columns
  Vector residual;      ///< [constraints] worst row of the constraint as stated, absolute value
  int rank = 0;         ///< of A at this state
  // Whether a quantity is the same for every admissible λ (theory.md §3.5): 1, or 0.
  std::vector<char> row_unique;                         ///< [nc] the multiplier of the row
  std::vector<std::array<char, 3>> point_force_unique;  ///< [point_forces] along x, y, z of the newtonian frame
  struct BodyUnique {
    std::array<char, 3> force{1, 1, 1}, couple{1, 1, 1}, moment{1, 1, 1};  ///< moment: about the mass center
  };
  std::vector<BodyUnique> body_wrench_unique;  ///< [body_wrenches] likewise
  std::vector<char> output_unique;             ///< [output_size] each entry
};

/// The pieces of the equations of motion at one state, in the letters of theory.md §0. [shapes of `System`]
struct Matrices {
  Vector q_dot;
  Matrix G, M;
  Matrix metric;  ///< [nu×nu] M without what need not be positive (System::metric)
  Vector f, C;
  Matrix A;
  Vector certainty;  ///< [nc] what rows count for beside others of unit length (ConstrainedSolve)
  Vector b;
  Vector doubt;     ///< [nc] by how much b is off with the numbers of the state: rounding, and what violates the rows
  Vector phi, psi;  ///< [nc] 0 where the row's level does not have them
  Matrix phi_q;     ///< [nc × nq]
  Matrix Gamma;     ///< [efforts × nu]
};

/// The geometry of constrained motion at a state (theory.md §4.4): M and f without what laws of constraints with rows
/// add to them, so that M u' = f + Q_constraint whatever the laws are.
struct MotionGeometry : solve::Geometry {
  Matrix M, A;
  Vector f, b;
  Vector u_dot;         ///< [nu] the actual accelerations
  Vector Q_constraint;  ///< [nu] Qc; Qni = Qc − Qi
  /// [nu] vᵀC = vᵀQc for every virtual displacement v: what `nonideal` clauses state, and where a law is none of [UK]
  /// Qc − Qi.
  Vector C;

  [[nodiscard]] Vector Q_nonideal() const { return Q_constraint - Q_ideal; }
  /// (u' − a)ᵀ M (u' − a), H in the place of M where that is singular.
  [[nodiscard]] double gauss() const { return Q_constraint.dot(u_dot - free.a); }
};

/// Evaluates the equations of one binding, with scratch of its own: one object a thread. `derivative` and `project`
/// allocate nothing after their first calls. By generated code where its guards accept it, else by solves with pivots
/// (ConstrainedSolve).
///
/// What is evaluated follows from the mode, t and y alone. Functions without a mode take the one at hand, `mode()`;
/// `derivative(t, ...)`, `project(t, ...)` and what is set change it, no other function does. Given a const mode,
/// evaluations leave it as it is and have the bits that those of the motion would have.
class Dynamics {
 public:
  explicit Dynamics(const std::shared_ptr<const Binding>& bound);
  ~Dynamics();
  Dynamics(Dynamics&&) noexcept;
  Dynamics& operator=(Dynamics&&) noexcept;

  /// (t, [q, u, z]) → [q', u', z']: what `y` is everywhere.
  /// \returns kInconsistent with the rows named, kUndetermined with coordinates named, kNonFinite with the culprit,
  ///          kSingularKinematics where it lies in the definitions of the speeds.
  [[nodiscard]] Outcome<void> derivative(Mode& mode, double t, const double* y, double* y_dot);
  [[nodiscard]] Outcome<void> derivative(const Mode& mode, double t, const double* y, double* y_dot);
  [[nodiscard]] Outcome<void> derivative(double t, const double* y, double* y_dot) {
    return derivative(mode_, t, y, y_dot);
  }

  /// Brings quaternions to unit norm and q onto the rows of position level, then u onto all rows with ψ, in the metric
  /// of M, to rounding. States stay. The minimal formulation keeps its independent speeds instead, and solves ψ for the
  /// others.
  /// \returns the largest correction relative to `set_scale`; kInconsistent where the constraints cannot be reached.
  /// Between `keep_levels` and `release_levels` it keeps invariants as well (conserve.hpp): kNotConserved where they
  /// cannot be reached.
  [[nodiscard]] Outcome<double> project(Mode& mode, double t, double* y);
  [[nodiscard]] Outcome<double> project(const Mode& mode, double t, double* y);
  [[nodiscard]] Outcome<double> project(double t, double* y) { return project(mode_, t, y); }

  /// The mode at hand.
  [[nodiscard]] const Mode& mode() const { return mode_; }
  /// \pre of a Dynamics of the same binding and formulation.
  void set_mode(Mode mode) { mode_ = std::move(mode); }

  /// From here on `project` keeps rows that are integrals of the motion at 0 and, if `with_conserved`, quantities of
  /// `conserve` at their values at this state. Allocates.   \pre `set_scale`
  void keep_levels(double t, const Vector& y, bool with_conserved = true);
  void release_levels();

  /// Which slides stick from here on, and the directions that those at rest go on in; where one slides, its direction
  /// at the last accepted state. Friction that sticks holds v = 0 in `derivative` and `project`.  \pre sizes as in
  /// FrictionState.
  void set_friction(const FrictionState& state) { sim::set_friction(mode_, state); }
  [[nodiscard]] const FrictionState& friction() const { return mode_.friction; }
  /// Accelerations that enter nonlinearly go on from those of a sample, on its branch. Nothing where none do.
  void set_accelerations(const Sample& sample);
  /// \returns as `derivative`; kFrictionManySolutions where forces that stick are not unique, kFrictionNoSolution where
  /// a clause states another force than one against the velocity of sliding.
  [[nodiscard]] Outcome<void> read_friction(const Mode& mode, double t, const double* y, FrictionReading& reading);
  /// Friction of all slides as one problem: those at rest undecided, the others along their directions.
  /// \param at_rest [slides]   \param guess  see ContactReading; empty: the multipliers of the ideal constraints
  /// \returns kNegativeFriction, kFrictionNoSolution where a clause states another force than one against its velocity,
  /// and as `derivative`. Allocates.
  [[nodiscard]] Outcome<ContactReading> read_contacts(const Mode& mode, double t, const double* y,
                                                      const std::vector<char>& at_rest, const Vector& guess = {});
  /// Whether the reactions that forces depend on are the only ones that agree with them: generated accelerations find
  /// one answer and look for no others. \returns kFrictionManySolutions where there are more.
  [[nodiscard]] Outcome<void> look_for_other_reactions(double t, const double* y);
  /// Learns how large the mobility of sliding velocities is near a state, so that one that vanishes at a dead point is
  /// known for that.
  void learn_slide_reach(double t, const double* y);
  /// Whether stated coefficients or bounds of friction vary along a motion.
  [[nodiscard]] bool has_varying_friction() const;
  /// Of each slide, what must not be negative: its coefficient or bound as stated [slides].
  void read_stated_friction(double t, const double* y, Vector& stated);
  /// The end of a motion whose friction is negative.
  [[nodiscard]] Failure negative_friction(double t, int slide, double stated) const;
  /// Velocities of sliding [ns] and the sum of the sizes of what they are made of, slide by slide [slides].
  void read_slides(double t, const double* y, Vector& v, Vector& size);

  /// As of modes (mode.hpp). Allocates.
  void set_sides(std::span<const double> sides) { sim::set_sides(mode_, *bound_, sides); }

  /// How `derivative` and `project` are computed from here on; the motion is the same (theory.md §7). Only the explicit
  /// one has generated code. Allocates.
  void set_formulation(equations::Formulation formulation);
  [[nodiscard]] equations::Formulation formulation() const;

  /// Everything about the state, always by tier Q: the truth. Allocates while `sample` grows to size.
  /// \returns why there is no complete sample: as `derivative`, or kNonFinite with an output, or an expectation that is
  /// to hold always, that is not finite.
  [[nodiscard]] Outcome<void> report(double t, const double* y, Sample& sample);

  /// The pieces of the equations of motion at a state. \returns kNonFinite with the culprit.
  [[nodiscard]] Outcome<void> matrices(double t, const double* y, Matrices& matrices);
  /// \returns why the motion is not found there; kNotUnique where a constraint of higher order has no row.
  [[nodiscard]] Outcome<MotionGeometry> geometry(double t, const double* y);
  /// The same over the speeds that texts show (model::shown_speeds).
  [[nodiscard]] Outcome<MotionGeometry> shown_geometry(double t, const double* y);
  /// The same as `matrices` without a look at whether they are finite.
  /// \param with_mass  kNo: M and the metric may be left out, where nothing else asks for them.
  void matrices_as_they_are(double t, const double* y, Matrices& matrices, WithMass with_mass = WithMass::kYes) {
    matrices_as_they_are(mode_, t, y, matrices, with_mass);
  }
  void matrices_as_they_are(const Mode& mode, double t, const double* y, Matrices& matrices,
                            WithMass with_mass = WithMass::kYes);
  /// Fills in the rows of A and b that are integrals of the motion (Structure::integrals). Solvers leave them out.
  void show_integrals(double t, const double* y, Matrices& matrices);
  /// A [nc × nu] and the relation of each row as stated [nc], without any check.   \param A  as long as the plant
  void gradients(double t, const double* y, numeric::SparseRows& A, Vector& residual);

  /// \param scale [nq + nu + nz] typical size > 0 of each component.  \param tolerance  corrections count in tolerance
  /// × scale.
  void set_scale(const Vector& scale, double tolerance);
  /// Learns the usual size of each row from states around y, also off the constraints: where a row that vanishes on
  /// them has only rounding left, nothing is read from it. \pre `set_scale`
  void learn_row_sizes(double t, const Vector& y);
  [[nodiscard]] const Vector& scale() const;

  /// That efforts all but cease to affect the constraints they keep here: why a step size collapsed.
  [[nodiscard]] std::optional<Failure> explain_weak_efforts(double t, const double* y);
  /// Whether accelerations are being taken on the constraint manifold because rows are close to dependent here.
  [[nodiscard]] bool is_near_singular() const { return mode_.calls_on_constraints > 0 || mode_.has_short_rows; }
  /// Has them taken so until told otherwise, by a look at the rows after each step. Where rows are short and none of
  /// them close to dependent on others, generated code does it.
  enum class Near { kNothing, kShortRows, kDependence };
  void set_near_singular(Near what);
  /// Of the system of the highest derivatives (theory.md §6.5): the sign of its determinant and its last pivot over the
  /// first, equilibrated. 1 and 1 where no constraint is of higher order.
  struct Regularity {
    int sign = 1;
    double pivot = 1.0;
  };
  [[nodiscard]] Regularity regularity(double t, const double* y);
  /// [n] largest entries of the rows of that system, where it was last read; unknowns in units of their sizes.
  [[nodiscard]] Vector row_sizes_of_highest() const;
  /// kSingularByMultipliers of these.
  [[nodiscard]] Failure singular(double t) const;
  [[nodiscard]] const SolveCounts& counts() const { return mode_.counts; }
  [[nodiscard]] const Binding& binding() const { return *bound_; }
  [[nodiscard]] std::shared_ptr<const Binding> shared_binding() const { return bound_; }
  /// The binding with the sides of a mode.
  [[nodiscard]] std::shared_ptr<const Binding> binding_of(const Mode& mode);

 private:
  struct Impl;
  /// Scratch that goes by a mode, or by a copy of one.
  [[nodiscard]] Impl& in(Mode& mode);
  [[nodiscard]] Impl& in_copy(const Mode& mode);
  [[nodiscard]] Outcome<void> report_along(Mode& mode, double t, const double* y, Sample& sample);
  /// Goes along the surfaces of a mode.
  [[nodiscard]] SurfaceMotion& along(const Mode& mode);

  std::shared_ptr<const Binding> bound_;
  Mode mode_, copy_;
  std::unique_ptr<Impl> impl_;
  std::unique_ptr<SurfaceMotion> along_;
};

}  // namespace vinculum::sim
