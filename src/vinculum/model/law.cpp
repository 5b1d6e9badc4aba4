#include "vinculum/model/law.hpp"

#include <algorithm>

#include "vinculum/base/contract.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/law_equations.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::model {

using expr::Expr;

std::span<const Actuator> Law::actuators() const { return {}; }

Term Law::mu_rate(const Model&, ConstraintId, std::size_t) const {
  contract_broken("a law with multipliers as states says how they change", __FILE__, __LINE__);
}

std::optional<LawChange> Law::change(LawEquations& equations, const Model& model, ConstraintId) const {
  std::vector<Expr> force;
  bool is_there = false;
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    const Term on_coordinate = coordinate_force(model, CoordinateId(i));
    is_there = is_there || on_coordinate.is_valid();
    force.push_back(on_coordinate.is_valid() ? equations.in_speeds(on_coordinate) : equations.graph().constant(0.0));
  }
  if (!is_there) return std::nullopt;
  return LawChange{{}, {}, equations.generalized(force)};
}

FactorNames ideal_names(const Model& model, ConstraintId id, std::size_t row) {
  const std::string multiplier = to_text(model, model.terms->multiplier(id, static_cast<int>(row)));
  return {multiplier, multiplier};
}

FactorNames Law::names(const Model& model, ConstraintId id, std::size_t row) const {
  return ideal_names(model, id, row);
}

bool Law::acts_on_coordinates(const Model& model) const {
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    if (coordinate_force(model, CoordinateId(i)).is_valid()) return true;
  }
  return false;
}

bool LawEquations::is_affine(const Constraint& constraint) {
  return std::ranges::all_of(constraint.rows, [this](Term relation) {
    return std::ranges::none_of(expr::gradient(velocity_row(relation), q_dot()),
                                [this](Expr entry) { return expr::depends_on(entry, q_dot()); });
  });
}

}  // namespace vinculum::model
