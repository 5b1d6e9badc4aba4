#include "vinculum/elaborate/statements/elaborate.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "vinculum/elaborate/check/joint_rules.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/expand/expand.hpp"
#include "vinculum/elaborate/statements/constants.hpp"
#include "vinculum/elaborate/statements/elaborator.hpp"
#include "vinculum/elaborate/statements/missing_frame.hpp"
#include "vinculum/lang/parser.hpp"

namespace vinculum::elaborate {

using diag::Kind;

namespace {

template <class Node, class... Nodes>
constexpr bool kIsOneOf = (std::is_same_v<Node, Nodes> || ...);

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};

/// Statements about points, frames and masses, which a model with a Lagrangian alone does not need.
template <class Node>
constexpr bool kStandsInSpace = kIsOneOf<Node, lang::FrameStatement, lang::PointStatement, lang::ParticleStatement,
                                         lang::BodyStatement, lang::GravityStatement, lang::JointStatement>;

}  // namespace

void Elaborator::run() {
  declare_all();
  check_layout();
  check_overrides();
  run_phase(Phase::kKinematics);
  complete_speeds();
  context_.known = Needs::kSpeeds;
  find_dimensions_of_states();
  run_phase(Phase::kPotentials);
  context_.known = Needs::kMasses;
  run_phase(Phase::kLoads);
  context_.known = Needs::kConstraints;
  run_phase(Phase::kConstraints);
  complete_reveals();
  check_coordinates();
  check_contacts();
  check_unilateral();
  context_.known = Needs::kEverything;
  run_phase(Phase::kResults);
  // Outputs are sorted into the order of the text, because they were evaluated in different phases.
  std::ranges::stable_sort(model_.outputs, {},
                           [this](const model::Output& output) { return context_.scope.find(output.name)->statement; });
  check_expectations();
  run_phase(Phase::kView);
}

void Elaborator::declare_all() {
  const auto declare = [&](SymbolKind kind, const lang::Name& name) {
    Symbol* symbol = context_.scope.declare(kind, name, context_.statement);
    context_.declared.emplace(&name, symbol);
    return symbol;
  };
  for (const lang::Name& name : context_.file.names_at_fault) context_.scope.forgive(name.text, name.range.begin);
  if (context_.file.names_lost_from) context_.scope.forgive_all(*context_.file.names_lost_from);
  if (!context_.file.names_at_fault.empty() || context_.file.names_lost_from) context_.reporter.leave_out();
  for (std::size_t i = 0; i < context_.file.statements.size(); ++i) {
    context_.statement = i;
    const lang::StatementNode& node = context_.file.statements[i].node;
    context_.reporter.set_statement(context_.file.statements[i].range, context_.file.statements[i].written_out_by);
    const auto declare_with = [&](SymbolKind kind, const lang::Name& name, Needs needs) {
      if (Symbol* symbol = declare(kind, name)) symbol->needs = needs;
    };
    std::visit(
        Overloaded{
            [&](const lang::ParamStatement& its) {
              for (const lang::ParamItem& item : its.items) declare(SymbolKind::kParameter, item.name);
            },
            [&](const lang::CoordStatement& its) {
              for (const lang::CoordGroup& group : its.groups) {
                for (const lang::Name& name : group.names) declare(SymbolKind::kCoordinate, name);
              }
            },
            [&](const lang::SpeedStatement& its) {
              for (const lang::SpeedItem& item : its.items) declare(SymbolKind::kSpeed, item.name);
            },
            [&](const lang::LetStatement& its) { declare_with(SymbolKind::kLet, its.name, needs_of(*its.value)); },
            [&](const lang::FrameStatement& its) { declare(SymbolKind::kFrame, its.name); },
            [&](const lang::PointStatement& its) { declare(SymbolKind::kPoint, its.name); },
            [&](const lang::ParticleStatement& its) { declare(SymbolKind::kPoint, its.name); },
            [&](const lang::BodyStatement& its) { declare(SymbolKind::kBody, its.name); },
            [&](const lang::ConstraintStatement& its) { declare(SymbolKind::kConstraint, its.name); },
            [&](const lang::JointStatement& its) {
              if (is_contact(its)) return declare_contacts(its);
              declare(SymbolKind::kConstraint, its.name);
              declare_limits(its);
            },
            [&](const lang::LimitsStatement& its) { declare_limits(its.name.value_or(its.coordinate), its.limits); },
            [&](const lang::RevealStatement& its) { declare_with(SymbolKind::kReveal, its.name, Needs::kEverything); },
            [&](const lang::StateStatement& its) { declare_with(SymbolKind::kState, its.name, Needs::kSpeeds); },
            [&](const lang::InputStatement& its) {
              declare_with(SymbolKind::kInput, its.name, its.value == nullptr ? Needs::kNothing : needs_of(*its.value));
            },
            [&](const lang::EventStatement& its) { declare(SymbolKind::kEvent, its.name); },
            [&](const lang::OutputStatement& its) {
              declare_with(SymbolKind::kOutput, its.name, std::max(Needs::kConstraints, needs_of(*its.value)));
            },
            [](const auto&) {},
        },
        node);
  }
  context_.reporter.set_statement({}, {});
}

bool Elaborator::is_momentum_of_coordinate(const lang::Call& call) const {
  const FunctionInfo* info = find_function(call.function.text);
  if (info == nullptr || info->function != Function::kMomentum || call.arguments.size() != 1) return false;
  const auto* name = as_name(*call.arguments.front());
  const Symbol* symbol = name == nullptr ? nullptr : context_.scope.find(name->name);
  return symbol != nullptr && symbol->kind == SymbolKind::kCoordinate;
}

Needs Elaborator::needs_of(const lang::Expression& expression) {
  Needs result = Needs::kNothing;
  const auto join = [&](const FunctionInfo* info) {
    if (info != nullptr) result = std::max(result, info->needs);
  };
  if (const auto* name = as_name(expression)) {
    join(context_.scope.function(name->name, expression.range));
    if (const Symbol* symbol = context_.scope.find(name->name))
      result = std::max(result, symbol->kind == SymbolKind::kConstraint ? Needs::kConstraints : symbol->needs);
  }
  if (const auto* call = std::get_if<lang::Call>(&expression.node)) {
    join(find_function(call->function.text));
    if (is_momentum_of_coordinate(*call)) result = std::max(result, Needs::kMasses);
  }
  if (const auto* member = std::get_if<lang::Member>(&expression.node)) {
    const std::string& name = member->member.text;  // B.wx, a default speed
    if (name == "wx" || name == "wy" || name == "wz") result = Needs::kSpeeds;
  }
  for_each_operand(expression, [&](const lang::Expression& operand) { result = std::max(result, needs_of(operand)); });
  return result;
}

bool Elaborator::is_mentioned(std::string_view keyword) const {
  const diag::SourceText& source = context_.reporter.source();
  if (context_.reporter.is_complete()) {
    // If a text without errors lacks a statement after expansion, the statement is in a branch that was not taken.
    diag::Diagnostics of_syntax;
    (void)lang::parse(source, context_.options.laws->forms(), of_syntax);
    if (!of_syntax.has_errors()) return false;
  }
  for (std::string_view rest = source.whole(); !rest.empty();) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    if (rest.starts_with(keyword)) return true;
    rest.remove_prefix(std::min(rest.find('\n'), rest.size() - 1) + 1);
  }
  return false;
}

void Elaborator::check_layout() {
  const lang::ModelStatement* model = nullptr;
  bool has_coordinates = false;
  bool has_frame = false;
  bool has_lagrangian = false, stands_in_space = false;
  bool is_behind_head = false;  // true after the statements `model` and `source`
  for (std::size_t i = 0; i < context_.file.statements.size(); ++i) {
    const lang::Statement& statement = context_.file.statements[i];
    if (const auto* frame = std::get_if<lang::FrameStatement>(&statement.node)) {
      has_frame = has_frame || std::holds_alternative<lang::FrameNewtonian>(frame->definition);
    }
    has_lagrangian = has_lagrangian || std::holds_alternative<lang::LagrangianStatement>(statement.node);
    stands_in_space =
        stands_in_space || std::visit([]<class Node>(const Node&) { return kStandsInSpace<Node>; }, statement.node);
    const auto* source = std::get_if<lang::SourceStatement>(&statement.node);
    if (source != nullptr) {
      model_.sources.push_back(source->text);
      if (is_behind_head) {
        context_.reporter.error(Kind::kMisplacedStatement, statement.range,
                                "`source` follows `model`, before all other statements");
      }
    }
    has_coordinates = has_coordinates || std::holds_alternative<lang::CoordStatement>(statement.node);
    const auto* here = std::get_if<lang::ModelStatement>(&statement.node);
    is_behind_head = is_behind_head || (here == nullptr && source == nullptr);
    if (here == nullptr) continue;
    if (model != nullptr) {
      context_.reporter.error(Kind::kMisplacedStatement, statement.range, "a file has one `model`",
                              diag::Label{model->name.range, "the first one"});
      continue;
    }
    if (i != 0)
      context_.reporter.error(Kind::kMisplacedStatement, statement.range, "`model` is the first statement of a file");
    model = here;
    model_.name = here->name.text;
    model_.title = here->title.value_or("");
  }
  // A statement that the parser rejected exists and has been reported. If the text is not a model at all, only the
  // first missing statement is reported.
  bool is_reported = context_.file.begins_with_no_statement;
  const auto require = [&](bool is_there, std::string_view keyword, const char* message, const std::string& hint,
                           diag::SourceRange range = {}) {
    if (is_there) return;
    if (is_mentioned(keyword) || context_.file.names_lost_from || is_reported) return context_.reporter.leave_out();
    is_reported = true;
    context_.reporter.error(Kind::kMissingStatement, range, message, hint);
  };
  require(model != nullptr, "model", "the file has no `model`", "begin it with `model NAME`");
  if (!has_frame && (!has_lagrangian || stands_in_space)) {
    const MissingFrame missing = find_missing_frame(
        context_.file, [this](const std::string& name) { return context_.scope.find(name) != nullptr; });
    const std::string point =
        missing.point.empty() ? std::string() : " and `point " + missing.point + " fixed in " + missing.name + "`";
    const bool was_reported = is_reported;
    require(false, "frame", "the model has no newtonian frame", "write `frame " + missing.name + " newtonian`" + point,
            missing.use);
    if (is_reported && !was_reported) {  // so that one cause is reported once
      for (const std::string& name : {missing.name, missing.point}) context_.scope.forgive(name);
    }
  }
  require(has_coordinates, "coord", "the model has no coordinates", "write `coord q1, q2 [m]`");
}

void Elaborator::run_phase(Phase phase) {
  for (std::size_t i = 0; i < context_.file.statements.size() && !context_.reporter.is_full(); ++i) {
    context_.statement = i;
    const lang::Statement& statement = context_.file.statements[i];
    context_.reporter.set_statement(statement.range, statement.written_out_by);
    apply_in_phase(statement, phase);
  }
  context_.reporter.set_statement({}, {});
}

Elaborator::Phase Elaborator::phase_of(Needs needs) {
  switch (needs) {
    case Needs::kNothing: return Phase::kKinematics;
    case Needs::kSpeeds: return Phase::kPotentials;
    case Needs::kMasses: return Phase::kLoads;
    case Needs::kConstraints: return Phase::kConstraints;
    case Needs::kEverything: break;
  }
  return Phase::kResults;
}

template <class Node>
constexpr Elaborator::Phase Elaborator::phase_of_statement() {
  using namespace lang;
  if (kIsOneOf<Node, GravityStatement, SpringStatement, DamperStatement, PotentialStatement, LagrangianStatement>)
    return Phase::kPotentials;
  if (kIsOneOf<Node, ForceStatement, TorqueStatement, GeneralizedForceStatement, FrictionStatement>)
    return Phase::kLoads;
  if (kIsOneOf<Node, ConstraintStatement, JointStatement, LimitsStatement, RevealStatement>) return Phase::kConstraints;
  if (kIsOneOf<Node, StateStatement, StartStatement, RunStatement, ConserveStatement, ExpectStatement, EventStatement,
               TerminateStatement>)
    return Phase::kResults;
  if (kIsOneOf<Node, ShapeStatement, SurfaceStatement, RodStatement, CoilStatement, AxesStatement, TraceStatement,
               ArrowStatement, ColourStatement, HideStatement, NoStatement, CapsuleStatement, MeshStatement,
               LabelStatement, CameraStatement>)
    return Phase::kView;
  return Phase::kKinematics;
}

void Elaborator::apply_in_phase(const lang::Statement& statement, Phase phase) {
  const auto apply_it = [&]<class Node>(const Node& node) {
    Phase its_phase = phase_of_statement<Node>();
    // A `let` or an output is evaluated as soon as everything is known that it uses.
    if constexpr (kIsOneOf<Node, lang::LetStatement, lang::OutputStatement>) {
      const Symbol* symbol = context_.symbol_of(node.name);
      constexpr bool kIsLet = std::is_same_v<Node, lang::LetStatement>;
      its_phase = phase_of(symbol != nullptr ? symbol->needs : kIsLet ? needs_of(*node.value) : Needs::kEverything);
    }
    if constexpr (std::is_same_v<Node, lang::InputStatement>) {
      const Symbol* symbol = context_.symbol_of(node.name);
      its_phase = phase_of(symbol != nullptr ? symbol->needs : Needs::kNothing);
    }
    if constexpr (std::is_same_v<Node, lang::StateStatement>) {
      if (phase == Phase::kKinematics) declare_state(node);
    }
    if (phase != its_phase) return;
    if constexpr (requires { apply(node, statement.range); }) {
      context_.place = "a load";
      apply(node, statement.range);
    } else if constexpr (requires { apply(node); }) {
      apply(node);
    }
  };
  std::visit(apply_it, statement.node);
}

namespace {

/// Passes on all diagnostics, and remembers whether one of them was an error.
class NotingSink final : public diag::Sink {
 public:
  explicit NotingSink(diag::Sink& sink) : sink_(sink) {}
  void report(diag::Diagnostic diagnostic) override {
    has_errors_ = has_errors_ || diagnostic.severity == diag::Severity::kError;
    sink_.report(std::move(diagnostic));
  }
  [[nodiscard]] bool has_errors() const { return has_errors_; }

 private:
  diag::Sink& sink_;
  bool has_errors_ = false;
};

/// Builds the model from the expanded file. A parameter without unit is first taken as a plain number, even if the next
/// parameter has a unit. If its uses require a dimension, a second attempt gives it that unit.
class Attempts {
 public:
  Attempts(const lang::ModelFile& file, const diag::SourceText& source, const Options& options, const Changes& changes,
           bool has_errors)
      : file_(file), source_(source), options_(options), changes_(changes), has_errors_(has_errors) {}

  std::shared_ptr<const model::Model> run(diag::Sink& sink) {
    diag::Diagnostics plain, taken;
    std::unordered_set<std::string> wanted, all;
    auto model = build({}, plain, wanted);
    while (!wanted.empty() && !std::ranges::all_of(wanted, [&](const auto& one) { return all.contains(one); })) {
      all.insert(wanted.begin(), wanted.end());
      taken = {};
      wanted.clear();
      if (auto with_units = build(all, taken, wanted)) model = std::move(with_units);
    }
    const bool is_better = !all.empty() && errors_of(taken) < errors_of(plain);
    for (const diag::Diagnostic& one : (is_better ? taken : plain).all()) sink.report(one);
    return model;
  }

 private:
  static std::ptrdiff_t errors_of(const diag::Diagnostics& found) {
    return std::ranges::count(found.all(), diag::Severity::kError, &diag::Diagnostic::severity);
  }

  std::shared_ptr<const model::Model> build(const std::unordered_set<std::string>& takes_next_unit, diag::Sink& sink,
                                            std::unordered_set<std::string>& wanted) {
    // Used until the statement of the newtonian frame gives its name; no text can contain this name.
    model::ModelBuilder builder("", "(newtonian)");
    builder.model().source_text = source_;
    builder.model().has_units = states_units(file_);
    Context context(file_, source_, options_, builder, sink);
    context.takes_next_unit = takes_next_unit;
    if (has_errors_) context.reporter.leave_out();
    Elaborator(context).run();
    if (changes_.read) changes_.read(context);
    wanted = std::move(context.wants_next_unit.empty() ? context.may_want_next_unit : context.wants_next_unit);
    if (!context.reporter.is_complete()) return nullptr;
    for (const auto& [name, what] : file_.fixed_parameters) {
      const auto parameter = std::ranges::find(builder.model().parameters, name, &model::Parameter::name);
      if (parameter != builder.model().parameters.end()) parameter->fixed_by = what;
    }
    if (changes_.model) changes_.model(builder);
    auto model = builder.finish();
    return model ? *model : nullptr;
  }

  const lang::ModelFile& file_;
  const diag::SourceText& source_;
  const Options& options_;
  const Changes& changes_;
  bool has_errors_;
};

}  // namespace

std::shared_ptr<const model::Model> elaborate(const lang::ModelFile& written, diag::SourceText& source,
                                              const Options& options, diag::Sink& sink) {
  return elaborate(written, source, options, Changes{}, sink);
}

std::shared_ptr<const model::Model> elaborate(const lang::ModelFile& written, diag::SourceText& source,
                                              const Options& options, const Changes& changes, diag::Sink& sink) {
  NotingSink noting(sink);
  ParameterConstants constants(source, options, noting);
  lang::ModelFile file = expand(written, source, options, constants, noting);
  if (changes.statements) changes.statements(file);
  Attempts attempts(file, source, options, changes, noting.has_errors());
  return attempts.run(sink);
}

}  // namespace vinculum::elaborate
