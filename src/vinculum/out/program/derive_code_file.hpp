#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "vinculum/expr/code.hpp"
#include "vinculum/out/program/derive_report.hpp"

namespace vinculum::out {

/// A file of code with the equations of a derivation: what both languages share. A language says how functions are
/// written.
class CodeFile {
 public:
  CodeFile(const Derivation& derivation, expr::CodeLanguage language);
  virtual ~CodeFile() = default;

  [[nodiscard]] std::string text();

 protected:
  struct Assignment {
    std::string left;  // "M[3]"
    expr::Expr right;  // not valid: `text` instead
    std::string text = {};
  };

  [[nodiscard]] virtual std::string comment(const std::string& words) const = 0;  ///< the head of the file
  [[nodiscard]] virtual std::string constants() const = 0;                        ///< with what it includes
  [[nodiscard]] virtual std::string index_list(const std::string& name, const std::vector<int>& indices) const = 0;
  [[nodiscard]] virtual std::string place(const std::string& array, std::size_t row, std::size_t column,
                                          std::size_t columns) const = 0;
  [[nodiscard]] virtual std::string parameters() = 0;
  [[nodiscard]] virtual std::string equations() = 0;
  [[nodiscard]] virtual std::string masses() = 0;
  [[nodiscard]] virtual std::string state_rates() = 0;
  [[nodiscard]] virtual std::string velocity_rows() = 0;
  [[nodiscard]] virtual std::string dependent_speeds() const = 0;
  [[nodiscard]] virtual std::string accelerations() const = 0;

  [[nodiscard]] bool has_efforts() const { return !system_.directed.empty(); }
  [[nodiscard]] bool has_states() const { return !system_.z.empty(); }
  [[nodiscard]] bool has_dependent_speeds() const;
  [[nodiscard]] int effort_count() const;
  /// What every function of the state is given.
  [[nodiscard]] std::string handed() const { return has_states() ? "t, q, u, z, p" : "t, q, u, p"; }
  /// Choice of speeds, and of efforts: lists of indices.
  [[nodiscard]] std::string index_lists() const;
  /// Typical sizes of the efforts, separated by commas.
  [[nodiscard]] std::string effort_scales() const;
  [[nodiscard]] std::vector<Assignment> pieces() const;      ///< q', M, f, C, A, b, Gamma
  [[nodiscard]] std::vector<Assignment> pivot_rows() const;  ///< psi and A of them
  /// The body of a function: the symbols used, shared subexpressions, and the assignments.
  [[nodiscard]] std::string body(const std::vector<Assignment>& assignments);
  [[nodiscard]] std::vector<Assignment> masses_of_speeds() const;
  [[nodiscard]] std::vector<Assignment> rates_of_states() const;

  const Derivation& derivation_;
  const dynamics::System& system_;
  const mechanics::Model& model_;
  expr::CodeLanguage language_;
  std::string name_;

 private:
  [[nodiscard]] bool has_choices() const;
  [[nodiscard]] std::string unique(std::string name);
  [[nodiscard]] std::string header() const;

  expr::CodePrinter printer_;
  std::unordered_set<std::string> taken_;
  expr::Names names_;
};

}  // namespace vinculum::out
