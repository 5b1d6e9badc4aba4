#pragma once

#include <set>
#include <string>
#include <unordered_set>
#include <vector>

#include "vinculum/elaborate/check/report.hpp"
#include "vinculum/elaborate/expand/declarations.hpp"
#include "vinculum/lang/walk.hpp"

namespace vinculum::elaborate {

/// Checks the names in the body of a component: only the component's own declarations, arguments and loop variables are
/// visible there. Kinds and dimensions are checked where the component is used. For a component that is never used,
/// functions and units are checked too, so that misspellings are found.
class ComponentCheck final : public lang::Walker {
 public:
  /// \param of_model  names of the model; a hint suggests to pass one of them as an argument.
  /// \param at_fault  names that faulty, left-out text may declare.
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
  void surface(const lang::JointSurface& surface) override;
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
  bool in_height_ = false;          ///< of a ground, where x, y, z are its place
  std::vector<std::string> loops_;  ///< variables of the loops, and arguments of the function, around the current place
  std::set<std::string> reported_;
};

}  // namespace vinculum::elaborate
