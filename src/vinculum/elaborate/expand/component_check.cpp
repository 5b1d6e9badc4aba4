#include "vinculum/elaborate/expand/component_check.hpp"

#include <algorithm>

#include "vinculum/elaborate/check/functions.hpp"
#include "vinculum/elaborate/check/units.hpp"
#include "vinculum/lang/keywords.hpp"

namespace vinculum::elaborate {

using diag::Kind;

void ComponentCheck::look_up_names() {
  looks_up_names_ = true;
  for (const lang::Statement& statement : component_.body) (void)copy(statement);
}

void ComponentCheck::look_up_functions_and_units() {
  looks_up_names_ = false;
  for (const lang::Statement& statement : component_.body) (void)copy(statement);
}

// The copies themselves are of no use: expressions leave none.
lang::ExpressionPtr ComponentCheck::copy(const lang::Expression& expression) {
  if (const auto* reference = std::get_if<lang::NameReference>(&expression.node)) {
    name(reference->name, expression.range);
  } else if (const auto* number = std::get_if<lang::NumberLiteral>(&expression.node)) {
    if (number->unit && !looks_up_names_) (void)read_unit(*number->unit, reporter_);
  } else {
    if (const auto* call = std::get_if<lang::Call>(&expression.node)) function(call->function);
    (void)Copier::copy(expression);
  }
  return nullptr;
}

lang::Statement ComponentCheck::copy(const lang::Statement& statement) {
  if (std::holds_alternative<lang::ComponentStatement>(statement.node)) return {};  // an error, reported
  const auto* loop = std::get_if<lang::ForStatement>(&statement.node);
  if (loop == nullptr) {
    if (!looks_up_names_) units(statement);
    (void)Copier::copy(statement);
    return {};
  }
  (void)copy(*loop->from);
  (void)copy(*loop->to);
  loops_.push_back(loop->variable.text);
  for (const lang::Statement& one : loop->body) (void)copy(one);
  loops_.pop_back();
  return {};
}

lang::Name ComponentCheck::declared(const lang::Name& name) {
  indices(name);
  return {};
}

lang::Name ComponentCheck::used(const lang::Name& its) {
  indices(its);
  if (its.owner)
    (void)used(*its.owner);
  else
    name(its.text.substr(0, its.text.find('.')), its.range);
  return {};
}

void ComponentCheck::indices(const lang::Name& name) {
  for (const auto& index : name.indices) (void)copy(*index);
}

void ComponentCheck::name(const std::string& text, diag::SourceRange range) {
  if (!looks_up_names_ || own_.has(text) || lang::is_reserved(text) || find_function(text) != nullptr) return;
  if (std::ranges::find(loops_, text) != loops_.end()) return;
  if (std::ranges::find(component_.parameters, text, &lang::Name::text) != component_.parameters.end()) return;
  if (at_fault_.contains(text)) return reporter_.leave_out();
  if (!reported_.insert(text).second) return;
  std::string hint;
  if (of_model_.has(text)) {
    hint = "pass it as an argument: a component sees its own names and its arguments only";
  } else {
    std::vector<std::string> names(own_.plain.begin(), own_.plain.end());
    names.insert(names.end(), own_.families.begin(), own_.families.end());
    for (const lang::Name& parameter : component_.parameters) names.push_back(parameter.text);
    std::ranges::sort(names);
    const std::string nearest = diag::nearest_name(text, names);
    if (!nearest.empty()) hint = "did you mean `" + nearest + "`?";
  }
  reporter_.error(Kind::kUnknownName, range, "unknown name `" + text + "` in component `" + component_.name.text + "`",
                  std::move(hint));
}

void ComponentCheck::function(const lang::Name& name) {
  if (looks_up_names_ || find_function(name.text) != nullptr) return;
  std::vector<std::string> names;
  for (const FunctionInfo& info : function_table()) names.emplace_back(info.name);
  const std::string nearest = diag::nearest_name(name.text, names);
  reporter_.error(Kind::kUnknownFunction, name.range, "unknown function `" + name.text + "`",
                  nearest.empty() ? std::string() : "did you mean `" + nearest + "`?");
}

void ComponentCheck::units(const lang::Statement& statement) {
  const auto look_at = [&](const auto& items) {
    for (const auto& item : items) {
      if (item.unit) (void)read_unit(*item.unit, reporter_);
    }
  };
  if (const auto* params = std::get_if<lang::ParamStatement>(&statement.node))
    look_at(params->items);
  else if (const auto* coords = std::get_if<lang::CoordStatement>(&statement.node))
    look_at(coords->groups);
  else if (const auto* speeds = std::get_if<lang::SpeedStatement>(&statement.node))
    look_at(speeds->items);
  else if (const auto* starts = std::get_if<lang::StartStatement>(&statement.node))
    look_at(starts->items);
  else if (const auto* body = std::get_if<lang::BodyStatement>(&statement.node);
           body != nullptr && body->inertia_unit) {
    (void)read_unit(*body->inertia_unit, reporter_);
  }
}

}  // namespace vinculum::elaborate
