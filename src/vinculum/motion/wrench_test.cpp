#include <gtest/gtest.h>

#include "support/motion/test_models.hpp"
#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::sim {
namespace {

using testing::reason;
using testing::run_for;
using testing::Sketch;
using testing::Term;

using UniqueVector = std::array<char, 3>;
constexpr UniqueVector kAll = {1, 1, 1}, kAxial = {0, 1, 1};

/// A free body with six coordinates, and functions that add points of it.
struct FreeBody : Sketch {
  model::FrameId B;
  model::BodyId body;
  FreeBody() {
    Term offset = builder.terms().zero_vector();
    for (int i = 0; i < 3; ++i) offset = offset + builder.q(coordinate(std::string(1, "xyz"[i]))) * axis(i);
    B = builder.add_quaternion_frame("B", frame(),
                                     {coordinate("e0"), coordinate("e1"), coordinate("e2"), coordinate("e3")});
    const Term zero = number(0.0);
    body = builder.add_body("D", B, number(2.0), {number(1.0), number(1.5), number(2.0), zero, zero, zero}, origin,
                            offset);
  }
  model::PointId point(const std::string& name, double x, double y) {
    return builder.add_point(name, builder.center_of(body),
                             number(x) * builder.axis(B, 0) + number(y) * builder.axis(B, 1));
  }
};

TEST(Wrench, OfTwoHingesHasItsAxialForceAloneIndeterminate) {
  // Points at ±1 on the x axis of the body are pinned: six rows of rank five. How the two pins share the axial force is
  // undetermined.
  FreeBody s;
  const auto left = s.point("L", -1.0, 0.0), right = s.point("R", 1.0, 0.0);
  s.builder.add_constraint("l", s.builder.vel(left));
  s.builder.add_constraint("r", s.builder.vel(right));
  s.builder.add_force(s.point("P", 0.5, 0.3), s.number(7.0) * s.axis(0) + s.number(4.0) * s.axis(1));
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(0.5, 1e-9));
  ASSERT_FALSE(run.stopped) << reason(run);
  const Sample& end = run.end();
  EXPECT_EQ(end.rank, 5);
  EXPECT_EQ(end.row_unique, (std::vector<char>{0, 1, 1, 0, 1, 1}));
  EXPECT_EQ(end.point_force_unique, (std::vector<UniqueVector>{kAxial, kAxial}));
  ASSERT_EQ(dynamics.binding()->body_wrenches.size(), 2u);
  for (const Sample::BodyUnique& unique : end.body_wrench_unique) {
    EXPECT_EQ(unique.force, kAxial);
    EXPECT_EQ(unique.couple, kAll);  // the couple is 0
    EXPECT_EQ(unique.moment, kAll);  // the axial force passes through the mass center
  }
}

TEST(Wrench, OfAWeldStatedTwiceInOtherWordsIsIndeterminateInEachOfThem) {
  // Pinned at three points of a plane: nine rows of rank six in one constraint. Only its resultant and moment are
  // unique.
  FreeBody s;
  const auto a = s.point("a", 0.0, 0.0), b = s.point("b", 1.0, 0.0), c = s.point("c", 0.0, 1.0);
  auto& builder = s.builder;
  std::vector<Term> rows;
  for (const auto point : {a, b, c}) {
    for (int i = 0; i < 3; ++i) rows.push_back(s.dot(builder.vel(point), s.axis(i)));
  }
  builder.add_rows("weld", rows);
  builder.add_gravity(s.number(-9.81) * s.axis(2));
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(0.5, 1e-9));
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_EQ(run.end().rank, 6);
  // How the forces along the lines between the points share the load, in their plane, is undetermined.
  EXPECT_EQ(run.end().point_force_unique, (std::vector<UniqueVector>{{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}));
  ASSERT_EQ(run.end().body_wrench_unique.size(), 1u);
  EXPECT_EQ(run.end().body_wrench_unique[0].force, kAll);
  EXPECT_EQ(run.end().body_wrench_unique[0].moment, kAll);
}

TEST(Wrench, OfACoupleStatedTwiceIsNotUnique) {
  FreeBody s;
  for (const char* name : {"one", "two"})
    s.builder.add_constraint(name, s.dot(s.builder.omega(s.B), s.builder.axis(s.B, 2)));
  s.builder.add_torque(s.B, s.number(3.0) * s.axis(2));
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(0.1, 1e-9));
  ASSERT_FALSE(run.stopped) << reason(run);
  for (const Sample::BodyUnique& unique : run.end().body_wrench_unique) {
    EXPECT_EQ(unique.force, kAll);
    EXPECT_EQ(unique.couple, (UniqueVector{1, 1, 0}));  // not unique about the one axis that is restrained
    EXPECT_EQ(unique.moment, (UniqueVector{1, 1, 0}));
  }
}

TEST(Integral, OfTheMotionOfferedAsAConstraintNeedsNoForce) {
  // [R] 5.3: the energy of a heavy body thrown with a spin. Its row is consistent, and its multiplier is zero.
  FreeBody s;
  s.builder.add_gravity(s.number(-9.81) * s.axis(2));
  const Term energy = model::kinetic_energy(s.builder.model()) + model::potential_energy(s.builder.model());
  s.start_all({0.0, 0.0, 0.0}, {1.0, 0.0, 2.0});
  const double omega[] = {0.4, 3.0, -0.2}, inertia[] = {1.0, 1.5, 2.0};
  double T0 = 0.5 * 2.0 * 5.0;
  for (int i = 0; i < 3; ++i) {
    const auto speed =
        s.builder.add_speed("w" + std::to_string(i), s.dot(s.builder.omega(s.B), s.builder.axis(s.B, i)));
    s.builder.add_start(
        {testing::StartCondition::On::kSpeed, speed.value, testing::StartKind::kHeld, s.number(omega[i]), {}});
    T0 += 0.5 * inertia[i] * omega[i] * omega[i];
  }
  const auto integral = s.builder.add_constraint("energy", energy - s.number(T0));
  s.builder.add_output("lambda", s.builder.terms().multiplier(integral, 0));
  auto dynamics = s.dynamics();
  for (const auto formulation : equations::kFormulations) {
    SimulateOptions options = run_for(2.0, 1e-11);
    options.formulation = formulation;
    const Trajectory run = simulate(dynamics, options);
    ASSERT_FALSE(run.stopped) << to_string(formulation) << ": " << reason(run);
    for (const Sample& sample : run.samples) {
      EXPECT_NEAR(sample.outputs[0], 0.0, 1e-12);
      EXPECT_EQ(sample.rank, 1);
      EXPECT_EQ(sample.row_unique[0], 1);
    }
    EXPECT_NEAR(run.end().q[2], 2.0 * 2.0 - 0.5 * 9.81 * 4.0, 1e-9);
    EXPECT_LT(run.worst_residual[0], 1e-13 * 40.0);
  }
}

}  // namespace
}  // namespace vinculum::sim
