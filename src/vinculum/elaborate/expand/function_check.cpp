#include "vinculum/elaborate/expand/function_check.hpp"

#include <algorithm>
#include <utility>

#include "vinculum/elaborate/check/functions.hpp"
#include "vinculum/lang/keywords.hpp"

namespace vinculum::elaborate {

using diag::Kind;

std::string signature_of(const lang::LetStatement& function) {
  std::string text = function.name.text + "(";
  for (const lang::Name& argument : function.parameters) text += (text.ends_with('(') ? "" : ", ") + argument.text;
  return text + ")";
}

bool FunctionCheck::run() {
  const lang::Name& name = function_.name;
  if (find_function(name.text) != nullptr)
    fail(Kind::kReservedName, name.range, quote(name.text) + " is a function of the language",
         "choose another name for this function");
  if (lang::is_connective(name.text) || lang::is_reserved(name.text))
    fail(Kind::kReservedName, name.range, quote(name.text) + " is a word of the language and cannot name a function",
         "choose another name for this function");
  if (!name.indices.empty())
    fail(Kind::kNotAllowedHere, name.range, "a function has no indices",
         "pass the index as an argument: `let " + name.text + "(i) = …`");
  const auto& arguments = function_.parameters;
  for (auto at = arguments.begin(); at != arguments.end(); ++at) {
    if (lang::is_reserved(at->text))
      fail(Kind::kReservedName, at->range, quote(at->text) + " is a word of the language and cannot be an argument",
           "choose another name for this argument");
    if (std::find_if(arguments.begin(), at, [&](const lang::Name& one) { return one.text == at->text; }) != at)
      fail(Kind::kDuplicateName, at->range, quote(at->text) + " is an argument of this function already",
           "give each argument a name of its own");
  }
  expression(function_.value);
  return is_right_;
}

void FunctionCheck::expression(const lang::ExpressionPtr& place) {
  if (const auto* reference = std::get_if<lang::NameReference>(&place->node)) name(reference->name, place->range);
  if (const auto* used = std::get_if<lang::Call>(&place->node)) call(used->function);
  lang::Walker::expression(place);
}

void FunctionCheck::name(const std::string& text, diag::SourceRange range) {
  if (is_argument(text) || lang::is_reserved(text) || find_function(text) != nullptr) return;
  const Known known = around_.name(text);
  if (known == Known::kLater)
    fail(Kind::kUnknownName, range, quote(text) + " is used before it is declared",
         "declare names before their use: move the declaration up, or pass " + quote(text) + " as an argument");
  if (known == Known::kNo) {
    std::vector<std::string> names = around_.names;
    for (const lang::Name& argument : function_.parameters) names.push_back(argument.text);
    std::string hint = diag::hint_nearest(text, names);
    fail(Kind::kUnknownName, range, "unknown name " + quote(text) + " in the function " + quote(function_.name.text),
         hint.empty() ? "a function sees its arguments, and names that are declared above it" : std::move(hint));
  }
}

void FunctionCheck::call(const lang::Name& called) {
  const std::string& text = called.text;
  if (text == function_.name.text && find_function(text) == nullptr)
    return fail(Kind::kNotAllowedHere, called.range, "the function " + quote(text) + " uses itself",
                "a function is written out where it is used, so it cannot use itself; a quantity that depends on its "
                "past is a state: `state z' = EXPR`");
  if (around_.function(text) == Known::kLater)
    fail(Kind::kUnknownFunction, called.range, "the function " + quote(text) + " is used before it is declared",
         "declare functions before their use: move the declaration up");
}

void FunctionCheck::fail(Kind kind, diag::SourceRange range, std::string message, std::string hint) {
  reporter_.error(kind, range, std::move(message), std::move(hint));
  is_right_ = false;
}

bool FunctionCheck::is_argument(const std::string& text) const {
  return std::ranges::find(function_.parameters, text, &lang::Name::text) != function_.parameters.end();
}

}  // namespace vinculum::elaborate
