#include <gtest/gtest.h>

#include "support/elaborate/elaborated.hpp"

// Coordinates whose motion is not determined, and statements that determine it.
namespace vinculum::elaborate {
namespace {

using testing::kinds_and_sentences;

/// A model with two coordinates, x of a body and s, and `more`.
testing::Elaborated beside(const std::string& more) {
  return testing::elaborated(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x [m], s [m], e0, e1, e2, e3\n"
      "frame E = N quaternion(e0, e1, e2, e3)\nbody e frame E mass 1 [kg] inertia (1, 1, 1) [kg*m^2] at O + x*N.x\n" +
      more);
}

constexpr const char* kSaidOfS = "unused-coordinate: coordinate `s` appears in no mass or constraint\n";

TEST(UnusedCoordinate, IsWhatMovesNoMassAndStandsInNoConstraint) {
  for (const char* more :
       {"", "point P = O + s*N.x\n", "particle P mass 0 [kg] at O + s*N.x\n",
        "output o = 2*s + dot(vel(e), N.x)/1 [1/s]\n", "generalized force on s = -3 [N/m]*s\n",
        "potential 2 [N/m]*s^2\n", "frame B = N rotated s/1 [m] about z\n",
        "point P = O + s*N.y\nforce on P = 1 [N]*N.y\n",
        "point P = e + s*E.x\nspring P O stiffness 1 [N/m] length 1 [m]\n", "force on e = -2 [N/m]*s*N.x\n",
        "let v = s'\nstart s = 1, s' = 0\nrun 1 [s]\n", "state z' = s\nstart z = 0\n"}) {
    const auto result = beside(more);
    EXPECT_EQ(kinds_and_sentences(result), kSaidOfS) << more << result.messages;
    EXPECT_EQ(result.model, nullptr) << more;
  }
}

TEST(UnusedCoordinate, IsNoneThatAMassALagrangianOrAConstraintHolds) {
  for (const char* more :
       {"particle P mass 1 [kg] at O + s*N.x\n", "lagrangian 1 [kg]*s'^2/2\n", "constraint c: s = x\n",
        "constraint c: s' = 2*x'\n", "point P = O + s*N.y\nparticle Q mass 1 [kg] at P + 1 [m]*N.x\n",
        "frame B = N rotated s/1 [m] about z\nbody b frame B mass 0 inertia plane 1 [kg*m^2] at O\n",
        "frame B = N rotated s/1 [m] about z\nparticle P mass 1 [kg] at O + 1 [m]*B.x\n",
        "point P = O + s*N.y\nconstraint c: dot(vel(P), N.y) = 1 [m/s]\n",
        "point P on e = O + s*N.y\nconstraint c: dot(vel(P), N.z) = 1 [m/s]\n",
        "frame B = N rotated s/1 [m] about z\nconstraint c: dot(B.x, E.x) = 0\n",
        "frame B = N rotated s/1 [m] about z\nconstraint c: dot(omega(B, E), N.z) = 0\n",
        "particle P mass 1 [kg] at O + x*N.y\npoint C = O + s*N.x\njoint j: distance between P of P and O of N length "
        "1 [m]\n"
        "constraint k: dot(acc(C), N.x) = 0\n"}) {
    const auto result = beside(more);
    EXPECT_EQ(kinds_and_sentences(result), "") << more << result.messages;
  }
  const auto by_speed = testing::elaborated(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y [m]\nspeed u = x' + y' [m/s], w = x' [m/s]\n"
      "particle P mass 1 [kg] at O + x*N.x\nconstraint c: u = 2*w\n");
  EXPECT_EQ(kinds_and_sentences(by_speed), "") << by_speed.messages;
}

TEST(UnusedCoordinate, SaysWhereItIsDeclaredAndIsNoSecondError) {
  EXPECT_EQ(beside("").messages,
            R"(m.vin:4:14: error: coordinate `s` appears in no mass or constraint [unused-coordinate]
  4 | coord x [m], s [m], e0, e1, e2, e3
    |              ^
  hint: nothing determines its motion: use it in the place of a particle or a body, or in a `constraint`, or leave it out
)");
  EXPECT_EQ(kinds_and_sentences(testing::elaborated("model m\ncoord a, b, c, d, e, f\nlagrangian b'^2\n")),
            "unused-coordinate: coordinates `a`, `c`, `d`, `e` and 1 more appear in no mass or constraint\n");
  EXPECT_EQ(kinds_and_sentences(testing::elaborated("model m\ncoord q[1..3]\nlagrangian q[2]'^2\n")),
            "unused-coordinate: coordinates `q[1]`, `q[3]` appear in no mass or constraint\n");
  // The statement that would have used s has an error.
  for (const char* more :
       {"particle P mass 1 [kg] at O + s*M.x\n", "constraint c: s = nothing\n", "lagrangian s'^2 +\n"})
    EXPECT_EQ(kinds_and_sentences(beside(more)).find("unused"), std::string::npos) << more;
}

}  // namespace
}  // namespace vinculum::elaborate
