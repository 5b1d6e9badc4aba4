#pragma once

#include <vector>

#include "vinculum/model/model.hpp"
#include "vinculum/scene/stl.hpp"
#include "vinculum/vinculum.hpp"

namespace vinculum {

/// Reads the files of the meshes that the model's `view` names, in its order. The files must be in or below the folder
/// of the model.
/// \returns an Error with a diagnostic at the file name if a file cannot be read, is not an STL file or is too large.
[[nodiscard]] Result<std::vector<report::Mesh>> read_meshes(const model::Model& model);

}  // namespace vinculum
