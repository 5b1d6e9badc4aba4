#pragma once

#include <functional>
#include <limits>
#include <utility>
#include <vector>

#include "vinculum/integrate/integrator.hpp"

namespace vinculum::integrate::testing {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

inline const auto kNoCallback = std::function<Outcome<Continue>(const Step&)>();

inline Failure make_failure(FailureKind kind, std::vector<int> rows = {}) {
  Failure failure;
  failure.kind = kind;
  failure.rows = std::move(rows);
  return failure;
}

}  // namespace vinculum::integrate::testing
