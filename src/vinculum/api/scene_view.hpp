#pragma once

#include <span>

#include "vinculum/report/tree.hpp"
#include "vinculum/scene/places.hpp"

namespace vinculum {

/// The drawing that the model's `view` statements describe (docs/report.md); null if there are none.
/// \param numbers  values of `places` at any sample: the function reads only lengths that are constant
[[nodiscard]] report::Node scene_view(const model::Model& model, const report::Places& places,
                                      std::span<const double> numbers);

}  // namespace vinculum
