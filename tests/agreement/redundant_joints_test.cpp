#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"
#include "vinculum/dynamics/formulation.hpp"
#include "vinculum/sim/run/simulate.hpp"

// Joints that say more than the motion needs, some of it by rows whose gradient vanishes wherever they hold.
namespace vinculum {
namespace {

using dynamics::Formulation;

constexpr Formulation kAll[] = {Formulation::kExplicit, Formulation::kAugmented, Formulation::kMinimal};

sim::Trajectory run_by(const std::string& text, Formulation formulation) {
  const auto model = test_support::model_of_text(text);
  sim::Dynamics dynamics(test_support::compiled(model));
  sim::SimulateOptions options = sim::options_of(*model);
  options.formulation = formulation;
  return sim::simulate(dynamics, options);
}

std::string reason(const sim::Trajectory& run) { return run.stopped ? run.stopped->message : std::string(); }

TEST(RowOfVanishingGradient, OfABallJointAtTheRodsReachContradictsNothing) {
  // The rod's length is its ball's distance from its fixed point: the row along the rod holds by the others alone.
  const std::string text = R"(model pinned_twice "rod from O to a ball joint at its reach, beside a Hooke joint"
frame N newtonian
point O fixed in N
coord th1, p, q, r
frame S1 = N rotated th1 about x
frame S2 = N body321(p,q,r)
frame T = N rotated 0.5 about z
body b1 frame S1 mass 1 inertia (1,1,1) at O
body b2 frame S2 mass 1 inertia (0.1,1,1) at O + 0.5*S2.x
point P2 = b2 + 0.5*S2.x
point D = O + T.x
joint ball: spherical between P2 of b2 and D of N
constraint hooke: dot(S1.y,S2.z) = 0
torque on b1 = 1*N.x
start p~0.5, th1'=2, th1=0
run 1 tolerance 1e-9
output off = dot(omega(S2),S2.x)*(1 - sin(0.5)^2*cos(th1)^2) - th1'*cos(0.5)
)";
  for (const Formulation formulation : kAll) {
    SCOPED_TRACE(to_string(formulation));
    const sim::Trajectory run = run_by(text, formulation);
    ASSERT_FALSE(run.stopped) << reason(run);
    for (const sim::Sample& sample : run.samples) EXPECT_LT(std::abs(sample.outputs[0]), 1e-9) << sample.t;
    EXPECT_LT(run.statistics.steps, 200);
  }
}

TEST(RedundantHinges, TurnADoorByOneAngle) {
  // (m w²/4 + I) φ'' = M about the hinges' line.
  const std::string text = R"(model door "door on two revolute hinges"
frame N newtonian
point O fixed in N
param m=20 [kg], w=0.9 [m], h=2 [m]
coord x,y,z [m], e0,e1,e2,e3
frame B = N quaternion(e0,e1,e2,e3)
body door frame B mass m inertia (7,8,1.5) [kg*m^2] at O+x*N.x+y*N.y+z*N.z
point H1 = door - w/2*B.x + 0.7 [m]*B.z
point H2 = door - w/2*B.x - 0.7 [m]*B.z
point A1 = O + 0.7 [m]*N.z
point A2 = O - 0.7 [m]*N.z
joint top: revolute between A1 of N and H1 of door axis N.z
joint bot: revolute between A2 of N and H2 of door axis N.z
torque on door = 3 [N*m]*N.z
run 2 [s] tolerance 1e-10
output wz = dot(omega(B),N.z)
)";
  for (const Formulation formulation : kAll) {
    SCOPED_TRACE(to_string(formulation));
    const sim::Trajectory run = run_by(text, formulation);
    ASSERT_FALSE(run.stopped) << reason(run);
    EXPECT_NEAR(run.end().outputs[0], 3.0 / (20.0 * 0.45 * 0.45 + 1.5) * 2.0, 1e-9);
  }
}

TEST(MasslessRod, InASpatialFourBarMovesAsAStrutOfItsLength) {
  // A rod without mass or inertia only keeps the distance of its ends; no speed of its own may pass for an independent
  // one.
  const std::string cranks = R"(model four_bar "two cranks"
frame N newtonian
point O fixed in N
coord a, b
frame A = N rotated a about x
frame C = N rotated b about y
body crank frame A mass 1 inertia (0.2,0.2,0.2) at O
body rock frame C mass 1 inertia (0.3,0.3,0.3) at O + 2*N.x+1.0*N.y
point P1 = crank + 0.3*A.y
point P2 = rock + 0.8*C.z
torque on crank = 0.5*N.x
start a = 0.02, a' = 0
run 1.5 tolerance 1e-11
)";
  const std::string rod = R"(coord x,y,z,e0,e1,e2,e3
frame B = N quaternion(e0,e1,e2,e3)
body rod frame B mass 0 inertia (0,0,0) at O + x*N.x+y*N.y+z*N.z
point R1 = rod - 1.1*B.x
point R2 = rod + 1.1*B.x
joint s1: spherical between P1 of crank and R1 of rod
joint s2: universal between P2 of rock and R2 of rod axis C.x axis2 B.y
)";
  const std::string strut = "constraint strut: norm(pos(P1,P2)) = 2.2\n";
  const sim::Trajectory expected = run_by(cranks + strut, Formulation::kExplicit);
  ASSERT_FALSE(expected.stopped) << reason(expected);
  for (const Formulation formulation : {Formulation::kExplicit, Formulation::kMinimal}) {
    SCOPED_TRACE(to_string(formulation));
    const sim::Trajectory run = run_by(cranks + rod, formulation);
    ASSERT_FALSE(run.stopped) << reason(run);
    EXPECT_NEAR(run.end().q[0], expected.end().q[0], 1e-8);
    EXPECT_NEAR(run.end().q[1], expected.end().q[1], 1e-8);
  }
}

TEST(RowsInTurn, HandOverWhereTheGradientOfOneVanishes) {
  // A parallelogram by its two angles: the rod's row along x has no gradient where the cranks lie, that along y none
  // where they stand; the other one keeps the angles alike.
  const std::string cranks = R"(model parallelogram
frame N newtonian
point O fixed in N
param L = 1, d = 2, g = 9.81
coord a, b
frame A = N rotated a about z
frame B = N rotated b about z
particle p mass 1 at O + L*A.x
particle q mass 2 at O + d*N.x + L*B.x
constraint rod: pos(q, p) = d*N.x along N.x, N.y
gravity -g*N.y
start a = 0.5, b ~ 0.5
run 3 tolerance 1e-11
)";
  const std::string pendulum = R"(model pendulum
frame N newtonian
point O fixed in N
coord a
frame A = N rotated a about z
particle p mass 3 at O + A.x
gravity -9.81*N.y
start a = 0.5
run 3 tolerance 1e-11
)";
  const sim::Trajectory expected = run_by(pendulum, Formulation::kExplicit);
  const sim::Trajectory run = run_by(cranks, Formulation::kExplicit);
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_NEAR(run.end().q[0], expected.end().q[0], 1e-8);
  EXPECT_NEAR(run.end().q[1], expected.end().q[0], 1e-8);
}

TEST(DiskFallenFlat, StopsEveryFormulationForTheSameReason) {
  const std::string text =
      test_support::read_text(std::filesystem::path(VINCULUM_MODELS) / "joint_disk_falls_flat.vin");
  const sim::Trajectory expected = run_by(text, Formulation::kExplicit);
  ASSERT_TRUE(expected.stopped);
  for (const Formulation formulation : kAll) {
    SCOPED_TRACE(to_string(formulation));
    const sim::Trajectory run = run_by(text, formulation);
    ASSERT_TRUE(run.stopped);
    EXPECT_EQ(run.stopped->kind, FailureKind::kNotUnique) << reason(run);
    EXPECT_NEAR(run.stopped->t, expected.stopped->t, 1e-6);
  }
}

}  // namespace
}  // namespace vinculum
