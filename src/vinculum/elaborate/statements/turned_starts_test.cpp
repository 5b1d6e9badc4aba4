#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <array>
#include <cmath>

#include "support/elaborate/elaborated.hpp"

// `start B = rotated a about VEC`, axes that a rotation leaves unchanged, and bodies with the newtonian frame.
namespace vinculum::elaborate {
namespace {

using testing::elaborated;
using testing::Elaborated;

/// A body B, rotated by a quaternion from A, which is rotated by q about N.z; `more` begins in line 8.
Elaborated with_quaternion(const std::string& more) {
  return elaborated(
      "model m\nframe N newtonian\npoint O fixed in N\nparam w = 30 [deg]\ncoord e0, e1, e2, e3, q [rad]\nframe A = N "
      "rotated q about z\nframe B = A quaternion(e0, e1, e2, e3)\nbody b frame B mass 1 [kg] inertia (1, 1, 1) "
      "[kg*m^2] "
      "at O\nbody a frame A mass 1 [kg] inertia plane 1 [kg*m^2] at O\n" +
      more);
}

/// The start values of e0 … e3; NaN if not stated.
std::array<double, 4> starts_of(const Elaborated& result) {
  std::array<double, 4> e;
  e.fill(std::nan(""));
  if (result.model == nullptr) return e;
  model::Instant at;
  at.q.assign(result.model->coordinates.size(), 0.4);  // for the angle of A, which no start value fixes
  at.q_dot = at.q_ddot = std::vector<double>(at.q.size(), 0.0);
  for (const model::StartCondition& start : result.model->starts) {
    const bool is_coordinate = start.on == model::StartCondition::On::kCoordinate && start.index < e.size();
    if (is_coordinate) e[start.index] = model::TermValues(*result.model, at).scalar(start.value).value;
  }
  return e;
}

TEST(TurnedStart, IsTheTurnOfTheAxis) {
  constexpr double kDegree = 3.14159265358979323846 / 180.0;
  const std::vector<std::tuple<std::string, double, Eigen::Vector3d>> turns = {
      {"start B = rotated 60 [deg] about z\n", 60.0 * kDegree, {0, 0, 1}},
      {"start B = rotated 1 about x\n", 1.0, {1, 0, 0}},
      {"start b = rotated -w about y\n", -30.0 * kDegree, {0, 1, 0}},
      {"start B = rotated w/2 about A.x + A.y\n", 15.0 * kDegree, {1, 1, 0}},
      {"start B = rotated 2 about 3 [m]*A.z - 4 [m]*A.x\n", 2.0, {-4, 0, 3}},
      {"start B = rotated pi about -A.y\n", 180.0 * kDegree, {0, -1, 0}},
      {"start B ~ rotated 200 [deg] about N.z\n", 200.0 * kDegree, {0, 0, 1}},
      {"start q = 1, B = rotated 0.3 about A.x, q' = 2\n", 0.3, {1, 0, 0}},
      {"start B = rotated 0 about z\n", 0.0, {0, 0, 1}}};
  for (const auto& [text, angle, axis] : turns) {
    const Elaborated result = with_quaternion(text);
    ASSERT_EQ(result.messages, "") << text;
    const Eigen::Quaterniond expected(Eigen::AngleAxisd(angle, axis.normalized()));
    const std::array<double, 4> e = starts_of(result);
    const Eigen::Quaterniond stated(e[0], e[1], e[2], e[3]);
    EXPECT_LT((stated.toRotationMatrix() - expected.toRotationMatrix()).norm(), 1e-15) << text;
    EXPECT_NEAR(stated.norm(), 1.0, 1e-15) << text;
    const bool is_guess = text.find('~') != std::string::npos;
    for (const model::StartCondition& start : result.model->starts) {
      if (start.index < 4) {
        EXPECT_EQ(start.kind, is_guess ? model::StartKind::kGuess : model::StartKind::kHeld) << text;
      }
    }
  }
}

std::string first_said(const std::string& more) {
  const Elaborated result = with_quaternion(more);
  return result.diagnostics.empty() ? std::string() : result.diagnostics[0].message;
}

TEST(TurnedStart, SaysWhatItCannotTurn) {
  EXPECT_EQ(with_quaternion("start A = rotated 1 about z\n").messages,
            R"(m.vin:10:7: error: `A` turns by no quaternion [bad-start]
  10 | start A = rotated 1 about z
     |       ^
  hint: the start of a frame that turns by angles is that of its coordinates: `start a = 30 [deg]`
)");
  EXPECT_EQ(first_said("start N = rotated 1 about z\n"), "the newtonian frame does not turn");
  EXPECT_EQ(first_said("start q = rotated 1 about z\n"), "a frame is needed here, `q` is a coordinate");
  EXPECT_EQ(first_said("start C = rotated 1 about z\n"), "unknown name `C`");
  EXPECT_EQ(first_said("start b' = rotated 1 about z\n"), "`rotated` is the start of a frame or a body");
  EXPECT_EQ(first_said("start B = rotated 1 [m] about z\n"), "the angle of a start must be dimensionless, found m");
  EXPECT_EQ(first_said("start B = rotated q about z\n").substr(0, 37), "`q` changes with the coordinates, but");
  EXPECT_EQ(first_said("start B = rotated 1 about B.x\n"), "an axis is `x`, `y`, `z` or a vector fixed in `A`");
  EXPECT_EQ(first_said("start B = rotated 1 about A.x - A.x\n"), "this axis is the zero vector");
  EXPECT_EQ(first_said("start B = rotated 1 about 3\n"), "an axis is a vector, found a scalar");
  EXPECT_EQ(first_said("start B = rotated 1\n"), "expected `about`, found the end of the statement");
  EXPECT_EQ(first_said("start e1 = 0, B = rotated 1 about z\n"), "`e1` has two start values");
  EXPECT_EQ(first_said("start B = rotated 1 about z, B = rotated 2 about x\n"), "`e0` has two start values");
}

TEST(AxisOfATurn, IsFixedInBothFrames) {
  const std::string begin =
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y, z [m], a, b, c [rad]\nframe A = N rotated a about "
      "z\n"
      "frame D = N rotated c about N.x + N.y\nframe B = A rotated b about z\n"
      "body d frame D mass 1 [kg] inertia (1, 1, 1) [kg*m^2] at O + x*N.x + y*N.y + z*N.z\n"
      "body e frame B mass 1 [kg] inertia (1, 1, 1) [kg*m^2] at O + x*N.y\npoint P fixed in N\n";
  for (const char* more :
       {"joint j: revolute between P of N and e of e axis N.z axis2 N.z\n",
        "joint j: revolute between e of e and P of N axis N.z\n",
        "joint j: revolute between e of e and P of N axis A.z\n",
        "joint j: prismatic between e of e and P of N axis -2*N.z\n",
        "joint j: revolute between d of d and P of N axis N.x + N.y\n",
        "joint j: cylindrical between d of d and e of e axis 3*(N.x + N.y) axis2 A.z\n",
        "frame C = B rotated 0.2 about N.z\nbody f frame C mass 1 [kg] inertia plane 1 [kg*m^2] at O\n",
        "frame C = B axes x N.z, y B.x\n", "frame C = B axes z A.z, x B.x + N.z\n",
        "joint j: rolling between P of N and e of e surface disk(1 [m]) axis N.y axis2 N.z\n"}) {
    const Elaborated result = elaborated(begin + more);
    EXPECT_NE(result.model, nullptr) << more << result.messages;
  }
  for (const auto& [more, message] : std::vector<std::pair<std::string, std::string>>{
           {"joint j: revolute between e of e and P of N axis N.x\n", "this axis is a vector fixed in `e`"},
           {"joint j: revolute between d of d and P of N axis N.x\n", "this axis is a vector fixed in `d`"},
           {"joint j: revolute between d of d and P of N axis N.x - N.y\n", "this axis is a vector fixed in `d`"},
           {"joint j: revolute between e of e and P of N axis D.x + D.y\n", "this axis is a vector fixed in `e`"},
           {"joint j: revolute between e of e and P of N axis N.z + N.x\n", "this axis is a vector fixed in `e`"}}) {
    const Elaborated result = elaborated(begin + more);
    ASSERT_FALSE(result.diagnostics.empty()) << more;
    EXPECT_EQ(result.diagnostics[0].message, message);
  }
}

TEST(NewtonianBody, SlidesWithoutTurning) {
  const std::string begin =
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y, z [m], a [rad]\nframe A = N rotated a about z\n"
      "body block frame N mass 2 [kg] inertia (1, 2, 3) [kg*m^2] at O + x*N.x + y*N.y\n"
      "body other frame N mass 1 [kg] inertia plane 1 [kg*m^2] at block + z*N.x\n"
      "body wheel frame A mass 1 [kg] inertia plane 1 [kg*m^2] at block\n";
  for (const char* more :
       {"", "point P = block + 1 [m]*N.y\nforce on P = 1 [N]*N.x\n", "force on block = -1 [N]*N.x from other\n",
        "joint j: planar between O of N and block of block axis N.z\n",
        "joint j: prismatic between O of N and block of block axis N.x\n",
        "joint j: revolute between block of block and wheel of wheel axis N.z\nconstraint c: z = 0\n",
        "joint j: distance between other of other and O of N length 1 [m]\n",
        "output h = angular_momentum(block, O)\noutput p = momentum(other)\noutput w = omega(block)\n",
        "constraint c: pos(block, O) = 0*N.x along N.x\noutput f = force(c, block)\n",
        "point Q on block = O\nconstraint c: dot(vel(Q), N.x) = 0\n"}) {
    const Elaborated result = elaborated(begin + more);
    ASSERT_NE(result.model, nullptr) << more << result.messages;
    EXPECT_FALSE(result.model->frame(model::Model::newtonian()).body.has_value());
  }
  const auto head_of = [&](const std::string& more) {
    const Elaborated result = elaborated(begin + more);
    return result.diagnostics.empty() ? std::string() : result.diagnostics[0].message;
  };
  EXPECT_EQ(head_of("torque on block = 1 [N*m]*N.z\n"), "no coordinate turns `block`, so a torque on it has no effect");
  EXPECT_EQ(head_of("torque on N = 1 [N*m]*N.z\n"), "a body is needed here, `N` is the newtonian frame");
  EXPECT_EQ(head_of("joint j: fixed between O of N and O of block\n"), "`O` is not fixed in `block`");
}

}  // namespace
}  // namespace vinculum::elaborate
