#pragma once

#include <memory>

#include "vinculum/motion/accelerations/accelerations.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/motion/projection/projection.hpp"
#include "vinculum/motion/reports/reports.hpp"

namespace vinculum::sim {

/// The classes that a `Dynamics` consists of, one per concept. Each member uses only members declared before it.
/// Private to the module `motion`.
struct Dynamics::Impl {
  Impl(const std::shared_ptr<const Binding>& bound, const Mode& start);

  /// Later evaluations use this mode and its regions.
  void go_by(Mode& in);

  StateKernels at;
  EquationPieces pieces;
  Routes routes;
  std::unique_ptr<DependentForces> forces;      ///< null unless forces depend on reactions
  std::unique_ptr<HighestDerivatives> highest;  ///< null unless constraints are of higher order
  SparseSolver sparse;
  ConstraintProjection constraints;
  std::unique_ptr<KeptLevels> levels;  ///< null unless the projection may have to restore invariants
  Projection projection;
  LinearProblem problem;
  Accelerations accelerations;
  Reports reports;
};

}  // namespace vinculum::sim
