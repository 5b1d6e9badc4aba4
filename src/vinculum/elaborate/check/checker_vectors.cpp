// Results with one entry per speed or for the whole model: generalized forces and their ideal and non-ideal parts, the
// free acceleration and its residual in the constraints, Gauss' function (theory.md §3.1, 4, 4.4).
#include <algorithm>
#include <utility>

#include "vinculum/elaborate/check/checker.hpp"
#include "vinculum/elaborate/check/shown_speeds.hpp"
#include "vinculum/model/dimensions.hpp"
#include "vinculum/model/nonlinear_speeds.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::ConstraintId;
using model::Model;
using model::SpeedId;
using model::SystemVector;
using model::Term;

bool is_of_system(Function function) {
  switch (function) {
    case Function::kIdealForces:
    case Function::kNonidealForces:
    case Function::kConstraintForces:
    case Function::kFreeAcceleration:
    case Function::kGaussFunction: return true;
    default: return false;
  }
}

Value Checker::generalized_forces(const lang::Call& node, const FunctionInfo& info, ConstraintId id) {
  const Model& model = context_.model;
  const model::Constraint& constraint = model.constraint(id);
  const bool is_split = info.function != Function::kGeneralizedForce;
  if (is_split && model::is_realised(constraint)) return no_ideal_part(node, constraint);
  if (is_split && !constraint.law->is_ideal())
    return fault(Kind::kNotAllowedHere, node.arguments[0]->range,
                 "what " + quote(constraint.name) + " exerts under its law, " + std::string(constraint.law->word()) +
                     ", is not split into an ideal and a non-ideal part",
                 "`generalized_force(" + constraint.name +
                     ")` is all of it; `Q_ideal` and `Q_nonideal` compare all constraints together with ideal ones");
  if (!context_.reporter.is_complete()) return fault();  // speeds may be missing
  std::vector<Term> forces;
  for (std::size_t r = 0; r < model.speeds.size(); ++r) {
    const Term total = pool_.generalized_force(id, SpeedId(r)), ideal = pool_.generalized_ideal_force(id, SpeedId(r));
    forces.push_back(!is_split ? total : info.function == Function::kGeneralizedIdealForce ? ideal : total - ideal);
  }
  return list_of_forces(forces);
}

/// Converts forces on `Model::speeds` to forces on the speeds that texts show.
Value Checker::list_of_forces(std::span<const Term> forces) {
  const std::vector<model::ShownSpeed> speeds = model::shown_speeds(context_.model);
  const std::vector<Term> shown = forces_over_shown_speeds(context_.model, forces);
  std::vector<Entry> entries;
  for (std::size_t r = 0; r < speeds.size(); ++r)
    entries.push_back(reaction_of(shown[r], make_dimension(1, 2, -3) / speeds[r].speed->dimension));
  return make_list(std::move(entries));
}

Value Checker::departure(const lang::Call& node, const Value& value) {
  const ConstraintId id = value.constraint;
  const model::Constraint& constraint = context_.model.constraint(id);
  if (!model::has_rows(constraint))
    return fault(Kind::kNotAllowedHere, node.arguments[0]->range,
                 quote(constraint.name) + " has no row in A u' = b under its law, " +
                     std::string(constraint.law->word()) + ": nothing that the free acceleration could miss",
                 "ask for `residual(" + constraint.name + ")`");
  const auto of_row = [&](std::size_t row) {
    return Entry{pool_.departure(id, static_cast<int>(row)),
                 model::dimension_of_acceleration_row(context_.model, id, row)};
  };
  return of_rows(constraint, value.row, of_row);
}

Value Checker::of_system(const lang::Expression& expression, const FunctionInfo& info) {
  const Model& model = context_.model;
  const auto higher = std::ranges::find_if(model.constraints, model::is_higher_order);
  if (higher != model.constraints.end() && info.function != Function::kFreeAcceleration)
    return fault(Kind::kNotAllowedHere, expression.range,
                 quote(info.name) + " is not there in a model with " + quote(higher->name) +
                     ": a constraint of higher order has no row in A u' = b",
                 "ask for `generalized_force(" + higher->name + ")`");
  if (!context_.reporter.is_complete()) return fault();  // speeds may be missing
  const auto entry = [&](SystemVector which, std::size_t r) { return pool_.system_vector(which, SpeedId(r)); };
  if (info.function == Function::kGaussFunction) {
    // Gauss' function (u' − a)ᵀ M (u' − a), with M (u' − a) = Qc.
    Term sum = pool_.number(0.0);
    for (std::size_t r = 0; r < model.speeds.size(); ++r) {
      sum = sum + entry(SystemVector::kConstraintForce, r) *
                      (pool_.speed(SpeedId(r), 1) - entry(SystemVector::kFreeAcceleration, r));
    }
    return make_scalar(sum, make_dimension(1, 2, -4));
  }
  const auto vector = [&](SystemVector which) {
    std::vector<Term> terms;
    for (std::size_t r = 0; r < model.speeds.size(); ++r) terms.push_back(entry(which, r));
    return terms;
  };
  if (info.function == Function::kFreeAcceleration) {
    const std::vector<model::ShownSpeed> speeds = model::shown_speeds(model);
    const std::vector<Term> shown = accelerations_of_shown_speeds(model, vector(SystemVector::kFreeAcceleration));
    std::vector<Entry> entries;
    for (std::size_t r = 0; r < speeds.size(); ++r)
      entries.push_back({shown[r], speeds[r].speed->dimension * make_dimension(0, 0, -1)});
    return make_list(std::move(entries));
  }
  const std::vector<Term> ideal = vector(SystemVector::kIdealForce);
  if (info.function == Function::kIdealForces) return list_of_forces(ideal);
  std::vector<Term> forces = vector(SystemVector::kConstraintForce);
  for (std::size_t r = 0; r < forces.size() && info.function == Function::kNonidealForces; ++r)
    forces[r] = forces[r] - ideal[r];
  return list_of_forces(forces);
}

}  // namespace vinculum::elaborate
