#pragma once

#include <exception>
#include <vector>

#include "vinculum/api/shared.hpp"
#include "vinculum/report/events.hpp"

namespace vinculum {

[[nodiscard]] Event to_event(const report::RunEvent& row);
/// The event that describes why a motion ended early: the last row of its `events.csv`.
[[nodiscard]] Event stop_event(const sim::CompiledModel& compiled, const Failure& failure);

/// Calls the user's function for events. An exception that the function throws is stored until `rethrow`, so that it
/// does not propagate through the library. After an exception the function is not called again.
class EventCalls {
 public:
  /// Calls `function` for each row of the event.
  /// \param before, after  state (q, u, z) before and after the event   \returns true if the run should end, because
  /// the function asked for it or has thrown.
  bool tell(const OnEvent& function, const sim::CompiledModel& compiled, const sim::RunEvent& event,
            const Vector& before, const Vector& after);
  bool tell(const OnEvent& function, const Event& event, const State& before, const State& after);
  [[nodiscard]] bool has_thrown() const { return thrown_ != nullptr; }
  void rethrow();

 private:
  std::exception_ptr thrown_;
};

}  // namespace vinculum
