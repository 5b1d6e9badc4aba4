#include "vinculum/exports/program_printer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace vinculum::report {
namespace {

constexpr std::size_t kLineLength = 118;

// Helper functions that are in no standard library. Their results have the same bits as the operations of the
// expression graph.
constexpr std::string_view kHelpers = R"(
sign_of(x) returns real
  if x > 0.0: return 1.0
  if x < 0.0: return -1.0
  return x
smaller(a, b) returns real
  if a < b or a != a: return a
  return b
larger(a, b) returns real
  if a > b or a != a: return a
  return b
# x^n for n >= 1, by squaring
whole_power(x, int n) returns real
  if n == 1: return x
  real p = whole_power(x, n // 2)
  p = p * p
  if 2 * (n // 2) < n: p = p * x
  return p
# at, reduced to the period that begins at first and ends at last
in_period(at, first, last) returns real
  real count = 0.0
  if at - at != 0.0: return NAN
  count = floor((at - first) / (last - first))
  if at - count * (last - first) < first: count = count - 1.0
  if at - count * (last - first) >= last: count = count + 1.0
  if at - count * (last - first) < first: return first
  return at - count * (last - first)
# derivative of an order 0..3 of a piecewise polynomial with `pieces` pieces at `at`; NaN outside its knots
spline(knots[pieces + 1], c[4 * pieces], int pieces, int order, at) returns real
  int k = 0
  if not (at >= knots[0] and at <= knots[pieces]): return NAN
  while k + 1 < pieces and at >= knots[k + 1]: k += 1
  real s = at - knots[k]
  k *= 4
  if order == 0: return ((c[k + 3] * s + c[k + 2]) * s + c[k + 1]) * s + c[k]
  if order == 1: return (3.0 * c[k + 3] * s + 2.0 * c[k + 2]) * s + c[k + 1]
  if order == 2: return 6.0 * c[k + 3] * s + 2.0 * c[k + 2]
  return 6.0 * c[k + 3]
)";

bool is_of_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Returns the text between the bracket at the front and its closing bracket; removes both brackets and the text.
std::string_view take_bracket(std::string_view& text) {
  std::size_t end = 1;
  for (int depth = 1; depth > 0; ++end) depth += text[end] == '[' ? 1 : text[end] == ']' ? -1 : 0;
  const std::string_view inside = text.substr(1, end - 2);
  text.remove_prefix(end);
  return inside;
}

bool opens_block(const Statement& statement) { return statement.kind <= Statement::Kind::kElse; }

}  // namespace

std::string ProgramPrinter::list_of(const std::vector<double>& values) const {
  std::string list;
  for (const double x : values) list.append(list.empty() ? "" : ", ").append(expr::CodePrinter::number(x, language_));
  return list;
}

std::string ProgramPrinter::list_of(const std::vector<int>& values) {
  return fmt::format("{}", fmt::join(values, ", "));
}

std::string ProgramPrinter::wrapped(std::string text, std::size_t indent) {
  for (std::size_t begin = 0; text.size() - begin > kLineLength;) {
    const std::size_t comma = text.rfind(", ", begin + kLineLength);
    if (comma == std::string::npos || comma <= begin + indent) break;
    text.replace(comma + 1, 1, "\n" + std::string(indent, ' '));
    begin = comma + 2;
  }
  return text;
}

std::string ProgramPrinter::indented(std::string_view lines, std::string_view indent) {
  std::string text;
  for (const char c : lines) {
    text += c;
    if (c == '\n') text += indent;
  }
  return text;
}

bool ProgramPrinter::has_name(const std::vector<Variable>& list, std::string_view name) {
  return std::ranges::find(list, name, &Variable::name) != list.end();
}

bool ProgramPrinter::holds_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_of_word(text[at - 1])) && (end == text.size() || !is_of_word(text[end]))) return true;
  }
  return false;
}

std::string ProgramPrinter::own_helper(std::string_view) const { return {}; }

std::string ProgramPrinter::element(std::string_view matrix, const std::string& row, const std::string& column) const {
  return fmt::format("{}[{}]{}", matrix, row, column.empty() ? "" : "[" + column + "]");
}

std::string ProgramPrinter::expression(std::string_view text) const {
  std::string result;
  while (!text.empty()) {
    const bool is_number = std::isdigit(static_cast<unsigned char>(text[0])) != 0;
    std::size_t length = 0;
    while (length < text.size() && (is_of_word(text[length]) || (is_number && text[length] == '.'))) ++length;
    const std::string_view word = text.substr(0, std::max<std::size_t>(length, 1));
    text.remove_prefix(word.size());
    const auto other = words().find(word);
    const std::string_view name = other != words().end() ? other->second : word;
    if (text.starts_with('[') && columns_.contains(word)) {
      const std::string row = expression(take_bracket(text));
      result += element(name, row, text.starts_with('[') ? expression(take_bracket(text)) : "");
    } else if (word == "not" && name == "!") {
      result += name;
      text.remove_prefix(1);
    } else if (word == "/" && text.starts_with('/') && has_braces()) {
      continue;  // integer division is `/` in C, so the second `/` is left out
    } else {
      result += name;
    }
  }
  return result;
}

std::string ProgramPrinter::right_side(const Statement& statement, std::size_t text_at) {
  if (!statement.value.is_valid()) return expression(statement.texts[text_at]);
  const auto known = names_->find(statement.value.node());
  const bool is_defined_here = statement.kind == Kind::kDefine;
  return known != names_->end() && !is_defined_here ? known->second : values_.print(statement.value, *names_);
}

const Function* ProgramPrinter::called(std::string_view name) const {
  const auto found = std::ranges::find(program_.functions, name, &Function::name);
  return found != program_.functions.end() ? &*found : nullptr;
}

std::string ProgramPrinter::body(const Function& function, int indent) {
  columns_.clear();
  names_ = &function.names;
  const auto know = [&](const Variable& variable) {
    if (!variable.columns.empty()) columns_[variable.name] = variable.columns;
  };
  for (const auto* list : {&function.inputs, &function.outputs}) std::ranges::for_each(*list, know);
  for (const Statement& one : function.body) std::ranges::for_each(one.variables, know);
  const auto spaces = [&](std::size_t depth) { return std::string(depth * static_cast<std::size_t>(indent), ' '); };
  const std::vector<Statement>& all = function.body;
  std::vector<bool> braced;  // for each open block: whether it has braces
  std::string text;
  const auto close_down_to = [&](std::size_t depth, bool goes_on) {
    bool is_joined = false;
    while (braced.size() >= depth) {
      const bool has_brace = braced.back();
      braced.pop_back();
      if (!has_brace) continue;
      is_joined = goes_on && braced.size() + 1 == depth;
      text += spaces(braced.size() + 1) + (is_joined ? "} " : "}\n");
    }
    return is_joined;
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto depth = static_cast<std::size_t>(all[i].depth);
    const bool is_joined = close_down_to(depth, all[i].kind == Kind::kElse);
    if (!is_joined) text += spaces(depth);
    const std::string remark = all[i].note.empty() ? "" : note(all[i].note);
    if (!opens_block(all[i])) {
      text += indented(line(all[i]), spaces(depth)) + remark + "\n";
      continue;
    }
    const bool is_short = has_braces() && !opens_block(all[i + 1]) && all[i + 1].note.empty() &&
                          (i + 2 == all.size() || all[i + 2].depth <= all[i].depth);
    text += block(all[i]);
    if (is_short) {
      text += " " + line(all[++i]) + remark + "\n";
    } else {
      text += (has_braces() ? " {" : "") + remark + "\n";
      braced.push_back(has_braces());
    }
  }
  close_down_to(1, false);
  return text;
}

std::string ProgramPrinter::text() {
  std::string functions;
  for (const Function& one : program_.functions) functions += function(one);
  std::string support;
  for (const Program::Numbers& one : program_.numbers) support += numbers(one);
  const auto tables = values_.tables();
  for (std::size_t k = 0; k < tables.size(); ++k) {
    const expr::Spline& spline = program_.graph->spline(tables[k]);
    const std::string name = fmt::format("table{}_", k + 1);
    support += numbers({name + "knots", {spline.knots().begin(), spline.knots().end()}, spline.name()});
    support += numbers({name + "coefficients", {spline.coefficients().begin(), spline.coefficients().end()}, {}});
  }
  for (const Function& one : read_functions(kHelpers)) {
    if (values_.helpers().contains(one.name)) support += function(one);
  }
  for (const std::string& name : values_.helpers()) support += own_helper(name);
  std::string result = head() + support + functions;
  while (result.ends_with("\n\n")) result.pop_back();
  return result;
}

}  // namespace vinculum::report
