#include <algorithm>
#include <array>
#include <span>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/check/units.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"

namespace vinculum::elaborate {

using diag::Kind;
using model::StartCondition;
using model::Term;

namespace {

/// Hint that says which variables have start values.
/// \param highest  order of the highest derivative of a coordinate that is a state
std::string_view hint_of_starts(const Value& variable, int highest) {
  if (variable.is(ValueKind::kPlace) || variable.is(ValueKind::kBody))
    return "a point starts where its coordinates place it: `start x = 1, y = 2`";
  return highest == 1 ? "coordinates, their first derivatives, speeds and states have one"
                      : "coordinates, their derivatives that are states, speeds and other states have one";
}

const std::vector<std::string> kFormulations = {"explicit", "augmented", "minimal"};

std::string name_of_rate(const std::string& name, int order) {
  return name + std::string(static_cast<std::size_t>(order), '\'');
}

}  // namespace

void Elaborator::apply(const lang::OutputStatement& statement) {
  context_.place = "an output";
  Symbol* symbol = context_.symbol_of(statement.name);
  Value value = check_.evaluate(*statement.value);
  std::optional<model::FrameId> frame;
  bool is_right = !value.is_fault();
  if (is_right && !value.is_quantity() && !value.is(ValueKind::kCondition) && !value.is_array()) {
    check_.wrong_kind(*statement.value, value, "an output is a scalar, a vector, a list or a matrix");
    is_right = false;
  }
  if (statement.frame) {
    frame = frame_named(*statement.frame);
    is_right = frame->is_valid() && is_right;
    if (is_right && !value.is(ValueKind::kVector)) {
      context_.reporter.error(Kind::kWrongKind, statement.frame->range,
                              "`in` says where a vector is measured, found " + std::string(describe(value.kind)),
                              value.is(ValueKind::kScalar) || value.is(ValueKind::kList)
                                  ? "leave `in " + statement.frame->text +
                                        "` out: measure numbers, as those along the directions of a `reveal`, are the "
                                        "same in every frame"
                                  : "");
      is_right = false;
    }
  }
  is_right = is_right && knows_third_derivatives(*statement.value, value);
  std::optional<UnitValue> unit;
  if (statement.unit) {
    unit = read_unit(*statement.unit, context_.reporter);
    is_right = unit && is_right && is_shown_in(statement, value, unit->dimension);
  }
  if (!is_right || symbol == nullptr) return fail(symbol);
  builder_.add_output(symbol->name, value.term, frame, context_.stored(value.dimension), statement.name.range);
  model::Output& output = model_.outputs.back();
  if (unit) output.unit = text_of(*statement.unit);
  if (!value.is_array()) output.component_is_moment.push_back(is_moment(value.dimension, value.turning));
  for (const Entry& entry : value.entries) {
    output.components.push_back(entry.term);
    output.component_is_moment.push_back(is_moment(entry.dimension, entry.turning));
  }
  const auto& entries = value.entries;
  if (std::ranges::adjacent_find(entries, std::ranges::not_equal_to(), &Entry::dimension) != entries.end()) {
    for (const Entry& entry : entries) output.component_dimensions.push_back(context_.stored(entry.dimension));
  }
  symbol->value = std::move(value);
  symbol->state = SymbolState::kReady;
}

/// Whether the unit stated by an output fits the dimension of its value; reports an error otherwise.
bool Elaborator::is_shown_in(const lang::OutputStatement& statement, const Value& value, const Dimension& unit) {
  if (!model_.has_units || value.fits_any || value.is_doubtful) return true;
  if (value.is(ValueKind::kCondition))
    return refuse(Kind::kWrongKind, statement.unit->range, "a condition has no unit", "leave `as` and the unit out");
  const auto is_other = [&](const Entry& entry) { return !entry.fits_any && !(entry.dimension == unit); };
  const auto other = std::ranges::find_if(value.entries, is_other);
  if (value.is_array() ? other == value.entries.end() : value.dimension == unit) return true;
  const Dimension& its = value.is_array() ? other->dimension : value.dimension;
  context_.reporter.contrast(Kind::kDimensionMismatch,
                             value.is_array() ? "the unit of an output is that of each of its entries"
                                              : "an output and its unit differ in dimension",
                             {statement.value->range, vinculum::describe(its)},
                             {statement.unit->range, vinculum::describe(unit)},
                             "its unit in SI is `[" + si_unit(its) + "]`");
  return false;
}

/// Whether the value contains only known derivatives; reports an error otherwise. Third and higher derivatives are
/// known only if a constraint contains them (theory.md §6.5).
bool Elaborator::knows_third_derivatives(const lang::Expression& expression, const Value& value) {
  if ((check_.held(value) & kHoldsThird) == 0) return true;
  model::Level asked{};
  if (value.term.is_valid()) asked = context_.facts.level(value.term);
  for (const Entry& entry : value.entries) asked = std::max(asked, context_.facts.level(entry.term));
  // For a constraint of order p, derivatives up to order 2p are known: the reaction contains derivatives up to order p
  // of terms of order p.
  const auto knows = [asked](const model::Constraint& one) {
    return one.level >= asked ||
           (model::is_higher_order(one) && 2 * static_cast<int>(one.level) >= static_cast<int>(asked));
  };
  if (std::ranges::any_of(model_.constraints, knows)) return true;
  return refuse(Kind::kDerivativeOrder, expression.range,
                std::string(to_string(asked)) + "s can be used only if a constraint under " +
                    context_.options.laws->names_of_third() + " contains them");
}

void Elaborator::apply(const lang::StartStatement& statement) {
  context_.place = "a start value";
  for (const lang::StartItem& item : statement.items) start(item);
}

/// Order of the highest derivative of coordinates that is part of the state (theory.md §6.5).
int Elaborator::highest_rate_of_state() const {
  int highest = 1;
  for (const model::Constraint& one : model_.constraints) {
    if (model::is_higher_order(one)) highest = std::max(highest, 2 * static_cast<int>(one.level) - 1);
  }
  return highest;
}

void Elaborator::start(const lang::StartItem& item) {
  if (item.axis) return start_turned(item);
  if (const lang::NameReference* state = as_name(*item.variable)) {
    const Symbol* symbol = context_.scope.find(state->name);
    if (symbol != nullptr && symbol->kind == SymbolKind::kState) return start_of_state(item);
    if (symbol != nullptr && symbol->kind == SymbolKind::kInput) return start_of_input(item, symbol->name);
  }
  const Value variable = check_.evaluate(*item.variable);
  const auto* prime = std::get_if<lang::Prime>(&item.variable->node);
  const lang::Expression& bare = prime == nullptr ? *item.variable : *prime->operand;
  const lang::NameReference* name = as_name(bare);
  const Symbol* symbol = variable.is_fault() || name == nullptr ? nullptr : context_.scope.find(name->name);
  const Term term = variable.is(ValueKind::kScalar) ? variable.term : Term{};
  // A variable is written as B.wx or as a name. A `let` that equals a variable does not count as one.
  const bool is_named =
      std::holds_alternative<lang::Member>(bare.node) ||
      (symbol != nullptr && (symbol->kind == SymbolKind::kCoordinate || symbol->kind == SymbolKind::kSpeed));
  const int highest = highest_rate_of_state();
  const bool is_coordinate =
      is_named && term.is_valid() && term.kind() == model::TermKind::kCoordinate && term.order() <= highest;
  const bool is_nonlinear = is_named && prime == nullptr && symbol != nullptr && symbol->is_nonlinear;
  const bool is_speed =
      is_nonlinear || (is_named && term.is_valid() && term.kind() == model::TermKind::kSpeed && term.order() == 0);
  if (!variable.is_fault() && !is_coordinate && !is_speed) {
    context_.reporter.error(Kind::kBadStart, item.variable->range,
                            context_.reporter.quoted(item.variable->range) + " has no start value",
                            std::string(hint_of_starts(variable, highest)));
    return;
  }
  const UnitValue declared = variable.is_fault() ? UnitValue{} : unit_of(*item.variable, variable);
  UnitValue unit = declared;
  if (item.unit) {
    const std::optional<UnitValue> stated = read_unit(*item.unit, context_.reporter);
    if (!stated) return;
    unit = *stated;
  }
  if (variable.is_fault()) {
    // The variable has an error: the value is checked for further errors, but cannot be compared with it.
    (void)check_.evaluate(*item.value);
    return context_.reporter.leave_out();
  }
  if (item.unit && model_.has_units && !variable.is_doubtful && !(unit.dimension == declared.dimension)) {
    context_.reporter.contrast(Kind::kDimensionMismatch, "start value and variable differ in dimension",
                               {item.variable->range, vinculum::describe(declared.dimension)},
                               {item.unit->range, vinculum::describe(unit.dimension)});
    return;
  }
  const std::string key = is_nonlinear ? symbol->name
                          : is_speed   ? model_.speeds[term.index()].name
                                       : name_of_rate(model_.coordinates[term.index()].name, term.order());
  if (!is_first_start(key, item.variable->range)) return;
  const std::string what = "the start of `" + key + "`";
  const Value value = variable.is_doubtful ? check_.scalar(*item.value, what)
                      : item.unit          ? check_.closed_by(*item.value, unit, what)
                                           : check_.measured(*item.value, unit, what);
  if (!check_.holds_only(*item.value, value, kConfiguration, what)) return context_.reporter.leave_out();
  StartCondition condition{};
  condition.on = is_nonlinear        ? StartCondition::On::kNonlinearSpeed
                 : is_speed          ? StartCondition::On::kSpeed
                 : term.order() == 0 ? StartCondition::On::kCoordinate
                 : term.order() == 1 ? StartCondition::On::kCoordinateRate
                                     : StartCondition::On::kHigherRate;
  condition.order = is_nonlinear ? 1 : std::max(1, term.order());
  condition.index = is_nonlinear ? symbol->index : term.index();
  if (item.kind != lang::StartKind::kHeld) condition.kind = model::StartKind::kGuess;
  condition.value = value.term;
  condition.range = cover(item.variable->range, item.value->range);
  builder_.add_start(condition);
}

bool Elaborator::is_first_start(const std::string& name, diag::SourceRange range) {
  const auto [before, is_new] = started_.try_emplace(name, range);
  if (is_new) return true;
  return refuse(Kind::kBadStart, range, "`" + name + "` has two start values",
                diag::Label{before->second, "the first one"}, "leave one of the two out");
}

bool Elaborator::read_independent(const lang::RunStatement& statement, model::RunSettings& run) {
  using model::TermKind;
  if (statement.independent.empty()) return true;
  const std::string& minimal = kFormulations.back();
  if (run.formulation != minimal)
    return refuse(Kind::kNotAllowedHere, statement.independent.front()->range,
                  "independent speeds are chosen for one formulation",
                  "write `formulation " + minimal + " independent …`; the others integrate all speeds");
  bool is_right = true;
  for (const lang::ExpressionPtr& written : statement.independent) {
    const Value value = check_.evaluate(*written);
    const Term term = value.is(ValueKind::kScalar) ? value.term : Term{};
    std::string name;
    if (term.is_valid() && term.kind() == TermKind::kSpeed && term.order() == 0)
      name = model_.speeds[term.index()].name;
    else if (term.is_valid() && term.kind() == TermKind::kCoordinate && term.order() == 1)
      name = model_.coordinates[term.index()].name + "'";
    const auto speed = std::ranges::find(model_.speeds, name, &model::Speed::name);
    if (value.is_fault()) {
      is_right = false;
    } else if (speed == model_.speeds.end()) {
      const lang::NameReference* written_name = as_name(*written);
      const Symbol* symbol = written_name == nullptr ? nullptr : context_.scope.find(written_name->name);
      const bool is_nonlinear = symbol != nullptr && symbol->is_nonlinear;
      std::string all;
      for (const model::Speed& one : model_.speeds) all += (all.empty() ? "`" : ", `") + one.name + "`";
      is_right = refuse(
          Kind::kBadValue, written->range,
          context_.reporter.quoted(written->range) +
              (is_nonlinear ? " is not affine in the derivatives of the coordinates, and no equation is written in it"
                            : " is not a speed of the model"),
          (is_nonlinear ? "choose among " : "its speeds are ") + all);
    } else if (const model::SpeedId id(static_cast<std::size_t>(speed - model_.speeds.begin()));
               std::ranges::find(run.independent, id) != run.independent.end()) {
      is_right = refuse(Kind::kBadValue, written->range, "`" + name + "` is named twice");
    } else {
      run.independent.push_back(id);
    }
  }
  return is_right;
}

void Elaborator::apply(const lang::RunStatement& statement, diag::SourceRange range) {
  context_.place = "a `run`";
  if (has_run_) {
    context_.reporter.error(Kind::kMisplacedStatement, range, "a model has one `run`",
                            diag::Label{run_range_, "the first one"});
    return;
  }
  has_run_ = true;
  run_range_ = range;
  model::RunSettings run;
  run.range = range;
  bool is_right = true;
  constexpr double kNoBound = std::numeric_limits<double>::infinity(),
                   kPositive = std::numeric_limits<double>::denorm_min();
  const auto number = [&](const lang::ExpressionPtr& expression, const Dimension& dimension, std::string_view what,
                          double least, double bound) -> double {
    const std::optional<double> result = measured_number(*expression, {1.0, dimension}, what);
    if (!result) {
      is_right = false;
      return 0.0;
    }
    if (*result >= least && *result <= bound) return *result;
    context_.reporter.error(Kind::kBadValue, expression->range,
                            std::string(what) + (bound < kNoBound ? " is between 1e-15 and 0.1"
                                                 : least > 0.0    ? " must be positive"
                                                                  : " is 0 or more"));
    is_right = false;
    return 0.0;
  };
  const Dimension time = make_dimension(0, 0, 1);
  run.duration = number(statement.duration, time, "the length of a run", 0.0, kNoBound);
  if (statement.step) run.step = number(statement.step, time, "the output step", kPositive, kNoBound);
  if (statement.max_step) run.max_step = number(statement.max_step, time, "the longest step", kPositive, kNoBound);
  if (statement.tolerance)
    run.tolerance = number(statement.tolerance, {}, "the tolerance", tolerance::kFinestRun, tolerance::kCoarsestRun);
  const auto choice = [&](const std::optional<lang::Name>& name, std::string_view what,
                          const std::vector<std::string>& words, std::string& chosen) {
    if (!name) return;
    chosen = name->text;
    if (std::ranges::find(words, chosen) != words.end()) return;
    is_right = refuse(Kind::kUnknownName, name->range, "unknown " + std::string(what) + " `" + chosen + "`",
                      diag::hint_among(chosen, words));
  };
  const std::vector<std::string>& methods = context_.options.methods;
  if (!methods.empty()) run.method = methods.front();
  choice(statement.method, "method", methods, run.method);
  choice(statement.formulation, "formulation", kFormulations, run.formulation);
  is_right = read_independent(statement, run) && is_right;
  if (is_right)
    model_.run = run;
  else
    context_.reporter.leave_out();
}

}  // namespace vinculum::elaborate
