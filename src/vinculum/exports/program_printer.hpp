#pragma once

#include <map>
#include <string>
#include <string_view>

#include "vinculum/exports/program.hpp"

namespace vinculum::report {

/// What the printers of a program share: the walk over functions, statements and expressions. A language says how each
/// of them is written.
class ProgramPrinter {
 public:
  ProgramPrinter(const Program& program, expr::CodeLanguage language)
      : program_(program), language_(language), values_(*program.graph, language, program.is_guarded) {}
  virtual ~ProgramPrinter() = default;

  [[nodiscard]] std::string text();

 protected:
  using Words = std::map<std::string_view, std::string_view>;
  using Kind = Statement::Kind;

  [[nodiscard]] virtual std::string head() const = 0;  ///< the file's comment, what it includes, sizes and indices
  [[nodiscard]] virtual std::string numbers(const Program::Numbers& numbers) const = 0;
  [[nodiscard]] virtual std::string function(const Function& function) = 0;
  [[nodiscard]] virtual std::string block(const Statement& statement) const = 0;  ///< "if x:"
  [[nodiscard]] virtual std::string line(const Statement& statement) = 0;         ///< of one that opens no block
  [[nodiscard]] virtual std::string note(std::string_view words) const = 0;       ///< a comment at the end of a line
  [[nodiscard]] virtual const Words& words() const = 0;                           ///< of the notation that differ
  /// Helpers that only this language needs, in it.
  [[nodiscard]] virtual std::string own_helper(std::string_view name) const;
  [[nodiscard]] virtual bool has_braces() const = 0;

  /// An expression of the notation, in the language.
  [[nodiscard]] std::string expression(std::string_view text) const;
  /// An element of a matrix, or its row where `column` is empty; by default what the notation says.
  [[nodiscard]] virtual std::string element(std::string_view matrix, const std::string& row,
                                            const std::string& column) const;
  /// The right side of a statement whose text is at `text_at`.
  [[nodiscard]] std::string right_side(const Statement& statement, std::size_t text_at);
  [[nodiscard]] std::string body(const Function& function, int indent);
  [[nodiscard]] const Function* called(std::string_view name) const;

  /// Numbers separated by commas.
  [[nodiscard]] std::string list_of(const std::vector<double>& values) const;
  [[nodiscard]] static std::string list_of(const std::vector<int>& values);
  /// Broken after commas where it is longer than a line; what follows is indented by `indent`.
  [[nodiscard]] static std::string wrapped(std::string text, std::size_t indent);
  /// Each line but the first behind `indent`.
  [[nodiscard]] static std::string indented(std::string_view lines, std::string_view indent);
  [[nodiscard]] static bool has_name(const std::vector<Variable>& list, std::string_view name);
  [[nodiscard]] static bool holds_word(std::string_view text, std::string_view word);

  const Program& program_;
  expr::CodeLanguage language_;
  std::map<std::string, std::string, std::less<>> columns_;  ///< of the matrices of the function at hand

 private:
  const expr::Names* names_ = nullptr;  // of the function at hand
  expr::CodePrinter values_;
};

}  // namespace vinculum::report
