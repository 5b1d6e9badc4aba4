#pragma once

#include <array>

#include "support/equations/models.hpp"

/// Systems of rigid bodies for the tests of this module.
namespace vinculum::equations::testing {

inline model::Inertia diagonal_inertia(ModelBuilder& b, double xx, double yy, double zz) {
  const Term zero = b.number(0.0);
  return {b.number(xx), b.number(yy), b.number(zz), zero, zero, zero};
}

struct ArmLink {
  std::array<double, 3> joint;  ///< from the preceding joint, in the frame of the preceding link [m]
  int axis, sign;
  double mass;                    ///< [kg]
  std::array<double, 3> center;   ///< from the joint, in the link [m]
  std::array<double, 3> inertia;  ///< central, principal [kg m²]
};
/// Space-station manipulator with seven joints: Nguyen & Hughes 1994.
inline constexpr std::array<ArmLink, 7> kArm{{
    {{0, 0, 0}, 2, 1, 105.98, {0.25082, 0, -0.175}, {3.061, 12.19, 12.19}},
    {{0.25082, 0, -0.175}, 0, 1, 105.98, {0.175, 0, -0.25082}, {12.19, 12.13, 3.061}},
    {{0.175, 0, -0.25082}, 2, 1, 314.88, {4, 0, -0.175}, {15.41, 2094.71, 2103.19}},
    {{7.61164, 0, -0.6}, 2, 1, 279.2, {-3.6, 0, -0.175}, {9.522, 1966.28, 1966.28}},
    {{-7.61164, 0, -0.35}, 2, -1, 105.98, {0, 0, 0}, {8.305, 8.0386, 3.061}},
    {{-0.175, 0, -0.25082}, 0, 1, 105.98, {0, 0, 0}, {3.061, 12.13, 12.13}},
    {{-0.25082, 0, -0.175}, 2, 1, 243.66, {0, 0, -0.5}, {44.41, 44.41, 9.336}},
}};

struct Arm {
  std::vector<FrameId> links;
  std::vector<PointId> joints;
};
inline Term along(ModelBuilder& b, FrameId frame, const std::array<double, 3>& r) {
  return r[0] * b.axis(frame, 0) + r[1] * b.axis(frame, 1) + r[2] * b.axis(frame, 2);
}
/// Adds the arm, with its first joint in the frame `root` at the point `base`.
inline Arm add_arm(ModelBuilder& b, FrameId root, PointId base) {
  Arm arm;
  FrameId frame = root;
  PointId joint = base;
  for (std::size_t i = 0; i < kArm.size(); ++i) {
    const ArmLink& link = kArm[i];
    const std::string number = std::to_string(i + 1);
    joint = b.add_point("J" + number, joint, along(b, frame, link.joint));
    const Term angle = b.q(b.add_coordinate("q" + number));
    frame = b.add_rotated_frame("L" + number, frame, link.sign > 0 ? angle : -angle, link.axis);
    b.add_body("B" + number, frame, b.number(link.mass),
               diagonal_inertia(b, link.inertia[0], link.inertia[1], link.inertia[2]), joint,
               along(b, frame, link.center));
    arm.links.push_back(frame);
    arm.joints.push_back(joint);
  }
  return arm;
}

inline std::shared_ptr<const Model> fixed_arm(Speeds) {
  ModelBuilder b("arm");
  add_arm(b, Model::newtonian(), b.add_fixed_point("O", Model::newtonian()));
  return finished(b);
}

/// The arm on a floating base, with gravity and a torque between two links.
inline std::shared_ptr<const Model> floating_arm(Speeds speeds) {
  ModelBuilder b("floating_arm");
  const FrameId N = Model::newtonian();
  const PointId O = b.add_fixed_point("O", N);
  const Term x = b.q(b.add_coordinate("x")), y = b.q(b.add_coordinate("y")), z = b.q(b.add_coordinate("z"));
  const std::array e{b.add_coordinate("e0"), b.add_coordinate("e1"), b.add_coordinate("e2"), b.add_coordinate("e3")};
  const FrameId S = b.add_quaternion_frame("S", N, e);
  const auto value = [&](double v) { return b.number(v); };
  const auto station = b.add_body("station", S, value(900.0),
                                  {value(400.0), value(500.0), value(600.0), value(-40.0), value(30.0), value(20.0)}, O,
                                  x * b.axis(N, 0) + y * b.axis(N, 1) + z * b.axis(N, 2));
  const Arm arm = add_arm(b, S, b.center_of(station));
  if (speeds == Speeds::kStated) {
    for (int k = 0; k < 3; ++k) b.add_speed("w" + std::to_string(k), b.terms().dot(b.omega(S), b.axis(S, k)));
    for (int k = 0; k < 3; ++k)
      b.add_speed("v" + std::to_string(k), b.terms().dot(b.vel(b.center_of(station)), b.axis(S, k)));
  }
  b.add_gravity(-1.6 * b.axis(N, 2) + 0.3 * b.time() * b.axis(N, 0));
  b.add_torque(arm.links[4], 7.0 * b.axis(arm.links[3], 2) + 3.0 * b.axis(N, 0), arm.links[1]);
  b.add_force(arm.joints[6], 20.0 * b.axis(N, 1));
  return finished(b);
}

/// Heavy top on a frame about O. Stated speeds are its angular velocity along the axes of `along`.
inline std::shared_ptr<const Model> top_on(ModelBuilder& b, FrameId T, PointId O, FrameId along, Speeds speeds) {
  b.add_body("top", T, b.number(2.0), diagonal_inertia(b, 0.3, 0.35, 0.1), O, 0.4 * b.axis(T, 2) + 0.1 * b.axis(T, 0));
  if (speeds == Speeds::kStated) {
    for (int k = 0; k < 3; ++k) b.add_speed("w" + std::to_string(k), b.terms().dot(b.omega(T), b.axis(along, k)));
  }
  b.add_gravity(-9.81 * b.axis(Model::newtonian(), 2));
  return finished(b);
}

/// The top with Euler angles.
inline std::shared_ptr<const Model> top(Speeds speeds) {
  ModelBuilder b("top");
  const PointId O = b.add_fixed_point("O", Model::newtonian());
  const Term a = b.q(b.add_coordinate("a")), c = b.q(b.add_coordinate("c")), s = b.q(b.add_coordinate("s"));
  const FrameId T = b.add_frame("T", Model::newtonian(), {{2, Term{}, a}, {0, Term{}, c}, {2, Term{}, s}});
  return top_on(b, T, O, T, speeds);
}

/// The top with a quaternion.
inline std::shared_ptr<const Model> quaternion_top(Speeds speeds) {
  ModelBuilder b("quaternion_top");
  const FrameId N = Model::newtonian();
  const PointId O = b.add_fixed_point("O", N);
  const std::array e{b.add_coordinate("e0"), b.add_coordinate("e1"), b.add_coordinate("e2"), b.add_coordinate("e3")};
  return top_on(b, b.add_quaternion_frame("T", N, e), O, N, speeds);
}

/// A cart, a slider on an inclined rail that turns with time, a body on a universal joint, and a bead on that body;
/// with springs and damping.
inline std::shared_ptr<const Model> mixed_bodies(Speeds speeds) {
  ModelBuilder b("mixed_bodies");
  const FrameId N = Model::newtonian();
  const PointId O = b.add_fixed_point("O", N);
  const auto s = b.add_coordinate("s"), a = b.add_coordinate("a"), c = b.add_coordinate("c"), r = b.add_coordinate("r");
  const Term m = b.parameter(b.add_parameter("m", 1.7));
  const FrameId R = b.add_rotated_frame("R", N, 0.4 * b.time() * b.time(), b.axis(N, 2) + 0.5 * b.axis(N, 1));
  const auto slider =
      b.add_body("slider", R, m, diagonal_inertia(b, 0.2, 0.4, 0.5), O, b.q(s) * b.axis(R, 0) + 0.3 * b.axis(R, 1));
  const FrameId U = b.add_frame("U", R, {{0, Term{}, b.q(a)}, {1, Term{}, b.q(c)}});
  const PointId hinge = b.add_point("hinge", b.center_of(slider), 0.2 * b.axis(R, 2));
  const auto arm =
      b.add_body("arm", U, b.number(0.9),
                 {b.number(0.3), b.number(0.25), b.number(0.2), b.number(0.01), b.number(-0.02), b.number(0.03)}, hinge,
                 0.6 * b.axis(U, 2) - 0.1 * b.axis(U, 0));
  const PointId bead =
      b.point_of(b.add_particle("bead", b.number(0.4), hinge, b.q(r) * b.axis(U, 2) + 0.05 * b.axis(U, 1)));
  const PointId tip = b.add_point_on("tip", U, hinge, 1.1 * b.axis(U, 2) + b.q(r) * b.axis(U, 0));
  if (speeds == Speeds::kStated) {
    b.add_speed("w1", b.terms().dot(b.omega(U), b.axis(U, 0)));
    b.add_speed("vz", b.terms().dot(b.vel(bead), b.axis(U, 2)) + b.q(a));
  }
  b.add_gravity(-9.81 * b.axis(N, 2));
  b.add_force(tip, 0.7 * b.axis(N, 0) + b.q(s) * b.axis(U, 1), b.center_of(slider));
  b.add_torque(b.frame_of(arm), -0.2 * b.omega(U, R) + 0.4 * b.axis(R, 1), R);
  b.add_spring(bead, O, b.number(5.0), b.number(0.6), b.number(0.3));
  b.add_generalized_force(r, -0.4 * b.q_dot(r));
  return finished(b);
}

/// Plane chain of n equal rods.  \param absolute  angles relative to the newtonian frame, else to the preceding rod.
inline std::shared_ptr<const Model> rods(int n, bool absolute) {
  ModelBuilder b("rods");
  const FrameId N = Model::newtonian();
  PointId joint = b.add_fixed_point("O", N);
  FrameId frame = N;
  for (int i = 0; i < n; ++i) {
    const std::string number = std::to_string(i + 1);
    frame = b.add_rotated_frame("F" + number, absolute ? N : frame, b.q(b.add_coordinate("q" + number)), 2);
    b.add_body("B" + number, frame, b.number(1.0), diagonal_inertia(b, 0.01, 0.1, 0.1), joint, 0.5 * b.axis(frame, 0));
    joint = b.add_point("J" + number, joint, b.axis(frame, 0));
  }
  b.add_gravity(-9.81 * b.axis(N, 1));
  return finished(b);
}

inline std::vector<Sample> body_samples() {
  return {{"fixed_arm", fixed_arm},
          {"floating_arm", floating_arm},
          {"top", top},
          {"quaternion_top", quaternion_top},
          {"mixed_bodies", mixed_bodies},
          {"rods_by_absolute_angles", [](Speeds) { return rods(9, true); }},
          {"rods_by_relative_angles", [](Speeds) { return rods(9, false); }}};
}

}  // namespace vinculum::equations::testing
