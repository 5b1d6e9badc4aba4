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

/// A kernel (compiled function) together with its constants for one set of parameter values. May be shared between
/// threads.
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
/// Inputs of a kernel are (t, q, u, z, s), with s the friction directions. Inputs of a *report kernel* are (t, q, u, z,
/// u', λ, λ_ideal, efforts, s, highest derivatives of `System::higher`, `System::vectors`). "→" lists the outputs.
/// Kernels that every step uses are compiled by the requested back end. Report kernels use the tape, which gives the
/// same bits and is compiled much faster.
struct Kernels {
  /// → q' [nq], u' [nu], z' [nz], and the guards residual and contraction (solve::Guards). If `compares_rows` is true,
  /// these outputs follow: a residual that shows whether left-out rows contradict the other rows, φ [position_rows], ψ
  /// [velocity_rows]. Empty if there is no generated code for the accelerations.
  BoundKernel accelerations;
  BoundKernel position;  ///< → correction dq [nq], φ [position_rows], contraction
  BoundKernel velocity;  ///< → correction du [nu], ψ [velocity_rows], contraction
  /// → the same outputs as `accelerations`, `position` and `velocity`, computed by fewer operations with stricter
  /// guards (solve::reduced_acceleration). Tried first; empty if few operations would be saved.
  BoundKernel reduced_accelerations, reduced_position, reduced_velocity;
  BoundKernel reactions;    ///< → the outputs of `accelerations`, then λ [nc]; empty if MotionOutputs::lambda is
  BoundKernel state_rates;  ///< (t, q, u, z, λ, s) → z' [nz]; empty without states
  /// → entries of A; then the residual of each row as stated [nc]: φ, ψ, or 0 for rows of acceleration level.
  BoundKernel gradients;
  BoundKernel conditions;     ///< → `condition_outputs`; empty if no constraint contains extra states
  BoundKernel switched_rows;  ///< (t, q, u, z) → switched_row_outputs of Structure::switched; empty without such rows
  BoundKernel events;         ///< (t, q, u, z) → `event_outputs`; empty without events
  BoundKernel matrices;       ///< → see MatricesLayout; 0 for `nonlinear` rows, and for C if C depends on λ
  BoundKernel given;          ///< → M [nu×nu], f [nu] without terms of reaction laws; empty if System::given_M is
  BoundKernel outputs;        ///< report kernel → all outputs, one after the other
  /// report kernel → ∂outputs/∂(λ, λ_ideal, s), [output_size × (2nc + ns)] by rows
  BoundKernel output_gradient;
  /// report kernel → C [nu], ∂C/∂λ for `dependence.rows` [nu × rows] by rows; only if C depends on λ
  BoundKernel reaction_force;
  BoundKernel slide_motion;  ///< → sliding velocities v [ns], ∂v/∂u [ns × nu] by rows, v' − ∂v/∂u u' [ns]
  /// report kernel → ∂(C + f)/∂s [nu × ns] by rows, static ratios [contacts], stated coefficients [contacts]
  BoundKernel slide_bound;
  /// → `stick_outputs`; empty if friction bounds depend on reactions, or if there is no generated code for the
  /// accelerations.
  BoundKernel stick;
  /// (t, q, u, z, s, free) → `locked_outputs`; `free` is solve::LockedMotion::free. Models with this kernel have no
  /// kernels `stick` and `push`.
  BoundKernel locked;
  BoundKernel push;  ///< (t, q, u, z, s, x) → `push` of solve::StickResponse [nu], contraction; exists with `stick`
  BoundKernel sliding_velocity;  ///< → velocities listed in `CompiledModel::sliding`
  /// report kernel → A of the rows `Structure::nonlinear` by rows, their b, Σ λ ∂²χ/∂u'² [nu × nu], and the conditions
  /// of `branch` clauses in the order of their constraints
  BoundKernel nonlinear_rows;
  BoundKernel wrenches;      ///< report kernel → force and torque coefficients, see PointForce::columns and BodyWrench
  BoundKernel expectations;  ///< report kernel → sides of all expectations, see ExpectationColumns
  /// → `level_outputs` of the `conserve` statements, then of Structure::integrals; empty without these.
  BoundKernel levels;
  /// Kernels of models with constraints of higher order (HigherOrder); these have no `accelerations`.
  BoundKernel top;  ///< → q' [nq], J [n×n] row by row, r [n]
  /// → the conditions HigherOrder::hidden [h], their gradient [h × (2nu + nz)], G [nq × nu], row by row
  BoundKernel hidden;
  BoundKernel relations;  ///< report kernel → F of the constraints of higher order [number of μ]
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

/// A compiled model with one set of parameter values, and with one chosen side for each of its switching surfaces.
/// Cheap to copy, because it owns the constants of kernels but not the structure. Immutable once shared; any number of
/// threads may read it.
struct Binding : Kernels {
  std::shared_ptr<const CompiledModel> compiled;
  std::vector<double> parameters;  ///< [parameters] current values, in SI units
  /// [parameters] 1 if the value was set from outside; a definition by other parameters then has no effect.
  std::vector<char> is_set;
  /// Side of each switching surface for which kernels are evaluated; passed to them after the parameters
  /// (Switches::values).
  std::vector<double> sides;
  Vector compliance;             ///< [nc] of the rows of unilateral constraints, else 0; empty if none is stated
  RowJudgment rows;              ///< which rows are identically satisfied for these values
  bool trusts_generated = true;  ///< false: generated code was written for other identically satisfied rows; do not use
  std::shared_ptr<const ImplicitEquations> implicit_equations;  ///< equations for implicit methods
  ConservedJudge conserved_judge = nullptr;                     ///< see CompileSettings::conserved_judge

  [[nodiscard]] const std::vector<Embedding>& embedding() const { return rows.embedding; }
  /// Values for Kernel::prepare: parameters, then sides.
  [[nodiscard]] std::vector<double> bound_values() const;
  /// Computes the constants of all kernels for the current values.
  void prepare_kernels();
  /// Sets the `embedding` of the rows that act only under a condition: kNotActing if the row does not act in the
  /// present regions, otherwise kNone. If no regions are set, this is done only for rows whose condition depends on
  /// parameters alone.
  /// \pre `prepare_kernels` was called
  void judge_switched_rows();
  const CompiledModel* operator->() const { return compiled.get(); }
  operator const CompiledModel&() const { return *compiled; }  // NOLINT: a binding is a compiled model with values
};

/// Derives the equations of a model and compiles them, with the parameter values that the model declares.
/// \returns kSingularKinematics and other failures of `derive`; kNonFinite if the equations are finite at no state near
/// the start.
[[nodiscard]] Outcome<std::shared_ptr<const Binding>> compile_model(std::shared_ptr<const model::Model> model,
                                                                    const CompileSettings& settings = {});

}  // namespace vinculum::sim
