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

/// A kernel together with its constants for one set of parameter values. Shared between threads.
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

/// All kernels of a model with their constants. A kernel that the model does not need is empty.
///
/// Inputs of a kernel are (t, q, u, z, s). Inputs of a *report kernel* are (t, q, u, z, u', λ, λ_ideal, efforts, s,
/// highest derivatives of `System::higher`, `System::vectors`). "→" lists the outputs. Kernels that every step uses are
/// compiled by the requested back end. Report kernels use the tape: the bits are the same, and compiling takes much
/// less time.
struct Kernels {
  /// → q' [nq], u' [nu], z' [nz], residual, contraction; with `compares_rows` also disagreement, φ [position_rows], ψ
  /// [velocity_rows]. Empty if the accelerations cannot be written as generated code.
  BoundKernel accelerations;
  BoundKernel position;  ///< → dq [nq], φ [position_rows], contraction
  BoundKernel velocity;  ///< → du [nu], ψ [velocity_rows], contraction
  /// → the outputs of the kernels above, computed by independent speeds. Tried first; empty if they save few operations
  /// (solve::reduced_acceleration).
  BoundKernel reduced_accelerations, reduced_position, reduced_velocity;
  BoundKernel reactions;    ///< → the outputs of `accelerations`, then λ [nc]; empty without MotionOutputs::lambda
  BoundKernel state_rates;  ///< (t, q, u, z, λ, s) → z' [nz]; empty without states
  /// → entries of A; then φ or ψ of each row at its own level [nc] (0 at acceleration level).
  BoundKernel gradients;
  BoundKernel conditions;     ///< → condition_outputs; empty without Row::conditions
  BoundKernel switched_rows;  ///< (t, q, u, z) → switched_row_outputs of Structure::switched; empty without such rows
  BoundKernel events;         ///< (t, q, u, z) → event_outputs; empty without events
  BoundKernel matrices;       ///< → MatricesLayout; zeros for `nonlinear` rows, and for C if it depends on λ
  BoundKernel given;          ///< → M [nu×nu], f [nu] of System::given_M; empty if that is empty
  BoundKernel outputs;        ///< report kernel → all outputs, one after the other
  /// report kernel → ∂outputs/∂(λ, λ_ideal, s), [output_size × (2nc + ns)] by rows
  BoundKernel output_gradient;
  /// report kernel → C [nu], ∂C/∂λ for `dependence.rows` [nu × rows] by rows; only if C depends on λ
  BoundKernel reaction_force;
  BoundKernel slide_motion;  ///< → v of all friction contacts [ns], ∂v/∂u [ns × nu] by rows, v' − ∂v/∂u u' [ns]
  /// report kernel → ∂(C + f)/∂s [nu × ns] by rows, static ratios [contacts], stated coefficients [contacts]
  BoundKernel slide_bound;
  /// → `stick_outputs`; empty if bounds depend on reactions or accelerations cannot be written as generated code.
  BoundKernel stick;
  /// (t, q, u, z, s, free) → `locked_outputs`. Models with this kernel (solve::locked_motion) have no `stick` and
  /// `push`.
  BoundKernel locked;
  BoundKernel push;              ///< (t, q, u, z, s, x) → N Jᵀ x [nu], contraction; exists with `stick`
  BoundKernel sliding_velocity;  ///< → velocities listed in `sliding`
  /// report kernel → A of the `nonlinear` rows by rows, their b, Σ λ ∂²χ/∂u'² [nu × nu], the conditions of `branch`
  /// clauses in the order of their constraints
  BoundKernel nonlinear_rows;
  BoundKernel wrenches;      ///< report kernel → see PointForce::columns and BodyWrench
  BoundKernel expectations;  ///< report kernel → ExpectationColumns
  BoundKernel levels;  ///< → `level_outputs` of the `conserve` statements, then of `integrals`; empty without them
  /// Kernels of models with constraints of higher order (HigherOrder); these have no `accelerations`.
  BoundKernel top;        ///< → q' [nq], J [n×n] row by row, r [n]
  BoundKernel hidden;     ///< → hidden [h], their gradient [h × (nu + nu + nz)], G [nq × nu], all by rows
  BoundKernel relations;  ///< report kernel → F [number of μ]
};

inline constexpr std::array kKernels{&Kernels::accelerations,    &Kernels::reduced_accelerations,
                                     &Kernels::reduced_position, &Kernels::reduced_velocity,
                                     &Kernels::reactions,        &Kernels::position,
                                     &Kernels::velocity,         &Kernels::state_rates,
                                     &Kernels::gradients,        &Kernels::conditions,
                                     &Kernels::switched_rows,    &Kernels::events,
                                     &Kernels::matrices,         &Kernels::given,
                                     &Kernels::outputs,          &Kernels::output_gradient,
                                     &Kernels::reaction_force,   &Kernels::slide_motion,
                                     &Kernels::slide_bound,      &Kernels::stick,
                                     &Kernels::locked,           &Kernels::push,
                                     &Kernels::sliding_velocity, &Kernels::nonlinear_rows,
                                     &Kernels::wrenches,         &Kernels::expectations,
                                     &Kernels::levels,           &Kernels::top,
                                     &Kernels::hidden,           &Kernels::relations};

/// A compiled model with one set of parameter values, and with the sides of its switching surfaces. Cheap to copy: it
/// owns the constants of kernels but not the structure. Immutable once shared; any number of threads may read it.
struct Binding : Kernels {
  std::shared_ptr<const CompiledModel> compiled;
  std::vector<double> parameters;  ///< current values
  /// [parameters] 1 if the value was set from outside, so that it does not follow other parameters.
  std::vector<char> is_set;
  /// Side of each switching surface for which kernels are evaluated; passed to them after the parameters
  /// (Switches::values).
  std::vector<double> sides;
  RowJudgment rows;              ///< judgment of the rows for these values
  bool trusts_generated = true;  ///< the generated code was written for these rows; if false, it must not be used
  std::shared_ptr<const ImplicitEquations> implicit_equations;  ///< for implicit methods
  ConservedJudge conserved_judge = nullptr;                     ///< as in CompileSettings

  [[nodiscard]] const std::vector<Embedding>& embedding() const { return rows.embedding; }
  /// Values for Kernel::prepare: parameters, then sides.
  [[nodiscard]] std::vector<double> bound_values() const;
  /// Computes the constants of all kernels for the current values.
  void prepare_kernels();
  /// Sets the `embedding` of the rows that act only in some regions: kNotActing if the row does not act in the regions
  /// in force, otherwise kNone. While no region is given, only rows are judged whose condition depends on parameters
  /// alone.
  /// \pre `prepare_kernels` was called
  void judge_switched_rows();
  const CompiledModel* operator->() const { return compiled.get(); }
  operator const CompiledModel&() const { return *compiled; }  // NOLINT: a binding is a compiled model with values
};

/// Derives and compiles a model, with the values that it declares or that were set for it. \returns kSingularKinematics
/// and other failures of `derive`; kNonFinite if the equations are finite at no state near the start.
[[nodiscard]] Outcome<std::shared_ptr<const Binding>> compile_model(std::shared_ptr<const model::Model> model,
                                                                    const CompileSettings& settings = {});

}  // namespace vinculum::sim
