#include "vinculum/model/inspect/hamiltonian.hpp"

#include <gtest/gtest.h>

#include "vinculum/model/builder.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::model {
namespace {

Instant some_instant() {
  Instant at;
  at.t = 0.7;
  at.q = {0.4, -0.9};
  at.q_dot = {1.3, 0.6};
  at.q_ddot = {0.2, -0.8};
  return at;
}

/// q'·∂T/∂q' − T + V as a number. T is quadratic in q', so the central difference is exact up to rounding.
double by_differences(const Model& model) {
  const Instant at = some_instant();
  const Term T = kinetic_energy(model);
  double sum = TermValues(model, at).scalar(potential_energy(model)).value - TermValues(model, at).scalar(T).value;
  for (std::size_t i = 0; i < at.q.size(); ++i) {
    Instant up = at, down = at;
    up.q_dot[i] += 1.0;
    down.q_dot[i] -= 1.0;
    sum += at.q_dot[i] * (TermValues(model, up).scalar(T).value - TermValues(model, down).scalar(T).value) / 2.0;
  }
  return sum;
}

TEST(Hamiltonian, IsTheEnergyWhereNothingMovesByTimeAlone) {
  ModelBuilder b("m");
  const PointId O = b.add_fixed_point("O", Model::newtonian());
  const CoordinateId angle = b.add_coordinate("a"), reach = b.add_coordinate("r");
  const FrameId B = b.add_rotated_frame("B", Model::newtonian(), b.q(angle), 2);
  b.add_particle("P", b.number(2.0), O, b.q(reach) * b.axis(B, 0));
  b.add_gravity(-9.81 * b.axis(Model::newtonian(), 1));
  const Model& model = b.model();
  TermValues values(model, some_instant());
  EXPECT_NEAR(values.scalar(hamiltonian(model)).value,
              values.scalar(kinetic_energy(model) + potential_energy(model)).value, 1e-13);
}

TEST(Hamiltonian, IsK2MinusK0PlusVOnAHoopThatTurnsByItself) {
  ModelBuilder b("hoop");
  const PointId O = b.add_fixed_point("O", Model::newtonian());
  const CoordinateId angle = b.add_coordinate("a"), other = b.add_coordinate("b");
  const Term spin = 3.0 * b.time();
  const FrameId A = b.add_rotated_frame("A", Model::newtonian(), spin * b.time(), 2);
  // Frame B has two rotations that both depend explicitly on time.
  const FrameId B = b.add_frame(
      "B", A, {SimpleRotation{0, Term{}, b.sin(b.time()) * b.q(other)}, SimpleRotation{1, Term{}, b.q(angle) + spin}});
  const PointId rim = b.add_point("R", O, b.sin(b.time()) * b.axis(A, 0));
  b.add_particle("P", b.number(1.5), rim, 0.8 * b.axis(B, 2) + b.q(other) * b.axis(A, 1));
  b.add_particle("Q", b.number(0.5), b.point_of(ParticleId(std::size_t{0})), b.time() * b.pos(rim, O));
  b.add_gravity(-9.81 * b.axis(Model::newtonian(), 2));
  const Model& model = b.model();
  const double value = TermValues(model, some_instant()).scalar(hamiltonian(model)).value;
  const double reference = by_differences(model);
  EXPECT_NEAR(value, reference, 1e-12 * (1.0 + std::abs(reference)));
  const double energy = TermValues(model, some_instant()).scalar(kinetic_energy(model) + potential_energy(model)).value;
  EXPECT_GT(std::abs(value - energy), 0.1);
}

TEST(Hamiltonian, HoldsTheCoordinatesOfEveryPoint) {
  ModelBuilder b("m");
  const PointId O = b.add_fixed_point("O", Model::newtonian());
  const CoordinateId x = b.add_coordinate("x");
  b.add_coordinate("y");
  const FrameId A = b.add_rotated_frame("A", Model::newtonian(), 2.0 * b.time(), 2);
  const PointId P = b.add_point("P", O, b.q(x) * b.axis(A, 0));
  const Model& model = b.model();
  Instant held = some_instant();
  held.q_dot = {0.0, 0.0};
  const JetVector expected = TermValues(model, held).vector(b.vel(P));
  const JetVector found = TermValues(model, some_instant()).vector(velocity_of_time_alone(model, P));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(found[i].value, expected[i].value, 1e-14);
}

}  // namespace
}  // namespace vinculum::model
