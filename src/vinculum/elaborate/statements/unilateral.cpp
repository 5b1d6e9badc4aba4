#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/requirements.hpp"
#include "vinculum/model/unilateral_text.hpp"

// Unilateral constraints: `constraint NAME: LHS >= RHS` and `<=`.
namespace vinculum::elaborate {

using diag::Kind;
using model::Term;

Term Elaborator::restitution(const lang::RestitutionClause* clause) {
  if (clause == nullptr) return pool_.number(0.0);
  const lang::Expression& written = *clause->value;
  const std::string what = "a coefficient of restitution";
  context_.place = "a `restitution` clause";
  const Value value = check_.scalar_of(written, Dimension{}, what);
  if (!check_.holds_only(written, value, kHoldsNothing, what)) return {};
  const auto is_possible = [](std::span<const double> x) { return x[0] >= 0.0 && x[0] <= 1.0; };
  if (!is_guessed(value.term)) {
    const std::optional<double> number = number_now(written, value, what);
    if (!number) return {};
    if (!is_possible({&*number, 1})) {
      refuse(Kind::kBadValue, written.range, what + " is a number from 0 to 1",
             "0: the bodies do not separate after the impact; 1: no energy is lost");
      return {};
    }
    model::require(model_, {value.term}, is_possible, what + " is a number from 0 to 1");
  }
  return value.term;
}

std::optional<Term> Elaborator::compliance(const lang::ComplianceClause& clause, const Dimension& gap) {
  const std::string what = "a compliance";
  context_.place = "a `compliance` clause";
  const Dimension energy = make_dimension(1, 2, -2);
  const Value value = check_.measured(*clause.value, {1.0, gap * gap / energy}, what);
  if (value.is_fault() || !check_.holds_only(*clause.value, value, kHoldsNothing, what)) return std::nullopt;
  if (is_guessed(value.term)) return value.term;
  const std::optional<double> number = number_now(*clause.value, value, what);
  if (!number) return std::nullopt;
  if (!(*number > 0.0))
    return none(
        Kind::kBadValue, clause.value->range, what + " must be positive",
        "only ratios matter: write `compliance 1` at contacts that yield alike, and no clause at a rigid contact");
  model::require_positive(model_, value.term, what);
  return value.term;
}

bool Elaborator::set_unilateral(model::ConstraintId id, const lang::ConstraintStatement& statement,
                                const Clauses& clauses) {
  const std::string name = "`" + statement.name.text + "`";
  const lang::Clause* friction = nullptr;
  for (const lang::Clause& clause : statement.clauses) {
    const bool is_friction = std::holds_alternative<lang::FrictionClause>(clause.what);
    if (&clause == clauses.restitution || &clause == clauses.compliance ||
        (is_friction && std::exchange(friction, &clause) == nullptr))
      continue;
    if (is_friction)
      return refuse(Kind::kNotSupported, clause.range, "a constraint with `>=` or `<=` has one `friction`",
                    "state one constraint for each point of contact");
    return refuse(
        Kind::kNotSupported, clause.range,
        "a constraint with `>=` or `<=` has no other clauses than `restitution`, `friction` and `compliance` in this "
        "version",
        "leave the clause out: the force of " + name + " is normal to the gap, with friction on one point");
  }
  const auto* written =
      clauses.restitution == nullptr ? nullptr : &std::get<lang::RestitutionClause>(clauses.restitution->what);
  const Term e = restitution(written);
  if (!e.is_valid()) return false;
  std::optional<Term> yielding;
  if (clauses.compliance != nullptr) {
    yielding = compliance(std::get<lang::ComplianceClause>(clauses.compliance->what), model_.constraint(id).dimension);
    if (!yielding) return false;
  }
  make_unilateral(id, e, written);
  if (yielding) model_.constraints[id.index()].unilateral->compliance = *yielding;
  return true;
}

void Elaborator::make_unilateral(model::ConstraintId id, Term e, const lang::RestitutionClause* written) {
  model::Unilateral unilateral;
  unilateral.restitution = e;
  if (written != nullptr) {
    using Law = model::RestitutionLaw;
    constexpr std::array kLaws = {Law::kEnergetic, Law::kNewton, Law::kPoisson, Law::kMoreau};
    if (written->law)
      unilateral.law = *std::ranges::find(kLaws, written->law->text, [](Law law) { return model::name_of(law); });
    unilateral.is_sequential = written->is_sequential;
  }
  unilateral.closed = builder_.add_state("closed(" + model_.constraint(id).name + ")", pool_.number(0.0));
  model::Constraint& constraint = model_.constraints[id.index()];
  constraint.when = pool_.function(expr::Op::kLess, pool_.number(0.5), pool_.state(unilateral.closed));
  constraint.unilateral = unilateral;
  model::Event closing;
  closing.trigger = model::Event::Trigger::kBecomesFalse;
  closing.condition = pool_.function(expr::Op::kLess, pool_.number(0.0), constraint.rows.front());
  closing.actions = {{model::EventAction::Kind::kClose, static_cast<std::uint32_t>(id.index()), e}};
  closing.range = constraint.range;
  model_.events.push_back(std::move(closing));
}

void Elaborator::check_unilateral() {
  const auto unilateral =
      std::ranges::find_if(model_.constraints, [](const model::Constraint& one) { return one.unilateral.has_value(); });
  if (unilateral == model_.constraints.end()) return;
  const auto holds_reactions = [this](const model::Nonideal& one) {
    const auto force = std::visit(
        [](const auto& what) {
          if constexpr (requires { what.torque; })
            return what.torque;
          else
            return what.force;
        },
        one.what);
    return (context_.facts.holds(force) & kHoldsMultipliers) != 0;
  };
  const auto is_other = [&](const model::Constraint& one) {
    return !one.law->is_ideal() || (!one.unilateral && std::ranges::any_of(one.nonideal, holds_reactions));
  };
  const auto other = std::ranges::find_if(model_.constraints, is_other);
  std::string what;
  if (other != model_.constraints.end())
    what = "constraint `" + other->name + "` is not of the ideal law, or its friction depends on its force";
  if (what.empty()) return;
  context_.reporter.error(Kind::kNotSupported, unilateral->range,
                          what + ": an impact of the unilateral constraint `" + unilateral->name +
                              "` beside it is not supported by this version",
                          "use friction of a given bound or viscous friction there, or a constraint with `=`");
}

}  // namespace vinculum::elaborate
