#pragma once

#include <string>
#include <vector>

#include "vinculum/report/columns.hpp"

namespace vinculum::report {

/// Entries of vector outputs that are not unique at the sample because the model is plane: all particles and bodies
/// move across one axis of the newtonian frame, and turn about it alone, whatever the coordinates are. Forces along
/// the axis and torques across it then depend on how spatial joints share them, which a plane model does not determine.
[[nodiscard]] std::vector<std::string> out_of_plane(const model::Model& model, const std::vector<Column>& columns,
                                                    const sim::Sample& sample);

}  // namespace vinculum::report
