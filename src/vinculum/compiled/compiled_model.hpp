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

class LateMatrices;
class Watches;

struct Binding;
/// Decides whether the quantities that a model states in `conserve` are invariants with the values in force
/// (`judge_conserved`). \returns kNotConserved with the first that is none.
using ConservedJudge = Outcome<void> (*)(const Binding&);

struct CompileSettings {
  codegen::CompileOptions codegen;
  unsigned seed = 1;    ///< of the random states at which the structure is analysed
  int refinements = 3;  ///< most refinements of the static solve
  /// A model that it refuses is not compiled. Null: nothing is refused, and a run must not keep these quantities.
  ConservedJudge conserved_judge = nullptr;
};

/// A model compiled: its structure, the columns of its reports, and how it was compiled. The same for all values of
/// parameters. Immutable; any number of threads may read it, each with its own `Dynamics`.
struct CompiledModel : Structure, ReportColumns {
  /// What steps may not jump over (watches.hpp), null where there is nothing of the kind.
  std::shared_ptr<const Watches> watches;

  /// A velocity whose direction forces take that are not linear in it (no Slide): columns of `sliding_velocity`.
  struct Sliding {
    model::ConstraintId constraint;
    int first = 0;
    int count = 0;
  };
  std::vector<Sliding> sliding;

  bool compares_rows = false;  ///< see MotionOutputs
  MatricesLayout layout;

  numeric::SparsePattern gradient_pattern;  ///< of A [nc × nu]
  /// With M, where no step needs a mass matrix that is deferred: `Kernels::matrices` then has all but that, and is none
  /// where there are no rows.
  std::shared_ptr<const LateMatrices> late_matrices;

  codegen::CompileReport report;
  double seconds_derive = 0.0;
  double seconds_compile = 0.0;
};

}  // namespace vinculum::sim
