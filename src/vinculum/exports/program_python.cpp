#include <fmt/format.h>

#include "vinculum/exports/program_printer.hpp"

namespace vinculum::report {
namespace {

class PythonPrinter : public ProgramPrinter {
 public:
  explicit PythonPrinter(const Program& program) : ProgramPrinter(program, expr::CodeLanguage::kPython) {}

 private:
  [[nodiscard]] bool has_braces() const override { return false; }
  [[nodiscard]] const Words& words() const override {
    static const Words kWords = {{"sqrt", "math.sqrt"}, {"floor", "math.floor"}, {"NAN", "math.nan"},
                                 {"true", "True"},      {"false", "False"},      {"lambda", "lambdas"}};
    return kWords;
  }
  [[nodiscard]] std::string note(std::string_view words) const override { return fmt::format("  # {}", words); }

  [[nodiscard]] std::string own_helper(std::string_view name) const override {
    if (name == "floor_of") return "def floor_of(x):\n    return float(math.floor(x)) if math.isfinite(x) else x\n\n\n";
    if (name == "divided") {
      return R"(def divided(a, b):
    """a/b; infinite or nan where b is 0"""
    if b != 0.0:
        return a / b
    return math.nan if a == 0.0 or a != a else math.copysign(math.inf, a) * math.copysign(1.0, b)


)";
    }
    if (name != "guarded") return {};
    return R"(def guarded(function, *x):
    """function(*x), nan where Python raises: a branch that is not taken must not stop the rest"""
    try:
        return function(*x)
    except (ValueError, OverflowError):
        return math.nan


)";
  }

  [[nodiscard]] std::string head() const override {
    std::string safe;
    for (const char c : program_.about + " Matrices are lists of rows.\n\n" + program_.contents) {
      if (c == '\\' || c == '"') safe += '\\';
      safe += c;
    }
    std::string text = "\"\"\"" + safe + "\"\"\"\n\nimport math\n\n";
    std::string names, values;
    for (const Program::Size& size : program_.sizes) {
      names += (names.empty() ? "" : ", ") + size.name;
      values += fmt::format("{}{}", values.empty() ? "" : ", ", size.value);
    }
    text += names + " = " + values + "\n";
    for (const Program::Indices& one : program_.indices)
      text += fmt::format("{} = [{}]\n", one.name, list_of(one.values));
    return text + "\n\n";
  }

  [[nodiscard]] std::string numbers(const Program::Numbers& numbers) const override {
    return (numbers.about.empty() ? "" : "# " + numbers.about + "\n") +
           wrapped(fmt::format("{} = [{}]\n\n\n", numbers.name, list_of(numbers.values)), 4);
  }

  [[nodiscard]] static std::string zeros(const Variable& variable) {
    const char* const zero = variable.is_whole ? "0" : "0.0";
    const auto times = [](const std::string& count) {
      return count.find(' ') == std::string::npos ? count : "(" + count + ")";
    };
    if (variable.columns.empty()) return fmt::format("[{}] * {}", zero, times(variable.rows));
    return fmt::format("[[{}] * {} for _ in range({})]", zero, times(variable.columns), variable.rows);
  }

  [[nodiscard]] std::string block(const Statement& statement) const override {
    const auto part = [&](std::size_t k) { return expression(statement.texts[k]); };
    const std::string range = statement.kind > Kind::kDown ? "" : part(1) == "0" ? part(2) : part(1) + ", " + part(2);
    switch (statement.kind) {
      case Kind::kFor: return fmt::format("for {} in range({}):", part(0), range);
      case Kind::kDown: return fmt::format("for {} in reversed(range({})):", part(0), range);
      case Kind::kWhile: return fmt::format("while {}:", part(0));
      case Kind::kIf: return fmt::format("if {}:", part(0));
      default: return "else:";
    }
  }

  [[nodiscard]] std::string names_of(const std::vector<Variable>& variables) const {
    std::string names;
    for (const Variable& one : variables) names += (names.empty() ? "" : ", ") + expression(one.name);
    return names;
  }

  [[nodiscard]] std::string line(const Statement& statement) override {
    const auto part = [&](std::size_t k) { return expression(statement.texts[k]); };
    switch (statement.kind) {
      case Kind::kFail: return fmt::format("raise ArithmeticError(\"{}\")", kFailures[statement.texts[0][0] - '0']);
      case Kind::kArrays: {
        std::string text;
        for (const Variable& one : statement.variables)
          text += fmt::format("{}{} = {}", text.empty() ? "" : "\n", one.name, zeros(one));
        return text;
      }
      case Kind::kCall:
        return fmt::format("{}{}{}({})", names_of(statement.variables), statement.variables.empty() ? "" : " = ",
                           statement.texts[0], part(1));
      case Kind::kExchange: return fmt::format("{0}, {1} = {1}, {0}", part(0), part(1));
      case Kind::kDefine: return fmt::format("{} = {}", part(0), right_side(statement, 1));
      case Kind::kAssign: return fmt::format("{} {} {}", part(0), statement.texts[1], right_side(statement, 2));
      default: return part(0);
    }
  }

  [[nodiscard]] std::string function(const Function& function) override {
    const std::string written = body(function, 4);
    std::string text = wrapped(fmt::format("def {}({}):", function.name, names_of(function.inputs)), 8) + "\n";
    if (!function.about.empty()) {
      const std::string_view about = std::string_view(function.about).substr(0, function.about.size() - 1);
      text += "    \"\"\"" + indented(about, "    ") + "\"\"\"\n";
    }
    for (const Variable& one : function.outputs) {
      const std::string name = expression(one.name);
      text +=
          fmt::format("    {} = {}\n", name, has_name(function.inputs, one.name) ? "list(" + name + ")" : zeros(one));
    }
    text += written;
    if (!function.outputs.empty()) text += fmt::format("    return {}\n", names_of(function.outputs));
    return text + "\n\n";
  }
};

}  // namespace

std::string to_python(const Program& program) { return PythonPrinter(program).text(); }

}  // namespace vinculum::report
