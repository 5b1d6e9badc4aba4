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

/// The compiled model: the result of analysis and compilation. Start, integration and reports use it.
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
  /// If this function returns a failure, the model is not compiled. Null: no model is refused, but a run must not
  /// enforce the quantities of `conserve`.
  ConservedJudge conserved_judge = nullptr;
};

/// A compiled model: structure, columns of reports, and a report of the compilation. Independent of parameter values.
/// Immutable; any number of threads may read it, each with its own `Dynamics`.
struct CompiledModel : Structure, ReportColumns {
  /// Monitored quantities, whose changes within a step must not be missed (watches.hpp); null if there are none.
  std::shared_ptr<const Watches> watches;

  /// A velocity whose direction occurs in forces that are not linear in the direction, so that it is no friction
  /// contact (Slide). `first` and `count` are the columns in the output of `Kernels::sliding_velocity`.
  struct Sliding {
    model::ConstraintId constraint;
    int first = 0;
    int count = 0;
  };
  std::vector<Sliding> sliding;

  bool compares_rows = false;  ///< see MotionOutputs::compares_rows
  MatricesLayout layout;       ///< layout of the output of `Kernels::matrices`

  numeric::SparsePattern gradient_pattern;  ///< pattern of A [nc × nu]
  /// The kernel of all matrices including M, if M is deferred because no step needs it. `Kernels::matrices` then
  /// computes everything except M, and is empty if there are no rows.
  std::shared_ptr<const LateMatrices> late_matrices;

  codegen::CompileReport report;
  double seconds_derive = 0.0;
  double seconds_compile = 0.0;
};

}  // namespace vinculum::sim
