#pragma once

#include <functional>
#include <string>

#include "vinculum/diag/source.hpp"
#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

/// How a text without a newtonian frame refers to one.
struct MissingFrame {
  std::string name = "N";  ///< an undeclared name, the first one after `fixed in` or before an axis
  diag::SourceRange use;   ///< its range; empty if there is none
  std::string point;       ///< an undeclared name with which a position begins; empty if there is none
};

[[nodiscard]] MissingFrame find_missing_frame(const lang::ModelFile& file,
                                              const std::function<bool(const std::string& name)>& is_declared);

}  // namespace vinculum::elaborate
