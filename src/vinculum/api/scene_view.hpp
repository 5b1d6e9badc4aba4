#pragma once

#include <span>

#include "vinculum/report/tree.hpp"
#include "vinculum/scene/places.hpp"

namespace vinculum {

/// What a drawing shows where the model says so (docs/report.md); null where it has no `view`.
/// \param numbers  of `places`, at any sample: sizes do not change
[[nodiscard]] report::Node scene_view(const model::Model& model, const report::Places& places,
                                      std::span<const double> numbers);

}  // namespace vinculum
