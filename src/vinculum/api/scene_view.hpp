#pragma once

#include <span>
#include <vector>

#include "vinculum/report/tree.hpp"
#include "vinculum/scene/columns.hpp"
#include "vinculum/scene/places.hpp"
#include "vinculum/scene/stl.hpp"

namespace vinculum {

/// The drawing that the model's `view` statements describe (docs/report.md); null if there are none.
/// \param meshes   of the view, in its order; their positions and corners become columns
/// \param numbers  values of `places` at any sample: the function reads only lengths that are constant
[[nodiscard]] report::Node scene_view(const model::Model& model, const report::Places& places,
                                      std::span<const double> numbers, const std::vector<report::Mesh>& meshes,
                                      report::SceneColumns& columns);

}  // namespace vinculum
