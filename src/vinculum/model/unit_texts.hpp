#pragma once

#include "vinculum/model/model.hpp"

/// The unit of each quantity of a model: what its declaration states; else SI, a moment in N*m where it can be told
/// from an energy. Empty in a model without units and for what has no dimension.
namespace vinculum::model {

[[nodiscard]] UnitText unit_of(const Model& model, const Dimension& dimension);
[[nodiscard]] inline UnitText unit_of_time(const Model& model) { return unit_of(model, make_dimension(0, 0, 1)); }
[[nodiscard]] UnitText unit_of(const Model& model, const Parameter& parameter);
[[nodiscard]] UnitText unit_of(const Model& model, const Coordinate& coordinate);
[[nodiscard]] UnitText unit_of(const Model& model, const Speed& speed);
[[nodiscard]] UnitText unit_of(const Model& model, const State& state);
/// Of an output: one, or one for each entry of a list whose entries differ. An output that is a variable has the unit
/// of that; a vector of the dimension of an energy is a moment, and so is a scalar made of multipliers or efforts.
[[nodiscard]] std::vector<UnitText> units_of(const Model& model, const Output& output);
/// Of the worst row: "SI" where rows differ, each in its own.
[[nodiscard]] UnitText unit_of_residual(const Model& model, const Constraint& constraint);
/// Of a row's multiplier.
[[nodiscard]] UnitText unit_of_multiplier(const Model& model, ConstraintId constraint, std::size_t row);
/// N, or N*m for a moment; empty in a model without units.
[[nodiscard]] UnitText unit_of_force(const Model& model, bool is_moment);

}  // namespace vinculum::model
