#pragma once

#include <array>
#include <map>
#include <utility>

#include "vinculum/mechanics/inspect/inspection.hpp"

namespace vinculum::mechanics {

/// What was read off rows while the model has the bodies, frames and points that it was read with.
struct InspectionMemory {
  std::array<std::size_t, 4> made_with{};
  std::map<std::pair<TermId, Level>, RowInspection> known;
  std::map<std::pair<TermId, bool>, RowInspection> variations;  ///< of `vary_row`
  std::map<TermId, Level> levels;                               ///< of rows
};

[[nodiscard]] InspectionMemory& memory_of(const Model& model);
[[nodiscard]] Level known_level(const Model& model, Term row);

}  // namespace vinculum::mechanics
