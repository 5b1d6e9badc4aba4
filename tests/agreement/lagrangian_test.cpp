// Models that combine a Lagrangian with vectors, or with extra states.
#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "set_law.hpp"

namespace vinculum::agreement {
namespace lagrangian_test {

/// A chain of two links, stated by particles and forces or by its Lagrangian, with a charge q in a field along z.
std::unique_ptr<ModelBuilder> double_pendulum(bool by_lagrangian, bool stated_speeds) {
  auto b = std::make_unique<ModelBuilder>("double");
  const CoordinateId a = b->add_coordinate("a"), c = b->add_coordinate("c");
  const Term va = b->q_dot(a), vc = b->q_dot(c);
  if (stated_speeds) {
    b->add_speed("w1", va + b->time());
    b->add_speed("w2", (va + vc) * (2.0 + b->sin(b->q(a))));
  }
  if (by_lagrangian) {
    const Term cross = b->cos(b->q(a) - b->q(c)) * va * vc;
    b->add_lagrangian(1.5 * va * va + 0.5 * vc * vc + cross + 3.0 * 9.81 * b->cos(b->q(a)) + 9.81 * b->cos(b->q(c)) +
                      0.3 * (b->q(a) * vc));
    return b;
  }
  const auto N = Model::newtonian();
  const auto O = b->add_fixed_point("O", N);
  const auto link = [&](CoordinateId q) { return b->sin(b->q(q)) * b->axis(N, 0) - b->cos(b->q(q)) * b->axis(N, 1); };
  const auto P = b->add_particle("P", b->number(2.0), O, link(a));
  b->add_particle("Q", b->number(1.0), b->point_of(P), link(c));
  b->add_gravity(-9.81 * b->axis(N, 1));
  // Generalized forces of the term 0.3 a c' of a Lagrangian.
  b->add_generalized_force(a, 0.3 * vc);
  b->add_generalized_force(c, -0.3 * va);
  return b;
}

TEST(Doors, VectorsAndLagrangianFunctionsGiveTheSameAccelerations) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> uniform(-2.0, 2.0);
  for (const bool stated : {false, true}) {
    sim::Dynamics kane = dynamics_of(*double_pendulum(false, stated)),
                  lagrange = dynamics_of(*double_pendulum(true, stated));
    for (int i = 0; i < 20; ++i) {
      const double y[4] = {uniform(random), uniform(random), uniform(random), uniform(random)};
      double first[4], second[4];
      ASSERT_TRUE(kane.derivative(0.3, y, first));
      ASSERT_TRUE(lagrange.derivative(0.3, y, second));
      for (int k = 0; k < 4; ++k) EXPECT_NEAR(first[k], second[k], 1e-10 * (1.0 + std::abs(first[k])));
    }
  }
}

TEST(Doors, AChargedParticleCirclesWithItsCyclotronFrequency) {
  ModelBuilder b("charge");
  const CoordinateId x = b.add_coordinate("x"), y = b.add_coordinate("y");
  b.add_lagrangian((b.q_dot(x) * b.q_dot(x) + b.q_dot(y) * b.q_dot(y)) / 2.0 +
                   1.5 * (b.q(x) * b.q_dot(y) - b.q(y) * b.q_dot(x)));
  start(b, x, 0.0, 1.0);
  start(b, y, 0.0, 0.0);
  const sim::Trajectory run = motion(b, {1.0});
  EXPECT_NEAR(run.end().q[0], std::sin(3.0) / 3.0, 1e-10);
  EXPECT_NEAR(run.end().q[1], (std::cos(3.0) - 1.0) / 3.0, 1e-10);
}

TEST(States, AnIntegralActionIsIntegratedWithTheMotion) {
  ModelBuilder b("integral");
  const CoordinateId x = b.add_coordinate("x");
  b.add_lagrangian(b.q_dot(x) * b.q_dot(x) / 2.0);
  const StateId z = b.add_state("z", b.q(x), b.number(0.25));
  b.add_generalized_force(x, -(b.q(x) * 4.0));
  b.add_output("twice", 2.0 * b.z(z));
  start(b, x, 1.0, 0.0);
  const sim::Trajectory run = motion(b, {1.0});
  EXPECT_NEAR(run.end().z[0], 0.25 + std::sin(2.0) / 2.0, 1e-10);
  EXPECT_NEAR(run.end().z_dot[0], std::cos(2.0), 1e-10);
  EXPECT_NEAR(run.end().outputs[0], 2.0 * run.end().z[0], 1e-15);
}

}  // namespace lagrangian_test
}  // namespace vinculum::agreement
