#include <gtest/gtest.h>

#include <string>

#include "support/elaborate/elaborated.hpp"

// Frames defined by axes, bodies that share a frame or move in a plane, and things that a joint may connect.
namespace vinculum::elaborate {
namespace {

using testing::elaborated;
using testing::heads_in_plane;
using testing::in_plane;
using testing::value_of;

/// Checks the measure numbers in N of the axes of B.
void expect_axes(const std::string& definition, const double (&axes)[3][3]) {
  std::string text = "param s = 0.5, c = 2 [m]\nframe B = N axes " + definition + "\n";
  for (const char* b : {"x", "y", "z"}) {
    for (const char* n : {"x", "y", "z"})
      text += std::string("let ") + b + n + " = dot(B." + b + ", N." + n + ")\noutput o" + b + n + " = " + b + n + "\n";
  }
  const auto result = in_plane(text);
  ASSERT_TRUE(result.model) << result.messages;
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_NEAR(value_of(*result.model, result.model->outputs[i].value), axes[i / 3][i % 3], 1e-15)
        << definition << ", " << result.model->outputs[i].name;
}

TEST(FrameByAxes, KeepsTheFirstAndMakesTheSecondOrthogonal) {
  expect_axes("x 3*N.x, y N.x + 2 [mm]*N.y/1 [m]", {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
  expect_axes("x N.y, y -N.x", {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}});
  expect_axes("x -N.z, y N.y", {{0, 0, -1}, {0, 1, 0}, {1, 0, 0}});  // the middle angle is 90°
  expect_axes("x N.z, y N.x", {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}});
  expect_axes("z c*N.x, x N.x + s*N.y", {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}});
  expect_axes("y N.z, x N.z - c/1 [m]*N.y", {{0, -1, 0}, {0, 0, 1}, {-1, 0, 0}});
  const double h = 0.8, k = 0.6;
  expect_axes("z s*(4*N.y + 3*N.z)/2.5, y N.y", {{1, 0, 0}, {0, k, -h}, {0, h, k}});
}

TEST(FrameByAxes, HasTwoFixedDirectionsThatDiffer) {
  EXPECT_EQ(in_plane("frame B = N axes x N.x + N.y, y -2*N.x - 2*N.y\n").messages,
            R"(m.vin:7:20: error: the two axes are parallel [bad-value]
  7 | frame B = N axes x N.x + N.y, y -2*N.x - 2*N.y
    |                    ^^^^^^^^^ kept
    |                                 ^^^^^^^^^^^^^^ has no part across it
  hint: the first axis is kept, the second is made orthogonal to it
)");
  EXPECT_EQ(heads_in_plane("frame B = N axes x vel(P), y N.y\n"),
            "`vel(P)` is of velocity level, but an axis of a frame may contain only coordinates, parameters and `t`\n");
  EXPECT_EQ(heads_in_plane("frame A = N rotated phi about z\nframe B = N axes x A.x, y N.z\n"),
            "an axis of a frame is a vector fixed in `N`\n");
  EXPECT_EQ(heads_in_plane("frame B = N axes x N.x - N.x, y N.z\n"), "this axis is the zero vector\n");
}

TEST(PlaneInertia, IsThatAboutZ) {
  const auto right = in_plane(
      "frame B = N rotated phi about z\nframe C = B rotated 2*phi about z\n"
      "body b frame B mass 2 [kg] inertia plane 3 [kg*m^2] at P\n"
      "body c frame C mass 2 [kg] inertia plane 3 [kg*m^2] at b - 0.5 [m]*C.x about b\n"
      "output T = kinetic_energy\n");
  ASSERT_TRUE(right.model) << right.messages;
  EXPECT_EQ(value_of(*right.model, right.model->bodies[0].inertia.zz), 3.0);
  EXPECT_EQ(value_of(*right.model, right.model->bodies[1].inertia.zz), 2.5);
}

TEST(PlaneInertia, IsForMotionInAPlaneOnly) {
  EXPECT_EQ(heads_in_plane(
                "frame B = N body123(phi, x/1 [m], 0)\nbody b frame B mass 1 [kg] inertia plane 1 [kg*m^2] at P\n"),
            "`B` turns about other axes than its z too: all of its inertia matters\n");
  EXPECT_EQ(heads_in_plane("frame B = N rotated phi about z\nbody b frame B mass 1 [kg] inertia plane 1 [kg] at P\n"),
            "a moment of inertia must be in kg*m^2, found kg\n");
  EXPECT_EQ(
      heads_in_plane("frame B = N rotated phi about z\nbody b frame B mass 1 [kg] inertia plane -1 [kg*m^2] at P\n"),
      "no body has this inertia: about some axis through the mass centre its moment is negative\n");
}

constexpr const char* kTwoBodies =
    "frame B = N rotated phi about z\n"
    "body b frame B mass 1 [kg] inertia plane 1 [kg*m^2] at P\n"
    "body c frame B mass 2 [kg] inertia plane 1 [kg*m^2] at O + x*N.x\n";

TEST(SharedFrame, HasBodiesWithActionsOfTheirOwn) {
  const auto result = in_plane(std::string(kTwoBodies) +
                               "torque on c = 2 [N*m]*N.z from b\npoint Q = c + 1 [m]*B.x\n"
                               "joint j: spherical between O of N and Q of c\n"
                               "output F = force(j, c)\noutput a = dot(c.x, B.x) + dot(omega(c), b.z)*1 [s]\n");
  ASSERT_TRUE(result.model) << result.messages;
  EXPECT_EQ(value_of(*result.model, result.model->outputs[1].value), 1.6);
  EXPECT_NE(result.model->bodies[0].frame, result.model->bodies[1].frame);
}

TEST(SharedFrame, StandsForNoneOfItsBodies) {
  EXPECT_EQ(heads_in_plane(std::string(kTwoBodies) + "torque on B = 2 [N*m]*N.z\n"),
            "`B` is the frame of several bodies: `b`, `c`\n");
}

TEST(JointSides, MayBeCentresParticlesAndBareFrames) {
  const auto result = in_plane(
      "coord u[1..3], w [m]\nparticle R mass 1 [kg] at O + u[1]*N.x + u[2]*N.y + u[3]*N.z\n"
      "frame B = N rotated phi about z\nbody b frame B mass 1 [kg] inertia plane 1 [kg*m^2] at O + w*N.x\n"
      "frame E = B rotated 0.3 about z\n"
      "joint pin: spherical between center(b) of b and R of R\n"
      "joint rod: distance between R of R and P of P length 2 [m]\n"
      "joint on: point_on_surface between P of P and center(b) of b surface sphere(1 [m])\n"
      "joint guide: cylindrical between O of N and center(b) of E axis N.z\n"
      "output f = force(pin, R)\noutput k = force(rod, P)\noutput h = force(on, P)\n");
  ASSERT_TRUE(result.model) << result.messages;
  EXPECT_EQ(result.model->constraints[0].rows.size(), 3u);
}

TEST(JointSides, AreToldWhatTheyCannotBe) {
  const std::string head = "particle R mass 1 [kg] at P\nframe E = N rotated phi about z\n";
  EXPECT_EQ(heads_in_plane(head + "joint j: revolute between O of N and R of R axis N.z\n"),
            "a `revolute` joint uses directions, and a particle has none\n");
  EXPECT_EQ(heads_in_plane(head + "joint j: blade between R of E and O of N axis E.y\n"),
            "a `blade` joint acts at points of matter, and no body is fixed in the frame `E`\n");
  EXPECT_EQ(heads_in_plane(head + "joint j: distance between P of R and O of N length 1 [m]\n"),
            "`P` is not the particle `R`\n");
  EXPECT_EQ(heads_in_plane(head + "joint j: distance between P of P and P of P length 1 [m]\n"),
            "a joint connects two different bodies\n");
  EXPECT_EQ(heads_in_plane(head + "joint j: distance between O of O and P of P length 1 [m]\n"),
            "a body, a frame or a particle is needed here, `O` is a point without mass\n");
}

}  // namespace
}  // namespace vinculum::elaborate
