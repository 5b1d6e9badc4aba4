#pragma once

#include <memory>
#include <optional>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/report/tree.hpp"

namespace vinculum::report {

struct ExplainOptions {
  bool geometry = false;             ///< M, A, B, T, N and the scaled vectors of theory.md §4.4 at the start
  std::optional<double> along = {};  ///< [s] how far variations are followed along the motion
};

/// The analysis of a model: what moves, how freely, which force each constraint puts on what, and what the motion keeps
/// (shape: docs/json.md). Derives, assembles the start and inspects. Never fails: without a start the ranks are those
/// at a random state.
[[nodiscard]] Node explain(const std::shared_ptr<const sim::Binding>& bound, const ExplainOptions& options = {});

}  // namespace vinculum::report
