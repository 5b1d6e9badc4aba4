// Functions of the model text: `let f(x, y) = EXPR` is written out where it is used.
#include <algorithm>
#include <utility>

#include "vinculum/diag/hints.hpp"
#include "vinculum/elaborate/check/functions.hpp"
#include "vinculum/elaborate/check/syntax.hpp"
#include "vinculum/elaborate/expand/expander.hpp"
#include "vinculum/elaborate/expand/function_check.hpp"
#include "vinculum/lang/parser.hpp"

namespace vinculum::elaborate {

using diag::Kind;

void Expander::define(const lang::LetStatement& node) {
  using Known = FunctionCheck::Known;
  const std::string full = scope_->prefix + node.name.text;
  const auto first = functions_.find(full);
  if (first != functions_.end())
    return reporter_.error(Kind::kDuplicateName, node.name.range, quote(node.name.text) + " is declared twice",
                           diag::Label{first->second.statement->name.range, "first declared here, as a function"},
                           "choose another name for one of them");
  if (declared_.contains(full) || uses_.contains(full) || members_.contains(full))
    return reporter_.error(Kind::kDuplicateName, node.name.range, quote(node.name.text) + " is declared already",
                           "choose another name for this function");
  // The names in a component have been checked at its definition.
  const bool has_any_name = scope_->component != nullptr || result_.names_lost_from.has_value();
  FunctionCheck::Surroundings around;
  around.name = [&](const std::string& name) {
    const bool is_variable = std::ranges::find(scope_->loops, name, &LoopVariable::name) != scope_->loops.end();
    if (has_any_name || is_variable || at_fault_.contains(name) || declared_.contains(name) ||
        members_.contains(name) || uses_.contains(name) || functions_.contains(name))
      return Known::kYes;
    return main_.has(name) || main_.uses.contains(name) ? Known::kLater : Known::kNo;
  };
  around.function = [&](const std::string& name) {
    const bool is_known = at_fault_.contains(name) || find_function(name) != nullptr ||
                          functions_.contains(scope_->prefix + name) || functions_.contains(name);
    const bool is_later = scope_->declarations->functions.contains(name) || main_.functions.contains(name);
    return !is_known && is_later ? Known::kLater : Known::kYes;  // elaboration reports unknown functions
  };
  around.names.assign(declared_.begin(), declared_.end());
  std::ranges::sort(around.names);
  if (!FunctionCheck(node, around, reporter_).run()) {
    at_fault_.insert(node.name.text);
    return;
  }
  functions_.emplace(full, Function{&node, *scope_});
}

void Expander::call_of(lang::ExpressionPtr& place) {
  auto& node = std::get<lang::Call>(place->node);
  const std::string& name = node.function.text;
  const bool is_of_language = find_function(name) != nullptr;
  auto found = is_of_language ? functions_.end() : functions_.find(scope_->prefix + name);
  if (found == functions_.end() && !is_of_language) found = functions_.find(name);
  const auto leave_out = [&] {
    forgive(name + "(…)");
    place = lang::ExpressionPtr(
        std::make_unique<lang::Expression>(lang::Expression{lang::NameReference{name + "(…)"}, place->range}));
  };
  if (found == functions_.end()) {
    if (!is_of_language && at_fault_.contains(name)) {
      reporter_.leave_out();
      return leave_out();
    }
    if (!is_of_language && (scope_->declarations->functions.contains(name) || main_.functions.contains(name))) {
      reporter_.error(Kind::kUnknownFunction, node.function.range,
                      "the function " + quote(name) + " is used before it is declared",
                      "declare functions before their use: move the declaration up");
      return leave_out();
    }
    std::vector<std::string> names;
    for (const auto& [known, function] : functions_) names.push_back(known);
    if (const std::string hint = is_of_language ? "" : diag::hint_nearest(name, names); !hint.empty()) {
      reporter_.error(Kind::kUnknownFunction, node.function.range, "unknown function " + quote(name), hint);
      return leave_out();
    }
    return lang::Rewriter::expression(place);
  }
  const lang::LetStatement& function = *found->second.statement;
  const std::size_t wanted = function.parameters.size(), given = node.arguments.size();
  if (given != wanted) {
    reporter_.error(Kind::kWrongArgumentCount, place->range,
                    quote(name) + " takes " + std::to_string(wanted) + (wanted == 1 ? " argument" : " arguments") +
                        ", found " + std::to_string(given),
                    diag::Label{function.name.range, "defined here"}, "write " + quote(signature_of(function)));
    return leave_out();
  }
  Scope inner = found->second.scope;
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::int64_t nodes = nodes_;
    Argument argument{written_out(node.arguments[i], true)};
    if (is_stopped_) return;
    argument.height = height_of(*argument.value);
    argument.nodes = nodes_ - nodes;
    std::erase_if(inner.loops, [&](const LoopVariable& one) { return one.name == function.parameters[i].text; });
    inner.arguments.insert_or_assign(function.parameters[i].text, std::move(argument));
  }
  if (height_ + height_of(*function.value) > lang::kMaxHeight)
    return stop(Kind::kNestingTooDeep, place->range,
                "with the functions in their places this expression is nested too deeply");
  Scope* outer = std::exchange(scope_, &inner);
  ++written_out_;
  lang::ExpressionPtr value = written_out(function.value, true);
  --written_out_;
  scope_ = outer;
  value->function = std::make_shared<const lang::WrittenOut>(lang::WrittenOut{function.value->range, place->range});
  value->range = place->range;
  place = std::move(value);
}

}  // namespace vinculum::elaborate
