// Reactions that do no work whatever the motion: gyroscopic and adiabatic.
#include <gtest/gtest.h>

#include "set_law.hpp"

namespace vinculum::agreement {
namespace {

TEST(Laws, AnAdiabaticReactionWithTheMultiplierAsAStateIsTheVakonomicOne) {
  const auto by_state = [](ModelBuilder& b, ConstraintId c) {
    const StateId mu = b.add_state("mu", -b.terms().multiplier(c, 0), b.number(1.5));
    b.set_law(c, law::adiabatic({b.z(mu)}));
  };
  EXPECT_LT((skate_end(by_state) - skate_end(vakonomic({1.5}))).norm(), 1e-9);
}

TEST(Laws, GyroscopicAndAdiabaticReactionsDoNoWork) {
  const auto gyroscopic = [](ModelBuilder& b, ConstraintId c) {
    const Term h = b.number(2.0), none = b.number(0.0);
    b.set_law(c, law::gyroscopic({{none, h, none}, {-h, none, h}, {none, -h, none}}));
  };
  const auto adiabatic = [](ModelBuilder& b, ConstraintId c) { b.set_law(c, law::adiabatic({b.sin(b.time())})); };
  for (const SetLaw& law : {SetLaw(gyroscopic), SetLaw(adiabatic)}) {
    Skate skate = reference_skate(law);
    add_reaction_outputs(skate.b, skate.c);
    const sim::Trajectory run = motion(skate.b, {1.0});
    for (const sim::Sample& sample : run.samples) {
      EXPECT_NEAR(sample.outputs.head(3).dot(sample.u), 0.0, 1e-9);
      EXPECT_NEAR(sample.outputs[3], run.start().outputs[3], 1e-9);
    }
    EXPECT_GT((run.end().q - skate_end(ideal(), 1.0)).norm(), 1e-3);
  }
  ModelBuilder b("affine");
  const CoordinateId x = b.add_coordinate("x");
  b.add_lagrangian(b.q_dot(x) * b.q_dot(x) / 2.0);
  adiabatic(b, b.add_constraint("c", b.q_dot(x) - 1.0));
  EXPECT_FALSE(sim::compile_model(*b.finish()));
}

/// Particle of mass 1 on the cylinder x² + y² = 4 under H_yz = h: y' turns into z'. In stated speeds the force is
/// Gᵀ(H q').
sim::Trajectory on_cylinder(const SetLaw& law, bool has_stated_speeds) {
  ModelBuilder b("cylinder");
  const CoordinateId x = b.add_coordinate("x"), y = b.add_coordinate("y"), z = b.add_coordinate("z");
  const Term vx = b.q_dot(x), vy = b.q_dot(y), vz = b.q_dot(z);
  if (has_stated_speeds) {
    b.add_speed("u1", vx + b.sin(b.time()));
    b.add_speed("u2", (vy + 0.5 * vz) * (2.0 + b.sin(b.q(x))));
    b.add_speed("u3", vz - b.q(y) * vx);
  }
  b.add_lagrangian((vx * vx + vy * vy + vz * vz) / 2.0);
  const ConstraintId c = b.add_constraint("c", b.q(x) * b.q(x) + b.q(y) * b.q(y) - b.number(4.0));
  law(b, c);
  start(b, x, 2.0 * std::cos(0.3), -2.0 * std::sin(0.3) * 0.8);
  start(b, y, 2.0 * std::sin(0.3), 2.0 * std::cos(0.3) * 0.8);
  start(b, z, 0.0, 0.4);
  return motion(b, {0.5, 1.0, 2.0});
}

TEST(Laws, AGyroscopicReactionTurnsAMotionOnASurface) {
  const double h = 1.3;
  const SetLaw gyroscopic = [h](ModelBuilder& b, ConstraintId c) {
    const Term H = b.number(h), none = b.number(0.0);
    b.set_law(c, law::gyroscopic({{none, none, none}, {none, none, H}, {none, -H, none}}));
  };
  const sim::Trajectory run = on_cylinder(gyroscopic, false);
  // z' + h y, and the energy of a motion along the cylinder.
  const auto along = [h](const sim::Sample& at) { return at.q_dot[2] + h * at.q[1]; };
  for (const sim::Sample& at : run.samples) {
    EXPECT_NEAR(along(at), 0.4 + h * 2.0 * std::sin(0.3), 1e-10);
    EXPECT_NEAR(at.q_dot.squaredNorm(), 4.0 * 0.64 + 0.16, 1e-10);
  }
  const sim::Trajectory by_speeds = on_cylinder(gyroscopic, true);
  EXPECT_LT((run.end().q - by_speeds.end().q).norm(), 1e-9);
  EXPECT_LT((run.end().q_dot - by_speeds.end().q_dot).norm(), 1e-9);
  EXPECT_GT((run.end().q - on_cylinder(ideal(), false).end().q).norm(), 0.1);
}

TEST(Laws, AnAdiabaticReactionOfPositionsIsTheIdealOneWhateverMu) {
  const SetLaw adiabatic = [](ModelBuilder& b, ConstraintId c) {
    b.set_law(c, law::adiabatic({b.sin(b.time()) * b.q_dot(CoordinateId(std::size_t{2})) + 5.0}));
  };
  const sim::Trajectory run = on_cylinder(adiabatic, true), reference = on_cylinder(ideal(), true);
  EXPECT_EQ((run.end().q - reference.end().q).norm(), 0.0);
  EXPECT_NEAR(run.end().reaction.lambda()[0], reference.end().reaction.lambda()[0], 1e-15);  // by two solvers
}

TEST(Laws, NoDeadReactionKeepsARowThatTheTimeMoves) {
  ModelBuilder b("moved");
  const CoordinateId x = b.add_coordinate("x");
  b.add_lagrangian(b.q_dot(x) * b.q_dot(x) / 2.0);
  b.set_law(b.add_constraint("c", b.q(x) - b.sin(b.time())), law::gyroscopic({{b.number(0.0)}}));
  const auto compiled = sim::compile_model(*b.finish());
  ASSERT_FALSE(compiled);
  EXPECT_NE(compiled.error().message.find("its reaction would do work"), std::string::npos);
}

}  // namespace
}  // namespace vinculum::agreement
