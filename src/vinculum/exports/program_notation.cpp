#include <algorithm>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/exports/program.hpp"

namespace vinculum::report {
namespace {

using Do = Statement::Kind;

// Removes the text up to a mark, and the mark itself, from the front of `text`, and returns the removed text. If the
// mark does not occur, takes the whole text.
std::string_view take(std::string_view& text, std::string_view mark) {
  const std::size_t at = std::min(text.find(mark), text.size());
  const std::string_view front = text.substr(0, at);
  text.remove_prefix(std::min(at + mark.size(), text.size()));
  return front;
}

bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

// Reads a variable, such as "var int order[n]".
Variable variable(std::string_view text) {
  Variable result;
  result.is_changed = take_word(text, "var ");
  result.is_whole = take_word(text, "int ");
  if (!text.ends_with(']')) return {std::string(text), {}, {}, result.is_whole, result.is_changed};
  text.remove_suffix(1);
  result.name = take(text, "[");
  result.rows = take(text, "][");
  result.columns = text;
  return result;
}

std::vector<Variable> variables(std::string_view text) {
  std::vector<Variable> list;
  while (!text.empty()) list.push_back(variable(take(text, ", ")));
  return list;
}

Function head(std::string_view line) {
  Function function;
  if (line.ends_with(" fails")) {
    function.answer = Function::Answer::kStatus;
    line.remove_suffix(6);
  }
  function.name = take(line, "(");
  function.inputs = variables(take(line, ")"));
  if (take_word(line, " -> ")) function.outputs = variables(line);
  if (take_word(line, " returns "))
    function.answer = line == "int" ? Function::Answer::kWhole : Function::Answer::kReal;
  return function;
}

// Reads a call, such as "f(x) -> y, real z[n]". The outputs are names; new variables are written with their sizes.
Statement call(std::string_view text) {
  Statement result{Do::kCall};
  result.texts.emplace_back(take(text, "("));
  result.texts.emplace_back(take(text, ")"));
  if (!take_word(text, " -> ")) return result;
  while (!text.empty()) {
    std::string_view output = take(text, ", ");
    result.variables.push_back(take_word(output, "real ") ? variable(output) : Variable{std::string(output), {}, {}});
  }
  return result;
}

Statement loop(std::string_view text) {
  const auto result = [&](Do kind, std::string_view index, std::string_view first, std::string_view end) {
    return Statement{kind, 1, {std::string(index), std::string(first), std::string(end)}};
  };
  const std::string_view index = take(text, " "), how = take(text, " ");
  const Do kind = how == "down" ? Do::kDown : Do::kFor;
  if (text.find(", ") == std::string_view::npos) return result(kind, index, "0", text);
  const std::string_view first = take(text, ", ");
  return result(kind, index, first, text);
}

Statement definition(std::string_view type, std::string_view text) {
  if (text.find(" = ") != std::string_view::npos) {
    const std::string_view name = take(text, " = ");
    Statement result{Do::kDefine, 1, {std::string(name), std::string(text)}};
    result.type = type;
    return result;
  }
  Statement result{Do::kArrays, 1, {}, variables(text)};
  for (Variable& one : result.variables) one.is_whole = type == "int";
  return result;
}

Statement simple(std::string_view line) {
  if (take_word(line, "for ")) return loop(line);
  if (take_word(line, "while ")) return {Do::kWhile, 1, {std::string(line)}};
  if (take_word(line, "if ")) return {Do::kIf, 1, {std::string(line)}};
  if (line == "else") return {Do::kElse};
  if (take_word(line, "fail ")) return {Do::kFail, 1, {std::string(line)}};
  if (take_word(line, "call ")) return call(line);
  if (take_word(line, "real ")) return definition("real", line);
  if (take_word(line, "int ")) return definition("int", line);
  if (take_word(line, "exchange ")) {
    const std::string_view first = take(line, ", ");
    return {Do::kExchange, 1, {std::string(first), std::string(line)}};
  }
  const std::size_t sign = line.find("= ");
  if (sign == std::string_view::npos || line.starts_with("return ")) return {Do::kLine, 1, {std::string(line)}};
  const std::size_t space = line.rfind(' ', sign);
  return {Do::kAssign,
          1,
          {std::string(line.substr(0, space)), std::string(line.substr(space + 1, sign - space)),
           std::string(line.substr(sign + 2))}};
}

// Reads a line; "for i < n: x[i] = 0.0" contains two statements.
void append_statements(std::string_view line, int depth, std::vector<Statement>& body) {
  const std::string_view code = take(line, "  # ");
  std::string_view rest = code;
  const std::string_view first = take(rest, ": ");
  body.push_back(simple(first));
  body.back().depth = depth;
  body.back().note = line;
  if (!rest.empty()) append_statements(rest, depth + 1, body);
}

}  // namespace

std::vector<Function> read_functions(std::string_view text) {
  std::vector<Function> functions;
  std::string about;
  while (!text.empty()) {
    std::string_view line = take(text, "\n");
    if (line.empty()) continue;
    if (take_word(line, "# ")) {
      about.append(line).append("\n");
      continue;
    }
    const std::size_t indent = line.find_first_not_of(' ');
    if (indent == 0) {
      functions.push_back(head(line));
      functions.back().about = std::exchange(about, {});
      continue;
    }
    VINCULUM_EXPECTS(!functions.empty() && indent % 2 == 0);
    append_statements(line.substr(indent), static_cast<int>(indent / 2), functions.back().body);
  }
  return functions;
}

}  // namespace vinculum::report
