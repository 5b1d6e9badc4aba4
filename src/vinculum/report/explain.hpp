#pragma once

#include <memory>
#include <optional>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/report/tree.hpp"

namespace vinculum::report {

struct ExplainOptions {
  bool geometry = false;             ///< M, A, B, T, N and the scaled vectors of theory.md §4.4 at the start
  std::optional<double> along = {};  ///< [s] if set: variations are integrated along the motion, up to this time
};

/// Analyzes a model: moving parts, degrees of freedom, the force that each constraint exerts on points and bodies, and
/// invariants (JSON: docs/json.md). Derives the equations, assembles the start, and inspects the constraints. Never
/// fails: if there is no start, the ranks at a random state are reported.
[[nodiscard]] Node explain(const std::shared_ptr<const sim::Binding>& bound, const ExplainOptions& options = {});

}  // namespace vinculum::report
