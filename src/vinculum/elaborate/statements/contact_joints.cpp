#include <algorithm>
#include <utility>

#include "vinculum/elaborate/check/joint_rules.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/joint.hpp"
#include "vinculum/model/requirements.hpp"
#include "vinculum/model/surface_contact.hpp"

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
  std::optional<FrictionCoefficients> friction;
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
  for (const lang::Clause& clause : statement.clauses) {
    const auto* restitution = std::get_if<lang::RestitutionClause>(&clause.what);
    const auto* coulomb = std::get_if<lang::FrictionClause>(&clause.what);
    const auto* yielding = std::get_if<lang::ComplianceClause>(&clause.what);
    if (restitution != nullptr && std::exchange(result.restitution, restitution) == nullptr) continue;
    if (yielding != nullptr && std::exchange(compliance, yielding) == nullptr) continue;
    if (coulomb != nullptr && !coulomb->target.text.empty()) {
      is_right = refuse(Kind::kNotAllowedHere, coulomb->target.range, "a joint `contact` finds its point of contact",
                        "write `friction mu = EXPR`");
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
    } else {
      is_right = refuse(
          Kind::kNotSupported, clause.range,
          "a joint `contact` has no other clauses than `restitution`, `friction mu = EXPR` and `compliance` in this "
          "version",
          "leave the clause out; forces between the bodies are loads: `force on P = VEC from Q`");
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
    const model::SurfaceInfo& info = model::surface_info(kind);
    if (axis && !info.has_axis)
      is_right =
          refuse(Kind::kNotAllowedHere, axis->range, "a " + surface.kind.text + " has no axis",
                 "leave the axis out" + std::string(kind == SurfaceKind::kSphere || kind == SurfaceKind::kHollowSphere
                                                        ? ""
                                                        : "; its edges or semi-axes are along x, y, z of its "
                                                          "body"));
    if (kind != SurfaceKind::kPolygon || std::ranges::any_of(lengths, [&](Term x) { return is_guessed(x); })) return;
    std::vector<Term> numbers;
    for (const Term corner : lengths)
      for (int k = 0; k < 3; ++k) numbers.push_back(pool_.dot(corner, pool_.basis_vector(frame, k)));
    model::Instant any;  // the corners are constant in the frame
    any.q.assign(model_.coordinates.size(), 0.5);
    any.q_dot = any.q_ddot = any.q;
    model::TermValues now(model_, any);
    std::vector<double> corners;
    for (const Term x : numbers) corners.push_back(now.scalar(x).value);
    if (!model::is_convex(corners)) {
      is_right = refuse(Kind::kBadValue, surface.kind.range, "the corners are not those of a plane convex polygon",
                        "list them in their order around it, without corners inside or on an edge; a concave shape "
                        "consists of several contacts");
      return;
    }
    if (std::ranges::all_of(numbers, [&](Term x) { return context_.facts.holds(x) == kHoldsNothing; }))
      model::require(
          model_, numbers, [](std::span<const double> x) { return model::is_convex(x); }, "a polygon must be convex");
  };
  check(*statement.surface, joint.surface, statement.axis, joint.first_body, joint.surface_lengths);
  check(*statement.surface2, joint.surface2, statement.axis2, joint.second_body, joint.surface2_lengths);
  return is_right;
}

bool Elaborator::add_contact(const model::ContactPlace& place, const ContactClauses& clauses, diag::SourceRange range,
                             const std::string& text) {
  if (!context_.guesses_places && (context_.facts.holds(place.gap) & kHoldsCoordinates) == 0)
    return refuse(Kind::kContradiction, range, "the gap of `" + place.name + "` contains no coordinate",
                  "the two surfaces do not move relative to each other: leave the contact out");
  const model::ConstraintId id =
      builder_.add_constraint(place.name, place.gap, {}, context_.stored(kLength), range, text);
  model::Constraint& constraint = model_.constraints[id.index()];
  constraint.row_rates = {place.rate};
  constraint.sides = place.sides;
  if (clauses.friction) {
    // The newtonian frame is the ground, on which no force is stated.
    const auto is_ground = [&](model::PointId point) { return model_.point(point).on == model::Model::newtonian(); };
    model::ForceOn sliding{place.Q, place.slip, place.P};
    if (is_ground(place.Q)) sliding = {place.P, -place.slip, place.Q};
    if (is_ground(*sliding.from)) sliding.from.reset();
    const Term normal = model::pushing_reaction(model_, id, sliding.point);
    builder_.add_nonideal(id, coulomb(sliding, normal, *clauses.friction, clauses.friction_range));
  }
  make_unilateral(id, clauses.e, clauses.restitution);
  if (clauses.compliance) model_.constraints[id.index()].unilateral->compliance = *clauses.compliance;
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
