#include "vinculum/elaborate/expand/component_check.hpp"

#include <algorithm>

#include "vinculum/elaborate/check/functions.hpp"
#include "vinculum/elaborate/check/joint_rules.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/check/units.hpp"
#include "vinculum/lang/keywords.hpp"

namespace vinculum::elaborate {

using diag::Kind;

void ComponentCheck::look_up_names() {
  looks_up_names_ = true;
  for (const lang::Statement& one : component_.body) statement(one);
}

void ComponentCheck::look_up_functions_and_units() {
  looks_up_names_ = false;
  for (const lang::Statement& one : component_.body) statement(one);
}

void ComponentCheck::expression(const lang::ExpressionPtr& place) {
  if (const auto* reference = std::get_if<lang::NameReference>(&place->node)) name(reference->name, place->range);
  if (const auto* number = std::get_if<lang::NumberLiteral>(&place->node)) {
    if (number->unit) unit(*number->unit);
  }
  if (const auto* call = std::get_if<lang::Call>(&place->node)) function(call->function);
  lang::Walker::expression(place);
}

void ComponentCheck::statement(const lang::Statement& statement) {
  if (std::holds_alternative<lang::ComponentStatement>(statement.node))
    return;  // a component inside a component: an
             // error that has been reported
  const auto* let = std::get_if<lang::LetStatement>(&statement.node);
  if (let != nullptr && !let->parameters.empty()) {
    const std::size_t outer = loops_.size();
    for (const lang::Name& argument : let->parameters) loops_.push_back(argument.text);
    expression(let->value);
    loops_.resize(outer);
    return;
  }
  const auto* loop = std::get_if<lang::ForStatement>(&statement.node);
  if (loop == nullptr) return lang::Walker::statement(statement);
  expression(loop->from);
  expression(loop->to);
  loops_.push_back(loop->variable.text);
  for (const lang::Statement& one : loop->body) this->statement(one);
  loops_.pop_back();
}

void ComponentCheck::used(const lang::Name& its) {
  indices(its);
  if (its.owner)
    used(*its.owner);
  else
    name(its.text.substr(0, its.text.find('.')), its.range);
}

void ComponentCheck::indices(const lang::Name& name) {
  for (const auto& index : name.indices) expression(index);
}

void ComponentCheck::surface(const lang::JointSurface& surface) {
  in_height_ = has_height(surface);
  lang::Walker::surface(surface);
  in_height_ = false;
}

void ComponentCheck::name(const std::string& text, diag::SourceRange range) {
  if (in_height_ && is_axis_letter(text)) return;
  if (!looks_up_names_ || own_.has(text) || lang::is_reserved(text)) return;
  if (find_function(text) != nullptr && !of_model_.has(text)) return;
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
    hint = diag::hint_nearest(text, names);
  }
  reporter_.error(Kind::kUnknownName, range, "unknown name `" + text + "` in component `" + component_.name.text + "`",
                  std::move(hint));
}

void ComponentCheck::function(const lang::Name& name) {
  if (looks_up_names_ || find_function(name.text) != nullptr) return;
  if (own_.functions.contains(name.text) || of_model_.functions.contains(name.text)) return;
  reporter_.error(Kind::kUnknownFunction, name.range, "unknown function `" + name.text + "`",
                  hint_for_function(name.text));
}

void ComponentCheck::unit(const lang::Unit& unit) {
  if (!looks_up_names_) (void)read_unit(unit, reporter_);
}

}  // namespace vinculum::elaborate
