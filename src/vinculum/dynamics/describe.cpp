#include "vinculum/dynamics/describe.hpp"

#include <algorithm>
#include <variant>

#include "vinculum/dynamics/derive.hpp"
#include "vinculum/dynamics/lowering.hpp"
#include "vinculum/dynamics/sampling.hpp"
#include "vinculum/expr/print.hpp"
#include "vinculum/mechanics/calculus.hpp"
#include "vinculum/mechanics/inspection.hpp"

namespace vinculum::dynamics {
namespace {

using expr::Expr;

constexpr std::uint64_t kSeed = 19940614;

Sampler sampler_of(const System& system) {
  std::vector<Expr> symbols = system.q;
  for (const auto* more : {&system.u, &system.u_dot, &system.parameters}) {
    symbols.insert(symbols.end(), more->begin(), more->end());
  }
  symbols.push_back(system.t);
  return Sampler(std::move(symbols), kSeed);
}

mechanics::RowInspection inspect(const System& system, const Row& row) {
  return mechanics::inspect_row(*system.model, row.constraint, static_cast<std::size_t>(row.index));
}

RowDescription describe_row(System& system, const Row& row, const RowClass& row_class) {
  const mechanics::Model& model = *system.model;
  RowDescription description;
  description.level = row.level;
  description.row_class = row_class;
  description.multiplier = mechanics::to_text(model, model.terms->multiplier(row.constraint, row.index));
  const mechanics::RowInspection inspection = inspect(system, row);
  mechanics::Term sum = model.terms->zero_vector();
  for (const mechanics::PointReaction& reaction : inspection.forces) {
    sum = sum + reaction.W;
    const ExprVector W = system.lowering->vector(reaction.W);
    description.forces.push_back({reaction.point, model.point(reaction.point).name, mechanics::to_text(model, reaction.W),
                                  {expr::to_text(W[0]), expr::to_text(W[1]), expr::to_text(W[2])}});
  }
  const ExprVector net = system.lowering->vector(sum);
  const Sampler sampler = sampler_of(system);
  description.is_internal = inspection.forces.size() > 1 &&
                            std::ranges::all_of(net, [&](Expr part) { return sampler.is_generically_zero(part); });
  if (inspection.has_bare_part) {
    const std::vector<Expr> bare = bare_part(system, row);
    for (std::size_t r = 0; r < bare.size(); ++r) {
      if (bare[r].is_zero()) continue;
      description.bare.push_back({static_cast<int>(r), model.speeds[r].name, expr::to_text(bare[r])});
    }
  }
  return description;
}

NonidealDescription describe_nonideal(const mechanics::Model& model, const mechanics::Nonideal& nonideal) {
  if (const auto* force = std::get_if<mechanics::ForceOn>(&nonideal.what)) {
    return {model.point(force->point).name, mechanics::to_text(model, force->force),
            force->from ? model.point(*force->from).name : std::string()};
  }
  const auto& generalized = std::get<mechanics::GeneralizedForceOn>(nonideal.what);
  return {model.coordinates[generalized.coordinate.index()].name, mechanics::to_text(model, generalized.force), {}};
}

}  // namespace

std::vector<Expr> bare_part(System& system, const Row& row) {
  const Sampler sampler = sampler_of(system);
  std::vector<Expr> rest = row.A;
  const mechanics::RowInspection inspection = inspect(system, row);
  for (const mechanics::PointReaction& reaction : inspection.forces) {
    const ExprVector W = system.lowering->vector(reaction.W);
    const auto partials = partial_velocities(system, reaction.point);
    for (std::size_t r = 0; r < rest.size(); ++r) rest[r] -= dot(partials[r], W);
  }
  for (Expr& part : rest) {
    if (sampler.is_generically_zero(part)) part = system.graph->constant(0.0);
  }
  return rest;
}

std::vector<ConstraintDescription> describe(System& system) {
  const mechanics::Model& model = *system.model;
  const std::vector<RowClass> classes = classify(system);
  std::vector<ConstraintDescription> all;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    const mechanics::Constraint& constraint = model.constraints[c];
    ConstraintDescription description;
    description.constraint = mechanics::ConstraintId(c);
    description.name = constraint.name;
    description.relation = constraint.text;
    for (std::size_t i = 0; i < system.rows.size(); ++i) {
      if (system.rows[i].constraint == description.constraint) {
        description.rows.push_back(describe_row(system, system.rows[i], classes[i]));
      }
    }
    for (const mechanics::Nonideal& nonideal : constraint.nonideal) {
      description.nonideal.push_back(describe_nonideal(model, nonideal));
    }
    all.push_back(std::move(description));
  }
  return all;
}

}  // namespace vinculum::dynamics
