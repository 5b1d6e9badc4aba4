#include <gtest/gtest.h>

#include <map>
#include <string>

#include "support/models.hpp"
#include "vinculum/report/columns.hpp"
#include "vinculum/report/plane.hpp"
#include "vinculum/run/simulate.hpp"

// Under redundant constraints, exactly those components of outputs that mechanics determines must be flagged as unique.
namespace vinculum {
namespace unique_components_test {

struct Flags {
  std::vector<std::string> not_unique, out_of_plane;
};
Flags flags_of(const std::string& text, std::size_t sample_from_end = 0) {
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  sim::Dynamics dynamics(bound);
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*bound->compiled->model));
  if (run.stopped) throw std::runtime_error(run.stopped->message);
  const sim::Sample& sample = run.samples.at(run.samples.size() - 1 - sample_from_end);
  const std::vector<report::Column> columns = report::columns_of(*bound);
  Flags flags;
  for (const report::Column& column : columns) {
    for (int k = 0; k < column.count && column.is_unique; ++k) {
      if (!column.is_unique(sample, k)) flags.not_unique.push_back(report::entry_name(column, k));
    }
  }
  flags.out_of_plane = report::out_of_plane(*bound->compiled->model, columns, sample);
  return flags;
}
std::string case_text(const std::string& name) {
  return test_support::read_text(std::string(VINCULUM_SOURCE) + "/tests/cases/" + name + ".vin");
}
using Names = std::vector<std::string>;

TEST(UniqueComponents, OfPinsOfAPlaneLinkageAreThoseInThePlane) {
  const Flags flags = flags_of(case_text("plane_four_bar_by_revolutes"));
  EXPECT_EQ(flags.not_unique, (Names{"FA.z", "FB.z", "FC.z", "FD.z"}));
  EXPECT_EQ(flags.out_of_plane, flags.not_unique);
}

TEST(UniqueComponents, OfTorquesOfAPlaneLinkageAreThoseAcrossThePlane) {
  std::string text = case_text("plane_four_bar_by_revolutes");
  text.insert(text.find("output motor"),
              "output TB = torque(pinB, coupler)\noutput TBz = dot(torque(pinB, coupler), N.z)\n");
  const Flags flags = flags_of(text);
  EXPECT_EQ(flags.not_unique, (Names{"FA.z", "FB.z", "FC.z", "FD.z", "TB.x", "TB.y"}));
  EXPECT_EQ(flags.out_of_plane, flags.not_unique);
}

TEST(UniqueComponents, OfASpatialModelThatMovesInAPlaneAreNamedOneByOne) {
  for (const std::size_t back : {0u, 50u, 100u}) {
    const Flags flags = flags_of(case_text("unique_force_flagged"), back);
    EXPECT_EQ(flags.not_unique, Names{"F.z"});
    EXPECT_EQ(flags.out_of_plane, Names{});
  }
}

TEST(UniqueComponents, DoNotComeFromCouplesOfLeversThatAreZero) {
  const std::string text =
      "model unique_torque\n"
      "frame N newtonian\n"
      "point O fixed in N\n"
      "point D = O + 1*N.x\n"
      "coord q0, q1, q2, q3, x, y, z\n"
      "frame R = N quaternion(q0, q1, q2, q3)\n"
      "body b frame R mass 2 inertia (0.3, 0.4, 0.5) at O + x*N.x + y*N.y + z*N.z\n"
      "point Q = b + 1*R.x\n"
      "gravity -10*N.z\n"
      "torque on b = 3*N.z\n"
      "joint plane: planar between O of N and b of b axis 0.2*N.x + 0.1*N.y + N.z axis2 0.2*R.x + 0.1*R.y + R.z\n"
      "joint cross: universal between Q of b and D of N axis 0.8*R.x - 0.6*R.y axis2 0.6*N.x + 0.8*N.y + 0.3*N.z\n"
      "output Tz = dot(torque(cross, b), N.z)\n"
      "output Fx = dot(force(cross, Q), N.x)\n"
      "output Fy = dot(force(cross, Q), N.y)\n"
      "output T = torque(cross, b) in N\n"
      "start q0 ~ 0.9, q1 ~ 0.1, q2 ~ -0.05, q3 ~ 0.2\n"
      "run 0\n";
  EXPECT_EQ(flags_of(text).not_unique, (Names{"Fx", "Fy"}));
}

/// A body on two hinges along y, in a frame that is turned about x.
std::string door(const std::string& axis, const std::string& frame) {
  return "model door\nframe N newtonian\npoint O fixed in N\ncoord e0, e1, e2, e3, x, y, z\n" + frame +
         "frame B = N quaternion(e0, e1, e2, e3)\nbody b frame B mass 2 inertia (0.3, 0.2, 0.4) at O + x*N.x + y*N.y + "
         "z*N.z\n"
         "point P = b - 0.4*B.x\npoint Q = P + 0.5*B.y\npoint QO = O + 0.5*" +
         axis +
         "\ngravity -10*N.z\n"
         "joint one: revolute between O of N and P of b axis " +
         axis +
         " axis2 B.y\n"
         "joint two: revolute between QO of N and Q of b axis " +
         axis +
         " axis2 B.y\n"
         "output F1 = force(one, P) in " +
         (frame.empty() ? "N" : "G") +
         "\noutput F = force(one, P) + force(two, Q)\n"
         "output M = cross(pos(Q, P), force(two, Q)) + torque(one, b) + torque(two, b)\n"
         "output T1 = torque(one, b) in " +
         (frame.empty() ? "N" : "G") + "\noutput along = dot(force(one, P), " + axis +
         ")\n"
         "output m = multiplier(one)\nstart e0 ~ 1, x ~ 0.4\nrun 0.3\n";
}

TEST(UniqueComponents, OfTwoHingesAreTheirSumsAndNothingElse) {
  const Names all = {"F1.x", "F1.y", "F1.z", "T1.x", "T1.z", "along", "m[1]", "m[2]", "m[3]", "m[4]", "m[5]"};
  EXPECT_EQ(flags_of(door("N.y", "")).not_unique, all);
  EXPECT_EQ(flags_of(door("G.y", "frame G = N rotated 0.4 about x\n")).not_unique, all);
}

TEST(UniqueComponents, OfARopeStatedTwiceAreThoseAcrossItsPlane) {
  const std::string text =
      "model rope\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\ngravity "
      "-10*N.y\n"
      "constraint a: norm(pos(P, O)) = 1\nconstraint b: dot(pos(P, O), pos(P, O)) = 1\n"
      "output F = force(a, P)\noutput both = force(a, P) + force(b, P)\noutput size = norm(force(a, P) + force(b, P))\n"
      "output share = multiplier(a)\nstart x = 0.6, y ~ -0.8\nrun 1\n";
  EXPECT_EQ(flags_of(text).not_unique, (Names{"F.x", "F.y", "share"}));
}

TEST(UniqueComponents, OfAStandOnFourLegsAreTheHorizontalOnes) {
  const std::string text =
      "model table\nframe N newtonian\npoint O fixed in N\ncoord x, y, z, a, b, c\nframe B = N body123(a, b, c)\n"
      "body plate frame B mass 8 inertia (0.2, 0.4, 0.6) at O + x*N.x + y*N.y + z*N.z\ngravity -10*N.z\n"
      "point A1 = plate + 0.5*B.x + 0.4*B.y\npoint A2 = plate - 0.7*B.x + 0.4*B.y\n"
      "point A3 = plate - 0.7*B.x - 0.4*B.y\npoint A4 = plate + 0.5*B.x - 0.4*B.y\n"
      "constraint l1: dot(pos(A1, O), N.z) = 0\nconstraint l2: dot(pos(A2, O), N.z) = 0\n"
      "constraint l3: dot(pos(A3, O), N.z) = 0\nconstraint l4: dot(pos(A4, O), N.z) = 0\n"
      "output F1 = force(l1, A1)\noutput right = force(l1, A1) + force(l4, A4)\noutput diagonal = force(l1, A1) + "
      "force(l3, A3)\n"
      "output M = cross(pos(A1, plate), force(l1, A1))\nstart x = 0\nrun 0\n";
  EXPECT_EQ(flags_of(text).not_unique, (Names{"F1.z", "diagonal.z", "M.x", "M.y"}));
}

}  // namespace unique_components_test
}  // namespace vinculum
