#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/codegen/kernel.hpp"
#include "vinculum/dynamics/system.hpp"
#include "vinculum/solve/static_ldlt.hpp"

/// A model in motion: compilation, consistent start, integration, and what is reported about it.
namespace vinculum::sim {

/// A kernel with the parameters' constants that go with it. Shared between threads.
struct BoundKernel {
  std::shared_ptr<const codegen::Kernel> kernel;
  std::vector<double> constants;
};

/// Where the pieces lie in the output of the `matrices` kernel. All row by row.
struct MatricesLayout {
  int q_dot, G, M, f, C, A, b, phi, psi, size;   ///< offsets; φ, ψ have nc places, 0 where the level does not have them
};

/// Columns of one output of the model in `Sample::outputs`.
struct OutputColumns {
  int first = 0;
  int count = 1;          ///< 1 for a scalar, 3 for a vector
};

/// A force that a constraint puts on a point, for flags of uniqueness.
struct PointForce {
  mechanics::ConstraintId constraint;
  mechanics::PointId point;
};

struct CompileSettings {
  codegen::CompileOptions codegen;
  unsigned seed = 1;               ///< of the random states at which the structure is analysed
  int refinements = 3;             ///< most refinements of the static solve
};

/// A model ready to move: equations derived, kernels compiled for its parameter values. Immutable; any number of
/// threads may read it, each with its own `Dynamics`.
///
/// Kernels take (t, q, u), those of reports (t, q, u, u', λ, λ_ideal).
struct CompiledModel {
  std::shared_ptr<const mechanics::Model> model;
  std::shared_ptr<dynamics::System> system;
  std::vector<double> parameters;

  solve::StaticStructure structure;         ///< of all rows
  std::vector<int> position_rows;           ///< rows with φ
  std::vector<int> velocity_rows;           ///< rows with ψ
  bool has_identity_kinematics = false;     ///< q' = u
  std::vector<char> gradient_varies;        ///< [nc] the row's gradient depends on q, u or t

  BoundKernel accelerations;     ///< → q' [nq], u' [nu], residual, contraction
  BoundKernel position;          ///< → dq [nq], φ [position_rows], residual, contraction
  BoundKernel velocity;          ///< → du [nu], ψ [velocity_rows], residual, contraction
  BoundKernel matrices;          ///< → MatricesLayout
  BoundKernel outputs;           ///< report kernel → all outputs, one after the other
  BoundKernel output_gradient;   ///< report kernel → ∂outputs/∂(λ, λ_ideal), [columns × 2nc] row by row
  BoundKernel wrenches;          ///< → W of every point force: [point_forces][3][nc]
  BoundKernel starts;            ///< → right sides of start conditions [starts], then ∂/∂q [starts × nq] row by row
  BoundKernel expectations;      ///< report kernel → see expectations.cpp

  MatricesLayout layout{};
  std::vector<OutputColumns> output_columns;   ///< [outputs]
  int output_size = 0;
  std::vector<PointForce> point_forces;

  codegen::CompileReport report;
  double seconds_derive = 0.0;
  double seconds_compile = 0.0;

  [[nodiscard]] int nq() const { return system->nq(); }
  [[nodiscard]] int nu() const { return system->nu(); }
  [[nodiscard]] int nc() const { return system->nc(); }
  /// "parallel", "roll[2]": how messages name a row.
  [[nodiscard]] std::string row_name(int row) const;
};

/// Derives and compiles. \returns kSingularKinematics and the like from `derive`, by name.
[[nodiscard]] Outcome<std::shared_ptr<const CompiledModel>> compile_model(std::shared_ptr<const mechanics::Model> model,
                                                                          const CompileSettings& settings = {});

}  // namespace vinculum::sim
