#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/guards/guard.hpp"
#include "vinculum/motion/kinematics_check.hpp"

namespace vinculum::sim {
namespace {

/// Nothing to see in a step that was taken: says why none could be.
class StallGuard final : public Guard {
 public:
  using Explain = std::optional<Failure> (*)(Dynamics& dynamics, double t, const Vector& y);
  StallGuard(Dynamics& dynamics, Explain how) : dynamics_(dynamics), explain_(how) {}
  Outcome<void> check(const integrate::Step&, std::vector<Found>&) override { return {}; }
  std::optional<Failure> explain(double t, const Vector& y) override { return explain_(dynamics_, t, y); }

 private:
  Dynamics& dynamics_;
  Explain explain_;
};

/// Efforts all but cease to affect the constraints that they keep.
std::optional<Failure> weak_efforts(Dynamics& dynamics, double t, const Vector& y) {
  return dynamics.explain_weak_efforts(t, y.data());
}

/// Definitions of speeds or angles of frames are about to become singular, or some inertia is lost.
std::optional<Failure> singular_angles(Dynamics& dynamics, double t, const Vector& y) {
  const Binding& bound = dynamics.binding();
  if (auto cause = explain_singular_kinematics(bound, t, y.data(), tolerance::kNearSingular)) return cause;
  Matrices m;
  dynamics.matrices_as_they_are(t, y.data(), m);
  return explain_lost_inertia(bound, t, y.data(), m.metric);
}

}  // namespace

std::unique_ptr<Guard> make_effort_guard(const Watched& run) {
  return std::make_unique<StallGuard>(run.dynamics, weak_efforts);
}
std::unique_ptr<Guard> make_angle_guard(const Watched& run) {
  return std::make_unique<StallGuard>(run.dynamics, singular_angles);
}

}  // namespace vinculum::sim
