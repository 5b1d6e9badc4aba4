#include <fmt/format.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <string>
#include <vector>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

// Frames that are fixed relative to each other must act as one rigid frame for every force and torque, and the ground
// must act like a body. Joints and relations between a body and the ground, or a second body, are checked by Newton's
// and Euler's equations.
namespace vinculum {
namespace rigid_frames_test {

using Vector3 = Eigen::Vector3d;

/// Relations between three frames: the body's frame, the frame in which the axis is written, and the turning frame R.
/// `declared` are frames declared after R, `axis` is the vector R.z as written. `has_parallel_body`: another body has
/// the frame R.
struct Frames {
  std::string what, declared, body, axis;
  bool has_parallel_body = false;
};
const std::vector<Frames> kFrames = {
    {"the body's own frame", "", "R", "R.z"},
    {"the frame above", "frame T = R rotated 0.3 about z\n", "T", "R.z"},
    {"two frames above", "frame S = R rotated 0.3 about z\nframe T = S rotated 0.7 about x\n", "T", "R.z"},
    {"a frame beside", "frame T = R rotated 0.3 about z\nframe S = R rotated 0.7 about z\n", "T", "S.z"},
    {"a frame below", "frame S = R rotated 0.7 about z\n", "R", "S.z"},
    {"turned and turned back", "frame S = R rotated 0.4 about x\nframe T = S rotated -0.4 about x\n", "T", "R.z"},
    {"turned about an oblique vector", "frame T = R rotated 0.5 about R.x + 2*R.y + 2*R.z\n", "T", "R.z"},
    {"a frame of two bodies", "", "R", "R.z", true},
    {"a frame turned from another body's", "frame T = R rotated 0.3 about z\n", "T", "R.z", true},
};

/// What is connected by the joint to the body: the ground, a turned frame of the ground, or another body.
enum class Side { kGround, kGroundTurned, kBody };
constexpr Side kSides[] = {Side::kGround, Side::kGroundTurned, Side::kBody};

/// A joint between A (ground or body, with the point O) and the body b (with the point P), in this order or in reverse.
/// In `parts`, `{a}` and `{b}` are axes of A and of b.
struct Joint {
  std::string kind, parts;
  bool has_axis2 = true;
};
const std::vector<Joint> kJoints = {
    {"revolute", ""},        {"cylindrical", ""},      {"planar", ""},
    {"universal", "", true}, {"screw", " pitch 0.4"},  {"prismatic", "", false},
    {"fixed", "", false},    {"spherical", "", false}, {"distance", " length 0.5", false},
};

std::string text_of(const Frames& frames, const Joint& joint, Side side, bool is_body_first) {
  std::string text =
      "model rigid\nframe N newtonian\npoint O fixed in N\ncoord q0, q1, q2, q3, x, y, z\nframe R = N quaternion(q0, "
      "q1, q2, q3)\n" +
      frames.declared + "gravity -10*N.z + 3*N.x\n";
  std::string other = "N", point = "A0", a = joint.kind == "universal" ? "N.x" : "N.z";
  if (side == Side::kBody) {
    text +=
        "coord c0, c1, c2, c3, u, v, w\nframe C = N quaternion(c0, c1, c2, c3)\n"
        "body c frame C mass 3 inertia (0.5, 0.5, 0.5) at O + u*N.x + v*N.y + w*N.z\n"
        "force on c = 2*N.x\ntorque on c = 0.5*N.y\npoint A0 = c + 0.3*C.y\n"
        "start c0 = 1, c1 = 0, c2 = 0, c3 = 0, u = 0, v = 0, w = 0, C.wx ~ 0.3, C.wy ~ -0.2, C.wz ~ 0.7\n";
    other = "c";
    a = joint.kind == "universal" ? "C.x" : "C.z";
  } else if (side == Side::kGroundTurned) {
    text += "frame G = N rotated 0.2 about z\npoint A0 = O + 0.3*G.y\n";
    a = joint.kind == "universal" ? "G.x" : "G.z";
  } else {
    text += "point A0 = O + 0.3*N.y\n";
  }
  if (frames.has_parallel_body)
    text += "coord s\nbody extra frame R mass 1 inertia (0.2, 0.2, 0.2) at O + 3*N.x + s*N.z\n";
  text += fmt::format("body b frame {} mass 2 inertia (0.2, 0.2, 0.2) at O + x*N.x + y*N.y + z*N.z\n", frames.body);
  text += "point P = b - 0.5*R.x\ntorque on b = 0.3*N.x + 0.1*N.z\n";
  const std::string first = is_body_first ? "P of b" : point + " of " + other;
  const std::string second = is_body_first ? point + " of " + other : "P of b";
  text += "joint j: " + joint.kind + " between " + first + " and " + second;
  const std::string b = frames.axis;
  if (joint.has_axis2) text += " axis " + (is_body_first ? b + " axis2 " + a : a + " axis2 " + b);
  if (joint.kind == "prismatic") text += " axis " + (is_body_first ? b : a);
  text += joint.parts + "\n";
  text += "output Fb = force(j, P)\noutput Fa = force(j, A0)\n";
  const bool has_torque = joint.kind != "spherical" && joint.kind != "distance";
  if (has_torque)
    text += "output Tb = torque(j, b)\noutput Ta = torque(j, " + other + ")\n";
  else
    text += "output Tb = 0*N.x\noutput Ta = 0*N.x\n";
  text += "output r = pos(A0, P)\noutput arm = pos(P, b)\noutput a = acc(b)\noutput alpha = alpha(R)\n";
  text += "start q0 ~ 1, x ~ 0.5, y ~ 0.3, R.wx ~ 0.4, R.wy ~ -0.3, R.wz ~ 1.5, x' ~ 0.2, z' ~ 0.1\nrun 0\n";
  return text;
}

struct Reading {
  std::vector<Vector3> values;
  Vector q, u;
};
Reading read(const std::string& text) {
  sim::Dynamics dynamics(test_support::compiled(test_support::model_of_text(text)));
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*dynamics.binding()->model));
  if (run.stopped) throw std::runtime_error(run.stopped->message);
  Reading reading{{}, run.end().q, run.end().u};
  for (const sim::OutputColumns& columns : dynamics.binding()->output_columns)
    reading.values.emplace_back(run.end().outputs.segment<3>(columns.first));
  return reading;
}

TEST(RigidFrames, EveryJointBalancesItsBodyAndActsOppositelyOnTheOtherSide) {
  for (const Joint& joint : kJoints) {
    for (const Frames& frames : kFrames) {
      for (const Side side : kSides) {
        for (const bool is_body_first : {false, true}) {
          const std::string text = text_of(frames, joint, side, is_body_first);
          SCOPED_TRACE(text);
          const Reading reading = read(text);
          const auto& [Fb, Fa, Tb, Ta, r, arm, a, alpha] =
              std::tie(reading.values[0], reading.values[1], reading.values[2], reading.values[3], reading.values[4],
                       reading.values[5], reading.values[6], reading.values[7]);
          EXPECT_LT((Fa + Fb).norm(), 1e-9 * (1.0 + Fb.norm()));
          EXPECT_LT((Ta + Tb + r.cross(Fa)).norm(), 1e-9 * (1.0 + Tb.norm() + Fa.norm()));
          EXPECT_LT((2.0 * (a - Vector3(3, 0, -10)) - Fb).norm(), 1e-9 * (1.0 + Fb.norm()));
          const double inertia = frames.has_parallel_body ? 0.4 : 0.2;
          EXPECT_LT((inertia * alpha - arm.cross(Fb) - Tb - Vector3(0.3, 0, 0.1)).norm(),
                    1e-9 * (1.0 + Tb.norm() + Fb.norm()));
        }
      }
    }
  }
}

TEST(RigidFrames, JointsThatHoldAxesAloneReportTheSameWhateverFrameTheAxisIsWrittenIn) {
  for (const Joint& joint : kJoints) {
    if (!joint.has_axis2) continue;  // the other joints depend on the attitude of the body's own frame
    for (const Side side : kSides) {
      const Reading plain = read(text_of(kFrames[0], joint, side, false));
      for (const Frames& frames : kFrames) {
        if (frames.has_parallel_body) continue;
        SCOPED_TRACE(joint.kind + ", " + frames.what);
        const Reading other = read(text_of(frames, joint, side, false));
        EXPECT_LT((plain.values[0] - other.values[0]).norm(), 1e-8);
        EXPECT_LT((plain.values[2] - other.values[2]).norm(), 1e-8);
      }
    }
  }
}

TEST(RigidFrames, PlainRelationsPutTheirTorqueOnTheBody) {
  const std::vector<std::string> relations = {"dot({}, N.y) = 0", "dot(cross({}, N.x), N.y) = 0.9",
                                              "dot({}, cross(N.x, pos(b, O))) = 0", "dot(omega({f}), N.x) = 0.1",
                                              "dot(alpha({f}), N.x) = 0.2"};
  for (const std::string& relation : relations) {
    for (const Frames& frames : kFrames) {
      if (frames.has_parallel_body) continue;
      std::string written = relation;
      const auto replace = [&](const std::string& what, const std::string& by) {
        for (std::size_t at; (at = written.find(what)) != std::string::npos;) written.replace(at, what.size(), by);
      };
      replace("{f}", frames.axis.substr(0, 1));
      replace("{}", frames.axis);
      const std::string text =
          "model relation\nframe N newtonian\npoint O fixed in N\ncoord q0, q1, q2, q3, x, y, z\n"
          "frame R = N quaternion(q0, q1, q2, q3)\n" +
          frames.declared + "body b frame " + frames.body +
          " mass 2 inertia (0.2, 0.2, 0.2) at O + x*N.x + y*N.y + z*N.z\ntorque on b = 3*N.x + N.y - 2*N.z\n"
          "force on b = N.x + 2*N.z\nconstraint c: " +
          written +
          "\noutput Tb = torque(c, b)\noutput F = Q_constraint[4]*N.x + Q_constraint[5]*N.y + Q_constraint[6]*N.z\n"
          "output alpha = alpha(R)\nstart q0 ~ 1, q1 ~ 0.1, q2 ~ 0.2, x = 0.3, y = 0.2, z = 1.1, R.wx ~ 0.4, R.wz ~ "
          "0.7, x' ~ 0.3\nrun 0\n";
      SCOPED_TRACE(text);
      const Reading reading = read(text);
      EXPECT_LT((0.2 * reading.values[2] - reading.values[0] - Vector3(3, 1, -2)).norm(), 1e-9);
      EXPECT_GT(reading.values[0].norm(), 1e-3);
    }
  }
}

}  // namespace rigid_frames_test
}  // namespace vinculum
