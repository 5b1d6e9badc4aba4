#pragma once

#include <exception>
#include <vector>

#include "vinculum/api/shared.hpp"
#include "vinculum/report/events.hpp"

namespace vinculum {

[[nodiscard]] Event to_event(const report::RunEvent& row);
/// The last row of `events.csv` of a motion that ends early.
[[nodiscard]] Event stop_event(const sim::CompiledModel& compiled, const Failure& failure);

/// Calls a function of the calling program for events. An exception that the function throws is kept until `rethrow`,
/// so that it does not unwind the engine; until then no more events are told.
class EventCalls {
 public:
  /// Calls `function` for each row of the event.
  /// \param before, after  (q, u, z)   \returns whether it asks to end the run, or has thrown.
  bool tell(const OnEvent& function, const sim::CompiledModel& compiled, const sim::RunEvent& event,
            const Vector& before, const Vector& after);
  bool tell(const OnEvent& function, const Event& event, const State& before, const State& after);
  [[nodiscard]] bool has_thrown() const { return thrown_ != nullptr; }
  void rethrow();

 private:
  std::exception_ptr thrown_;
};

}  // namespace vinculum
