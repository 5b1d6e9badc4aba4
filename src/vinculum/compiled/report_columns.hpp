#pragma once

#include <vector>

#include "vinculum/base/outcome.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::sim {

/// Columns of one output of the model in `Sample::outputs`.
struct OutputColumns {
  int first = 0;
  int count = 1;  ///< 1 for a scalar, 3 for a vector, one for each component of a list
};

/// Columns of one expectation in the output of the `expectations` kernel: left side, then right side, of `count`
/// numbers each; a condition takes three: its truth and, where it compares two scalars, both sides.
struct ExpectationColumns {
  enum class Shape { kEquality, kComparison, kCondition, kNone } shape = Shape::kNone;
  int first = 0;
  int count = 0;
  /// How many columns it has.
  [[nodiscard]] int total() const {
    return shape == Shape::kEquality ? 2 * count : shape == Shape::kComparison ? count + 2 : count;
  }
};

/// A force that a constraint puts on a point, for flags of uniqueness.
struct PointForce {
  model::ConstraintId constraint;
  model::PointId point;
  int first_row = 0;  ///< first row of the constraint in the System, and how many
  int row_count = 0;
  int first_slide = 0;  ///< first direction of its dry friction in the System, and how many
  int slide_count = 0;
  int columns = 0;  ///< first place in the output of `wrenches`: W of the rows, then its change with the directions,
                    ///< [3 × (row_count + slide_count)] row by row
};

/// What a constraint puts on a rigid body, for flags of uniqueness. Places in the output of `wrenches` as of
/// PointForce.
struct BodyWrench {
  model::ConstraintId constraint;
  model::FrameId body;  ///< the frame it owns
  int first_row = 0;
  int row_count = 0;
  int first_slide = 0;
  int slide_count = 0;
  int force = 0;   ///< resultant of the forces at its points
  int couple = 0;  ///< torques beside them
  int moment = 0;  ///< of both about the mass centre
};

/// What reports ask for, lowered to expressions of t, q, u, z, u', λ, λ_ideal, efforts, s and highest derivatives.
struct ReportColumns {
  std::vector<OutputColumns> output_columns;   ///< [outputs]
  std::vector<char> output_is_of_free_motion;  ///< [outputs] it holds the free acceleration
  int output_size = 0;
  std::vector<expr::Expr> output_values;                ///< [output_size]
  std::vector<expr::Expr> output_gradient_values;       ///< [output_size × (2nc + ns)] by λ, λ_ideal, s
  std::vector<ExpectationColumns> expectation_columns;  ///< [expectations]
  std::vector<expr::Expr> expectation_values;           ///< columns as in `expectation_columns`
  std::vector<PointForce> point_forces;
  std::vector<BodyWrench> body_wrenches;
  std::vector<expr::Expr> wrench_values;  ///< W of these, where there are rows
};

/// \returns kNotUnique where a third derivative is asked for that the equations of motion do not hold.
[[nodiscard]] Outcome<ReportColumns> report_columns(const equations::System& system);

}  // namespace vinculum::sim
