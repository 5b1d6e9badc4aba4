#include <algorithm>
#include <utility>

#include "vinculum/elaborate/check/contact_rules.hpp"
#include "vinculum/elaborate/check/joint_rules.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/joint.hpp"
#include "vinculum/model/unilateral.hpp"

// Joints `contact`: one unilateral constraint for each place at which the surfaces of two bodies can touch.
namespace vinculum::elaborate {

using diag::Kind;
using model::SurfaceKind;
using model::Term;

namespace {

const Dimension kLength = make_dimension(0, 1, 0);

}  // namespace

/// The clauses of a joint `contact`.
struct Elaborator::ContactClauses {
  const lang::RestitutionClause* restitution = nullptr;  ///< null: not stated
  Term e;
  std::optional<Term> compliance;
  std::optional<model::FrictionCoefficients> friction;
  diag::SourceRange friction_range;
};

void Elaborator::declare_contacts(const lang::JointStatement& statement) {
  for (const std::string& name : contact_names(statement))
    (void)context_.scope.declare(SymbolKind::kConstraint, {name, statement.name.range}, context_.statement);
}

std::optional<Elaborator::ContactClauses> Elaborator::contact_clauses(const lang::JointStatement& statement) {
  ContactClauses result;
  bool is_right = !statement.lacks_clauses;
  const lang::FrictionClause* friction = nullptr;
  const lang::ComplianceClause* compliance = nullptr;
  const auto is_ideal = [&](const lang::Clause& clause) {
    const auto* law = std::get_if<lang::LawClause>(&clause.what);
    return law != nullptr && context_.options.laws->find(law->law.text)->is_ideal;
  };
  for (const lang::Clause& clause : statement.clauses) {
    const auto* restitution = std::get_if<lang::RestitutionClause>(&clause.what);
    const auto* coulomb = std::get_if<lang::FrictionClause>(&clause.what);
    const auto* yielding = std::get_if<lang::ComplianceClause>(&clause.what);
    if (restitution != nullptr && std::exchange(result.restitution, restitution) == nullptr) continue;
    if (yielding != nullptr && std::exchange(compliance, yielding) == nullptr) continue;
    if (coulomb != nullptr && !coulomb->target.text.empty()) {
      const RuleProblem problem = contact_finds_point();
      is_right = refuse(problem.kind, coulomb->target.range, problem.message, problem.hint);
    } else if (coulomb != nullptr && (coulomb->from || coulomb->sliding)) {
      is_right = refuse(Kind::kNotAllowedHere, clause.range,
                        "the friction of a joint `contact` acts between its two bodies, along their slip",
                        "write `friction mu = EXPR [static EXPR]`");
    } else if (coulomb != nullptr && std::exchange(friction, coulomb) == nullptr) {
      result.friction_range = clause.range;
    } else if (restitution != nullptr || coulomb != nullptr || yielding != nullptr) {
      const std::string word = restitution != nullptr ? "restitution" : coulomb != nullptr ? "friction" : "compliance";
      is_right =
          refuse(Kind::kMisplacedStatement, clause.range, "a contact has one `" + word + "`", "remove one of them");
    } else if (std::holds_alternative<lang::GivenFrictionClause>(clause.what)) {
      is_right = refuse(Kind::kNotAllowedHere, clause.range, "friction of a joint `contact` has a coefficient",
                        "write `friction mu = EXPR`");
    } else if (!is_ideal(clause)) {
      is_right = refuse(
          Kind::kNotSupported, clause.range,
          "a joint `contact` has no other clauses than `restitution`, `friction mu = EXPR` and `compliance` in this "
          "version",
          "leave the clause out; forces between the bodies, also of a contact that gives way, are loads: `force on P = "
          "VEC from Q`");
    }
  }
  result.e = this->restitution(result.restitution);
  is_right = result.e.is_valid() && is_right;
  if (compliance != nullptr) {
    result.compliance = this->compliance(*compliance, kLength);
    is_right = result.compliance && is_right;
  }
  if (friction != nullptr) {
    context_.place = "a `friction` clause";
    result.friction = friction_coefficients(*friction);
    is_right = result.friction && is_right;
  }
  if (!is_right) return std::nullopt;
  return result;
}

/// Whether the two surfaces can touch, have axes only where these have an effect, and are convex.
bool Elaborator::may_touch(const lang::JointStatement& statement, const model::JointSpec& joint) {
  bool is_right = true;
  if (const auto problem = surface_pair_problem(joint.surface, joint.surface2))
    is_right = refuse(problem->kind, statement.surface2->kind.range, problem->message, problem->hint);
  const auto check = [&](const lang::JointSurface& surface, SurfaceKind kind, const lang::ExpressionPtr& axis,
                         model::FrameId frame, const std::vector<Term>& lengths) {
    if (const auto problem = axis ? surface_axis_problem(kind) : std::nullopt)
      is_right = refuse(problem->kind, axis->range, problem->message, problem->hint);
    if (kind != SurfaceKind::kPolygon || std::ranges::any_of(lengths, [&](Term x) { return is_guessed(x); })) return;
    if (const auto problem = polygon_problem(model_, context_.facts, frame, lengths))
      is_right = refuse(problem->kind, surface.kind.range, problem->message, problem->hint);
  };
  check(*statement.surface, joint.surface, statement.axis, joint.first_body, joint.surface_lengths);
  check(*statement.surface2, joint.surface2, statement.axis2, joint.second_body, joint.surface2_lengths);
  const bool are_polygons = joint.surface == SurfaceKind::kPolygon && joint.surface2 == SurfaceKind::kPolygon;
  if (!is_right || !are_polygons || context_.guesses_places) return is_right;
  const auto problem = one_plane_problem(model_, context_.facts, joint.surface_lengths, joint.surface2_lengths);
  return !problem || refuse(problem->kind, statement.surface2->kind.range, problem->message, problem->hint);
}

bool Elaborator::add_contact(const model::ContactPlace& place, const ContactClauses& clauses, diag::SourceRange range,
                             const std::string& text) {
  const bool has_coordinate = context_.guesses_places || (context_.facts.holds(place.gap) & kHoldsCoordinates) != 0;
  if (!has_coordinate || is_fixed(place.gap)) {
    const RuleProblem problem = contact_without_coordinate(place.name);
    return refuse(problem.kind, range, problem.message, problem.hint);
  }
  (void)model::add_contact(builder_, place, context_.stored(kLength),
                           unilateral(clauses.e, clauses.restitution, clauses.compliance), clauses.friction, range,
                           clauses.friction_range, text);
  return true;
}

void Elaborator::apply_contact(const lang::JointStatement& statement) {
  context_.in_relation = true;
  const std::optional<model::JointSpec> spec = joint(statement);
  context_.in_relation = false;
  const std::optional<ContactClauses> clauses = contact_clauses(statement);
  const std::vector<std::string> names = contact_names(statement);
  const auto is_own = [&](const std::string& name) {  // false for a name that is declared twice
    const Symbol* symbol = context_.scope.find(name);
    return symbol != nullptr && symbol->statement == context_.statement;
  };
  const bool is_right = spec && may_touch(statement, *spec) && clauses && std::ranges::all_of(names, is_own);
  const diag::SourceRange head = cover(statement.name.range, statement.second_body.range);
  std::vector<model::ContactPlace> places;
  if (is_right) {
    const std::size_t points_before = model_.points.size();
    places = model::add_contact_places(builder_, names, *spec);
    declare_points(points_before, statement.name.range);
  } else {
    context_.reporter.leave_out();
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_own(names[i])) continue;
    Symbol* symbol = context_.scope.find(names[i]);
    const std::size_t index = model_.constraints.size();
    if (i < places.size() && add_contact(places[i], *clauses, head, context_.reporter.as_written(head))) {
      symbol->index = static_cast<std::uint32_t>(index);
      symbol->state = SymbolState::kReady;
    } else {
      fail(symbol);
    }
  }
}

}  // namespace vinculum::elaborate
