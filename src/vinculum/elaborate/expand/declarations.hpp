#pragma once

#include <string>
#include <unordered_set>
#include <vector>

#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

/// Names that statements declare, those of loops and of both branches of a choice included, those of components not.
struct Declarations {
  std::unordered_set<std::string> plain;     ///< without indices
  std::unordered_set<std::string> families;  ///< with indices, `q` of `coord q[1..3]`
  std::unordered_set<std::string> uses;      ///< those of either sort that are uses of components

  [[nodiscard]] bool has(const std::string& name) const { return plain.contains(name) || families.contains(name); }
  void add(const std::vector<lang::Statement>& statements);
};

}  // namespace vinculum::elaborate
