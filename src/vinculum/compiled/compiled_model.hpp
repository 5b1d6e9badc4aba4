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

/// The compiled model: result of analysis and compilation, from which start, integration and reports proceed.
namespace vinculum::sim {

class LateMatrices;
class Watches;

struct Binding;
/// Decides whether the quantities of the model's `conserve` statements are invariants for the current parameter values
/// (`judge_conserved`). \returns kNotConserved with the first quantity that is not invariant.
using ConservedJudge = Outcome<void> (*)(const Binding&);

struct CompileSettings {
  codegen::CompileOptions codegen;
  unsigned seed = 1;    ///< seed of the random states at which the structure is analyzed
  int refinements = 3;  ///< largest number of iterative refinements in the generated solver
  /// A model that this function refuses is not compiled. Null: nothing is refused, and then a run must not enforce
  /// these quantities.
  ConservedJudge conserved_judge = nullptr;
};

/// A compiled model: structure, columns of reports, and how it was compiled. Independent of parameter values.
/// Immutable; any number of threads may read it, each with its own `Dynamics`.
struct CompiledModel : Structure, ReportColumns {
  /// Quantities that steps must not jump over (watches.hpp); null if there are none.
  std::shared_ptr<const Watches> watches;

  /// A velocity whose direction occurs in forces that are not linear in it, so that it has no Slide: columns of
  /// `sliding_velocity`.
  struct Sliding {
    model::ConstraintId constraint;
    int first = 0;
    int count = 0;
  };
  std::vector<Sliding> sliding;

  bool compares_rows = false;  ///< see MotionOutputs::compares_rows
  MatricesLayout layout;

  numeric::SparsePattern gradient_pattern;  ///< pattern of A [nc × nu]
  /// Matrices including M, for models in which M is deferred and no step needs it. `Kernels::matrices` then contains
  /// everything except M, and is empty if there are no rows.
  std::shared_ptr<const LateMatrices> late_matrices;

  codegen::CompileReport report;
  double seconds_derive = 0.0;
  double seconds_compile = 0.0;
};

}  // namespace vinculum::sim
