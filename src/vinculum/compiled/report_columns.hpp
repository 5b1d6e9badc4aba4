#pragma once

#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::sim {

/// Columns of one model output in `Sample::outputs`.
struct OutputColumns {
  int first = 0;
  int count = 1;  ///< 1 for a scalar, 3 for a vector, the number of components for a list
};

/// Columns of one expectation in the output of the kernel `expectations`. An equality has `count` numbers of its left
/// side, then `count` numbers of its right side. A condition has its truth value and, if it compares two scalars, its
/// two sides.
struct ExpectationColumns {
  enum class Shape { kEquality, kComparison, kCondition, kNone } shape = Shape::kNone;
  int first = 0;
  int count = 0;
  /// Number of columns.
  [[nodiscard]] int total() const {
    return shape == Shape::kEquality ? 2 * count : shape == Shape::kComparison ? count + 2 : count;
  }
};

/// Force of a constraint on a point, and the rows and friction directions on which it depends. Used to decide whether
/// the force is unique.
struct PointForce {
  model::ConstraintId constraint;
  model::PointId point;
  int first_row = 0;  ///< first row of the constraint in the System, and number of its rows
  int row_count = 0;
  int first_slide = 0;  ///< first friction direction of the constraint in the System, and number of these directions
  int slide_count = 0;
  /// First index in the output of the kernel `wrenches`: the coefficients W of the rows, then the derivatives of the
  /// force with respect to the friction directions, [3 × (row_count + slide_count)] row by row.
  int columns = 0;
};

/// Force and torque of a constraint on a rigid body. Used to decide whether they are unique. The first four integers
/// have the meanings that they have in PointForce. `force`, `couple` and `moment` are first indices in the output of
/// the kernel `wrenches`, like PointForce::columns.
struct BodyWrench {
  model::ConstraintId constraint;
  model::FrameId body;  ///< frame that belongs to the body
  int first_row = 0;
  int row_count = 0;
  int first_slide = 0;
  int slide_count = 0;
  int force = 0;   ///< resultant of the forces at the points of the body
  int couple = 0;  ///< torques in addition to these forces
  int moment = 0;  ///< moment of forces and torques about the mass center
};

/// Report quantities as expressions of t, q, u, z, u', λ, λ_ideal, efforts, s and highest derivatives.
struct ReportColumns {
  std::vector<OutputColumns> output_columns;   ///< [outputs]
  std::vector<char> output_is_of_free_motion;  ///< [outputs] 1 if the output depends on the unconstrained acceleration
  int output_size = 0;
  std::vector<expr::Expr> output_values;                ///< [output_size] all outputs, one after the other
  std::vector<expr::Expr> output_gradient_values;       ///< [output_size × (2nc + ns)] derivatives w.r.t. λ, λ_ideal, s
  std::vector<ExpectationColumns> expectation_columns;  ///< [expectations]
  std::vector<expr::Expr> expectation_values;           ///< columns as described by `expectation_columns`
  std::vector<PointForce> point_forces;
  std::vector<BodyWrench> body_wrenches;
  std::vector<expr::Expr> wrench_values;  ///< outputs of the kernel `wrenches`; empty if there are no rows
};

/// \returns kNotUnique if an output or expectation contains a third derivative that the equations of motion do not
/// determine.
[[nodiscard]] Outcome<ReportColumns> report_columns(const equations::System& system);

}  // namespace vinculum::sim
