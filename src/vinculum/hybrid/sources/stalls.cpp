#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/event_source.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/motion/kinematics_check.hpp"

namespace vinculum::sim {
namespace {

/// Event source that finds no events. It only explains why no step can be taken.
class StallSource final : public EventSource {
 public:
  using Explain = std::optional<Failure> (*)(Dynamics& dynamics, const Mode& mode, double t, const Vector& y);
  StallSource(const Watched& run, Explain how) : run_(run), explain_(how) {}
  Outcome<void> check(const integrate::Step&, std::vector<Found>&) override { return {}; }
  std::optional<Failure> explain(double t, const Vector& y) override {
    return explain_(run_.dynamics, run_.mode, t, y);
  }

 private:
  Watched run_;
  Explain explain_;
};

/// Failure if actuator efforts have almost no effect on the servo constraints that they enforce.
std::optional<Failure> weak_efforts(Dynamics& dynamics, const Mode& mode, double t, const Vector& y) {
  return EquationsOf(dynamics).explain_weak_efforts(mode, t, y.data());
}

/// Failure if definitions of speeds or angles of frames are almost singular, or if the mass matrix is.
std::optional<Failure> singular_angles(Dynamics& dynamics, const Mode& mode, double t, const Vector& y) {
  const Binding& bound = dynamics.binding();
  if (auto cause = explain_singular_kinematics(bound, t, y.data(), tolerance::kNearSingular)) return cause;
  Matrices m;
  EquationsOf(dynamics).matrices_as_they_are(mode, t, y.data(), m);
  return explain_lost_inertia(bound, t, y.data(), m.metric);
}

}  // namespace

std::unique_ptr<EventSource> make_effort_source(const Watched& run) {
  return std::make_unique<StallSource>(run, weak_efforts);
}
std::unique_ptr<EventSource> make_angle_source(const Watched& run) {
  return std::make_unique<StallSource>(run, singular_angles);
}

}  // namespace vinculum::sim
