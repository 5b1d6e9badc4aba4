#pragma once

#include <optional>
#include <vector>

#include "vinculum/model/model.hpp"

/// Finds the unit of each quantity of a model: the declared unit, or else the SI unit. A moment has the unit N*m if it
/// can be distinguished from an energy. The text is empty in a model without units and for dimensionless quantities.
namespace vinculum::model {

[[nodiscard]] UnitText unit_of(const Model& model, const Dimension& dimension);
[[nodiscard]] inline UnitText unit_of_time(const Model& model) { return unit_of(model, make_dimension(0, 0, 1)); }
[[nodiscard]] UnitText unit_of(const Model& model, const Parameter& parameter);
[[nodiscard]] UnitText unit_of(const Model& model, const Coordinate& coordinate);
[[nodiscard]] UnitText unit_of(const Model& model, const Speed& speed);
[[nodiscard]] UnitText unit_of(const Model& model, const State& state);
/// Unit of a term that is shown as a result: the declared unit of a variable, otherwise SI.
[[nodiscard]] UnitText unit_of_value(const Model& model, Term value, const Dimension& dimension);
/// The declared unit of a term that is a variable (or SI if none is declared); nothing if the term is not a variable.
[[nodiscard]] std::optional<UnitText> unit_of_variable(const Model& model, Term value);
/// Units of an output: one, or one per entry of a list whose entries differ. An output that is a variable has the
/// declared unit of that variable. A vector with the dimension of an energy is a moment. So is a scalar with that
/// dimension that contains multipliers or efforts.
[[nodiscard]] std::vector<UnitText> units_of(const Model& model, const Output& output);
/// Unit of a constraint's residual, which is that of its worst row; "SI" if the rows have different units.
[[nodiscard]] UnitText unit_of_residual(const Model& model, const Constraint& constraint);
/// Unit of a row's multiplier.
[[nodiscard]] UnitText unit_of_multiplier(const Model& model, ConstraintId constraint, std::size_t row);
/// N, or N*m for a moment; empty in a model without units.
[[nodiscard]] UnitText unit_of_force(const Model& model, bool is_moment);

}  // namespace vinculum::model
