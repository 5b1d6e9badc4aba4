#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/codegen/kernel.hpp"
#include "vinculum/dynamics/system.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/laws/friction.hpp"
#include "vinculum/solve/static_ldlt.hpp"

/// A model in motion: compilation, consistent start, integration, and what is reported about it.
namespace vinculum::sim {

/// A kernel with the parameters' constants that go with it. Shared between threads.
struct BoundKernel {
  std::shared_ptr<const codegen::Kernel> kernel;
  std::vector<double> constants;
};

/// Offsets of the pieces in the output of the `matrices` kernel, all row by row. φ, ψ and ∂φ/∂q have places for every
/// row, 0 where the row's level does not have them.
struct MatricesLayout {
  int q_dot = 0, G = 0, M = 0, metric = 0, f = 0, C = 0, A = 0, b = 0, phi = 0, psi = 0, phi_q = 0, Gamma = 0, size = 0;
};

/// Columns of one output of the model in `Sample::outputs`.
struct OutputColumns {
  int first = 0;
  int count = 1;  ///< 1 for a scalar, 3 for a vector, one for each component of a list
};

/// Columns of one expectation in the output of the `expectations` kernel: left side, then right side, of `count`
/// numbers each; a condition takes three: its truth and, where it compares two scalars, both sides.
struct ExpectationColumns {
  enum class Shape { kEquality, kComparison, kCondition, kNone } shape = Shape::kNone;
  int first = 0;
  int count = 0;
  /// How many columns it has.
  [[nodiscard]] int total() const {
    return shape == Shape::kEquality ? 2 * count : shape == Shape::kComparison ? count + 2 : count;
  }
};

/// A force that a constraint puts on a point, for flags of uniqueness.
struct PointForce {
  mechanics::ConstraintId constraint;
  mechanics::PointId point;
  int first_row = 0;  ///< first row of the constraint in the System, and how many
  int row_count = 0;
  int columns = 0;  ///< first place in the output of `wrenches`: W of the rows, [3 × row_count] row by row
};

/// What a constraint puts on a rigid body, for flags of uniqueness. Places in the output of `wrenches` as of
/// PointForce.
struct BodyWrench {
  mechanics::ConstraintId constraint;
  mechanics::FrameId body;  ///< the frame it owns
  int first_row = 0;
  int row_count = 0;
  int force = 0;   ///< resultant of the forces at its points
  int couple = 0;  ///< torques beside them
  int moment = 0;  ///< of both about the mass centre
};

struct CompileSettings {
  codegen::CompileOptions codegen;
  unsigned seed = 1;             ///< of the random states at which the structure is analysed
  int refinements = 3;           ///< most refinements of the static solve
  bool judges_conserved = true;  ///< refuse what `conserve` names and is no invariant; without, a run must not keep it
};

/// A model ready to move: equations derived, kernels compiled for its parameter values. Immutable; any number of
/// threads may read it, each with its own `Dynamics`.
///
/// Kernels take (t, q, u, z), those of reports (t, q, u, z, u', λ, λ_ideal, efforts, s, highest derivatives of
/// `System::higher`). What runs in every step is compiled by the back end asked for, what is only reported runs on the
/// tape: the same bits, and far less to compile.
struct CompiledModel {
  std::shared_ptr<const mechanics::Model> model;
  std::shared_ptr<const dynamics::System> system;
  std::vector<double> parameters;

  solve::StaticStructure structure;      ///< of all rows
  std::vector<int> position_rows;        ///< rows with φ
  std::vector<int> velocity_rows;        ///< rows with ψ
  bool has_identity_kinematics = false;  ///< q' = u
  std::vector<char> gradient_varies;     ///< [nc] the row's gradient depends on t, q or u

  bool compares_rows = false;  ///< rows are left out of the static solve that are no multiples by their form

  /// → q' [nq], u' [nu], z' [nz], residual, contraction; where `compares_rows` also disagreement, φ [position_rows], ψ
  /// [velocity_rows]. None where `is_implicit`.
  BoundKernel accelerations;
  BoundKernel position;         ///< → dq [nq], φ [position_rows], residual, contraction
  BoundKernel velocity;         ///< → du [nu], ψ [velocity_rows], residual, contraction
  BoundKernel state_rates;      ///< (t, q, u, z, λ, s) → z' [nz]; none without states
  BoundKernel gradients;        ///< → A [nc × nu], φ or ψ of each row at its own level [nc] (0 at acceleration level)
  BoundKernel matrices;         ///< → MatricesLayout
  BoundKernel outputs;          ///< report kernel → all outputs, one after the other
  BoundKernel output_gradient;  ///< report kernel → ∂outputs/∂(λ, λ_ideal), [output_size × 2nc] row by row
  BoundKernel
      reaction_force;  ///< report kernel → C [nu], ∂C/∂λ of `dependence.rows` [nu × rows] row by row: where C holds λ
  BoundKernel slide_motion;    ///< → v of all slides [ns], ∂v/∂u [ns × nu] row by row, v' − ∂v/∂u u' [ns]
  BoundKernel slide_bound;     ///< report kernel → ∂C/∂s [nu × ns] row by row, static ratios [slides]
  BoundKernel nonlinear_rows;  ///< report kernel → A of `nonlinear` rows row by row, their b, Σ λ ∂²χ/∂u'² [nu × nu]
  BoundKernel wrenches;        ///< report kernel → see PointForce::columns and BodyWrench
  BoundKernel expectations;    ///< report kernel → ExpectationColumns
  /// Where constraints are of higher order (HigherOrder); they have no `accelerations` then.
  BoundKernel top;        ///< → q' [nq], J [n×n] row by row, r [n]
  BoundKernel hidden;     ///< → hidden [h], their gradient [h × (nu + nu + nz)], G [nq × nu], row by row
  BoundKernel relations;  ///< report kernel → F [number of μ]

  /// A velocity whose direction forces take that are not linear in it (no Slide): columns of `sliding_velocity`.
  struct Sliding {
    mechanics::ConstraintId constraint;
    int first = 0;
    int count = 0;
  };
  std::vector<Sliding> sliding;
  BoundKernel sliding_velocity;  ///< → see `sliding`

  BoundKernel levels;  ///< → `level_outputs` of what `conserve` states; none without

  laws::ReactionDependence dependence;  ///< of C on reactions
  std::vector<int>
      nonlinear;  ///< rows not linear in u'. In `matrices` and `gradients` these are zeros, as C is where it holds λ
  MatricesLayout layout;
  std::vector<OutputColumns> output_columns;  ///< [outputs]
  int output_size = 0;
  std::vector<expr::Expr> output_values;                ///< [output_size] of t, q, u, u', λ, λ_ideal, efforts
  std::vector<ExpectationColumns> expectation_columns;  ///< [expectations]
  std::vector<expr::Expr> expectation_values;           ///< columns as in `expectation_columns`
  std::vector<PointForce> point_forces;
  std::vector<BodyWrench> body_wrenches;

  std::vector<expr::Expr> state_starts;     ///< [nz] of t and q
  bool is_moved_by_multipliers = false;     ///< z' holds λ
  std::vector<expr::Expr> start_values;     ///< [starts] right sides of the start conditions, of t and q
  std::vector<expr::Entry> start_gradient;  ///< ∂start_values/∂q

  codegen::CompileReport report;
  double seconds_derive = 0.0;
  double seconds_compile = 0.0;

  [[nodiscard]] int nq() const { return system->nq(); }
  [[nodiscard]] int nu() const { return system->nu(); }
  [[nodiscard]] int nc() const { return system->nc(); }
  [[nodiscard]] int nz() const { return system->nz(); }
  [[nodiscard]] int slide_size() const { return static_cast<int>(system->slide_direction.size()); }
  [[nodiscard]] int effort_count() const { return static_cast<int>(system->effort.size()); }
  /// Whether accelerations are no linear problem: C holds reactions, or a row is not linear in u'.
  [[nodiscard]] bool is_implicit() const { return system->has_implicit_nonideal || system->has_nonlinear_rows; }
  /// How messages name a row: "parallel", "roll[2]".
  [[nodiscard]] std::string row_name(int row) const;
  /// How messages name a speed: "u1", "q1'".
  [[nodiscard]] const std::string& speed_name(int speed) const;
  /// SI unit of a row at a level, with a space before it: " m/s^2"; empty for a model without units.
  [[nodiscard]] std::string row_unit(int row, mechanics::Level level) const;
};

/// Derives and compiles. \returns kSingularKinematics and the like from `derive`, by name; kNonFinite where no state
/// near the start has finite equations.
[[nodiscard]] Outcome<std::shared_ptr<const CompiledModel>> compile_model(std::shared_ptr<const mechanics::Model> model,
                                                                          const CompileSettings& settings = {});

}  // namespace vinculum::sim
