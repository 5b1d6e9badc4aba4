#include <gtest/gtest.h>

#include "support/elaborate/elaborated.hpp"

// A contact place is not the material point of the body at the contact.
namespace vinculum::elaborate {
namespace {

using testing::kinds_and_sentences;

/// A wheel of radius r on a frame that yaws and leans, with an axle about which it turns; `more` begins in line 11.
testing::Elaborated with_wheel(const std::string& more) {
  return testing::elaborated(
      "model m\nframe N newtonian\npoint O fixed in N\nparam r = 0.5 [m], m = 1 [kg], mu = 0.3\n"
      "coord x, y [m], yaw, lean, spin, arm [rad]\nframe A = N rotated yaw about z\nframe L = A rotated lean about x\n"
      "frame B = L rotated spin about y\nframe F = L rotated arm about y\n"
      "body wheel frame B mass m inertia (1, 2, 1) [kg*m^2] at O + x*N.x + y*N.y + r*L.z\n"
      "particle bob mass m at wheel + 2*r*F.x\n" +
      more);
}

constexpr const char* kSaidOfVelocity =
    "place-of-contact: `C` keeps its distance from the body `wheel` and is not a point of it: its velocity is that of "
    "the place, not that of the material in contact\n";
constexpr const char* kSaidOfForce =
    "place-of-contact: `C` keeps its distance from the body `wheel` and is not a point of it: a force on it has no "
    "moment on the body\n";

TEST(PlaceOfContact, IsToldFromThePointOfTheBodyThatTouches) {
  // Places on the ground below the wheel, and places offset from the wheel.
  for (const std::string place : {"point C = O + x*N.x + y*N.y\n", "point C = wheel - r*L.z\n",
                                  "point K = wheel - r/2*L.z\npoint C = K - r/2*L.z\n"}) {
    for (const char* row : {"constraint c: vel(C) = 0 along N.x, N.y\n", "constraint c: dot(vel(C), N.x) = 0\n",
                            "let v = vel(C)\nconstraint c: dot(v, A.x) = 0\n", "constraint c: dot(acc(C), A.x) = 0\n",
                            "constraint c: norm(vel(C))^2 = 1 [m^2/s^2]\n",
                            "constraint c: dot(vel(C) - vel(bob), A.x) = 0\n    law vakonomic start mu = 0\n"})
      EXPECT_EQ(kinds_and_sentences(with_wheel(place + row)), kSaidOfVelocity) << place << row;
    for (const char* force : {"force on C = 1 [N]*A.x\n", "force on bob = 1 [N]*A.x from C\n",
                              "constraint c: lean = 0\n    nonideal on C = -1 [N*s/m]*vel(C)\n",
                              "constraint c: dot(pos(C, O), N.z) + r*lean = 0\n    friction on C mu = mu\n",
                              "constraint c: dot(vel(bob), N.x) = 0\n    via force on C along N.x\n"}) {
      const std::string said = kinds_and_sentences(with_wheel(place + force));
      EXPECT_NE(said.find(kSaidOfForce), std::string::npos) << place << force << said;
    }
  }
}

TEST(PlaceOfContact, SaysWhatToDeclare) {
  EXPECT_EQ(
      with_wheel("point C = wheel - r*L.z\nconstraint roll: vel(C) = 0 along N.x, N.y\n").messages,
      R"(m.vin:13:18: warning: `C` keeps its distance from the body `wheel` and is not a point of it: its velocity is that of the place, not that of the material in contact [place-of-contact]
  13 | constraint roll: vel(C) = 0 along N.x, N.y
     |                  ^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: declare the point of the body that is there: `point C on wheel = …`
)");
}

TEST(PlaceOfContact, IsNoPointOfMatter) {
  for (const char* more : {
           "point C on wheel = wheel - r*L.z\nconstraint c: vel(C) = 0 along N.x, N.y\n",  // a point of the wheel
           "point C = wheel + r*B.x\nconstraint c: dot(vel(C), N.x) = 0\nforce on C = 1 [N]*N.x\n",    // in the wheel
           "constraint c: dot(vel(bob), F.x) = 0\nforce on bob = 1 [N]*N.x\n",                         // a particle
           "constraint c: dot(vel(wheel), A.y) = 0\nforce on wheel = 1 [N]*N.x\n",                     // a mass center
           "joint c: rolling between O of N and wheel of wheel surface disk(r) axis N.z axis2 B.y\n",  // of the joint
           "point C = O + x*N.x\nconstraint c: dot(vel(C), N.x) = 0\n",        // a point that follows no body
           "point C = wheel + x*L.z\nconstraint c: dot(vel(C), N.x) = 0\n",    // distance not constant
           "point C = wheel + 3*r*F.x\nconstraint c: dot(vel(C), F.y) = 0\n",  // on a rotating arm
           "body rod frame F mass 0 inertia (0, 0, 0) at wheel + r*F.x\npoint C = wheel + 2*r*F.x\nforce on C = 1 "
           "[N]*N.x\n",  // a point of a massless part
           "point C = wheel - r*L.z\noutput v = vel(C)\nconstraint c: dot(pos(C, O), N.z) + r*lean = 0\n"  // not used
       }) {
    EXPECT_EQ(kinds_and_sentences(with_wheel(more)), "") << more;
  }
}

TEST(PlaceOfContact, IsNoCentreOfASurface) {
  const auto heads_of = [](const std::string& more) {
    return kinds_and_sentences(with_wheel("point K = wheel + r*B.x\npoint H = wheel + r/2*B.x\n" + more));
  };
  const std::string said =
      "place-of-contact: `K` is the centre of the surface, and is as far from the mass centre of `wheel` as the "
      "surface "
      "reaches\n";
  EXPECT_EQ(heads_of("joint c: rolling between O of N and K of wheel surface disk(r) axis N.z axis2 B.y\n"), said);
  EXPECT_EQ(heads_of("joint c: rolling between O of N and K of wheel surface sphere(0.5 [m]) axis N.z\n"), said);
  EXPECT_EQ(heads_of("joint c: rolling between O of N and K of wheel surface torus(0.8*r, 0.2*r) axis N.z axis2 B.y\n"),
            said);
  EXPECT_EQ(heads_of("joint c: point_on_surface between bob of bob and K of wheel surface sphere(r)\n"), said);
  EXPECT_EQ(
      heads_of("body ball frame F mass m inertia (1, 1, 1) [kg*m^2] at wheel + r*F.z\njoint c: rolling between K of "
               "wheel and ball of ball surface sphere(0.1 [m]) radius r\n"),
      said);
  EXPECT_EQ(heads_of("joint c: rolling between O of N and wheel of wheel surface disk(r) axis N.z axis2 B.y\n"), "");
  EXPECT_EQ(heads_of("joint c: rolling between O of N and H of wheel surface disk(r) axis N.z axis2 B.y\n"), "");
  EXPECT_EQ(heads_of("joint c: point_on_surface between bob of bob and K of wheel surface plane\n"), "");
}

// Joints that need a material point reject contact places.
TEST(PlaceOfContact, IsNoPointOfAJoint) {
  for (const char* place :
       {"point C = O + x*N.x + y*N.y\n", "point C = wheel - r*L.z\n", "point C on wheel = wheel - r*L.z\n"}) {
    for (const char* joint :
         {"rolling between O of N and C of wheel surface disk(r) axis N.z axis2 B.y",
          "rolling between C of wheel and O of N surface sphere(r) axis B.z",
          "point_on_surface between O of N and C of wheel surface sphere(r)",
          "point_on_surface between C of wheel and O of N surface plane",
          "blade between C of wheel and O of N axis B.z", "gear between C of wheel and O of N axis B.z ratio 2",
          "spherical between C of wheel and O of N"})
      EXPECT_EQ(kinds_and_sentences(with_wheel(std::string(place) + "joint j: " + joint + "\n")),
                "not-allowed-here: `C` is not fixed in `wheel`\n")
          << place << joint;
  }
}

}  // namespace
}  // namespace vinculum::elaborate
