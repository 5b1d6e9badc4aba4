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

/// A whole number as an expression.
[[nodiscard]] lang::ExpressionPtr make_number(std::int64_t value, diag::SourceRange range);

/// Implements `expand` (expand.hpp). The size of the result and the amount of work are bounded for any model text.
class Expander final : private lang::Rewriter {
 public:
  static constexpr std::int64_t kMostStatements =
      100'000;  ///< limit for the sum of loop steps, members of families and statements in the expansion
  static constexpr std::int64_t kMostNodes = 2'000'000;  ///< limit for nodes of expressions in the expansion
  static constexpr int kDeepestBlock = 200;              ///< limit for nested loops, choices, files and uses
  static constexpr std::uintmax_t kLargestFile = std::uintmax_t{16} << 20;

  Expander(const lang::ModelFile& file, diag::SourceText& source, const Options& options, Constants& constants,
           diag::Sink& sink);
  [[nodiscard]] lang::ModelFile run();

 private:
  struct Argument {
    lang::ExpressionPtr value;  ///< expanded value of the argument
    int height = 0;
    std::int64_t nodes = 0;
  };
  struct LoopVariable {
    std::string name;
    std::int64_t value = 0;
  };
  struct Component {
    const lang::ComponentStatement* statement = nullptr;
    std::size_t order = 0;  ///< position of its definition among the components of the file
    Declarations declarations;
    bool is_used = false;
  };
  /// The names that are visible at a place in the text: the names of the model, or those of one use of a component.
  struct Scope {
    std::string prefix;  ///< "" or "x."
    const Component* component = nullptr;
    const Declarations* declarations = nullptr;
    std::unordered_map<std::string, Argument> arguments = {};
    std::vector<LoopVariable> loops = {};
    bool in_height = false;  ///< of a ground, where x, y, z are its place
  };
  /// The meaning of a name in the text that has no indices and no owner.
  struct Meaning {
    std::string name;  ///< the expanded name, unless `argument` or `number` is set
    const Argument* argument = nullptr;
    std::optional<std::int64_t> number = {};  ///< value of a loop variable
  };
  struct Reference {
    std::string name;
    diag::SourceRange range;
    bool wants_index = false;  ///< a whole family is named where one of its members is needed
  };
  using Indices = std::vector<std::int64_t>;
  struct Function {
    const lang::LetStatement* statement = nullptr;
    Scope scope;  ///< of its definition
  };

  // expand.cpp
  void block(const std::vector<lang::Statement>& statements);
  void expand(const lang::Statement& statement);
  void plain(const lang::Statement& statement);
  void loop(const lang::ForStatement& node);
  void choose(const lang::IfStatement& node);
  /// Truth value of the condition of an `if`. Empty after an error; the error is reported unless its cause has been
  /// reported.
  std::optional<bool> truth_of(const lang::ExpressionPtr& written);
  void include(const lang::IncludeStatement& node);
  void define(const lang::ComponentStatement& node);
  void use(const lang::UseStatement& node, diag::SourceRange range);
  bool may_be_variable(const lang::Name& name);
  /// Reads a function, `let f(x) = EXPR`; it leaves no statement in the result.
  void define(const lang::LetStatement& node);
  Component* component_for(const lang::UseStatement& node);
  /// Reports mistakes in components that are never used, as far as they can be found there.
  void check_unused();
  const lang::ModelFile* included(const std::filesystem::path& file, const lang::IncludeStatement& node);
  /// Records the names that these statements, left out after an error, would declare, so that uses of them are not
  /// reported.
  void forgive(const std::vector<lang::Statement>& statements, diag::SourceRange at);
  void forgive(std::string name, diag::SourceRange at = {}) { result_.names_at_fault.push_back({std::move(name), at}); }
  /// Counts work; if the limit is exceeded, reports it, stops the expansion and returns false.
  bool count(std::int64_t more, diag::SourceRange range);
  void stop(diag::Kind kind, diag::SourceRange range, std::string message, std::string hint = {});

  // expand_names.cpp
  void expression(lang::ExpressionPtr& place) override { write_out(place, false); }
  void declared(lang::Name& name) override;
  void surface(lang::JointSurface& surface) override;
  void used(lang::Name& name) override { name = {name_of(name, false), name.range}; }
  /// \param may_be_family  whether a whole family is allowed here, for example as an operand or an argument.
  void write_out(lang::ExpressionPtr& place, bool may_be_family);
  lang::ExpressionPtr written_out(const lang::ExpressionPtr& written, bool may_be_family = false);
  lang::ExpressionPtr reference(const std::string& name, diag::SourceRange range, bool may_be_family);
  void index_of(lang::ExpressionPtr& place);
  void member_of(lang::ExpressionPtr& place, bool may_be_family);
  lang::ExpressionPtr substitute(const Argument& argument, diag::SourceRange range);
  /// Writes out the function of a call if it is one of the model text.
  void call_of(lang::ExpressionPtr& place);
  /// Records the use of a name that has indices or belongs to a component; `check_references` checks it later.
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
  /// All tuples of indices in a declaration such as `q[1..3, 1..2]`; empty after an error, which has been reported.
  std::optional<std::vector<Indices>> all_indices(const std::vector<lang::ExpressionPtr>& written,
                                                  diag::SourceRange at);
  /// The names of all members of a family, declared by one name such as `coord q[1..3]`.
  std::vector<lang::Name> family(const lang::Name& name);
  std::vector<lang::Name> family(const lang::Name& name, const std::vector<Indices>& members);
  /// One expanded expression per member of a family: the entries of a list, or the same expression for all members if
  /// it is not a list. Empty expressions if the list is empty.
  /// \pre the family has members
  std::vector<lang::ExpressionPtr> values_of(const lang::ExpressionPtr& written, diag::SourceRange family,
                                             const std::vector<Indices>& members);
  /// Keeps only the clauses of those branches whose conditions are true. \returns false after an error, which is
  /// reported unless its cause has been reported.
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
  std::map<std::string, Function> functions_;                      ///< functions defined so far, by their full names
  std::unordered_map<std::string, const Declarations*> uses_;      ///< declarations of each use, by its full name
  std::unordered_set<std::string> declared_;                       ///< full names declared so far
  std::unordered_map<std::string, std::vector<Indices>> members_;  ///< members of each family, by its full name
  std::unordered_set<std::string> at_fault_;  ///< base names of declarations that were left out after errors
  std::vector<Reference> references_;
  std::unordered_set<std::string> referenced_;
  std::map<std::filesystem::path, lang::ModelFile> files_;  ///< files included so far
  std::vector<std::filesystem::path> including_;            ///< files being included now
  std::vector<diag::SourceRange> uses_in_work_;  ///< `use` statements that are being expanded, outermost first

  std::int64_t statements_ = 0, nodes_ = 0;
  int written_out_ = 0;  ///< number of loops and uses that enclose the current statement
  int blocks_ = 0, height_ = 0;
  bool is_stopped_ = false;
};

}  // namespace vinculum::elaborate
