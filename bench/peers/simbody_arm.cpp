#include <Simbody.h>

#include "peers/arm.hpp"
#include "peers/median_time.hpp"

namespace vinculum::bench {

using namespace SimTK;

namespace {
Vec3 vec(const std::array<double, 3>& v) { return {v[0], v[1], v[2]}; }
}  // namespace

ArmResult run_simbody_arm(ArmTip tip, const ArmState& at, int repeats) {
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  MobilizedBody parent = matter.Ground();
  for (const Link& link : kArm) {
    const Rotation turn(UnitVec3(vec(link.axis)), ZAxis);  // Pin turns about z
    const Inertia about_joint =
        Inertia(link.inertia[0], link.inertia[1], link.inertia[2]).shiftFromMassCenter(-vec(link.center), link.mass);
    const Body::Rigid body(MassProperties(link.mass, vec(link.center), about_joint));
    parent = MobilizedBody::Pin(parent, Transform(turn, vec(link.joint)), body, Transform(turn, Vec3(0)));
  }
  State state = system.realizeTopology();
  const auto set = [&] {
    for (int i = 0; i < 7; ++i) {
      state.updQ()[i] = at.q[static_cast<std::size_t>(i)];
      state.updU()[i] = at.u[static_cast<std::size_t>(i)];
    }
  };
  if (tip == ArmTip::kLatched) {
    set();
    system.realize(state, Stage::Position);
    Constraint::Weld(matter.Ground(), parent.getBodyTransform(state), parent, Transform());
    state = system.realizeTopology();
  }
  ArmResult result;
  result.nanoseconds = median_nanoseconds(repeats, [&] {
    set();
    system.realize(state, Stage::Acceleration);
  });
  for (int i = 0; i < 7; ++i) result.u_dot[static_cast<std::size_t>(i)] = state.getUDot()[i];
  return result;
}

}  // namespace vinculum::bench
