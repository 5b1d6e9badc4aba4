#include "vinculum/model/unit_texts.hpp"

#include <algorithm>
#include <optional>

#include "vinculum/model/dimensions.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

UnitText declared_or_si(const Model& model, const UnitText& declared, const Dimension& dimension) {
  return !model.has_units || declared.shown.empty() ? unit_of(model, dimension) : declared;
}

UnitText rate_of(const Model& model, const UnitText& unit, const Dimension& dimension, int order) {
  UnitText result = unit;
  Dimension of = dimension;
  for (int i = 0; i < order; ++i) {
    of = of / make_dimension(0, 0, 1);
    if (!result.shown.empty()) result = per_second(result);
  }
  return result.shown.empty() ? unit_of(model, of) : result;
}

/// Whether a scalar contains reactions. If it has the dimension of an energy, it is then taken to be a moment.
bool is_of_reactions(Term scalar) {
  return std::ranges::any_of(in_order(scalar), [](Term node) {
    return node.kind() == TermKind::kMultiplier || node.kind() == TermKind::kIdealMultiplier ||
           node.kind() == TermKind::kEffort || node.kind() == TermKind::kGeneralizedForce;
  });
}

/// The declared unit of an output that is a variable; nothing if the output is not a variable.
std::optional<UnitText> declared_unit(const Model& model, Term result) {
  switch (result.kind()) {
    case TermKind::kParameter: return unit_of(model, model.parameters[result.index()]);
    case TermKind::kCoordinate: {
      const Coordinate& q = model.coordinates[result.index()];
      return rate_of(model, unit_of(model, q), q.dimension, result.order());
    }
    case TermKind::kSpeed: {
      const Speed& u = model.speeds[result.index()];
      return rate_of(model, unit_of(model, u), u.dimension, result.order());
    }
    case TermKind::kState: return unit_of(model, model.states[result.index()]);
    default: break;
  }
  for (const NonlinearSpeed& one : model.nonlinear_speeds) {
    if (one.speed.definition == result) return unit_of(model, one.speed);
  }
  return std::nullopt;
}

/// Whether the unit is J, as opposed to N*m. A variable declared in J is an energy; without a declared unit it may be a
/// moment.
bool is_of_energy(const UnitText& unit) { return unit == unit_text(make_dimension(1, 2, -2)); }

/// Unit of an output. A vector with the dimension of an energy is always a moment.
/// \param is_moment  whether a scalar with the dimension of an energy is a moment; empty: it is a moment if it contains
///   multipliers or efforts.
UnitText unit_of(const Model& model, Term result, const Dimension& dimension, std::optional<bool> is_moment) {
  if (!model.has_units || !result.is_valid()) return unit_of(model, dimension);
  const std::optional<UnitText> declared = declared_unit(model, result);
  if (declared && !is_of_energy(*declared)) return *declared;
  const bool is_moment_or_energy = dimension == make_dimension(1, 2, -2);
  if (is_moment_or_energy && (result.is_vector() || is_moment.value_or(is_of_reactions(result))))
    return unit_of_force(model, true);
  return unit_of(model, dimension);
}

}  // namespace

UnitText unit_of(const Model& model, const Dimension& dimension) {
  return model.has_units ? unit_text(dimension) : UnitText{};
}

UnitText unit_of(const Model& model, const Parameter& parameter) {
  return declared_or_si(model, parameter.unit, parameter.dimension);
}

UnitText unit_of(const Model& model, const Coordinate& coordinate) {
  return declared_or_si(model, coordinate.unit, coordinate.dimension);
}

UnitText unit_of(const Model& model, const Speed& speed) {
  const Term q_dot = speed.definition;
  if (speed.unit.shown.empty() && speed.is_default && q_dot.kind() == TermKind::kCoordinate) {
    const Coordinate& q = model.coordinates[q_dot.index()];
    return rate_of(model, unit_of(model, q), q.dimension, 1);
  }
  return declared_or_si(model, speed.unit, speed.dimension);
}

UnitText unit_of(const Model& model, const State& state) { return declared_or_si(model, state.unit, state.dimension); }

UnitText unit_of_value(const Model& model, Term value, const Dimension& dimension) {
  return unit_of(model, value, dimension, std::nullopt);
}

std::optional<UnitText> unit_of_variable(const Model& model, Term value) {
  return model.has_units && value.is_valid() ? declared_unit(model, value) : std::nullopt;
}

std::vector<UnitText> units_of(const Model& model, const Output& output) {
  if (model.has_units && !output.unit.shown.empty()) return {output.unit};
  const auto told = [&](std::size_t k) {
    if (output.is_moment) return std::optional<bool>(true);
    return k < output.component_is_moment.size() ? std::optional<bool>(output.component_is_moment[k]) : std::nullopt;
  };
  if (output.value.is_valid() || output.components.empty())
    return {unit_of(model, output.value, output.dimension, told(0))};
  std::vector<UnitText> units;
  for (std::size_t k = 0; k < output.components.size(); ++k) {
    const Dimension& dimension =
        output.component_dimensions.empty() ? output.dimension : output.component_dimensions[k];
    units.push_back(unit_of(model, output.components[k], dimension, told(k)));
  }
  if (std::ranges::adjacent_find(units, std::ranges::not_equal_to()) == units.end()) units.resize(1);
  return units;
}

UnitText unit_of_residual(const Model& model, const Constraint& constraint) {
  for (std::size_t row = 0; row < constraint.row_dimensions.size(); ++row) {
    if (model.has_units && !(constraint.row_dimensions[row] == constraint.row_dimensions.front()))
      return {"SI", "SI", 1.0};
  }
  return unit_of(model, dimension_of_row(constraint, 0));
}

UnitText unit_of_multiplier(const Model& model, ConstraintId constraint, std::size_t row) {
  const Dimension dimension = dimension_of_multiplier(model, constraint, row);
  return dimension == make_dimension(1, 2, -2) ? unit_of_force(model, true) : unit_of(model, dimension);
}

UnitText unit_of_force(const Model& model, bool is_moment) {
  if (!model.has_units) return {};
  return is_moment ? UnitText{"N*m", "N*m", 1.0} : unit_text(make_dimension(1, 1, -2));
}

}  // namespace vinculum::model
