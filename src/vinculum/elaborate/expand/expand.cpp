#include "vinculum/elaborate/expand/expand.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <utility>

#include "vinculum/elaborate/check/functions.hpp"
#include "vinculum/elaborate/check/joint_rules.hpp"
#include "vinculum/elaborate/check/model_folder.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/expand/component_check.hpp"
#include "vinculum/elaborate/expand/expander.hpp"
#include "vinculum/lang/keywords.hpp"
#include "vinculum/lang/parser.hpp"

namespace vinculum::elaborate {

using diag::Kind;
namespace fs = std::filesystem;

namespace {

/// Calls `visit` with each statement of the given type, including those in loops and choices.
template <class Node, class Visit>
void for_each_inside(const std::vector<lang::Statement>& statements, const Visit& visit) {
  for (const lang::Statement& statement : statements) {
    if (const auto* node = std::get_if<Node>(&statement.node)) visit(*node, statement);
    if (const auto* loop = std::get_if<lang::ForStatement>(&statement.node)) for_each_inside<Node>(loop->body, visit);
    if (const auto* choice = std::get_if<lang::IfStatement>(&statement.node)) {
      for_each_inside<Node>(choice->then, visit);
      for_each_inside<Node>(choice->otherwise, visit);
    }
  }
}

/// The first and the last of the ranges, in the other order.
std::vector<diag::SourceRange> innermost_and_outermost(const std::vector<diag::SourceRange>& uses) {
  if (uses.size() < 2) return uses;
  return {uses.back(), uses.front()};
}

std::string arguments_of(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " argument" : " arguments");
}

/// The text of an included file; nothing if the file cannot be read.
std::optional<std::string> read_included(const Options& options, const fs::path& path) {
  if (options.unsaved != nullptr) {
    if (const auto found = options.unsaved->find(path); found != options.unsaved->end()) return found->second;
  }
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream content;
  content << stream.rdbuf();
  if (!stream) return std::nullopt;
  return std::move(content).str();
}

}  // namespace

Expander::Expander(const lang::ModelFile& file, diag::SourceText& source, const Options& options, Constants& constants,
                   diag::Sink& sink)
    : file_(file), source_(source), options_(options), sink_(sink), reporter_(source, sink), constants_(constants) {
  main_file_ = (options.folder / fs::path(source.name()).filename()).lexically_normal();
}

lang::ModelFile Expander::run() {
  result_.names_at_fault = file_.names_at_fault;
  result_.names_lost_from = file_.names_lost_from;
  result_.has_faults = file_.has_faults;
  result_.begins_with_no_statement = file_.begins_with_no_statement;
  for (const lang::Name& name : file_.names_at_fault) at_fault_.insert(name.text);
  main_.add(file_.statements);
  Scope scope{"", nullptr, &main_};
  scope_ = &scope;
  block(file_.statements);
  check_unused();
  if (is_stopped_) {
    // An incomplete expansion is not a model, so nothing in it is checked.
    result_.statements.clear();
    result_.names_lost_from = 0;
    return std::move(result_);
  }
  reporter_.set_statement({}, {});
  check_references();
  // `source` statements of included files follow the `source` statements of the model.
  auto head = result_.statements.begin();
  while (head != result_.statements.end() && (std::holds_alternative<lang::ModelStatement>(head->node) ||
                                              std::holds_alternative<lang::SourceStatement>(head->node))) {
    ++head;
  }
  result_.statements.insert(head, std::make_move_iterator(sources_.begin()), std::make_move_iterator(sources_.end()));
  result_.fixed_parameters = constants_.fixed();
  return std::move(result_);
}

void Expander::stop(Kind kind, diag::SourceRange range, std::string message, std::string hint) {
  if (!std::exchange(is_stopped_, true)) reporter_.error(kind, range, std::move(message), std::move(hint));
}

bool Expander::count(std::int64_t more, diag::SourceRange range) {
  statements_ += more;
  if (statements_ > kMostStatements) {
    stop(Kind::kTooManyStatements, range,
         "written out, this makes more than " + std::to_string(kMostStatements) + " statements",
         "loops, families of names and uses of components are written out before the model is built");
  }
  return !is_stopped_;
}

void Expander::forgive(const std::vector<lang::Statement>& statements, diag::SourceRange at) {
  Declarations names;
  names.add(statements);
  for (const auto* set : {&names.plain, &names.families}) {
    for (const std::string& name : *set) {
      at_fault_.insert(name);
      forgive(scope_->prefix + name, at);
    }
  }
}

void Expander::block(const std::vector<lang::Statement>& statements) {
  for (const lang::Statement& one : statements) {
    if (is_stopped_) return;
    expand(one);
  }
}

void Expander::expand(const lang::Statement& one) {
  reporter_.set_statement(one.range, innermost_and_outermost(uses_in_work_));
  if (written_out_ > 0 && !count(1, one.range)) return;
  if (++blocks_ > kDeepestBlock) {
    stop(Kind::kNestingTooDeep, one.range,
         "loops, choices, files and components are nested deeper than " + std::to_string(kDeepestBlock));
  } else if (const auto* for_node = std::get_if<lang::ForStatement>(&one.node)) {
    loop(*for_node);
  } else if (const auto* if_node = std::get_if<lang::IfStatement>(&one.node)) {
    choose(*if_node);
  } else if (const auto* include_node = std::get_if<lang::IncludeStatement>(&one.node)) {
    include(*include_node);
  } else if (const auto* let = std::get_if<lang::LetStatement>(&one.node); let != nullptr && !let->parameters.empty()) {
    define(*let);
  } else if (const auto* view = std::get_if<lang::ViewStatement>(&one.node)) {
    block(view->body);
  } else if (const auto* component = std::get_if<lang::ComponentStatement>(&one.node)) {
    define(*component);
  } else if (const auto* use_node = std::get_if<lang::UseStatement>(&one.node)) {
    use(*use_node, one.range);
  } else {
    plain(one);
  }
  --blocks_;
}

void Expander::plain(const lang::Statement& one) {
  lang::Statement copied = one;
  if (auto* params = std::get_if<lang::ParamStatement>(&copied.node)) {
    parameters(*params);
  } else if (auto* coords = std::get_if<lang::CoordStatement>(&copied.node)) {
    coordinates(*coords);
  } else if (auto* start = std::get_if<lang::StartStatement>(&copied.node)) {
    starts(*start);
  } else {
    if (auto* constraint = std::get_if<lang::ConstraintStatement>(&copied.node))
      constraint->lacks_clauses = !choose(constraint->clauses) || constraint->lacks_clauses;
    if (auto* joint = std::get_if<lang::JointStatement>(&copied.node))
      joint->lacks_clauses = !choose(joint->clauses) || joint->lacks_clauses;
    if (!is_stopped_) lang::Rewriter::statement(copied);
  }
  if (is_stopped_) return;
  const auto* joint = std::get_if<lang::JointStatement>(&copied.node);
  if (joint != nullptr && has_several_contacts(*joint)) {  // its constraints are the members of a family
    const std::vector<std::string> names = contact_names(*joint);
    declared_.erase(joint->name.text);
    declared_.insert(names.begin(), names.end());
    for (std::size_t i = 1; i <= names.size() && !joint->name.text.ends_with(']'); ++i)
      members_[joint->name.text].push_back({static_cast<std::int64_t>(i)});
  }
  copied.written_out_by = innermost_and_outermost(uses_in_work_);
  result_.statements.push_back(std::move(copied));
  if (const auto* params = std::get_if<lang::ParamStatement>(&result_.statements.back().node))
    constants_.declare(*params);
}

bool Expander::may_be_variable(const lang::Name& name) {
  if (lang::is_reserved(name.text)) {
    reporter_.error(Kind::kReservedName, name.range,
                    "`" + name.text + "` is a word of the language and cannot be declared",
                    "choose another name for this variable");
    return false;
  }
  const bool is_taken = scope_->declarations->has(name.text) || scope_->arguments.contains(name.text) ||
                        std::ranges::find(scope_->loops, name.text, &LoopVariable::name) != scope_->loops.end();
  if (is_taken) {
    reporter_.error(Kind::kDuplicateName, name.range, "`" + name.text + "` already means something else here",
                    "choose another name for this variable");
  }
  return !is_taken;
}

void Expander::loop(const lang::ForStatement& node) {
  const bool is_free = may_be_variable(node.variable);
  const auto from = whole(node.from, "the first value of a `for`"), to = whole(node.to, "the last value of a `for`");
  if (!is_free || !from || !to) return forgive(node.body, node.variable.range);
  if (*to - *from >= kMostStatements && !count(*to - *from + 1, cover(node.from->range, node.to->range))) return;
  scope_->loops.push_back({node.variable.text, *from});
  ++written_out_;
  for (std::int64_t i = *from; i <= *to && !is_stopped_; ++i) {
    scope_->loops.back().value = i;
    if (count(1, cover(node.from->range, node.to->range))) block(node.body);
  }
  --written_out_;
  scope_->loops.pop_back();
}

std::optional<bool> Expander::truth_of(const lang::ExpressionPtr& written) {
  constexpr std::string_view kWhat = "the condition of an `if`";
  const lang::ExpressionPtr condition = written_out(written);
  if (is_stopped_ || !uses_parameters_only(*condition, kWhat)) return std::nullopt;
  return constants_.truth(*condition, kWhat);
}

void Expander::choose(const lang::IfStatement& node) {
  const std::optional<bool> truth = truth_of(node.condition);
  if (is_stopped_) return;
  if (truth) return block(*truth ? node.then : node.otherwise);
  forgive(node.then, node.condition->range);
  forgive(node.otherwise, node.condition->range);
}

void Expander::include(const lang::IncludeStatement& node) {
  if (scope_->component != nullptr) return;  // reported at the definition of the component
  const auto leave_out = [&](Kind kind, std::string message, std::string hint = {}) {
    reporter_.error(kind, node.file_range, std::move(message), std::move(hint));
    result_.names_lost_from = std::min(result_.names_lost_from.value_or(node.file_range.begin), node.file_range.begin);
  };
  const auto cycle = [&](const std::string& through) {
    leave_out(Kind::kIncludeCycle, "`" + node.file + "` includes itself" + through,
              "put the statements that both need into a separate file");
  };
  if ((options_.folder / node.file).lexically_normal() == main_file_) {
    return cycle(including_.empty() ? std::string() : ", through `" + including_.front().filename().string() + "`");
  }
  const Located located = locate_below(options_.folder, node.file, "an included file", kLargestFile);
  if (!located.problem.empty()) return leave_out(Kind::kFileNotFound, located.problem);
  const auto in_work = std::ranges::find(including_, located.file);
  if (in_work != including_.end()) {
    return cycle(std::next(in_work) == including_.end()
                     ? std::string()
                     : ", through `" + std::next(in_work)->filename().string() + "`");
  }
  const lang::ModelFile* file = included(located.file, node);
  if (file == nullptr) return leave_out(Kind::kFileNotFound, "the file `" + node.file + "` cannot be read");
  including_.push_back(located.file);
  block(file->statements);
  including_.pop_back();
}

const lang::ModelFile* Expander::included(const fs::path& path, const lang::IncludeStatement& node) {
  if (const auto known = files_.find(path); known != files_.end()) return &known->second;
  const std::optional<std::string> content = read_included(options_, path);
  if (!content) return nullptr;
  const diag::SourceRange part =
      source_.append((fs::path(source_.name()).parent_path() / node.file).generic_string(), *content);
  lang::ModelFile& file = files_.emplace(path, lang::parse(source_, part, options_.laws->forms(), sink_)).first->second;
  // Unknown names after an `include` whose file cannot be read completely are not reported.
  for (lang::Name& name : file.names_at_fault) {
    at_fault_.insert(name.text);
    result_.names_at_fault.push_back({name.text, node.file_range});
  }
  result_.has_faults = result_.has_faults || file.has_faults;
  if (file.names_lost_from) {
    result_.names_lost_from = std::min(result_.names_lost_from.value_or(node.file_range.begin), node.file_range.begin);
  }
  main_.add(file.statements);
  auto first = file.statements.begin();
  for (; first != file.statements.end() && std::holds_alternative<lang::SourceStatement>(first->node); ++first) {
    sources_.push_back(std::move(*first));
  }
  file.statements.erase(file.statements.begin(), first);
  std::erase_if(file.statements, [&](const lang::Statement& statement) {
    if (!std::holds_alternative<lang::ModelStatement>(statement.node)) return false;
    reporter_.error(Kind::kMisplacedStatement, statement.range, "an included file has no `model`",
                    "its statements belong to the model that includes it");
    return true;
  });
  return &file;
}

void Expander::define(const lang::ComponentStatement& node) {
  const auto misplaced = [&](diag::SourceRange range, std::string message) {
    reporter_.error(Kind::kMisplacedStatement, range, std::move(message));
  };
  if (scope_->component != nullptr) return;  // reported at the definition of the outer component
  for_each_inside<lang::ComponentStatement>(node.body,
                                            [&](const lang::ComponentStatement& inner, const lang::Statement&) {
                                              misplaced(inner.name.range, "a component is not defined inside another");
                                            });
  for_each_inside<lang::IncludeStatement>(node.body,
                                          [&](const lang::IncludeStatement&, const lang::Statement& statement) {
                                            misplaced(statement.range, "`include` is not allowed in a component");
                                          });
  const auto [at, is_new] = components_.try_emplace(node.name.text);
  if (!is_new) {
    reporter_.error(Kind::kDuplicateName, node.name.range, "`" + node.name.text + "` is declared twice",
                    diag::Label{at->second.statement->name.range, "first declared here, as a component"});
    return;
  }
  Component& component = at->second;
  component.statement = &node;
  component.order = components_.size();
  component.declarations.add(node.body);
  for (std::size_t i = 0; i < node.parameters.size(); ++i) {
    const lang::Name& name = node.parameters[i];
    if (lang::is_reserved(name.text)) {
      reporter_.error(Kind::kReservedName, name.range,
                      "`" + name.text + "` is a word of the language and cannot be declared",
                      "choose another name for this argument");
    } else if (component.declarations.has(name.text)) {
      reporter_.error(Kind::kDuplicateName, name.range, "`" + name.text + "` is declared inside the component too");
    } else if (std::ranges::find(node.parameters.begin(), node.parameters.begin() + static_cast<std::ptrdiff_t>(i),
                                 name.text,
                                 &lang::Name::text) != node.parameters.begin() + static_cast<std::ptrdiff_t>(i)) {
      reporter_.error(Kind::kDuplicateName, name.range, "`" + name.text + "` is an argument of this component already");
    }
  }
  // If some text could not be read, any name may be declared there, so names are not checked.
  if (!result_.names_lost_from)
    ComponentCheck(node, component.declarations, main_, at_fault_, reporter_).look_up_names();
}

Expander::Component* Expander::component_for(const lang::UseStatement& node) {
  const lang::Name& name = node.component;
  const auto found = components_.find(name.text);
  if (found == components_.end()) {
    if (at_fault_.contains(name.text) || result_.names_lost_from) {
      reporter_.leave_out();
    } else if (main_.components.contains(name.text)) {
      reporter_.error(Kind::kUnknownName, name.range, "component `" + name.text + "` is used before it is declared",
                      "declare names before their use: move the component up");
    } else {
      std::vector<std::string> names;
      for (const auto& [known, component] : components_) names.push_back(known);
      reporter_.error(Kind::kUnknownName, name.range, "unknown component `" + name.text + "`",
                      diag::hint_nearest(name.text, names));
    }
    return nullptr;
  }
  Component& component = found->second;
  if (scope_->component != nullptr && component.order >= scope_->component->order) {
    reporter_.error(Kind::kUnknownName, name.range,
                    &component == scope_->component ? "component `" + name.text + "` uses itself"
                                                    : "component `" + name.text + "` is used before it is declared",
                    "a component can use components that are declared above it");
    return nullptr;
  }
  const lang::ComponentStatement& statement = *component.statement;
  if (node.arguments.size() != statement.parameters.size()) {
    std::string wanted = statement.name.text + "(";
    for (const lang::Name& parameter : statement.parameters)
      wanted += (wanted.ends_with('(') ? "" : ", ") + parameter.text;
    reporter_.error(Kind::kWrongArgumentCount, name.range,
                    "`" + name.text + "` takes " + arguments_of(statement.parameters.size()) + ", found " +
                        std::to_string(node.arguments.size()),
                    diag::Label{statement.name.range, "defined here"}, "write `use " + wanted + ")`");
    return nullptr;
  }
  return &component;
}

void Expander::use(const lang::UseStatement& node, diag::SourceRange range) {
  Component* component = component_for(node);
  const auto indices = indices_of(node.as.indices);
  if (component == nullptr || !indices) {
    at_fault_.insert(node.as.text);
    return forgive(scope_->prefix + node.as.text, node.component.range);
  }
  const std::string name = declare(node.as, indices);
  if (uses_.contains(name)) {
    reporter_.error(Kind::kDuplicateName, node.as.range, "`" + name + "` is declared twice",
                    "give each use a different name");
    return;
  }
  component->is_used = true;
  Scope inner{name + ".", component, &component->declarations};
  for (std::size_t i = 0; i < node.arguments.size(); ++i) {
    const std::int64_t nodes = nodes_;
    Argument argument{written_out(node.arguments[i], true)};
    if (is_stopped_) return;
    argument.height = height_of(*argument.value);
    argument.nodes = nodes_ - nodes;
    inner.arguments.insert_or_assign(component->statement->parameters[i].text, std::move(argument));
  }
  uses_.emplace(name, &component->declarations);
  Scope* outer = std::exchange(scope_, &inner);
  uses_in_work_.push_back(range);
  ++written_out_;
  if (count(1, range)) block(component->statement->body);
  --written_out_;
  uses_in_work_.pop_back();
  scope_ = outer;
}

void Expander::check_unused() {
  if (is_stopped_ || result_.names_lost_from) return;
  reporter_.set_statement({}, {});
  for (auto& [name, component] : components_) {
    if (component.is_used) continue;
    ComponentCheck(*component.statement, component.declarations, main_, at_fault_, reporter_)
        .look_up_functions_and_units();
    Scope scope{name + ".", &component, &component.declarations};
    scope_ = &scope;
    for_each_inside<lang::UseStatement>(
        component.statement->body,
        [&](const lang::UseStatement& node, const lang::Statement&) { (void)component_for(node); });
  }
}

lang::ModelFile expand(const lang::ModelFile& file, diag::SourceText& source, const Options& options,
                       Constants& constants, diag::Sink& sink) {
  return Expander(file, source, options, constants, sink).run();
}

}  // namespace vinculum::elaborate
