#pragma once

#include <functional>

#include "support/mechanisms/mechanism.hpp"

namespace vinculum::mechanisms {

/// Simplifies a mechanism as long as `is_one` remains true: leaves out constraints, loads, clauses, bodies and turns,
/// and rounds numbers.
[[nodiscard]] Mechanism shrunk(Mechanism mechanism, const std::function<bool(const Mechanism&)>& is_one);

}  // namespace vinculum::mechanisms
