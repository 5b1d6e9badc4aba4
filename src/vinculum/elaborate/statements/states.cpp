#include <algorithm>

#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/check/units.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/model/shared_frame.hpp"

// Elements of a model other than points and masses: a Lagrangian function, and first-order states.
namespace vinculum::elaborate {

using diag::Kind;
using model::State;
using model::Term;

void Elaborator::apply(const lang::LagrangianStatement& statement, diag::SourceRange range) {
  const std::string_view what = "a Lagrangian";
  const Value value = check_.scalar_of(*statement.L, make_dimension(1, 2, -2), what);
  if (!check_.holds_only(*statement.L, value, kMotionState, what)) return context_.reporter.leave_out();
  builder_.add_load(model::Load{model::LagrangianFunction{without_speeds(model_, value.term)}, range});
}

/// Adds the state to the model if its start value has a unit, or if the model has no units. Otherwise its dimension is
/// determined later from its rate, when the speeds are known.
void Elaborator::declare_state(const lang::StateStatement& statement) {
  context_.place = "the start of a state";
  Symbol* symbol = context_.symbol_of(statement.name);
  if (symbol == nullptr) return context_.reporter.leave_out();
  Value start;
  if (statement.start && !is_numeric(*statement.start)) {
    start = check_.scalar(*statement.start, "the start of state `" + symbol->name + "`");
    if (start.is_fault()) return fail(symbol);
  }
  State state;
  state.name = symbol->name;
  state.range = statement.name.range;
  const bool is_known = statement.period != nullptr || !model_.has_units || (!start.is_fault() && !start.fits_any);
  if (model_.has_units && is_known && !start.is_fault()) state.dimension = start.dimension;
  symbol->declared = {1.0, state.dimension};
  if (statement.unit) {
    const std::optional<UnitValue> unit = read_unit(*statement.unit, context_.reporter);
    if (!unit) return fail(symbol);
    symbol->declared = *unit;
    if (model_.has_units) state.dimension = unit->dimension;
    state.unit = text_of(*statement.unit);
  }
  // A `when` above the phase of rates asks whether the state changes by jumps only.
  const auto* number = std::get_if<lang::NumberLiteral>(&statement.rate->node);
  if (statement.period != nullptr || (number != nullptr && number->value == 0.0)) state.rate = pool_.number(0.0);
  symbol->turning = start.turning;
  symbol->index = builder_.add_state(std::move(state)).value;
  if (is_known)
    symbol->state = SymbolState::kReady;
  else
    open_states_.push_back({symbol, statement.rate.get(), context_.statement});
}

void Elaborator::find_dimensions_of_states() {
  context_.in_state = true;
  context_.place = "the rate of a state";
  const auto settle = [&](const OpenState& open, const Dimension& dimension, Turning turning = {}) {
    open.symbol->turning = turning;
    open.symbol->declared = {1.0, dimension};
    model_.states[open.symbol->index].dimension = dimension;
    open.symbol->state = SymbolState::kReady;
  };
  // Each round may determine the dimension of a state on which the rates of others depend.
  for (bool has_progress = true; has_progress && !open_states_.empty();) {
    has_progress = false;
    std::erase_if(open_states_, [&](const OpenState& open) {
      if (!may_be_evaluated(*open.rate)) return false;
      context_.statement = open.statement;
      const Value rate = check_.evaluate(*open.rate);
      if (!rate.is(ValueKind::kScalar) || rate.fits_any) return false;
      settle(open, rate.dimension * make_dimension(0, 0, 1), rate.turning);
      return has_progress = true;
    });
  }
  for (const OpenState& open : open_states_) settle(open, {});  // such as z' = -z/T: dimensionless
  open_states_.clear();
  context_.in_state = false;
}

/// Whether all names in the expression have a value at this point.
bool Elaborator::may_be_evaluated(const lang::Expression& expression) {
  if (const auto* name = as_name(expression)) {
    const Symbol* symbol = context_.scope.find(name->name);
    if (symbol != nullptr && symbol->kind != SymbolKind::kState && symbol->state != SymbolState::kReady) return false;
    if (const FunctionInfo* info = context_.scope.function(name->name, expression.range);
        info != nullptr && info->needs > context_.known)
      return false;
  }
  if (const auto* call = std::get_if<lang::Call>(&expression.node)) {
    if (const FunctionInfo* info = find_function(call->function.text); info != nullptr && info->needs > context_.known)
      return false;
  }
  bool result = true;
  for_each_operand(expression, [&](const lang::Expression& operand) { result = result && may_be_evaluated(operand); });
  return result;
}

void Elaborator::apply(const lang::StateStatement& statement, diag::SourceRange) {
  Symbol* symbol = context_.symbol_of(statement.name);
  if (symbol == nullptr || symbol->state != SymbolState::kReady) {
    (void)check_.evaluate(*statement.rate);
    return context_.reporter.leave_out();
  }
  State& state = model_.states[symbol->index];
  const std::string name = "state `" + symbol->name + "`";
  if (statement.period) {
    sample_state(statement, *symbol);
  } else {
    context_.place = "the rate of a state";
    context_.in_state = true;
    const std::string what = "the rate of " + name;
    const Value rate = check_.scalar_of(*statement.rate, symbol->declared.dimension / make_dimension(0, 0, 1), what);
    constexpr std::uint8_t kAllowed = kMotionState | kHoldsStates | kHoldsInputs | kHoldsMultipliers;
    const bool is_right = check_.holds_only(*statement.rate, rate, kAllowed, what);
    context_.in_state = false;
    state.rate = rate.term;
    if (!is_right) context_.reporter.leave_out();
  }
  if (!statement.start || !is_first_start(symbol->name, statement.start->range)) return;
  context_.place = "the start of a state";
  const std::string start_what = "the start of " + name;
  const Value start = check_.measured(*statement.start, symbol->declared, start_what);
  if (!check_.holds_only(*statement.start, start, kConfiguration, start_what)) return context_.reporter.leave_out();
  state.start = start.term;
  state.is_start_stated = true;
}

/// Reads a start value that is stated separately, in a statement `start z = …`.
void Elaborator::start_of_state(const lang::StartItem& item) {
  const Value variable = check_.evaluate(*item.variable);
  if (variable.is_fault()) return context_.reporter.leave_out();
  const std::string& name = as_name(*item.variable)->name;
  if (item.kind == lang::StartKind::kGuess) {
    context_.reporter.error(Kind::kBadStart, item.variable->range,
                            "the start of a state is stated by `=`, because nothing could change a guess",
                            "write `" + name + " = …`");
    return;
  }
  if (!is_first_start(name, item.variable->range)) return;
  UnitValue unit = unit_of(*item.variable, variable);
  const std::string what = "the start of `" + name + "`";
  Value value;
  if (item.unit) {
    const std::optional<UnitValue> stated = read_unit(*item.unit, context_.reporter);
    if (!stated) return;
    value = check_.closed_by(*item.value, *stated, what);
    if (!value.is_fault() && !variable.is_doubtful && !check_.has_dimension(*item.value, value, unit.dimension, what))
      return;
  } else if (variable.is_doubtful) {
    value = check_.scalar(*item.value, what);
  } else {
    value = check_.measured(*item.value, unit, what);
  }
  if (!check_.holds_only(*item.value, value, kConfiguration, what)) return context_.reporter.leave_out();
  State& state = model_.states[variable.term.index()];
  state.start = value.term;
  state.is_start_stated = true;
}

void Elaborator::start_turned(const lang::StartItem& item) {
  const lang::NameReference* name = as_name(*item.variable);
  const lang::Name written{name == nullptr ? std::string() : name->name, item.variable->range, {}, nullptr};
  if (name == nullptr) {
    context_.reporter.error(Kind::kBadStart, item.variable->range, "`rotated` is the start of a frame or a body",
                            "write `start B = rotated a about z`, of a frame B that a quaternion turns");
    return;
  }
  const model::FrameId named_frame = frame_named(written);
  if (!named_frame.is_valid()) return context_.reporter.leave_out();
  const model::Frame& frame = model_.frame(model::shared_frame(model_, named_frame));
  if (!frame.quaternion) {
    const bool is_ground = !frame.parent.is_valid();
    context_.reporter.error(
        Kind::kBadStart, item.variable->range,
        is_ground ? "the newtonian frame does not turn" : "`" + frame.name + "` turns by no quaternion",
        is_ground ? "name a frame that is declared by `frame B = N quaternion(e0, e1, e2, e3)`"
                  : "the start of a frame that turns by angles is that of its coordinates: `start a = 30 [deg]`");
    return;
  }
  const Value angle = check_.scalar_of(*item.value, {}, "the angle of a start");
  check_.used_as_angle(*item.value);
  if (!check_.holds_only(*item.value, angle, kHoldsTime, "the angle of a start")) return context_.reporter.leave_out();
  const int letter = axis_letter(*item.axis);
  Term direction;
  if (letter < 0) {
    const Term axis = fixed_direction(*item.axis, frame.parent, model_.frame(frame.parent).name, "the axis of a start",
                                      "an axis is `x`, `y`, `z` or a vector");
    if (!axis.is_valid()) return context_.reporter.leave_out();
    direction = pool_.unit(axis);
  }
  const Term half = angle.term / 2.0, sine = pool_.function(expr::Op::kSine, half);
  for (int k = 0; k < 4; ++k) {
    const model::CoordinateId e = frame.quaternion->e[static_cast<std::size_t>(k)];
    Term value = pool_.function(expr::Op::kCosine, half);
    if (k > 0 && letter >= 0) value = k - 1 == letter ? sine : pool_.number(0.0);
    if (k > 0 && letter < 0) value = sine * pool_.dot(direction, pool_.basis_vector(frame.parent, k - 1));
    if (!is_first_start(model_.coordinates[e.index()].name, item.variable->range)) return;
    model::StartCondition condition{};
    condition.on = model::StartCondition::On::kCoordinate;
    condition.index = e.value;
    condition.kind = item.kind == lang::StartKind::kHeld ? model::StartKind::kHeld : model::StartKind::kGuess;
    condition.value = value;
    condition.range = cover(item.variable->range, item.axis->range);
    builder_.add_start(condition);
  }
}

}  // namespace vinculum::elaborate
