// Accelerations of a tree by Simbody: one Pin per body, `realize(Stage::Acceleration)` after the state is set.

#include <Simbody.h>

#include "times.hpp"
#include "tree.hpp"

namespace {

using namespace SimTK;
using vinculum::bench::Tree;

Vec3 vec(const vinculum::bench::Triple& v) { return {v[0], v[1], v[2]}; }

class Machine {
 public:
  explicit Machine(const Tree& tree)
      : tree_(tree), matter_(system_), forces_(system_), gravity_(forces_, matter_, vec(tree.gravity)) {
    std::vector<MobilizedBody> bodies;
    for (const auto& each : tree.bodies) {
      const Rotation turn(UnitVec3(vec(each.axis)), ZAxis);  // Pin turns about z
      const Inertia about_joint =
          Inertia(each.inertia[0], each.inertia[1], each.inertia[2]).shiftFromMassCenter(-vec(each.center), each.mass);
      const SimTK::Body::Rigid body(MassProperties(each.mass, vec(each.center), about_joint));
      MobilizedBody& parent = each.parent < 0 ? static_cast<MobilizedBody&>(matter_.Ground())
                                              : bodies[static_cast<std::size_t>(each.parent)];
      bodies.push_back(MobilizedBody::Pin(parent, Transform(turn, vec(each.joint)), body, Transform(turn, Vec3(0))));
    }
    state_ = system_.realizeTopology();
    if (!tree.is_latched) return;
    set();
    system_.realize(state_, Stage::Position);
    Constraint::Weld(matter_.Ground(), bodies.back().getBodyTransform(state_), bodies.back(), Transform());
    state_ = system_.realizeTopology();
  }

  void accelerate() {
    set();
    system_.realize(state_, Stage::Acceleration);
  }
  double acceleration(std::size_t i) const { return state_.getUDot()[static_cast<int>(i)]; }

 private:
  void set() {
    auto& q = state_.updQ();
    auto& u = state_.updU();
    for (std::size_t i = 0; i < tree_.q.size(); ++i) {
      q[static_cast<int>(i)] = tree_.q[i];
      u[static_cast<int>(i)] = tree_.u[i];
    }
  }

  const Tree& tree_;
  MultibodySystem system_;
  SimbodyMatterSubsystem matter_;
  GeneralForceSubsystem forces_;
  Force::UniformGravity gravity_;
  State state_;
};

std::string version() {
  int major = 0, minor = 0, build = 0;
  SimTK_version_simbody(&major, &minor, &build);
  return "Simbody " + std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(build);
}

}  // namespace

int main() {
  const Tree tree = vinculum::bench::read_tree(std::cin);
  const auto begin = vinculum::bench::Clock::now();
  Machine machine(tree);
  machine.accelerate();
  const double ready = vinculum::bench::seconds_since(begin);
  const auto times = vinculum::bench::times_of([&] { machine.accelerate(); });
  std::vector<double> accelerations;
  for (std::size_t i = 0; i < tree.bodies.size(); ++i) accelerations.push_back(machine.acceleration(i));
  vinculum::bench::print_answer(version(), times, ready, accelerations);
}
