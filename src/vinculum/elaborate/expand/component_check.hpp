#pragma once

#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "vinculum/elaborate/check/report.hpp"
#include "vinculum/elaborate/expand/declarations.hpp"
#include "vinculum/lang/walk.hpp"

namespace vinculum::elaborate {

/// Looks up the names in a component's body: nothing is seen there but what the body declares, its arguments and its
/// loop variables. What they mean is judged where the component is used; of one that no statement uses, functions and
/// units are looked up too, so that its misspellings show.
class ComponentCheck final : public lang::Walker {
 public:
  /// \param of_model  names of the model, for the hint that one of them is to be passed.
  /// \param at_fault  names that text left out for a mistake may declare.
  ComponentCheck(const lang::ComponentStatement& component, const Declarations& own, const Declarations& of_model,
                 const std::unordered_set<std::string>& at_fault, Reporter& reporter)
      : component_(component), own_(own), of_model_(of_model), at_fault_(at_fault), reporter_(reporter) {}

  void look_up_names();
  void look_up_functions_and_units();

 private:
  void expression(const lang::ExpressionPtr& place) override;
  void statement(const lang::Statement& statement) override;
  void declared(const lang::Name& name) override { indices(name); }
  void used(const lang::Name& name) override;
  void unit(const lang::Unit& unit) override;
  void name(const std::string& text, diag::SourceRange range);
  void indices(const lang::Name& name);
  void function(const lang::Name& name);

  const lang::ComponentStatement& component_;
  const Declarations& own_;
  const Declarations& of_model_;
  const std::unordered_set<std::string>& at_fault_;
  Reporter& reporter_;
  bool looks_up_names_ = true;
  std::vector<std::string> loops_;
  std::set<std::string> reported_;
};

}  // namespace vinculum::elaborate
