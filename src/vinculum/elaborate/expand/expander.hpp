#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "vinculum/elaborate/check/options.hpp"
#include "vinculum/elaborate/check/report.hpp"
#include "vinculum/elaborate/expand/constants.hpp"
#include "vinculum/elaborate/expand/declarations.hpp"
#include "vinculum/lang/walk.hpp"

namespace vinculum::elaborate {

/// Implements `expand` (expand.hpp). For any model text the size of the result and the work are bounded.
class Expander final : private lang::Rewriter {
 public:
  static constexpr std::int64_t kMostStatements =
      100'000;  ///< limit for steps, names of families and statements in the expansion
  static constexpr std::int64_t kMostNodes = 2'000'000;  ///< limit for nodes of expressions in the expansion
  static constexpr int kDeepestBlock = 200;              ///< limit for nested loops, choices, files and uses
  static constexpr std::uintmax_t kLargestFile = std::uintmax_t{16} << 20;

  Expander(const lang::ModelFile& file, diag::SourceText& source, const Options& options, Constants& constants,
           diag::Sink& sink);
  [[nodiscard]] lang::ModelFile run();

 private:
  struct Argument {
    lang::ExpressionPtr value;  ///< already expanded
    int height = 0;
    std::int64_t nodes = 0;
  };
  struct LoopVariable {
    std::string name;
    std::int64_t value = 0;
  };
  struct Component {
    const lang::ComponentStatement* statement = nullptr;
    std::size_t order = 0;  ///< position of its definition among all components
    Declarations declarations;
    bool is_used = false;
  };
  /// The names visible at a place: the names of the model, or of one use of a component.
  struct Scope {
    std::string prefix;  ///< "" or "x."
    const Component* component = nullptr;
    const Declarations* declarations = nullptr;
    std::unordered_map<std::string, Argument> arguments = {};
    std::vector<LoopVariable> loops = {};
  };
  /// The meaning of a single name in the text.
  struct Meaning {
    std::string name;  ///< used unless one of the following is set
    const Argument* argument = nullptr;
    std::optional<std::int64_t> number = {};  ///< value of a loop variable
  };
  struct Reference {
    std::string name;
    diag::SourceRange range;
    bool wants_index = false;  ///< a whole family is named where one member is needed
  };
  using Indices = std::vector<std::int64_t>;

  // expand.cpp
  void block(const std::vector<lang::Statement>& statements);
  void expand(const lang::Statement& statement);
  void plain(const lang::Statement& statement);
  void loop(const lang::ForStatement& node);
  void choose(const lang::IfStatement& node);
  /// Truth of the condition of an `if`; empty after an error, which is reported unless its cause has been reported.
  std::optional<bool> truth_of(const lang::ExpressionPtr& written);
  void include(const lang::IncludeStatement& node);
  void define(const lang::ComponentStatement& node);
  void use(const lang::UseStatement& node, diag::SourceRange range);
  bool may_be_variable(const lang::Name& name);
  Component* component_for(const lang::UseStatement& node);
  /// Reports mistakes in unused components, as far as they can be found there.
  void check_unused();
  const lang::ModelFile* included(const std::filesystem::path& file, const lang::IncludeStatement& node);
  /// Records the names of statements left out after an error, so that their uses are not reported.
  void forgive(const std::vector<lang::Statement>& statements, diag::SourceRange at);
  void forgive(std::string name, diag::SourceRange at = {}) { result_.names_at_fault.push_back({std::move(name), at}); }
  /// Counts work; returns false and stops the expansion if there is too much.
  bool count(std::int64_t more, diag::SourceRange range);
  void stop(diag::Kind kind, diag::SourceRange range, std::string message, std::string hint = {});
  /// The innermost and the outermost of the current `use` statements.
  [[nodiscard]] std::vector<diag::SourceRange> written_out_by() const;

  // expand_names.cpp
  void expression(lang::ExpressionPtr& place) override { write_out(place, false); }
  void declared(lang::Name& name) override;
  void used(lang::Name& name) override { name = {name_of(name, false), name.range}; }
  static lang::ExpressionPtr number(std::int64_t value, diag::SourceRange range);
  /// \param may_be_family  whether a whole family is allowed here, as in an operand or an argument.
  void write_out(lang::ExpressionPtr& place, bool may_be_family);
  lang::ExpressionPtr written_out(const lang::ExpressionPtr& written, bool may_be_family = false);
  lang::ExpressionPtr reference(const std::string& name, diag::SourceRange range, bool may_be_family);
  void index_of(lang::ExpressionPtr& place);
  void member_of(lang::ExpressionPtr& place, bool may_be_family);
  lang::ExpressionPtr substitute(const Argument& argument, diag::SourceRange range);
  void fold(lang::ExpressionPtr& index);
  /// Records a used name that has indices or belongs to a component.
  void note(const std::string& name, diag::SourceRange range, bool may_be_family = false);
  Meaning meaning_of(const std::string& name);
  std::string name_of(const lang::Name& name, bool is_owner);
  std::string declare(const lang::Name& name, const std::optional<Indices>& indices);
  std::optional<Indices> indices_of(const std::vector<lang::ExpressionPtr>& written);
  std::optional<std::int64_t> index(const lang::ExpressionPtr& written);
  std::optional<std::int64_t> whole(const lang::ExpressionPtr& written, std::string_view what);
  bool uses_parameters_only(const lang::Expression& expression, std::string_view what);
  [[nodiscard]] bool is_family(const std::string& name) const;
  [[nodiscard]] bool is_use(const std::string& name) const;
  [[nodiscard]] const Declarations* declarations_of(const std::string& prefix) const;
  [[nodiscard]] bool is_at_fault(const std::string& name) const;
  void check_references();

  // expand_families.cpp
  void parameters(lang::ParamStatement& params);
  void coordinates(lang::CoordStatement& coords);
  void starts(lang::StartStatement& starts);
  /// All index tuples that indices with ranges represent; empty after an error, which has been reported.
  std::optional<std::vector<Indices>> all_indices(const std::vector<lang::ExpressionPtr>& written,
                                                  diag::SourceRange at);
  /// The names that one name declares, such as `coord q[1..3]`.
  std::vector<lang::Name> family(const lang::Name& name);
  std::vector<lang::Name> family(const lang::Name& name, const std::vector<Indices>& members);
  /// One expanded expression per member: the entries of a list, otherwise the same expression for all; null if the list
  /// is empty.
  /// \pre there are members
  std::vector<lang::ExpressionPtr> values_of(const lang::ExpressionPtr& written, diag::SourceRange family,
                                             const std::vector<Indices>& members);
  /// Keeps only the clauses of the branches taken. \returns false after an error, which is reported unless its cause
  /// has been reported.
  bool choose(std::vector<lang::Clause>& clauses);

  const lang::ModelFile& file_;
  diag::SourceText& source_;
  const Options& options_;
  diag::Sink& sink_;
  Reporter reporter_;
  Constants& constants_;
  lang::ModelFile result_;
  std::vector<lang::Statement> sources_;  ///< `source` statements of included files
  std::filesystem::path main_file_;

  Scope* scope_ = nullptr;
  Declarations main_;
  std::map<std::string, Component> components_;
  std::unordered_set<std::string> later_components_;               ///< components that the file defines anywhere
  std::unordered_map<std::string, const Declarations*> uses_;      ///< by full name
  std::unordered_set<std::string> declared_;                       ///< full names declared so far
  std::unordered_map<std::string, std::vector<Indices>> members_;  ///< members of each family, by its full name
  std::unordered_set<std::string> at_fault_;                       ///< base names of declarations that were left out
  std::vector<Reference> references_;
  std::unordered_set<std::string> referenced_;
  std::map<std::filesystem::path, lang::ModelFile> files_;  ///< files included so far
  std::vector<std::filesystem::path> including_;            ///< files being included now
  std::vector<diag::SourceRange> uses_in_work_;             ///< current `use` statements, outermost first

  std::int64_t statements_ = 0, nodes_ = 0;
  int written_out_ = 0;  ///< number of loops and uses around the current statement
  int blocks_ = 0, height_ = 0;
  bool is_stopped_ = false;
};

}  // namespace vinculum::elaborate
