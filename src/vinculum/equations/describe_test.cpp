#include "vinculum/equations/describe.hpp"

#include <gtest/gtest.h>

#include "support/equations/bodies.hpp"
#include "vinculum/reaction_laws/laws.hpp"

namespace vinculum::equations {
namespace {

using expr::Op;

std::shared_ptr<System> pucks() {
  model::ModelBuilder b("pucks");
  model::TermPool& pool = b.terms();
  const auto N = model::Model::newtonian();
  std::vector<model::Term> q;
  for (const char* name : {"q1", "q2", "q3", "q4"}) q.push_back(b.q(b.add_coordinate(name)));
  const auto Nx = b.axis(N, 0), Ny = b.axis(N, 1), Nz = b.axis(N, 2);
  const auto O = b.add_fixed_point("O", N);
  const auto P1 = b.point_of(b.add_particle("P1", b.number(1.0), O, q[0] * Nx + q[1] * Ny));
  const auto P2 = b.point_of(b.add_particle("P2", b.number(2.0), O, q[2] * Nx + q[3] * Ny));
  const auto parallel = b.add_constraint("parallel", pool.dot(b.vel(P2), pool.cross(Nz, b.vel(P1))));
  b.add_nonideal_force(parallel, P1, -0.1 * b.vel(P1), P2);
  b.add_constraint("rest", b.vel(P1) - 2.0 * Nx, std::vector<model::Term>{Nx, Ny});
  b.add_constraint("rod", pool.norm(b.pos(P2, P1)) - 1.0);
  b.add_constraint("rope", q[0] - b.sin(b.time()));
  b.add_constraint("skate",
                   q[1] * b.q_dot(model::CoordinateId(std::size_t{0})) - b.q_dot(model::CoordinateId(std::size_t{2})));
  b.add_constraint("push", pool.dot(b.acc(P2), Nx) - 1.0);
  return *derive(*b.finish());
}

TEST(Describe, NamesTheForceOnEachParticleAsAFormula) {
  const auto system = pucks();
  const auto all = describe(*system);
  ASSERT_EQ(all.size(), 6u);
  const RowDescription& parallel = all[0].rows[0];
  EXPECT_EQ(parallel.multiplier, "multiplier(parallel)");
  ASSERT_EQ(parallel.forces.size(), 2u);
  EXPECT_EQ(parallel.forces[0].on, "P2");
  EXPECT_EQ(parallel.forces[0].formula, "cross(N.z, vel(P1))");
  EXPECT_EQ(parallel.forces[0].measure_numbers, (std::array<std::string, 3>{"-q2'", "q1'", "0"}));
  EXPECT_EQ(parallel.forces[1].formula, "cross(vel(P2), N.z)");
  EXPECT_EQ(parallel.forces[1].measure_numbers, (std::array<std::string, 3>{"q4'", "-q3'", "0"}));
  EXPECT_TRUE(parallel.bare.empty());
  EXPECT_FALSE(parallel.is_internal);
  EXPECT_TRUE(all[2].rows[0].is_internal);  // a rod exerts only opposite forces on its ends
  ASSERT_EQ(all[0].nonideal.size(), 1u);
  EXPECT_EQ(all[0].nonideal[0].on, "P1");
  EXPECT_EQ(all[0].nonideal[0].force, "-0.1*vel(P1)");
  EXPECT_EQ(all[0].nonideal[0].from, "P2");
  EXPECT_EQ(all[1].rows[1].multiplier, "multiplier(rest)[2]");
}

TEST(Describe, ReportsBareCoordinatesAsGeneralizedForces) {
  const auto system = pucks();
  const auto all = describe(*system);
  const RowDescription& skate = all[4].rows[0];
  EXPECT_TRUE(skate.forces.empty());
  ASSERT_EQ(skate.bare.size(), 2u);
  EXPECT_EQ(skate.bare[0].name, "q1'");
  EXPECT_EQ(skate.bare[0].coefficient, "q2");
  EXPECT_EQ(skate.bare[1].name, "q3'");
  EXPECT_EQ(skate.bare[1].coefficient, "-1");
}

TEST(Describe, NamesTorquesOnBodiesAndWhatActuatorsExert) {
  model::ModelBuilder b("hinge");
  model::TermPool& pool = b.terms();
  const auto N = model::Model::newtonian();
  const auto O = b.add_fixed_point("O", N);
  const auto A = b.add_rotated_frame("A", N, b.q(b.add_coordinate("a")), 2);
  const auto B = b.add_rotated_frame("B", A, b.q(b.add_coordinate("c")), 0);
  const auto first =
      b.add_body("first", A, b.number(1.0), testing::diagonal_inertia(b, 1.0, 2.0, 3.0), O, b.axis(A, 0));
  const auto second = b.add_body("second", B, b.number(1.0), testing::diagonal_inertia(b, 1.0, 2.0, 3.0),
                                 b.center_of(first), b.axis(B, 1));
  const auto tip = b.add_point("tip", b.center_of(second), 2.0 * b.axis(B, 2));
  b.add_constraint("lock", pool.dot(b.omega(B, A), b.axis(A, 0)));
  b.add_constraint("slide", pool.dot(b.vel(tip), b.axis(N, 2)));
  const auto driven = b.add_constraint("driven", pool.dot(b.omega(A), b.axis(N, 2)) - 1.0);
  model::Actuator motor;
  motor.torques.push_back({A, b.axis(N, 2), {}});
  b.set_law(driven, reaction_laws::directed({motor}, true));
  b.add_nonideal(b.add_constraint("held", pool.dot(b.pos(tip, O), b.axis(N, 0)) - 1.0),
                 {model::TorqueOn{B, -0.1 * b.omega(B), A}, {}});
  const auto system = *derive(*b.finish());
  const auto all = describe(*system);

  const RowDescription& lock = all[0].rows[0];
  ASSERT_EQ(lock.torques.size(), 2u);
  EXPECT_EQ(lock.torques[0].on, "second");
  EXPECT_EQ(lock.torques[0].formula, "A.x");
  EXPECT_EQ(lock.torques[0].measure_numbers, (std::array<std::string, 3>{"cos(a)", "sin(a)", "0"}));
  EXPECT_EQ(lock.torques[1].on, "first");
  EXPECT_EQ(lock.torques[1].formula, "-A.x");
  EXPECT_TRUE(lock.is_internal);
  EXPECT_TRUE(lock.is_balanced);
  EXPECT_TRUE(lock.bare.empty());

  const RowDescription& slide = all[1].rows[0];
  ASSERT_EQ(slide.forces.size(), 1u);
  EXPECT_EQ(slide.forces[0].on, "tip");
  EXPECT_FALSE(slide.is_internal);
  for (const expr::Expr& part : bare_part(*system, system->rows[1])) EXPECT_TRUE(part.is_zero());

  EXPECT_TRUE(all[2].rows[0].torques.empty());  // the motor enforces the row instead of a torque λτ
  ASSERT_EQ(all[2].actuators.size(), 1u);
  ASSERT_EQ(all[2].actuators[0].exerts.size(), 1u);
  EXPECT_EQ(all[2].actuators[0].exerts[0].on, "first");
  EXPECT_EQ(all[2].actuators[0].exerts[0].force, "N.z");
  EXPECT_TRUE(all[2].actuators[0].exerts[0].is_torque);
  ASSERT_EQ(all[3].nonideal.size(), 1u);
  EXPECT_EQ(all[3].nonideal[0].from, "first");
  EXPECT_TRUE(all[3].nonideal[0].is_torque);
}

TEST(Classify, TellsLevelTimeAndLinearityApart) {
  const auto system = pucks();
  const auto classes = classify(*system);
  ASSERT_EQ(classes.size(), 7u);
  EXPECT_EQ(classes[0].linearity, Linearity::kNonlinear);  // row of `parallel`
  EXPECT_FALSE(classes[0].is_acatastatic);
  EXPECT_FALSE(classes[0].is_rheonomic);
  EXPECT_EQ(classes[1].linearity, Linearity::kAffine);  // first row of `rest`
  EXPECT_TRUE(classes[1].is_acatastatic);
  EXPECT_EQ(classes[2].linearity, Linearity::kLinear);   // second row of `rest`
  EXPECT_EQ(classes[3].text, "holonomic, scleronomic");  // rod
  EXPECT_EQ(classes[4].text, "holonomic, rheonomic");    // rope
  EXPECT_EQ(classes[5].linearity, Linearity::kLinear);   // row of `skate`
  EXPECT_EQ(classes[6].linearity, Linearity::kAffine);   // row of `push`
  EXPECT_FALSE(classes[6].is_holonomic);
}

}  // namespace
}  // namespace vinculum::equations
