#pragma once

#include <functional>
#include <string>

#include "vinculum/diag/source.hpp"
#include "vinculum/lang/ast.hpp"

namespace vinculum::elaborate {

/// The name by which a model text without a newtonian frame seems to refer to that frame.
struct MissingFrame {
  std::string name = "N";  ///< an undeclared name: the first one after `fixed in`, or before the `.` of an axis
  diag::SourceRange use;   ///< range of this name; empty if the text contains no such name
  std::string point;       ///< an undeclared name with which a position begins; empty if the text contains no such name
};

[[nodiscard]] MissingFrame find_missing_frame(const lang::ModelFile& file,
                                              const std::function<bool(const std::string& name)>& is_declared);

}  // namespace vinculum::elaborate
