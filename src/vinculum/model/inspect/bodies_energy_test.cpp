// Compares energies and momenta of bodies with sums over equivalent particles.
#include <gtest/gtest.h>

#include <cmath>

#include "support/model/newtonian.hpp"
#include "support/model/random_model.hpp"
#include "vinculum/model/inspect/hamiltonian.hpp"
#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::model {
namespace {

using testing::N;

/// Masses at points of a frame B that moves with a quaternion, time and coordinates. They are modeled either as
/// particles or as the equivalent rigid body.
struct Cluster {
  explicit Cluster(bool as_body) : b(as_body ? "body" : "particles") {
    O = b.add_fixed_point("O", N);
    std::array<CoordinateId, 4> e;
    for (std::size_t i = 0; i < 4; ++i) e[i] = b.add_coordinate("e" + std::to_string(i));
    const Term x = b.q(b.add_coordinate("x"));
    const FrameId A = b.add_rotated_frame("A", N, 0.7 * b.time() + x, 2);
    const FrameId B = b.add_quaternion_frame("B", A, e);
    const PointId C = b.add_point("C", O, x * b.axis(A, 0) + b.sin(b.time()) * b.axis(N, 1));
    const auto at = [&](const std::array<double, 3>& r) {
      return r[0] * b.axis(B, 0) + r[1] * b.axis(B, 1) + r[2] * b.axis(B, 2);
    };
    if (!as_body) {
      for (std::size_t i = 0; i < 5; ++i) b.add_particle("P" + std::to_string(i), b.number(kMass[i]), C, at(kPlace[i]));
    } else {
      double mass = 0.0, I[6] = {};
      std::array<double, 3> center{};
      for (std::size_t i = 0; i < 5; ++i) {
        const auto [x1, y1, z1] = kPlace[i];
        mass += kMass[i];
        for (std::size_t k = 0; k < 3; ++k) center[k] += kMass[i] * kPlace[i][k];
        I[0] += kMass[i] * (y1 * y1 + z1 * z1), I[1] += kMass[i] * (z1 * z1 + x1 * x1),
            I[2] += kMass[i] * (x1 * x1 + y1 * y1);
        I[3] -= kMass[i] * x1 * y1, I[4] -= kMass[i] * y1 * z1, I[5] -= kMass[i] * z1 * x1;
      }
      for (double& c : center) c /= mass;
      // The inertia is stated about C, not about the mass center.
      body =
          b.add_body("body", B, b.number(mass),
                     {b.number(I[0]), b.number(I[1]), b.number(I[2]), b.number(I[3]), b.number(I[4]), b.number(I[5])},
                     C, at(center), C);
    }
    b.add_gravity(-9.81 * b.axis(N, 2) + 0.4 * b.axis(N, 0));
  }
  static constexpr std::array<double, 5> kMass{0.7, 0.4, 1.1, 0.3, 0.9};
  static constexpr std::array<std::array<double, 3>, 5> kPlace{
      {{0.3, 0.1, -0.2}, {-0.4, 0.5, 0.2}, {0.1, -0.3, 0.6}, {0.7, 0.2, 0.3}, {-0.2, -0.6, 0.1}}};
  ModelBuilder b;
  PointId O;
  BodyId body;
};

const Instant kAt{0.4, {0.5, -0.3, 0.6, 0.4, 0.8}, {0.7, -1.1, 0.3, 0.9, 0.5}, {0.0, 0.0, 0.0, 0.0, 0.0}, {}, {}};

TEST(BodiesEnergy, ARigidBodyHasTheEnergiesOfTheParticlesItIsMadeOf) {
  Cluster particles(false), body(true);
  const auto same = [&](Term (*energy)(const Model&)) {
    const double expected = TermValues(particles.b.model(), kAt).scalar(energy(particles.b.model())).value;
    const double got = TermValues(body.b.model(), kAt).scalar(energy(body.b.model())).value;
    EXPECT_NEAR(got, expected, 1e-13 * (1.0 + std::fabs(expected)));
  };
  same(kinetic_energy);
  same(potential_energy);
  same(hamiltonian);
}

TEST(BodiesEnergy, ARigidBodyHasTheMomentaOfTheParticlesItIsMadeOf) {
  Cluster particles(false), body(true);
  const Model& model = particles.b.model();
  Term p = model.terms->zero_vector(), h = p;
  for (std::size_t i = 0; i < 5; ++i) {
    p = p + momentum(model, ParticleId(i));
    h = h + angular_momentum(model, ParticleId(i), particles.O);
  }
  TermValues expected(model, kAt), got(body.b.model(), kAt);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(got.vector(momentum(body.b.model(), body.body))[i].value, expected.vector(p)[i].value, 1e-13);
    EXPECT_NEAR(got.vector(angular_momentum(body.b.model(), body.body, body.O))[i].value, expected.vector(h)[i].value,
                1e-13);
  }
}

TEST(BodiesEnergy, TheVelocityByTimeAloneIsThatWithAllCoordinatesHeld) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    testing::RandomModel random(seed);
    const Instant at = random.instant();
    Instant held = at;
    held.q_dot.assign(at.q.size(), 0.0);
    for (const PointId point : random.points) {
      const JetVector expected = TermValues(random.model(), held).vector(random.builder.vel(point));
      const JetVector got = TermValues(random.model(), at).vector(velocity_of_time_alone(random.model(), point));
      for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(got[i].value, expected[i].value, 1e-12) << seed;
    }
  }
}

}  // namespace
}  // namespace vinculum::model
