#pragma once

#include <functional>

#include "support/mechanisms/mechanism.hpp"

namespace vinculum::mechanisms {

/// A smaller mechanism of which `is_one` is still true: constraints, loads, clauses, bodies and turns are left out and
/// numbers rounded as long as it stays so.
[[nodiscard]] Mechanism shrunk(Mechanism mechanism, const std::function<bool(const Mechanism&)>& is_one);

}  // namespace vinculum::mechanisms
