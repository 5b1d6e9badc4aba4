#include <fmt/format.h>

#include <algorithm>

#include "vinculum/exports/program_printer.hpp"

namespace vinculum::report {
namespace {

class CPrinter : public ProgramPrinter {
 public:
  explicit CPrinter(const Program& program) : ProgramPrinter(program, expr::CodeLanguage::kC) {}

 private:
  [[nodiscard]] bool has_braces() const override { return true; }
  [[nodiscard]] const Words& words() const override {
    static const Words kWords = {{"abs", "fabs"}, {"max", "fmax"}, {"true", "1"}, {"false", "0"},
                                 {"and", "&&"},   {"or", "||"},    {"not", "!"}};
    return kWords;
  }
  [[nodiscard]] std::string note(std::string_view words) const override { return fmt::format(" /* {} */", words); }

  [[nodiscard]] std::string head() const override {
    std::string safe = program_.about + " Matrices are stored row by row.\n\n" + program_.contents;
    // The text may contain "*/", which would end the comment.
    for (std::size_t at = safe.find("*/"); at != std::string::npos; at = safe.find("*/", at))
      safe.replace(at, 2, "* /");
    std::string text = "/*\n" + safe + "*/\n#include <math.h>\n\n#define SIZE(n) ((n) > 0 ? (n) : 1)\nenum { ";
    for (const Program::Size& size : program_.sizes)
      text += fmt::format("{}{} = {}", text.ends_with("{ ") ? "" : ", ", size.name, size.value);
    text += " };\n";
    for (const Program::Indices& one : program_.indices) {
      text += fmt::format("static const int {}[SIZE({})] = {{{}}};\n", one.name, one.values.size(),
                          one.values.empty() ? "0" : list_of(one.values));
    }
    return text + "\n";
  }

  [[nodiscard]] std::string numbers(const Program::Numbers& numbers) const override {
    return (numbers.about.empty() ? "" : "/* " + numbers.about + " */\n") +
           wrapped(fmt::format("static const double {}[{}] = {{{}}};\n\n", numbers.name, numbers.values.size(),
                               list_of(numbers.values)),
                   4);
  }

  // Writes the declaration of an array, for example "K[SIZE(n * m)]".
  [[nodiscard]] static std::string sized(const Variable& variable) {
    if (variable.columns.empty()) return fmt::format("{}[SIZE({})]", variable.name, variable.rows);
    return fmt::format("{}[SIZE({} * {})]", variable.name, factor(variable.rows), factor(variable.columns));
  }
  [[nodiscard]] static std::string factor(const std::string& text) {
    return text.find(' ') == std::string::npos ? text : "(" + text + ")";
  }
  [[nodiscard]] static std::string new_arrays(const std::vector<Variable>& variables) {
    std::string text;
    for (const Variable& one : variables) {
      if (one.rows.empty()) continue;
      text += (text.empty() ? one.is_whole ? "int " : "double " : ", ") + sized(one) + " = {0}";
    }
    return text.empty() ? "" : wrapped(text + ";", 4);
  }
  [[nodiscard]] static std::string argument(const Variable& variable, bool is_changed) {
    const char* const type = variable.is_whole ? "int" : "double";
    if (variable.rows.empty()) return fmt::format("{} {}", type, variable.name);
    return fmt::format("{}{} *{}", is_changed ? "" : "const ", type, variable.name);
  }

  [[nodiscard]] std::string element(std::string_view matrix, const std::string& row,
                                    const std::string& column) const override {
    const std::string& columns = columns_.find(matrix)->second;
    if (column.empty()) return fmt::format("{} + {} * {}", matrix, factor(row), factor(columns));
    const auto is_digits = [](const std::string& text) { return text.find_first_not_of("0123456789") == text.npos; };
    const auto size = std::ranges::find(program_.sizes, columns, &Program::Size::name);
    if (is_digits(row) && is_digits(column) && size != program_.sizes.end())
      return fmt::format("{}[{}]", matrix, std::stoul(row) * size->value + std::stoul(column));
    return columns == "1" ? fmt::format("{}[{}]", matrix, row)
                          : fmt::format("{}[{} * {} + {}]", matrix, factor(row), factor(columns), column);
  }

  [[nodiscard]] std::string block(const Statement& statement) const override {
    const auto part = [&](std::size_t k) { return expression(statement.texts[k]); };
    switch (statement.kind) {
      case Kind::kFor: return fmt::format("for (int {0} = {1}; {0} < {2}; ++{0})", part(0), part(1), part(2));
      case Kind::kDown: return fmt::format("for (int {0} = {2} - 1; {0} >= {1}; --{0})", part(0), part(1), part(2));
      case Kind::kWhile: return fmt::format("while ({})", part(0));
      case Kind::kIf: return fmt::format("if ({})", part(0));
      default: return "else";
    }
  }

  [[nodiscard]] std::string call(const Statement& statement) const {
    std::string arguments = expression(statement.texts[1]);
    for (const Variable& one : statement.variables)
      arguments.append(arguments.empty() ? "" : ", ").append(expression(one.name));
    std::string arrays = new_arrays(statement.variables);
    if (!arrays.empty()) arrays += "\n";
    const std::string text = fmt::format("{}({})", statement.texts[0], arguments);
    const Function* function = called(statement.texts[0]);
    const bool may_fail = function != nullptr && function->answer == Function::Answer::kStatus;
    return arrays +
           (may_fail ? fmt::format("{{ const int failure = {}; if (failure) return failure; }}", text) : text + ";");
  }

  [[nodiscard]] std::string line(const Statement& statement) override {
    const auto part = [&](std::size_t k) { return expression(statement.texts[k]); };
    switch (statement.kind) {
      case Kind::kFail: return fmt::format("return {};", statement.texts[0]);
      case Kind::kArrays: return new_arrays(statement.variables);
      case Kind::kCall: return call(statement);
      case Kind::kExchange:
        return fmt::format("{{ const double other = {0}; {0} = {1}; {1} = other; }}", part(0), part(1));
      case Kind::kDefine: {
        const std::string type = statement.type == "real" ? "double" : statement.type == "int" ? "int" : "const double";
        return fmt::format("{} {} = {};", type, statement.texts[0], right_side(statement, 1));
      }
      case Kind::kAssign: return fmt::format("{} {} {};", part(0), statement.texts[1], right_side(statement, 2));
      default: return part(0) + ";";
    }
  }

  [[nodiscard]] std::string comment(const Function& function) const {
    std::string about = function.about;
    if (function.is_public && function.answer == Function::Answer::kStatus) {
      about += "Returns 0";
      for (std::size_t k = 1; k < std::size(kFailures); ++k)
        about += fmt::format("{} {} where {}", k == 1 ? ";" : ",", k, kFailures[k]);
      about += ".\n";
    }
    if (about.empty()) return about;
    about = wrapped(about, 0);
    about.pop_back();
    return "/* " + indented(about, "   ") + " */\n";
  }

  [[nodiscard]] std::string function(const Function& function) override {
    const std::string written = body(function, 2);
    std::string arguments, unused;
    const auto add = [&](const Variable& one, bool is_changed) {
      arguments += (arguments.empty() ? "" : ", ") + argument(one, is_changed);
      if (!holds_word(written, one.name)) unused += fmt::format("{}(void){};", unused.empty() ? "" : " ", one.name);
    };
    for (const Variable& one : function.inputs) add(one, one.is_changed || has_name(function.outputs, one.name));
    for (const Variable& one : function.outputs) {
      if (!has_name(function.inputs, one.name)) add(one, true);
    }
    constexpr const char* kTypes[] = {"void", "int", "int", "double"};
    const std::string head = fmt::format("{}{} {}({}) {{", function.is_public ? "" : "static ",
                                         kTypes[static_cast<int>(function.answer)], function.name, arguments);
    return comment(function) + wrapped(head, 4) + "\n" + (unused.empty() ? "" : "  " + unused + "\n") + written +
           (function.answer == Function::Answer::kStatus ? "  return 0;\n}\n\n" : "}\n\n");
  }
};

}  // namespace

std::string to_c(const Program& program) { return CPrinter(program).text(); }

}  // namespace vinculum::report
