#pragma once

#include <functional>
#include <string>

#include "vinculum/diag/source.hpp"
#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

/// How a text without a newtonian frame uses one.
struct MissingFrame {
  std::string name = "N";  ///< that nothing declares, first behind `fixed in` or before an axis
  diag::SourceRange use;   ///< there; empty where it has none
  std::string point;       ///< that nothing declares, where a place begins with it: empty where none does
};

[[nodiscard]] MissingFrame find_missing_frame(const lang::ModelFile& file,
                                              const std::function<bool(const std::string& name)>& is_declared);

}  // namespace vinculum::elaborate
