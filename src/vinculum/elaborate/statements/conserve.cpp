// `conserve EXPR, …`: determines the scalar, and checks that it is a function of the state. The equations of motion
// decide later whether it is an invariant.
#include <algorithm>

#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/calculus.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::Conserved;

namespace {

Conserved::What what_of(Scope& scope, const lang::Expression& expression, const Value& value,
                        model::CoordinateId& coordinate) {
  if (const lang::NameReference* name = as_name(expression)) {
    const FunctionInfo* info = scope.function(name->name, expression.range);
    if (info != nullptr && info->function == Function::kEnergy) return Conserved::What::kEnergy;
    if (info != nullptr && info->function == Function::kHamiltonian) return Conserved::What::kHamiltonian;
    if (info != nullptr && info->function == Function::kEffectiveEnergy) return Conserved::What::kEffectiveEnergy;
  }
  const auto* call = std::get_if<lang::Call>(&expression.node);
  const FunctionInfo* info = call == nullptr ? nullptr : find_function(call->function.text);
  const bool is_partial = value.term.kind() == model::TermKind::kPartial;
  if (info == nullptr || info->function != Function::kMomentum || !is_partial) return Conserved::What::kExpression;
  coordinate = model::CoordinateId(std::size_t{value.term.operand(1).index()});
  return Conserved::What::kMomentum;
}

}  // namespace

void Elaborator::apply(const lang::ConserveStatement& statement) {
  context_.place = "a `conserve`";
  for (const lang::ExpressionPtr& expression : statement.invariants) {
    const Value value = check_.evaluate(*expression);
    if (value.is_fault()) {
      context_.reporter.leave_out();
      continue;
    }
    if (!value.is(ValueKind::kScalar)) {
      check_.wrong_kind(*expression, value,
                        "a scalar is kept: for a vector state its components, as `dot(momentum(P), N.x)`");
      continue;
    }
    constexpr std::uint8_t kAllowed = kMotionState | kHoldsStates;
    if (!check_.holds_only(*expression, value, kAllowed, "a conserved quantity")) {
      context_.reporter.leave_out();
      continue;
    }
    Conserved conserved;
    conserved.what = what_of(context_.scope, *expression, value, conserved.coordinate);
    conserved.value = value.term;
    conserved.dimension = context_.stored(value.dimension);
    conserved.text = std::string(context_.reporter.source().slice(expression->range));
    conserved.range = expression->range;
    const auto is_same = [&](const Conserved& other) { return other.value == conserved.value; };
    if (const auto before = std::ranges::find_if(model_.conserved, is_same); before != model_.conserved.end()) {
      context_.reporter.error(Kind::kMisplacedStatement, expression->range,
                              "`" + conserved.text + "` is conserved twice",
                              diag::Label{before->range, "the first time"});
      continue;
    }
    model_.conserved.push_back(std::move(conserved));
  }
}

}  // namespace vinculum::elaborate
