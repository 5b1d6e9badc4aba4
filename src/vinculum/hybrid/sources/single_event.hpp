#pragma once

#include "vinculum/hybrid/event_source.hpp"

namespace vinculum::sim {

/// Event source for one event of type integrate::Event.
class SingleEvent : public EventSource {
 public:
  explicit SingleEvent(integrate::Event event) : event_(std::move(event)) {}
  [[nodiscard]] Outcome<void> check(const integrate::Step& step, std::vector<Found>& found) override;
  [[nodiscard]] Outcome<void> pass(const Found& found, Transition& to) override;

 protected:
  /// The failure that ends the motion at t.
  [[nodiscard]] virtual Failure reason(double t) const {
    Failure failure = event_.reason;
    failure.t = t;
    return failure;
  }
  integrate::Event event_;

 private:
  Vector y_;
};

}  // namespace vinculum::sim
