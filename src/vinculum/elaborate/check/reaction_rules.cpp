#include "vinculum/elaborate/check/reaction_rules.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "vinculum/elaborate/check/report.hpp"
#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::elaborate {

using model::ConstraintId;
using model::Model;
using model::PointId;

namespace {

bool carries_mass(const Model& model, PointId point) {
  return model.point(point).particle || model::carrier_of(model, point);
}

/// Hint for a point without mass that the constraint names.
std::string hint_for_massless(TermFacts& facts, const Model& model, PointId point, const std::vector<PointId>& points,
                              std::string hint) {
  // A point may be fixed in several bodies without a declaration `on` one of them.
  std::string declared_on;
  for (const model::Body& body : model.bodies) {
    if (!facts.tree().of_term(model.terms->position(point, body.center), body.frame).is_none()) continue;
    declared_on += (declared_on.empty() ? "declare `point P on " : " or `point P on ") + body.name + " = " +
                   model.point(point).name + "`";
  }
  if (declared_on.empty()) return hint;
  return (points.empty() ? "" : hint + "; or ") + declared_on + " and state the constraint there";
}

}  // namespace

std::string where_it_acts(const Model& model, ConstraintId id) {
  std::string points, bodies;
  for (const PointId point : model::points_of(model, id)) {
    points += (points.empty() ? "" : ", ") + quote(model.point(point).name);
  }
  for (const model::FrameId frame : model::bodies_of(model, id)) {
    const model::Frame& its = model.frame(frame);
    bodies += (bodies.empty() ? "" : ", ") + quote(its.body ? model.body(*its.body).name : its.name);
  }
  if (points.empty() && bodies.empty())
    return "it is written in coordinates, which name no point; write it by vectors, with `dot(pos(P, O), N.y)`";
  std::string text = points.empty() ? "" : "it puts forces on " + points;
  if (!bodies.empty())
    text += (text.empty() ? "it acts on " : "; it acts on ") +
            std::string(bodies.find(',') == std::string::npos ? "the body " : "the bodies ") + bodies;
  return text;
}

RuleProblem reaction_of_coordinates_problem(const Model& model, ConstraintId id) {
  const std::string& name = model.constraint(id).name;
  return {diag::Kind::kPointNotInConstraint,
          "the reaction of " + quote(name) +
              " acts on coordinates, because its equation contains them; the part that acts here is not known",
          "write the equation by vectors, as `dot(vel(P), N.x) = 0`, or ask for `generalized_force(" + name +
              ")`, an entry for each speed"};
}

std::optional<RuleProblem> point_force_problem(TermFacts& facts, const Model& model, ConstraintId id, PointId& point) {
  const std::vector<PointId> points = model::points_of(model, id), of_ground = model::ground_points_of(model, id);
  const bool acts_on_ground_here = std::ranges::find(of_ground, point) != of_ground.end();
  if (!acts_on_ground_here && std::ranges::find(points, point) == points.end()) {
    // A force on a massless point acts on the particle at the same position.
    const auto stands_there = [&](PointId other) { return facts.tree().separation(other, point).is_zero(); };
    if (const auto same = std::ranges::find_if(points, stands_there);
        same != points.end() && !carries_mass(model, point))
      point = *same;
  }
  if (acts_on_ground_here || std::ranges::find(points, point) != points.end() || model::passes_on(model, id, point))
    return std::nullopt;
  const model::Constraint& constraint = model.constraint(id);
  const std::string name = quote(model.point(point).name), of = "constraint " + quote(constraint.name);
  const bool is_named_without_mass = !carries_mass(model, point) && model::names_point(constraint, point);
  std::string message = of + " puts no force on " + name, hint = where_it_acts(model, id);
  if (is_named_without_mass && !points.empty()) {
    std::string where;
    for (const PointId one : points) where += (where.empty() ? "" : ", ") + quote(model.point(one).name);
    message = name + " carries no mass: the force of " + of + " is reported on " + where;
    hint = "ask for the force on " + where;
  } else if (is_named_without_mass) {
    message = name + " carries no mass, and no point with mass stands behind it in " + of;
  }
  if (is_named_without_mass) hint = hint_for_massless(facts, model, point, points, std::move(hint));
  return RuleProblem{diag::Kind::kPointNotInConstraint, std::move(message), std::move(hint)};
}

}  // namespace vinculum::elaborate
