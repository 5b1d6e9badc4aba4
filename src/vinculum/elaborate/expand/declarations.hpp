#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

/// Names that statements declare. Names in loops and in both branches of choices are included. Names in the bodies of
/// components are not.
struct Declarations {
  std::unordered_set<std::string> plain;      ///< names without indices
  std::unordered_set<std::string> families;   ///< names with indices, such as `q` of `coord q[1..3]`
  std::unordered_set<std::string> uses;       ///< the names `x` of `use … as x`, with or without indices
  std::unordered_set<std::string> functions;  ///< the names `f` of `let f(x) = …`
  std::unordered_set<std::string> components;

  [[nodiscard]] bool has(const std::string& name) const { return plain.contains(name) || families.contains(name); }
  void add(const std::vector<lang::Statement>& statements);
};

}  // namespace vinculum::elaborate
