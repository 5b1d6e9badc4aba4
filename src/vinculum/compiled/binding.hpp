#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/codegen/kernel.hpp"
#include "vinculum/compiled/compiled_model.hpp"

namespace vinculum::sim {

class ImplicitEquations;

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

/// Kernels of a model with their constants; those that a model has no use for are empty.
///
/// Kernels take (t, q, u, z, s), those of reports (t, q, u, z, u', λ, λ_ideal, efforts, s, highest derivatives of
/// `System::higher`, `System::vectors`). Kernels of every step are compiled by the back end asked for, those of reports
/// run on the tape: the same bits, and far less to compile.
struct Kernels {
  /// → q' [nq], u' [nu], z' [nz], residual, contraction; where `compares_rows` also disagreement, φ [position_rows], ψ
  /// [velocity_rows]. None where they cannot be written out.
  BoundKernel accelerations;
  BoundKernel position;  ///< → dq [nq], φ [position_rows], contraction
  BoundKernel velocity;  ///< → du [nu], ψ [velocity_rows], contraction
  /// → the same by independent speeds, tried first; none where that gains little (solve::reduced_acceleration)
  BoundKernel reduced_accelerations, reduced_position, reduced_velocity;
  BoundKernel reactions;    ///< → what `accelerations` gives, λ [nc]; none without MotionOutputs::lambda
  BoundKernel state_rates;  ///< (t, q, u, z, λ, s) → z' [nz]; none without states
  /// → entries of A, φ or ψ of each row at its own level [nc] (0 at acceleration level)
  BoundKernel gradients;
  BoundKernel conditions;     ///< → condition_outputs; none without Row::conditions
  BoundKernel switched_rows;  ///< (t, q, u, z) → switched_row_outputs of Structure::switched; none without
  BoundKernel matrices;       ///< → MatricesLayout; zeros for `nonlinear` rows, and for C where it holds λ
  BoundKernel given;          ///< → M [nu×nu], f [nu] of System::given_M; none where that is empty
  BoundKernel outputs;        ///< report kernel → all outputs, one after the other
  /// report kernel → ∂outputs/∂(λ, λ_ideal, s), [output_size × (2nc + ns)] row by row
  BoundKernel output_gradient;
  /// report kernel → C [nu], ∂C/∂λ of `dependence.rows` [nu × rows] row by row: where C holds λ
  BoundKernel reaction_force;
  BoundKernel slide_motion;  ///< → v of all slides [ns], ∂v/∂u [ns × nu] row by row, v' − ∂v/∂u u' [ns]
  /// report kernel → ∂(C + f)/∂s [nu × ns] row by row, static ratios [slides], stated coefficients [slides]
  BoundKernel slide_bound;
  BoundKernel stick;  ///< → `stick_outputs`; none where bounds depend on reactions or accelerations are not written out
  /// (t, q, u, z, s, free) → `locked_outputs`. Models that have it (solve::locked_motion) have no `stick` and `push`.
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
};

inline constexpr std::array kKernels{&Kernels::accelerations,
                                     &Kernels::reduced_accelerations,
                                     &Kernels::reduced_position,
                                     &Kernels::reduced_velocity,
                                     &Kernels::reactions,
                                     &Kernels::position,
                                     &Kernels::velocity,
                                     &Kernels::state_rates,
                                     &Kernels::gradients,
                                     &Kernels::conditions,
                                     &Kernels::switched_rows,
                                     &Kernels::matrices,
                                     &Kernels::given,
                                     &Kernels::outputs,
                                     &Kernels::output_gradient,
                                     &Kernels::reaction_force,
                                     &Kernels::slide_motion,
                                     &Kernels::slide_bound,
                                     &Kernels::stick,
                                     &Kernels::locked,
                                     &Kernels::push,
                                     &Kernels::sliding_velocity,
                                     &Kernels::nonlinear_rows,
                                     &Kernels::wrenches,
                                     &Kernels::expectations,
                                     &Kernels::levels,
                                     &Kernels::top,
                                     &Kernels::hidden,
                                     &Kernels::relations};

/// A compiled model with one set of parameter values, and with the regions in which its kernels are evaluated. Cheap to
/// copy: constants of kernels, no structure. Immutable once shared; any number of threads may read it.
struct Binding : Kernels {
  std::shared_ptr<const CompiledModel> compiled;
  std::vector<double> parameters;  ///< values in force
  std::vector<char> is_set;        ///< [parameters] whether its value was set from outside, and follows no others
  /// Side of each switching surface on which kernels are evaluated, after the parameters (Switches::values).
  std::vector<double> sides;
  RowJudgment rows;              ///< with these values
  bool trusts_generated = true;  ///< whether generated code was written for these rows; else it may say nothing
  std::shared_ptr<const ImplicitEquations> implicit_equations;  ///< for implicit methods
  ConservedJudge conserved_judge = nullptr;                     ///< as in CompileSettings

  [[nodiscard]] const std::vector<Embedding>& embedding() const { return rows.embedding; }
  /// What kernels are prepared with: parameters, then sides.
  [[nodiscard]] std::vector<double> bound_values() const;
  /// Constants of all kernels for the values in force.
  void prepare_kernels();
  /// Which of the rows that act only at times do not act on the sides in force: their `embedding`.
  /// \pre `sides` are those of a mode; `prepare_kernels`
  void judge_switched_rows();
  const CompiledModel* operator->() const { return compiled.get(); }
  operator const CompiledModel&() const { return *compiled; }  // NOLINT: a binding is a compiled model with values
};

/// Derives and compiles, with the values that the model declares or that were set for it. \returns kSingularKinematics
/// and the like from `derive`, by name; kNonFinite where no state near the start has finite equations.
[[nodiscard]] Outcome<std::shared_ptr<const Binding>> compile_model(std::shared_ptr<const model::Model> model,
                                                                    const CompileSettings& settings = {});

}  // namespace vinculum::sim
