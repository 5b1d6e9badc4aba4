#pragma once

#include <optional>
#include <string>

#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/imports/model_text.hpp"

namespace vinculum::imports {

/// A model made from a file of another program, and what it does not contain of the file.
struct Import {
  ModelText model;
  Remarks left_out;
};

/// The model of a robot in a URDF file, or in an SDF file: the outermost element tells which.   \returns nothing, after
/// reports, if there is none.
[[nodiscard]] std::optional<Import> import_robot(const diag::SourceText& source, const TextOptions& options,
                                                 diag::Sink& sink);

}  // namespace vinculum::imports
