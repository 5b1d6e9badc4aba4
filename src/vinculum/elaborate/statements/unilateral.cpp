#include "vinculum/model/unilateral.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "vinculum/elaborate/check/contact_rules.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/unilateral_text.hpp"

// Unilateral constraints: `constraint NAME: LHS >= RHS` and `<=`.
namespace vinculum::elaborate {

using diag::Kind;
using model::Term;

bool Elaborator::obeys(const NumberRule& rule, const lang::Expression& written, Term value, std::string_view what) {
  if (is_guessed(value)) return true;
  auto problem = number_problem(model_, value, rule, what);
  return !problem || refuse(problem->kind, written.range, std::move(problem->message), std::move(problem->hint));
}

Term Elaborator::restitution(const lang::RestitutionClause* clause) {
  if (clause == nullptr) return pool_.number(0.0);
  const lang::Expression& written = *clause->value;
  context_.place = "a `restitution` clause";
  const Value value = check_.scalar_of(written, Dimension{}, kRestitution);
  if (!check_.holds_only(written, value, kHoldsNothing, kRestitution)) return {};
  return obeys(kRestitutionRule, written, value.term, kRestitution) ? value.term : Term{};
}

std::optional<Term> Elaborator::compliance(const lang::ComplianceClause& clause, const Dimension& gap) {
  context_.place = "a `compliance` clause";
  const Dimension energy = make_dimension(1, 2, -2);
  const Value value = check_.measured(*clause.value, {1.0, gap * gap / energy}, kCompliance);
  if (value.is_fault() || !check_.holds_only(*clause.value, value, kHoldsNothing, kCompliance)) return std::nullopt;
  return obeys(kComplianceRule, *clause.value, value.term, kCompliance) ? std::optional(value.term) : std::nullopt;
}

bool Elaborator::set_unilateral(model::ConstraintId id, const lang::ConstraintStatement& statement,
                                const Clauses& clauses) {
  bool is_right = true;
  const lang::Clause* friction = nullptr;
  for (const lang::Clause& clause : statement.clauses) {
    const bool is_friction = std::holds_alternative<lang::FrictionClause>(clause.what);
    const auto* law = std::get_if<lang::LawClause>(&clause.what);
    const bool is_ideal = law != nullptr && context_.options.laws->find(law->law.text)->is_ideal;
    const bool is_judged = std::holds_alternative<lang::RestitutionClause>(clause.what) ||
                           std::holds_alternative<lang::ComplianceClause>(clause.what) ||
                           std::holds_alternative<lang::GivenFrictionClause>(clause.what);
    if (is_judged || is_ideal || (is_friction && std::exchange(friction, &clause) == nullptr)) continue;
    const RuleProblem problem = is_friction ? one_friction_only() : no_other_clauses(clause);
    is_right = refuse(problem.kind, clause.range, problem.message, problem.hint);
  }
  const auto* written =
      clauses.restitution == nullptr ? nullptr : &std::get<lang::RestitutionClause>(clauses.restitution->what);
  const Term e = restitution(written);
  std::optional<Term> yielding;
  if (clauses.compliance != nullptr) {
    yielding = compliance(std::get<lang::ComplianceClause>(clauses.compliance->what), model_.constraint(id).dimension);
    is_right = yielding && is_right;
  }
  if (!is_right || !e.is_valid()) return false;
  model::make_unilateral(builder_, id, unilateral(e, written, yielding));
  return true;
}

model::Unilateral Elaborator::unilateral(Term e, const lang::RestitutionClause* written,
                                         const std::optional<Term>& compliance) {
  model::Unilateral unilateral;
  unilateral.restitution = e;
  if (compliance) unilateral.compliance = *compliance;
  if (written == nullptr) return unilateral;
  using Law = model::RestitutionLaw;
  constexpr std::array kLaws = {Law::kEnergetic, Law::kNewton, Law::kPoisson, Law::kMoreau};
  if (written->law)
    unilateral.law = *std::ranges::find(kLaws, written->law->text, [](Law law) { return model::name_of(law); });
  unilateral.is_sequential = written->is_sequential;
  return unilateral;
}

void Elaborator::check_unilateral() {
  const auto unilateral =
      std::ranges::find_if(model_.constraints, [](const model::Constraint& one) { return one.unilateral.has_value(); });
  if (unilateral == model_.constraints.end()) return;
  if (auto problem = unilateral_model_problem(model_, context_.facts, unilateral->name))
    context_.reporter.error(problem->kind, unilateral->range, std::move(problem->message), std::move(problem->hint));
}

}  // namespace vinculum::elaborate
