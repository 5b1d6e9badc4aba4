#pragma once

#include <string>
#include <vector>

#include "vinculum/report/columns.hpp"

namespace vinculum::report {

/// Returns the names of those entries of vector outputs that are not unique because the model is plane. A model is
/// plane if, for all values of the coordinates, all particles and bodies move perpendicular to one axis of the
/// newtonian frame and turn only about this axis. A plane model does not determine how spatial joints share the forces
/// along the axis and the torques perpendicular to it.
[[nodiscard]] std::vector<std::string> out_of_plane(const model::Model& model, const std::vector<Column>& columns,
                                                    const sim::Sample& sample);

}  // namespace vinculum::report
