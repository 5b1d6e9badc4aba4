#include "vinculum/compiled/switch_places.hpp"

#include <algorithm>
#include <iterator>
#include <variant>

#include "vinculum/equations/derive.hpp"

namespace vinculum::sim {
namespace {

using model::Term;

struct TermsOf {
  std::vector<Term> operator()(const model::ForceOn& load) const { return {load.force}; }
  std::vector<Term> operator()(const model::TorqueOn& load) const { return {load.torque}; }
  std::vector<Term> operator()(const model::Gravity& load) const { return {load.acceleration}; }
  std::vector<Term> operator()(const model::SpringBetween& load) const {
    return {load.stiffness, load.length, load.damping};
  }
  std::vector<Term> operator()(const model::PotentialEnergy& load) const { return {load.energy}; }
  std::vector<Term> operator()(const model::GeneralizedForceOn& load) const { return {load.force}; }
  std::vector<Term> operator()(const model::LagrangianFunction& load) const { return {load.L}; }
};

std::vector<expr::Expr> lowered(const equations::System& system, const std::vector<Term>& terms) {
  std::vector<expr::Expr> all;
  for (const Term term : terms)
    if (term.is_valid()) append(all, equations::lower(system, term));
  return all;
}

}  // namespace

bool has_place(const Failure& failure) {
  return !failure.statements.empty() || !failure.rows.empty() || !failure.constraints.empty() ||
         !failure.coordinates.empty();
}

void SwitchPlaces::join_to(Failure& failure) const {
  failure.statements.insert(failure.statements.end(), statements.begin(), statements.end());
  failure.rows.insert(failure.rows.end(), rows.begin(), rows.end());
}

std::vector<SwitchPlaces> places_of(const equations::System& system, const Switches& switches) {
  std::vector<SwitchPlaces> places(switches.surfaces().size());
  if (places.empty()) return places;
  const model::Model& model = *system.model;
  const auto add_statement = [&](const std::vector<Term>& terms, StatementId::Kind kind, std::size_t index) {
    for (const std::size_t k : switches.surfaces_in(lowered(system, terms)))
      places[k].statements.push_back({kind, static_cast<int>(index)});
  };
  for (std::size_t i = 0; i < model.loads.size(); ++i)
    add_statement(std::visit(TermsOf(), model.loads[i].what), StatementId::Kind::kLoad, i);
  for (std::size_t i = 0; i < model.states.size(); ++i)
    add_statement({model.states[i].rate}, StatementId::Kind::kState, i);
  for (std::size_t i = 0; i < model.events.size(); ++i) {
    std::vector<Term> terms{model.events[i].condition};
    for (const model::EventAction& action : model.events[i].actions) terms.push_back(action.value);
    add_statement(terms, StatementId::Kind::kEvent, i);
  }
  for (std::size_t row = 0; row < system.rows.size(); ++row) {
    const model::Constraint& constraint = model.constraint(system.rows[row].constraint);
    std::vector<Term> terms = constraint.rows;
    if (constraint.when.is_valid()) terms.push_back(constraint.when);
    for (const model::Nonideal& clause : constraint.nonideal)
      std::ranges::copy(std::visit([](const auto& what) { return TermsOf()(what); }, clause.what),
                        std::back_inserter(terms));
    for (const std::size_t k : switches.surfaces_in(lowered(system, terms)))
      places[k].rows.push_back(static_cast<int>(row));
  }
  return places;
}

}  // namespace vinculum::sim
