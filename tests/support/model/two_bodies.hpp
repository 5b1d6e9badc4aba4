#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/model/joint.hpp"

/// Two bodies, or a body and the ground, connected by a joint and loaded, for tests of every joint. Numbers have no
/// units.
namespace vinculum::model::testing {

enum class First { kGround, kBody };

struct JointCase {
  std::string name;
  JointKind kind;
  std::function<void(ModelBuilder&, JointSpec&)> complete = [](ModelBuilder&, JointSpec&) {};
};

class TwoBodies;

/// The joint stated by a choice of coordinates of the second body instead of rows.
struct Embedding {
  std::function<std::pair<FrameId, Term>(TwoBodies&)> place;  ///< frame of B, and the vector from P to Q
  /// further rows written by hand, for parts that coordinates cannot express
  std::function<void(TwoBodies&)> constrain = [](TwoBodies&) {};
};

class TwoBodies {
 public:
  TwoBodies(First first, const JointCase& joint, const Embedding* embedding = nullptr) : builder("two_bodies") {
    origin = builder.add_fixed_point("O", Model::newtonian());
    if (first == First::kBody) {
      A = quaternion_frame("A");
      a = body("a", A, 1.7, {0.31, 0.42, 0.53, 0.03, -0.05, 0.04});
    }
    P = builder.add_point("P", first == First::kBody ? builder.center_of(*a) : origin, along(A, 0.1, -0.2, 0.15));
    const std::array<double, 6> inertia = {0.21, 0.12, 0.17, -0.02, 0.03, 0.015};
    if (embedding != nullptr) {
      const auto [frame, PQ] = embedding->place(*this);
      B = frame;
      b = builder.add_body("b", B, builder.number(0.9), numbers(inertia), P, PQ - along(B, -0.2, 0.1, -0.1));
    } else {
      B = quaternion_frame("B");
      b = body("b", B, 0.9, inertia);
    }
    Q = builder.add_point("Q", builder.center_of(b), along(B, -0.2, 0.1, -0.1));

    builder.add_gravity(along(Model::newtonian(), 0.3, -0.4, -9.81));
    S = builder.add_point("S", builder.center_of(b), along(B, 0.05, 0.15, 0.25));
    force = along(Model::newtonian(), 0.7, -1.2, 0.4);
    torque = along(B, 0.2, 0.5, -0.3);
    builder.add_force(S, force);
    builder.add_torque(B, torque, a ? std::optional<FrameId>(A) : std::nullopt);

    spec.kind = joint.kind;
    spec.first_point = P;
    spec.second_point = Q;
    spec.first_body = A;
    spec.second_body = B;
    joint.complete(builder, spec);
    if (embedding != nullptr) {
      embedding->constrain(*this);
    } else {
      id = add_joint(builder, "joint", spec);
    }
  }

  Term along(FrameId frame, double x, double y, double z) {
    return x * builder.axis(frame, 0) + y * builder.axis(frame, 1) + z * builder.axis(frame, 2);
  }

  /// Adds a guess for the start of a coordinate or a speed.
  void guess(StartCondition::On on, std::size_t index, double value) {
    builder.add_start({on, static_cast<std::uint32_t>(index), StartKind::kGuess, builder.number(value), {}});
  }

  /// General guesses for all coordinates and speeds; the second body is about one unit above the first.
  void add_guesses() {
    const std::array<double, 7> first = {0.9, 0.2, -0.15, 0.1, 0.1, -0.2, 0.3},
                                second = {0.8, -0.1, 0.25, 0.2, 0.6, 0.3, 1.2};
    for (std::size_t i = 0; i < builder.model().coordinates.size(); ++i) {
      const bool is_first = a && i < 7;
      guess(StartCondition::On::kCoordinate, i, is_first ? first[i] : second[i % 7]);
    }
    if (builder.complete_speeds()) return;
    for (std::size_t i = 0; i < builder.model().speeds.size(); ++i) {
      guess(StartCondition::On::kSpeed, i,
            0.3 + 0.17 * static_cast<double>((i * 5) % 7) - 0.4 * static_cast<double>(i % 3));
    }
  }

  ModelBuilder builder;
  PointId origin, P, Q, S;
  FrameId A = Model::newtonian(), B;
  std::optional<BodyId> a;
  BodyId b;
  Term force, torque;  ///< force on S; torque on B, and the opposite on A
  JointSpec spec;
  ConstraintId id;

  FrameId quaternion_frame(const std::string& name, FrameId parent = Model::newtonian()) {
    std::array<CoordinateId, 4> e;
    for (std::size_t k = 0; k < 4; ++k) e[k] = builder.add_coordinate(name + "e" + std::to_string(k));
    return builder.add_quaternion_frame(name, parent, e);
  }

 private:
  BodyId body(const std::string& name, FrameId frame, double mass, const std::array<double, 6>& inertia) {
    Term offset = builder.terms().zero_vector();
    for (int k = 0; k < 3; ++k) {
      offset = offset +
               builder.q(builder.add_coordinate(name + std::string(1, "xyz"[k]))) * builder.axis(Model::newtonian(), k);
    }
    return builder.add_body(name, frame, builder.number(mass), numbers(inertia), origin, offset);
  }
  Inertia numbers(const std::array<double, 6>& inertia) {
    const auto I = [&](std::size_t k) { return builder.number(inertia[k]); };
    return {I(0), I(1), I(2), I(3), I(4), I(5)};
  }
};

/// Every joint of the table, with axes along the frames' own vectors and along others, and every surface.
inline std::vector<JointCase> joint_cases() {
  const auto in = [](ModelBuilder& b, FrameId frame, double x, double y, double z) {
    return x * b.axis(frame, 0) + y * b.axis(frame, 1) + z * b.axis(frame, 2);
  };
  const auto axis_z = [](ModelBuilder& b, JointSpec& s) { s.axis = b.axis(s.first_body, 2); };
  const auto axis_general = [in](ModelBuilder& b, JointSpec& s) { s.axis = in(b, s.first_body, 0.3, -0.8, 1.1); };
  const auto two_axes = [in](ModelBuilder& b, JointSpec& s) {
    s.axis = in(b, s.first_body, 0.3, -0.8, 1.1);
    s.axis2 = in(b, s.second_body, -0.2, 0.5, 0.7);
  };
  const auto surface = [](SurfaceKind kind, std::vector<double> lengths, bool has_axis2 = false) {
    return [=](ModelBuilder& b, JointSpec& s) {
      s.surface = kind;
      for (const double x : lengths) s.surface_lengths.push_back(b.number(x));
      if (has_axis2) s.axis2 = 0.2 * b.axis(s.second_body, 0) + b.axis(s.second_body, 1);
    };
  };
  const auto rolling = [=](SurfaceKind kind, std::vector<double> lengths, bool has_axis2 = false) {
    return [=](ModelBuilder& b, JointSpec& s) {
      s.axis = in(b, s.first_body, 0.1, 0.2, 1.5);
      surface(kind, lengths, has_axis2)(b, s);
    };
  };
  const auto on_sphere = [=](double radius, SurfaceKind kind, std::vector<double> lengths, bool has_axis2 = false) {
    return [=](ModelBuilder& b, JointSpec& s) {
      s.radius = b.number(radius);
      surface(kind, lengths, has_axis2)(b, s);
    };
  };
  const auto gear = [=](double ratio) {
    return [=](ModelBuilder& b, JointSpec& s) {
      axis_general(b, s);
      s.ratio = b.number(ratio);
    };
  };
  return {
      {"revolute", JointKind::kRevolute, axis_z},
      {"revolute_about_two_axes", JointKind::kRevolute, two_axes},
      {"prismatic", JointKind::kPrismatic, axis_z},
      {"prismatic_along_a_general_axis", JointKind::kPrismatic, axis_general},
      {"cylindrical", JointKind::kCylindrical, two_axes},
      {"universal", JointKind::kUniversal, two_axes},
      {"spherical", JointKind::kSpherical},
      {"planar", JointKind::kPlanar, two_axes},
      {"fixed", JointKind::kFixed},
      {"screw", JointKind::kScrew,
       [=](ModelBuilder& b, JointSpec& s) {
         two_axes(b, s);
         s.pitch = b.number(0.4);
       }},
      {"gear", JointKind::kGear, gear(1.7)},
      {"internal_gear", JointKind::kGear, gear(-2.5)},
      {"distance", JointKind::kDistance, [](ModelBuilder& b, JointSpec& s) { s.length = b.number(0.8); }},
      {"point_on_plane", JointKind::kPointOnSurface, surface(SurfaceKind::kPlane, {}, true)},
      {"point_on_sphere", JointKind::kPointOnSurface, surface(SurfaceKind::kSphere, {0.9})},
      {"point_on_torus", JointKind::kPointOnSurface, surface(SurfaceKind::kTorus, {0.8, 0.25}, true)},
      {"point_on_ellipsoid", JointKind::kPointOnSurface, surface(SurfaceKind::kEllipsoid, {0.7, 0.9, 1.1})},
      {"blade", JointKind::kBlade, axis_general},
      {"rolling_sphere", JointKind::kRolling, rolling(SurfaceKind::kSphere, {0.4})},
      {"rolling_disk", JointKind::kRolling, rolling(SurfaceKind::kDisk, {0.5}, true)},
      {"rolling_torus", JointKind::kRolling, rolling(SurfaceKind::kTorus, {0.5, 0.1}, true)},
      {"rolling_ellipsoid", JointKind::kRolling, rolling(SurfaceKind::kEllipsoid, {0.3, 0.4, 0.6})},
      {"rolling_on_sphere", JointKind::kRolling, on_sphere(0.7, SurfaceKind::kSphere, {0.3})},
      {"rolling_inside_sphere", JointKind::kRolling, on_sphere(-1.6, SurfaceKind::kSphere, {0.3})},
      {"rolling_disk_on_sphere", JointKind::kRolling, on_sphere(0.7, SurfaceKind::kDisk, {0.3}, true)},
      {"rolling_disk_inside_sphere", JointKind::kRolling, on_sphere(-1.6, SurfaceKind::kDisk, {0.3}, true)},
      {"rolling_torus_on_sphere", JointKind::kRolling, on_sphere(0.7, SurfaceKind::kTorus, {0.3, 0.1}, true)},
      {"rolling_torus_inside_sphere", JointKind::kRolling, on_sphere(-1.6, SurfaceKind::kTorus, {0.3, 0.1}, true)},
      {"rolling_disk_about_its_z_on_sphere", JointKind::kRolling, on_sphere(0.7, SurfaceKind::kDisk, {0.3})},
      {"prescribed_position", JointKind::kPrescribedPosition,
       [](ModelBuilder& b, JointSpec& s) {
         s.prescribed = b.sin(2.0 * b.time()) * b.axis(s.first_body, 0) + 0.4 * b.time() * b.axis(s.first_body, 1) +
                        0.7 * b.axis(s.first_body, 2);
       }},
      {"prescribed_orientation", JointKind::kPrescribedOrientation,
       [](ModelBuilder& b, JointSpec& s) { s.prescribed = b.sin(2.0 * b.time()) * b.axis(s.first_body, 1); }},
      {"prescribed_orientation_by_a_general_vector", JointKind::kPrescribedOrientation,
       [](ModelBuilder& b, JointSpec& s) {
         s.prescribed =
             b.time() * b.axis(s.first_body, 0) + (0.5 + 0.4 * b.time() * b.time()) * b.axis(s.first_body, 2);
       }},
      {"prescribed_velocity", JointKind::kPrescribedVelocity,
       [](ModelBuilder& b, JointSpec& s) {
         s.prescribed = b.cos(3.0 * b.time()) * b.axis(s.first_body, 0) + 0.3 * b.axis(s.first_body, 1);
       }},
  };
}

}  // namespace vinculum::model::testing
