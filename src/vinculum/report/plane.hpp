#pragma once

#include <string>
#include <vector>

#include "vinculum/report/columns.hpp"

namespace vinculum::report {

/// Entries of vector outputs that are not unique because the model is plane: for all values of the coordinates, all
/// particles and bodies move normal to one axis of the newtonian frame and turn only about it. Forces along that axis
/// and torques normal to it depend on how spatial joints share them, which a plane model does not determine.
[[nodiscard]] std::vector<std::string> out_of_plane(const model::Model& model, const std::vector<Column>& columns,
                                                    const sim::Sample& sample);

}  // namespace vinculum::report
