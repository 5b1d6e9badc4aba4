#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/codegen/kernel.hpp"
#include "vinculum/compiled/kernel_outputs.hpp"
#include "vinculum/compiled/report_columns.hpp"
#include "vinculum/compiled/structure.hpp"

/// A model in motion: compilation, consistent start, integration, and what is reported about it.
namespace vinculum::sim {

class ImplicitEquations;
class LateMatrices;
class Watches;

/// A kernel with the parameters' constants that go with it. Shared between threads.
struct BoundKernel {
  std::shared_ptr<const codegen::Kernel> kernel;
  std::vector<double> constants;

  void evaluate(const double* inputs, double* outputs, double* workspace) const {
    kernel->evaluate(inputs, constants.data(), outputs, workspace);
  }
  void evaluate_at(double t, const double* state, double* outputs, double* workspace) const {
    kernel->evaluate_at(t, state, constants.data(), outputs, workspace);
  }
};

struct CompiledModel;
/// Decides whether the quantities that a model states in `conserve` are invariants with the values in force
/// (`judge_conserved`). \returns kNotConserved with the first that is none.
using ConservedJudge = Outcome<void> (*)(const CompiledModel&);

struct CompileSettings {
  codegen::CompileOptions codegen;
  unsigned seed = 1;    ///< of the random states at which the structure is analysed
  int refinements = 3;  ///< most refinements of the static solve
  /// A model that it refuses is not compiled. Null: nothing is refused, and a run must not keep these quantities.
  ConservedJudge conserved_judge = nullptr;
};

/// The plant, a model ready to move: its structure, what reports ask for, and kernels compiled and bound to parameter
/// values. Immutable; any number of threads may read it, each with its own `Dynamics`.
///
/// Kernels take (t, q, u, z, s), those of reports (t, q, u, z, u', λ, λ_ideal, efforts, s, highest derivatives of
/// `System::higher`, `System::vectors`). What runs in every step is compiled by the back end asked for, what is only
/// reported runs on the tape: the same bits, and far less to compile.
struct CompiledModel : Structure, ReportColumns {
  std::vector<double> parameters;  ///< values in force
  std::vector<char> is_set;        ///< [parameters] whether its value was set from outside, and follows no others
  ConservedJudge conserved_judge = nullptr;  ///< as in CompileSettings
  /// What steps may not jump over (watches.hpp), null where there is nothing of the kind; and on which side of its
  /// surfaces kernels are evaluated, after the parameters (Switches::values).
  std::shared_ptr<const Watches> watches;
  std::vector<double> sides;

  /// What kernels are prepared with: parameters, then sides.
  [[nodiscard]] std::vector<double> bound_values() const;

  /// A velocity whose direction forces take that are not linear in it (no Slide): columns of `sliding_velocity`.
  struct Sliding {
    model::ConstraintId constraint;
    int first = 0;
    int count = 0;
  };
  std::vector<Sliding> sliding;

  bool compares_rows = false;  ///< see MotionOutputs
  /// The coordinates hold the rows that generated code was written for: with other values it may say nothing.
  bool trusts_generated = true;
  MatricesLayout layout;

  /// → q' [nq], u' [nu], z' [nz], residual, contraction; where `compares_rows` also disagreement, φ [position_rows], ψ
  /// [velocity_rows]. None where they cannot be written out.
  BoundKernel accelerations;
  BoundKernel position;  ///< → dq [nq], φ [position_rows], contraction
  BoundKernel velocity;  ///< → du [nu], ψ [velocity_rows], contraction
  /// → the same by independent speeds, tried first; none where that gains little (solve::reduced_acceleration)
  BoundKernel reduced_accelerations, reduced_position, reduced_velocity;
  BoundKernel reactions;    ///< → what `accelerations` gives, λ [nc]; none without MotionOutputs::lambda
  BoundKernel state_rates;  ///< (t, q, u, z, λ, s) → z' [nz]; none without states
  numeric::SparsePattern gradient_pattern;  ///< of A [nc × nu]
  /// → entries of A, φ or ψ of each row at its own level [nc] (0 at acceleration level)
  BoundKernel gradients;
  BoundKernel conditions;  ///< → condition_outputs; none without Row::conditions
  BoundKernel matrices;    ///< → MatricesLayout; zeros for `nonlinear` rows, and for C where it holds λ
  /// With M, where no step needs a mass matrix that is deferred: `matrices` then has all but that, and is none where
  /// there are no rows.
  std::shared_ptr<const LateMatrices> late_matrices;
  std::shared_ptr<const ImplicitEquations> implicit_equations;  ///< for implicit methods
  BoundKernel given;    ///< → M [nu×nu], f [nu] of System::given_M; none where that is empty
  BoundKernel outputs;  ///< report kernel → all outputs, one after the other
  /// report kernel → ∂outputs/∂(λ, λ_ideal, s), [output_size × (2nc + ns)] row by row
  BoundKernel output_gradient;
  /// report kernel → C [nu], ∂C/∂λ of `dependence.rows` [nu × rows] row by row: where C holds λ
  BoundKernel reaction_force;
  BoundKernel slide_motion;  ///< → v of all slides [ns], ∂v/∂u [ns × nu] row by row, v' − ∂v/∂u u' [ns]
  /// report kernel → ∂(C + f)/∂s [nu × ns] row by row, static ratios [slides], stated coefficients [slides]
  BoundKernel slide_bound;
  BoundKernel stick;  ///< → `stick_outputs`; none where bounds depend on reactions or accelerations are not written out
  /// (t, q, u, z, s, free) → `locked_outputs`, in place of `stick` and `push`; none without solve::locked_motion
  BoundKernel locked;
  BoundKernel push;              ///< (t, q, u, z, s, x) → N Jᵀ x [nu], contraction; as `stick`
  BoundKernel sliding_velocity;  ///< → see `sliding`
  BoundKernel nonlinear_rows;    ///< report kernel → A of `nonlinear` rows row by row, their b, Σ λ ∂²χ/∂u'² [nu × nu],
                                 ///< the conditions of `branch` clauses, in the order of their constraints
  BoundKernel wrenches;          ///< report kernel → see PointForce::columns and BodyWrench
  BoundKernel expectations;      ///< report kernel → ExpectationColumns
  BoundKernel levels;            ///< → `level_outputs` of what `conserve` states, then of `integrals`; none without
  /// Where constraints are of higher order (HigherOrder); they have no `accelerations` then.
  BoundKernel top;        ///< → q' [nq], J [n×n] row by row, r [n]
  BoundKernel hidden;     ///< → hidden [h], their gradient [h × (nu + nu + nz)], G [nq × nu], row by row
  BoundKernel relations;  ///< report kernel → F [number of μ]

  codegen::CompileReport report;
  double seconds_derive = 0.0;
  double seconds_compile = 0.0;
};

/// All kernels of a plant; those that a model has no use for are empty.
inline constexpr std::array kKernels{&CompiledModel::accelerations,    &CompiledModel::reduced_accelerations,
                                     &CompiledModel::reduced_position, &CompiledModel::reduced_velocity,
                                     &CompiledModel::reactions,        &CompiledModel::position,
                                     &CompiledModel::velocity,         &CompiledModel::state_rates,
                                     &CompiledModel::gradients,        &CompiledModel::conditions,
                                     &CompiledModel::matrices,         &CompiledModel::given,
                                     &CompiledModel::outputs,          &CompiledModel::output_gradient,
                                     &CompiledModel::reaction_force,   &CompiledModel::slide_motion,
                                     &CompiledModel::slide_bound,      &CompiledModel::stick,
                                     &CompiledModel::locked,           &CompiledModel::push,
                                     &CompiledModel::sliding_velocity, &CompiledModel::nonlinear_rows,
                                     &CompiledModel::wrenches,         &CompiledModel::expectations,
                                     &CompiledModel::levels,           &CompiledModel::top,
                                     &CompiledModel::hidden,           &CompiledModel::relations};

/// Derives and compiles. \returns kSingularKinematics and the like from `derive`, by name; kNonFinite where no state
/// near the start has finite equations.
[[nodiscard]] Outcome<std::shared_ptr<const CompiledModel>> compile_model(std::shared_ptr<const model::Model> model,
                                                                          const CompileSettings& settings = {});

}  // namespace vinculum::sim
