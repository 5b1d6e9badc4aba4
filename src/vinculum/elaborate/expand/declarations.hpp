#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

/// Names declared by statements. Names in loops and in both branches of choices are included; names in components are
/// not.
struct Declarations {
  std::unordered_set<std::string> plain;     ///< without indices
  std::unordered_set<std::string> families;  ///< with indices, `q` of `coord q[1..3]`
  std::unordered_set<std::string> uses;      ///< names of either kind that come from `use` statements

  [[nodiscard]] bool has(const std::string& name) const { return plain.contains(name) || families.contains(name); }
  void add(const std::vector<lang::Statement>& statements);
};

}  // namespace vinculum::elaborate
