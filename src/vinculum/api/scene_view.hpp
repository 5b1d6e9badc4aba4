#pragma once

#include <span>

#include "vinculum/out/report/tree.hpp"
#include "vinculum/out/scene/places.hpp"

namespace vinculum {

/// What a drawing shows where the model says so (docs/report.md); null where it has no `view`.
/// \param numbers  of `places`, at any sample: sizes do not change
[[nodiscard]] out::Node scene_view(const mechanics::Model& model, const out::Places& places,
                                   std::span<const double> numbers);

}  // namespace vinculum
