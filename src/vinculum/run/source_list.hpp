#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "vinculum/hybrid/event_source.hpp"
#include "vinculum/run/recording.hpp"

namespace vinculum::sim {

/// Calls the event sources of one run, in the order of their list.
class SourceList {
 public:
  void make(const std::vector<SourceRow>& rows, const Watched& run);
  /// Starts all sources.
  /// \returns the first reason why the run cannot start.
  [[nodiscard]] std::optional<Failure> begin(RunState& at, RunRecord& record);
  /// Creates all sources again, for a run that continues from this state. They remember nothing of earlier steps.
  void resume(const std::vector<SourceRow>& rows, const Watched& run, RunState& at, RunRecord& record);
  /// Finds the earliest event that ends an accepted step, and records the marks before it.
  /// \param crosses  true: a stretch is being crossed at a looser tolerance, so events of kind kCross do not end the
  /// step
  [[nodiscard]] Outcome<std::optional<Found>> check(const integrate::Step& step, const Mode& mode, bool crosses,
                                                    RunRecord& record);
  /// Called after a whole step has been accepted without an event that ends it.
  void keep(const integrate::Step& step, Mode& mode, RunRecord& record);
  /// Updates the other sources after `changed_by` has changed the state from y_before.
  [[nodiscard]] Outcome<void> follow(const EventSource* changed_by, const Vector& y_before, Transition& to);
  /// [s] The next instant at which a step has to end; infinity if there is none.
  [[nodiscard]] double next_time() const;
  /// Called if no step could be taken.
  /// \returns whether a source has changed the mode.
  [[nodiscard]] bool give_way(RunState& at);
  /// Returns the reason why no step could be taken, if a source knows it.
  [[nodiscard]] std::optional<Failure> explain(const RunState& at);
  void end(RunRecord& record, const Sample* last);

 private:
  std::vector<std::unique_ptr<EventSource>> sources_;
  std::vector<Found> found_;  ///< events found in the current step
};

}  // namespace vinculum::sim
