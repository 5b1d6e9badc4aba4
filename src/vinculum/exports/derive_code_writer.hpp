#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "vinculum/exports/derive_report.hpp"
#include "vinculum/exports/program.hpp"
#include "vinculum/expr/sharing.hpp"

namespace vinculum::report {

/// Writes the functions of a program, from expressions of a derivation and from text in the notation of
/// `read_functions`.
class CodeWriter {
 public:
  explicit CodeWriter(const Derivation& derivation);

  [[nodiscard]] static std::vector<Variable> variables(const std::string& text);
  /// Arguments of a function of the state: t, q, u, z, p; and `acts` if some constraints have a `when` clause.
  [[nodiscard]] const std::vector<Variable>& state() const { return state_; }
  [[nodiscard]] std::vector<Variable> state_and(const std::string& more) const;
  /// As `state`, but without `acts`; for functions that compute `acts` themselves.
  [[nodiscard]] const std::vector<Variable>& bare_state() const { return bare_state_; }

  /// Assigns to each symbol of the model a name that is a valid identifier of the program. If the program itself
  /// already uses a name, `_` is appended to it.
  /// \param has_accelerations  whether u' and efforts are arguments of functions
  void name_symbols(bool has_accelerations);

  /// Adds a function without body; `write_body` writes the body.
  Function& add(const std::string& name, const std::string& about, std::vector<Variable> inputs,
                const std::string& outputs, bool is_public);
  /// Adds a public function of the state whose text is in the notation of `read_functions`. In `head`, NAME is replaced
  /// by the model's name and STATE by its state variables.
  void add_text(const std::string& head, const std::string& about, const std::string& body);

  static Statement assignment(std::string place, expr::Expr value);
  /// Assigns `values` to a matrix with `columns` columns, row by row; with 0 columns, to a vector.
  void assign(std::string_view array, const std::vector<expr::Expr>& values, std::size_t columns = 0);
  /// Adds an `if` statement with the given condition and assignments; the assignments are indented by 2 levels.
  void assign_if(const std::string& condition, std::vector<Statement> assignments);
  /// Writes the body of a function: definitions of used symbols, shared subexpressions, then the assignments.
  void write_body(Function& function);

  Program program;

 private:
  [[nodiscard]] expr::Shared share(const std::vector<expr::Expr>& roots) const;

  const equations::System& system_;
  std::string name_;
  std::vector<Variable> bare_state_, state_;
  std::vector<expr::Expr> acts_;  ///< symbols of Derivation::switched
  expr::Names symbols_;
  std::unordered_set<std::string> taken_;
  std::vector<Statement> assignments_;  ///< assignments of the function that is being written
};

}  // namespace vinculum::report
