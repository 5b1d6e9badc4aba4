#pragma once

#include <map>
#include <string>
#include <string_view>

#include "vinculum/exports/program.hpp"

namespace vinculum::report {

/// Base class of the printers for C and Python. It traverses functions, statements and expressions; a derived class
/// writes them in its language.
class ProgramPrinter {
 public:
  ProgramPrinter(const Program& program, expr::CodeLanguage language)
      : program_(program), language_(language), values_(*program.graph, language, program.is_guarded) {}
  virtual ~ProgramPrinter() = default;

  [[nodiscard]] std::string text();

 protected:
  using Words = std::map<std::string_view, std::string_view>;
  using Kind = Statement::Kind;

  [[nodiscard]] virtual std::string head() const = 0;  ///< comment of the file, includes or imports, sizes and indices
  [[nodiscard]] virtual std::string numbers(const Program::Numbers& numbers) const = 0;
  [[nodiscard]] virtual std::string function(const Function& function) = 0;
  [[nodiscard]] virtual std::string block(const Statement& statement) const = 0;  ///< head of a block: "if x:"
  [[nodiscard]] virtual std::string line(const Statement& statement) = 0;         ///< a statement that opens no block
  [[nodiscard]] virtual std::string note(std::string_view words) const = 0;       ///< a comment at the end of a line
  [[nodiscard]] virtual const Words& words() const = 0;  ///< words of the notation that differ in the target language
  /// Returns, as source text, a helper function that only this language needs.
  [[nodiscard]] virtual std::string own_helper(std::string_view name) const;
  [[nodiscard]] virtual bool has_braces() const = 0;

  /// Translates an expression of the notation into the language.
  [[nodiscard]] std::string expression(std::string_view text) const;
  /// Writes an element of a matrix, or its row if `column` is empty. By default written as in the notation.
  [[nodiscard]] virtual std::string element(std::string_view matrix, const std::string& row,
                                            const std::string& column) const;
  /// Returns the right side of a statement: its `value`; if that is not valid, the text with index `text_at`.
  [[nodiscard]] std::string right_side(const Statement& statement, std::size_t text_at);
  [[nodiscard]] std::string body(const Function& function, int indent);
  [[nodiscard]] const Function* called(std::string_view name) const;

  /// Writes a list of numbers, separated by commas.
  [[nodiscard]] std::string list_of(const std::vector<double>& values) const;
  [[nodiscard]] static std::string list_of(const std::vector<int>& values);
  /// Breaks long text after commas; continuation lines are indented by `indent`.
  [[nodiscard]] static std::string wrapped(std::string text, std::size_t indent);
  /// Inserts `indent` before each line except the first.
  [[nodiscard]] static std::string indented(std::string_view lines, std::string_view indent);
  [[nodiscard]] static bool has_name(const std::vector<Variable>& list, std::string_view name);
  [[nodiscard]] static bool holds_word(std::string_view text, std::string_view word);

  const Program& program_;
  expr::CodeLanguage language_;
  /// number of columns of each matrix of the current function
  std::map<std::string, std::string, std::less<>> columns_;

 private:
  const expr::Names* names_ = nullptr;  // names in the current function
  expr::CodePrinter values_;
};

}  // namespace vinculum::report
