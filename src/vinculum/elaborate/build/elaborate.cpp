#include "vinculum/elaborate/build/elaborate.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "vinculum/elaborate/build/elaborator.hpp"
#include "vinculum/elaborate/build/law_variants.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/expand/expand.hpp"
#include "vinculum/lang/parser.hpp"

namespace vinculum::elaborate {

using diag::Kind;

namespace {

template <class... Node>
bool holds_one_of(const lang::StatementNode& node) {
  return (std::holds_alternative<Node>(node) || ...);
}

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
  context_.known = Needs::kEverything;
  run_phase(Phase::kResults);
  check_expectations();
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
    if (const auto* params = std::get_if<lang::ParamStatement>(&node)) {
      for (const lang::ParamItem& item : params->items) declare(SymbolKind::kParameter, item.name);
    } else if (const auto* coords = std::get_if<lang::CoordStatement>(&node)) {
      for (const lang::CoordGroup& group : coords->groups) {
        for (const lang::Name& name : group.names) declare(SymbolKind::kCoordinate, name);
      }
    } else if (const auto* speeds = std::get_if<lang::SpeedStatement>(&node)) {
      for (const lang::SpeedItem& item : speeds->items) declare(SymbolKind::kSpeed, item.name);
    } else if (const auto* let = std::get_if<lang::LetStatement>(&node)) {
      if (Symbol* symbol = declare(SymbolKind::kLet, let->name)) symbol->needs = needs_of(*let->value);
    } else if (const auto* frame = std::get_if<lang::FrameStatement>(&node)) {
      declare(SymbolKind::kFrame, frame->name);
    } else if (const auto* point = std::get_if<lang::PointStatement>(&node)) {
      declare(SymbolKind::kPoint, point->name);
    } else if (const auto* particle = std::get_if<lang::ParticleStatement>(&node)) {
      declare(SymbolKind::kPoint, particle->name);
    } else if (const auto* body = std::get_if<lang::BodyStatement>(&node)) {
      declare(SymbolKind::kBody, body->name);
    } else if (const auto* constraint = std::get_if<lang::ConstraintStatement>(&node)) {
      declare(SymbolKind::kConstraint, constraint->name);
    } else if (const auto* joint = std::get_if<lang::JointStatement>(&node)) {
      declare(SymbolKind::kConstraint, joint->name);
    } else if (const auto* reveal = std::get_if<lang::RevealStatement>(&node)) {
      if (Symbol* symbol = declare(SymbolKind::kReveal, reveal->name)) symbol->needs = Needs::kEverything;
    } else if (const auto* state = std::get_if<lang::StateStatement>(&node)) {
      if (Symbol* symbol = declare(SymbolKind::kState, state->name)) symbol->needs = Needs::kSpeeds;
    } else if (const auto* output = std::get_if<lang::OutputStatement>(&node)) {
      if (Symbol* symbol = declare(SymbolKind::kOutput, output->name)) {
        symbol->needs = std::max(Needs::kConstraints, needs_of(*output->value));
      }
    }
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
  const auto join = [&](const std::string& name, bool is_call) {
    if (const FunctionInfo* info = find_function(name)) result = std::max(result, info->needs);
    if (is_call) return;
    const Symbol* symbol = context_.scope.find(name);
    if (symbol == nullptr) return;
    result = std::max(result, symbol->kind == SymbolKind::kConstraint ? Needs::kConstraints : symbol->needs);
  };
  if (const auto* name = as_name(expression)) join(name->name, false);
  if (const auto* call = std::get_if<lang::Call>(&expression.node)) {
    join(call->function.text, true);
    if (is_momentum_of_coordinate(*call)) result = std::max(result, Needs::kMasses);
  }
  if (const auto* member = std::get_if<lang::Member>(&expression.node)) {
    const std::string& name = member->member.text;  // B.wx, a speed that nothing states
    if (name == "wx" || name == "wy" || name == "wz") result = Needs::kSpeeds;
  }
  for_each_operand(expression, [&](const lang::Expression& operand) { result = std::max(result, needs_of(operand)); });
  return result;
}

bool Elaborator::is_mentioned(std::string_view keyword) const {
  const diag::SourceText& source = context_.reporter.source();
  if (context_.reporter.is_complete()) {
    // What a text without a mistake mentions and does not declare stands in a branch that is not taken.
    diag::Diagnostics of_syntax;
    (void)lang::parse(source, of_syntax);
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
  bool is_behind_head = false;  // behind `model` and its sources
  for (std::size_t i = 0; i < context_.file.statements.size(); ++i) {
    const lang::Statement& statement = context_.file.statements[i];
    if (const auto* frame = std::get_if<lang::FrameStatement>(&statement.node)) {
      has_frame = has_frame || std::holds_alternative<lang::FrameNewtonian>(frame->definition);
    }
    has_lagrangian = has_lagrangian || std::holds_alternative<lang::LagrangianStatement>(statement.node);
    stands_in_space = stands_in_space ||
                      holds_one_of<lang::FrameStatement, lang::PointStatement, lang::ParticleStatement,
                                   lang::BodyStatement, lang::GravityStatement, lang::JointStatement>(statement.node);
    const auto* source = std::get_if<lang::SourceStatement>(&statement.node);
    if (source != nullptr) {
      model_.sources.push_back(source->text);
      if (is_behind_head) {
        context_.reporter.error(Kind::kMisplacedStatement, statement.range,
                                "`source` stands behind `model`, before all other statements");
      }
    }
    has_coordinates = has_coordinates || std::holds_alternative<lang::CoordStatement>(statement.node);
    const auto* here = std::get_if<lang::ModelStatement>(&statement.node);
    is_behind_head = is_behind_head || (here == nullptr && source == nullptr);
    if (here == nullptr) continue;
    if (model != nullptr) {
      context_.reporter.report({Kind::kMisplacedStatement,
                                diag::Severity::kError,
                                statement.range,
                                "a file holds one `model`",
                                {},
                                {{model->name.range, "the first one"}},
                                {}});
      continue;
    }
    if (i != 0)
      context_.reporter.error(Kind::kMisplacedStatement, statement.range, "`model` is the first statement of a file");
    model = here;
    model_.name = here->name.text;
    model_.title = here->title.value_or("");
  }
  // What the parser rejected is there, and reported; of a text that is no model the first thing missing says enough.
  bool is_reported = context_.file.begins_with_no_statement;
  const auto require = [&](bool is_there, std::string_view keyword, const char* message, const char* hint) {
    if (is_there) return;
    if (is_mentioned(keyword) || context_.file.names_lost_from || is_reported) return context_.reporter.leave_out();
    is_reported = true;
    context_.reporter.error(Kind::kMissingStatement, {}, message, hint);
  };
  require(model != nullptr, "model", "the file has no `model`", "begin it with `model NAME`");
  require(has_frame || (has_lagrangian && !stands_in_space), "frame", "the model has no newtonian frame",
          "write `frame N newtonian`");
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

void Elaborator::apply_in_phase(const lang::Statement& statement, Phase phase) {
  const lang::StatementNode& node = statement.node;
  if (const auto* let = std::get_if<lang::LetStatement>(&node)) {
    // A let is worked out as soon as what it uses is known.
    const Symbol* symbol = context_.symbol_of(let->name);
    const Needs needs = symbol == nullptr ? needs_of(*let->value) : symbol->needs;
    if (phase == phase_of(needs)) apply(*let);
    return;
  }
  const auto apply_if = [&](Phase its_phase, const auto* its_node) {
    if (its_node != nullptr && phase == its_phase) apply(*its_node);
  };
  const auto apply_with_range_if = [&](Phase its_phase, const auto* its_node) {
    if (its_node == nullptr || phase != its_phase) return;
    context_.place = "a load";
    apply(*its_node, statement.range);
  };
  apply_if(Phase::kKinematics, std::get_if<lang::ParamStatement>(&node));
  apply_if(Phase::kKinematics, std::get_if<lang::CoordStatement>(&node));
  apply_if(Phase::kKinematics, std::get_if<lang::SpeedStatement>(&node));
  apply_if(Phase::kKinematics, std::get_if<lang::FrameStatement>(&node));
  apply_if(Phase::kKinematics, std::get_if<lang::PointStatement>(&node));
  apply_if(Phase::kKinematics, std::get_if<lang::ParticleStatement>(&node));
  apply_if(Phase::kKinematics, std::get_if<lang::BodyStatement>(&node));
  apply_with_range_if(Phase::kPotentials, std::get_if<lang::GravityStatement>(&node));
  apply_with_range_if(Phase::kPotentials, std::get_if<lang::SpringStatement>(&node));
  apply_with_range_if(Phase::kPotentials, std::get_if<lang::PotentialStatement>(&node));
  apply_with_range_if(Phase::kPotentials, std::get_if<lang::LagrangianStatement>(&node));
  if (const auto* state = std::get_if<lang::StateStatement>(&node); state != nullptr && phase == Phase::kKinematics)
    declare_state(*state);
  apply_with_range_if(Phase::kResults, std::get_if<lang::StateStatement>(&node));
  apply_with_range_if(Phase::kLoads, std::get_if<lang::ForceStatement>(&node));
  apply_with_range_if(Phase::kLoads, std::get_if<lang::TorqueStatement>(&node));
  apply_with_range_if(Phase::kLoads, std::get_if<lang::GeneralizedForceStatement>(&node));
  apply_if(Phase::kConstraints, std::get_if<lang::ConstraintStatement>(&node));
  apply_with_range_if(Phase::kConstraints, std::get_if<lang::JointStatement>(&node));
  apply_with_range_if(Phase::kConstraints, std::get_if<lang::RevealStatement>(&node));
  if (const auto* output = std::get_if<lang::OutputStatement>(&node)) {
    const Symbol* symbol = context_.symbol_of(output->name);
    apply_if(phase_of(symbol == nullptr ? Needs::kEverything : symbol->needs), output);
  }
  apply_if(Phase::kResults, std::get_if<lang::StartStatement>(&node));
  apply_with_range_if(Phase::kResults, std::get_if<lang::RunStatement>(&node));
  apply_if(Phase::kResults, std::get_if<lang::ConserveStatement>(&node));
  apply_with_range_if(Phase::kResults, std::get_if<lang::ExpectStatement>(&node));
}

namespace {

/// Passes everything on and remembers whether there was an error.
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

}  // namespace

std::shared_ptr<const mechanics::Model> elaborate(const lang::ModelFile& written, diag::SourceText& source,
                                                  const Options& options, diag::Sink& sink) {
  return elaborate_rewritten(written, source, options, [](lang::ModelFile&) {}, sink);
}

std::shared_ptr<const mechanics::Model> elaborate_rewritten(const lang::ModelFile& written, diag::SourceText& source,
                                                            const Options& options,
                                                            const std::function<void(lang::ModelFile&)>& rewrite,
                                                            diag::Sink& sink) {
  NotingSink noting(sink);
  lang::ModelFile file = expand(written, source, options, noting);
  // The newtonian frame takes its name when its statement comes; no text can hold this one.
  mechanics::ModelBuilder builder("", "(newtonian)");
  builder.model().source_text = source;
  builder.model().has_units = states_units(file);
  rewrite(file);
  Context context(file, source, options, builder, sink);
  if (noting.has_errors()) context.reporter.leave_out();
  Elaborator(context).run();
  if (!context.reporter.is_complete()) return nullptr;
  auto model = builder.finish();
  return model ? *model : nullptr;
}

}  // namespace vinculum::elaborate
