#pragma once

#include <memory>
#include <optional>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/report/tree.hpp"

namespace vinculum::report {

struct ExplainOptions {
  bool geometry = false;             ///< M, A, B, T, N and the scaled vectors of theory.md §4.4 at the start
  std::optional<double> along = {};  ///< [s] time up to which variations are integrated along the motion
};

/// The analysis of a model: moving parts, degrees of freedom, the force that each constraint exerts on points and
/// bodies, invariants (JSON: docs/json.md). Derives the equations, assembles the start, and inspects. Never fails:
/// without a start the ranks are those at a random state.
[[nodiscard]] Node explain(const std::shared_ptr<const sim::Binding>& bound, const ExplainOptions& options = {});

}  // namespace vinculum::report
