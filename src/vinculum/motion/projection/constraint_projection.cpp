#include "vinculum/motion/projection/constraint_projection.hpp"

#include <algorithm>

namespace vinculum::sim {

ConstraintProjection::ConstraintProjection(StateKernels& at, EquationPieces& pieces, Routes& routes,
                                           SparseSolver& sparse, DependentForces* forces, HighestDerivatives* highest)
    : at_(at),
      pieces_(pieces),
      routes_(routes),
      forces_(forces),
      positions_(RowProjection::Of::kPositions, at, pieces, sparse),
      speeds_(RowProjection::Of::kSpeeds, at, pieces, sparse),
      dependent_(at, pieces) {
  if (at.bound->conditions.kernel) conditions_ = std::make_unique<StateConditions>(at, pieces);
  if (highest != nullptr) hidden_ = std::make_unique<HiddenEquations>(at, *highest);
}

Outcome<double> ConstraintProjection::project(double t, double* y) {
  Mode& mode = *at_.mode;
  // The augmented and minimal formulations are more sensitive to constraint violations, because they square the pivots
  // or depend on one choice of speeds. So violations are divided by the lengths of the rows at the present state.
  if (!routes_.is_explicit()) mode.knows_sizes = false;
  if (!mode.knows_sizes && at_.nc > 0) pieces_.learn_sizes_at(t, y);
  if (hidden_) return hidden_->project(t, y);
  double moved = 0.0;
  const auto add = [&moved](const Outcome<double>& by) {
    if (by) moved = std::max(moved, *by);
    return static_cast<bool>(by);
  };
  if (conditions_) {
    if (auto done = conditions_->project(t, y); !add(done)) return done;
  } else if (positions_.has_rows()) {
    if (auto done = positions_.project(t, y); !add(done)) return done;
  }
  if (speeds_.has_rows()) {
    if (auto done = speeds_.project(t, y); !add(done)) return done;
  }
  // The least change above has corrected all speeds. Now the dependent speeds are computed from the rows, to machine
  // precision. This is left out if rows are nearly dependent, because then no choice of speeds determines the others.
  if (routes_.minimal && mode.calls_on_constraints == 0) {
    if (auto done = dependent_.project(*routes_.minimal, t, y); !add(done)) return done;
  }
  if (forces_ != nullptr) {
    if (auto done = forces_->project(t, y); !add(done)) return done;
  }
  return moved;
}

}  // namespace vinculum::sim
