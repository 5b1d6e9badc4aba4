#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/check/units.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/traversal.hpp"

// Statements about inputs: quantities whose values a program or a file gives.
namespace vinculum::elaborate {

using diag::Kind;
using model::Level;
using model::State;
using model::StateId;
using model::Term;

void Elaborator::apply(const lang::InputStatement& statement) {
  context_.place = "the value of an input";
  Symbol* symbol = context_.symbol_of(statement.name);
  if (symbol == nullptr) return context_.reporter.leave_out();
  const std::string what = "the value of input `" + symbol->name + "`";
  std::optional<UnitValue> unit;
  if (statement.unit) {
    unit = read_unit(*statement.unit, context_.reporter);
    if (!unit) return fail(symbol);
  }
  Value otherwise = make_scalar(pool_.number(0.0), unit ? unit->dimension : Dimension{});
  if (statement.value != nullptr) {
    otherwise = unit ? check_.measured(*statement.value, *unit, what) : check_.scalar(*statement.value, what);
    constexpr std::uint8_t kAllowed = kMotionState | kHoldsStates | kHoldsInputs;
    if (!check_.holds_only(*statement.value, otherwise, kAllowed, what)) return fail(symbol);
  }
  const Dimension dimension = unit ? unit->dimension : otherwise.dimension;
  symbol->declared = unit.value_or(UnitValue{1.0, dimension});
  add_input(*symbol, otherwise, context_.stored(dimension), statement.unit ? text_of(*statement.unit) : UnitText(),
            statement.name.range);
}

void Elaborator::add_input(Symbol& symbol, const Value& otherwise, const Dimension& dimension, const UnitText& unit,
                           diag::SourceRange range) {
  const auto add_state = [&](std::string name, const Dimension& its, Term start, UnitText shown = {}) {
    State state;
    state.unit = std::move(shown);
    state.name = std::move(name);
    state.rate = pool_.number(0.0);
    state.start = start;
    state.is_start_stated = start.is_valid();
    state.dimension = its;
    state.range = range;
    state.is_of_input = true;
    return builder_.add_state(std::move(state));
  };
  const bool is_constant = context_.facts.holds(otherwise.term) == kHoldsNothing;
  model::Input input;
  input.name = symbol.name;
  input.dimension = dimension;
  input.range = range;
  input.given = add_state(is_constant ? symbol.name : "given(" + symbol.name + ")", dimension,
                          is_constant ? otherwise.term : Term(), unit);
  input.rate = add_state("rate(" + symbol.name + ")", context_.stored(dimension / make_dimension(0, 0, 1)), {},
                         unit.shown.empty() ? unit : per_second(unit));
  model_.states[input.given.index()].rate = pool_.state(input.rate);
  Term value = pool_.state(input.given);
  if (!is_constant) {
    input.own = add_state("own(" + symbol.name + ")", {}, pool_.number(1.0));
    value = pool_.state(input.own) * otherwise.term + value;
    builder_.add_output(symbol.name, value, {}, dimension, range);
    model_.outputs.back().unit = unit;
  }
  symbol.index = static_cast<std::uint32_t>(model_.inputs.size());
  symbol.value = make_scalar(value, dimension);
  symbol.value.turning = otherwise.turning;
  symbol.state = SymbolState::kReady;
  model_.inputs.push_back(std::move(input));
}

void Elaborator::start_of_input(const lang::StartItem& item, const std::string& name) {
  context_.reporter.error(Kind::kBadStart, item.variable->range, "`" + name + "` is an input, not a state",
                          "its value, as long as none is given, is stated by `input " + name + " = …`");
}

/// Reports an error if an input occurs in a relation that must be differentiated before it determines accelerations. An
/// input may jump, and its rate is unknown.   \pre the rates of the states in the row are known
bool Elaborator::has_rates_of_inputs(Term row, diag::SourceRange range, const std::string& constraint) {
  const int order = model::order_of_accelerations(model_, row).value_or(0);
  for (int k = 0; k < order; ++k) {
    const Term derivative = k == 0 ? row : model::derivative_of(model_, row, k);
    if ((context_.facts.holds(derivative) & kHoldsInputs) == 0) continue;
    const std::string which = input_in(derivative);
    const bool is_direct = k == 0;
    return refuse(Kind::kNotAllowedHere, range,
                  constraint + (is_direct ? " holds the input `" : " holds a state that the input `") + which +
                      (is_direct ? "`, but an input has no rate" : "` moves, but an input has no rate"),
                  context_.facts.level(row) == Level::kPosition
                      ? "let the input give an acceleration, `x'' = u`, or a force that moves the body there"
                      : "let the input give the rate of a state, `state s' = u` and `x' = s`, or an acceleration, "
                        "`x'' = u`");
  }
  return true;
}

std::string Elaborator::input_in(Term term) const {
  for (const Term leaf : model::leaves_as_read(term)) {
    if (leaf.kind() != model::TermKind::kState) continue;
    for (const model::Input& input : model_.inputs) {
      if (leaf.index() == input.given.index() || leaf.index() == input.rate.index() ||
          (input.own.is_valid() && leaf.index() == input.own.index()))
        return input.name;
    }
  }
  return {};
}

}  // namespace vinculum::elaborate
