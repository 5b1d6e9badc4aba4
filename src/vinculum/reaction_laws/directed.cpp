// Implements servo constraints (Beghin): actuators with efforts e act along given directions Γ, and A u' = b determines
// the efforts. The constraint force is Qc = Γᵀe with A M⁻¹Γᵀe = b − A a, where a is the acceleration without
// constraints. `law directed` states the directions; the points or bodies on which the forces act follow from the row.
// The clause `via` states both, and is read in elaborate/statements/clauses.cpp.
//
// Source: theory.md §6.9.
#include <algorithm>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/reaction_laws/general_state.hpp"
#include "vinculum/reaction_laws/kinds.hpp"
#include "vinculum/reaction_laws/laws.hpp"

namespace vinculum::reaction_laws {
namespace {

using model::Actuator;

class DirectedLaw final : public model::Law {
 public:
  DirectedLaw(std::vector<Actuator> actuators, bool is_named) : actuators_(std::move(actuators)), is_named_(is_named) {}
  std::string_view word() const override { return is_named_ ? "via" : "directed"; }
  bool is_ideal() const override { return false; }
  std::span<const Actuator> actuators() const override { return actuators_; }
  bool has_named_actuators() const override { return is_named_; }

 private:
  std::vector<Actuator> actuators_;
  bool is_named_;
};

/// True if b = −a at all generic states of general_state.hpp.
bool are_opposite(const Model& model, Term a, Term b) {
  return std::ranges::all_of(kGeneralStates, [&](double seed) {
    model::TermValues values(model, general_state(model, seed));
    const model::JetVector first = values.vector(a), second = values.vector(b);
    double size = 0.0, sum = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      size = std::max(size, std::fabs(first[i].value));
      sum = std::max(sum, std::fabs(first[i].value + second[i].value));
    }
    return sum <= tolerance::kGeneric * size;
  });
}

/// Actuator for a row. If the row contains one point or one body, the actuator acts on it along the given direction. If
/// it contains two, the actuator acts on them with opposite signs. Nothing for other rows.
std::optional<Actuator> actuator_of(const Model& model, ConstraintId id, std::size_t row, const Direction& direction) {
  const model::RowInspection all = model::inspect_row(model, id, row);
  const auto [forces, torques, has_bare_part] = model::without_ground(model, all);
  if (has_bare_part || forces.empty() == torques.empty()) return std::nullopt;
  Actuator actuator;
  actuator.range = direction.range;
  actuator.dimension = make_dimension(1, torques.empty() ? 1 : 2, -2) / direction.dimension;
  const Term along = direction.along;
  // If the row also exerts the opposite force on the ground, the actuator's reaction acts on the ground. Otherwise the
  // actuator's force comes from outside the model.
  if (forces.size() == 1) {
    actuator.forces.push_back({forces[0].point, along, {}});
    if (all.forces.size() == 2) {
      const auto& other = all.forces[all.forces[0].point == forces[0].point ? 1 : 0];
      if (are_opposite(model, forces[0].W, other.W)) actuator.forces.back().from = other.point;
    }
  } else if (torques.size() == 1) {
    actuator.torques.push_back({torques[0].body, along, {}});
    if (all.torques.size() == 2) {
      const auto& other = all.torques[all.torques[0].body == torques[0].body ? 1 : 0];
      if (are_opposite(model, torques[0].tau, other.tau)) actuator.torques.back().from = other.body;
    }
  } else if (forces.size() == 2 && are_opposite(model, forces[0].W, forces[1].W)) {
    actuator.forces.push_back({forces[0].point, along, forces[1].point});
  } else if (torques.size() == 2 && are_opposite(model, torques[0].tau, torques[1].tau)) {
    actuator.torques.push_back({torques[0].body, along, torques[1].body});
  } else {
    return std::nullopt;
  }
  return actuator;
}

bool read_directed(Reader& reader) {
  const auto directions = reader.directions(*reader.argument("along"));
  if (!directions) return false;
  const Constraint& constraint = reader.constraint();
  const std::size_t rows = constraint.rows.size(), count = directions->size();
  const auto count_of = [](std::size_t n, const std::string& noun) {
    return std::to_string(n) + " " + noun + (n == 1 ? "" : "s");
  };
  if (count != rows) {
    reader.error(diag::Kind::kWrongArgumentCount, reader.range(),
                 "`law directed` has one direction for each row: `" + constraint.name + "` has " +
                     count_of(rows, "row") + ", and there" + (count == 1 ? " is " : " are ") +
                     count_of(count, "direction"));
    return false;
  }
  std::vector<Actuator> actuators;
  for (std::size_t row = 0; row < rows; ++row) {
    auto actuator = actuator_of(reader.model(), reader.id(), row, (*directions)[row]);
    if (actuator) {
      actuators.push_back(std::move(*actuator));
      continue;
    }
    reader.error(
        diag::Kind::kNotAllowedHere, (*directions)[row].range,
        (rows == 1 ? "`" + constraint.name + "`" : "row " + std::to_string(row + 1) + " of `" + constraint.name + "`") +
            " does not act on one point or body, or on two oppositely: a direction alone does not say where",
        "name the actuator: `via force on P along VEC` or `via torque on B along VEC`");
  }
  if (actuators.size() != rows) return false;
  reader.builder().set_law(reader.id(), directed(std::move(actuators), false));
  return true;
}

}  // namespace

LawPtr directed(std::vector<Actuator> actuators, bool is_named) {
  return std::make_shared<DirectedLaw>(std::move(actuators), is_named);
}
Kind directed_kind() {
  return {.form = {"directed",
                   "reactions along given directions",
                   {{.word = "along", .value = "VEC", .is_list = true, .has_equals = false}}},
          .read = read_directed,
          .names_directions = true};
}

}  // namespace vinculum::reaction_laws
