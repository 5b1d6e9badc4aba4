#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"
#include "vinculum/equations/formulation.hpp"
#include "vinculum/run/simulate.hpp"

// Joints with redundant rows. Some of the rows have a gradient that vanishes at all states that satisfy them.
namespace vinculum {
namespace redundant_joints_test {

using equations::Formulation;

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
  // The length of the rod equals the distance between its ball joint and its fixed point, so the row along the rod
  // follows from the other rows.
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
  // (m w²/4 + I) φ'' = M, about the line of the two hinges.
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

/// A spatial parallelogram with 20 rows of rank at most 17 and 18 speeds. Inertias differ by orders of magnitude.
constexpr const char* kLightCoupler =
    R"(model light_coupler "parallelogram with a light coupler, every pin a joint in space"
frame N newtonian
point O fixed in N
param l = 0.3 [m], d = 0.5 [m], al = 1.1
coord a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3
coord xa, ya, za, xb, yb, zb, xc, yc, zc [m]
frame A = N quaternion(a0, a1, a2, a3)
frame B = N quaternion(b0, b1, b2, b3)
frame C = N quaternion(c0, c1, c2, c3)
body crank frame A mass 2 [kg] inertia (0.01, 0.02, 0.02) [kg*m^2] at O + xa*N.x + ya*N.y + za*N.z
body coupler frame B mass 1e-4 [kg] inertia (1e-6, 1e-6, 1e-6) [kg*m^2] at O + xb*N.x + yb*N.y + zb*N.z
body rocker frame C mass 2 [kg] inertia (0.01, 0.02, 0.02) [kg*m^2] at O + xc*N.x + yc*N.y + zc*N.z
gravity -9.81 [m/s^2]*N.y
point G = O + d*N.x
point A0 = crank - l/2*A.x
point A1 = crank + l/2*A.x
point B0 = coupler - d/2*B.x
point B1 = coupler + d/2*B.x
point C0 = rocker - l/2*C.x
point C1 = rocker + l/2*C.x
joint j1: revolute between O of N and A0 of crank axis N.z
joint j2: revolute between A1 of crank and B0 of coupler axis A.z
joint j3: revolute between B1 of coupler and C1 of rocker axis B.z
joint j4: revolute between C0 of rocker and G of N axis C.z
start a0 = cos(al/2), a1 = 0, a2 = 0, a3 = sin(al/2)
start b0 ~ 1, c0 ~ cos(al/2), c3 ~ sin(al/2)
start xa ~ l/2*cos(al), ya ~ l/2*sin(al), xb ~ l*cos(al) + d/2, yb ~ l*sin(al), xc ~ d + l/2*cos(al), yc ~ l/2*sin(al)
start A.wz = 0
run 0.2 [s]
)";

long solves(const sim::Dynamics& dynamics) { return dynamics.mode().counts.fallbacks; }

TEST(RedundantJoints, AreProjectedOnceAnEvaluationWhereTheyAreNearlyDependent) {
  sim::Dynamics dynamics(test_support::compiled(test_support::model_of_text(kLightCoupler)));
  const auto start = sim::assemble(dynamics);
  ASSERT_TRUE(start);
  Vector y(start->q.size() + start->u.size());
  y << start->q, start->u;
  dynamics.set_scale(Vector(dynamics.scale()), 1e-8);
  for (Eigen::Index i = 0; i < y.size(); ++i) y[i] += 1e-6 * std::sin(1.0 + 3.0 * static_cast<double>(i));
  sim::Mode mode = dynamics.mode();
  set_near_singular(mode, sim::Near::kDependence, dynamics.formulation());
  dynamics.set_mode(std::move(mode));

  Vector on_constraints = y;
  const long before = solves(dynamics);
  ASSERT_TRUE(dynamics.project(0.0, on_constraints.data()));
  const long of_projection = solves(dynamics) - before;
  ASSERT_GT(of_projection, 1);
  Vector rate(y.size());
  ASSERT_TRUE(dynamics.derivative(0.0, y.data(), rate.data()));
  EXPECT_EQ(solves(dynamics) - before - of_projection, of_projection + 1);

  // Two evaluations at the same state on the constraints must give the same bits, from the same factorization.
  Vector once(y.size()), again(y.size());
  ASSERT_TRUE(dynamics.derivative(0.0, on_constraints.data(), once.data()));
  ASSERT_TRUE(dynamics.derivative(0.0, on_constraints.data(), again.data()));
  EXPECT_EQ(once, again);
}

TEST(MasslessRod, InASpatialFourBarMovesAsAStrutOfItsLength) {
  // A massless rod without inertia only keeps the distance of its ends constant. None of its speeds may be chosen as
  // independent.
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
  // A parallelogram described by two angles. The x row of the rod has zero gradient if the cranks are horizontal, the y
  // row if they are vertical. The respective other row keeps the angles equal.
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

}  // namespace redundant_joints_test
}  // namespace vinculum
