// Gyroscopic and adiabatic reactions, which do no work in any motion.
#include <gtest/gtest.h>

#include "set_law.hpp"
#include "support/elaborate/elaborated.hpp"
#include "support/models.hpp"

namespace vinculum::agreement {
namespace dead_reactions_test {

TEST(Laws, AnAdiabaticReactionWithTheMultiplierAsAStateIsTheVakonomicOne) {
  const auto by_state = [](ModelBuilder& b, ConstraintId c) {
    const StateId mu = b.add_state("mu", -b.terms().multiplier(c, 0), b.number(1.5));
    b.set_law(c, reaction_laws::adiabatic({b.z(mu)}));
  };
  EXPECT_LT((skate_end(by_state) - skate_end(vakonomic({1.5}))).norm(), 1e-9);
}

TEST(Laws, GyroscopicAndAdiabaticReactionsDoNoWork) {
  const auto gyroscopic = [](ModelBuilder& b, ConstraintId c) {
    const Term h = b.number(2.0), none = b.number(0.0);
    b.set_law(c, reaction_laws::gyroscopic({{none, h, none}, {-h, none, h}, {none, -h, none}}));
  };
  const auto adiabatic = [](ModelBuilder& b, ConstraintId c) {
    b.set_law(c, reaction_laws::adiabatic({b.sin(b.time())}));
  };
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

/// A particle of mass 1 on the cylinder x² + y² = 4, with the gyroscopic force H q', where H_yz = h couples y' and z'.
/// With stated speeds, the force is Gᵀ(H q').
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
    b.set_law(c, reaction_laws::gyroscopic({{none, none, none}, {none, none, H}, {none, -H, none}}));
  };
  const sim::Trajectory run = on_cylinder(gyroscopic, false);
  // Both z' + h y and the energy are constants of the motion on the cylinder.
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
    b.set_law(c, reaction_laws::adiabatic({b.sin(b.time()) * b.q_dot(CoordinateId(std::size_t{2})) + 5.0}));
  };
  const sim::Trajectory run = on_cylinder(adiabatic, true), reference = on_cylinder(ideal(), true);
  EXPECT_EQ((run.end().q - reference.end().q).norm(), 0.0);
  // The two multipliers come from different solvers.
  EXPECT_NEAR(run.end().reaction.lambda()[0], reference.end().reaction.lambda()[0], 1e-15);
}

/// Motion of a particle of mass 1 in a potential, with the constraint c given by `relation`.
sim::Trajectory in_space(const std::string& relation, const std::string& start) {
  const auto bound = test_support::compiled(test_support::model_of_text(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y, z\nparticle P mass 1 at O + x*N.x + y*N.y + "
      "z*N.z\npotential 0.05*y^2 - 0.2*x + 0.5*z\nconstraint c: " +
      relation + "\noutput W = power(c)\noutput E = energy\nstart x = 0.1, y = 0.2, z = 0.3, " + start +
      "\nrun 0.8 tolerance 1e-12\n"));
  sim::Dynamics dynamics(bound);
  return sim::simulate(dynamics, sim::options_of(*bound->compiled->model));
}

struct Homogeneous {
  std::string relation, start;
  double q[3];  ///< [q] at the end; from equations that a computer algebra system derived, integrated numerically
};

TEST(Laws, AdiabaticReactionsKeepRowsThatAreHomogeneousWithoutBeingLinear) {
  const std::string start = "x' = 0.6, y' = 0.8, z' ~ 1";
  const Homogeneous all[] = {
      {"dot(vel(P), vel(P)) = 2*z'^2\n    law adiabatic mu = 0.3", start, {0.56770417, 0.76658748, 1.03500342}},
      {"x'^2 + y'^2 = z'^2\n    law adiabatic mu = sin(t)", start, {0.5703552, 0.76466979, 1.03517693}},
      {"x'^2 + y'^2 = z'^2\n    law adiabatic mu = 0.2*x", start, {0.57924265, 0.75706095, 1.03544781}},
      {"x'^2 + y'^2 = (1 + 0.2*x)^2*z'^2\n    law adiabatic mu = 0.3", start, {0.56608384, 0.78963457, 1.00559391}},
      {"x'*y' = 0.5*(1 + z)*z'^2\n    law adiabatic mu = 0.3",
       "x' = 0.6, y' = 0.8, z' ~ 0.86",
       {0.61124158, 0.77315238, 0.90472391}},
      {"sqrt(x'^2 + y'^2) = z'\n    law adiabatic mu = 0.3", start, {0.57325473, 0.7620523, 1.03521148}},
      {"5*sqrt(x'^2 + y'^2) = 5*z'\n    law adiabatic mu = 0.06", start, {0.57325473, 0.7620523, 1.03521148}},
  };
  for (const Homogeneous& one : all) {
    SCOPED_TRACE(one.relation);
    const sim::Trajectory run = in_space(one.relation, one.start);
    ASSERT_FALSE(run.stopped) << run.stopped->message;
    for (int i = 0; i < 3; ++i) EXPECT_NEAR(run.end().q[i], one.q[i], 2e-8);
    for (const sim::Sample& at : run.samples) {
      EXPECT_NEAR(at.outputs[0], 0.0, 1e-11);
      EXPECT_NEAR(at.outputs[1], run.start().outputs[1], 1e-10);
    }
  }
}

TEST(Laws, AGyroscopicReactionKeepsRowsThatAreHomogeneousWithoutBeingLinear) {
  for (const char* relation : {"x'^2 + y'^2 = z'^2", "x'^2 + y'^2 = (1 + t)*z'^2", "sqrt(x'^2 + y'^2) = z'*exp(-t)"}) {
    SCOPED_TRACE(relation);
    const sim::Trajectory run =
        in_space(std::string(relation) + "\n    law gyroscopic H = [0, 0.4, 0; -0.4, 0, 1; 0, -1, 0]",
                 "x' = 0.6, y' = 0.8, z' ~ 1");
    ASSERT_FALSE(run.stopped) << run.stopped->message;
    for (const sim::Sample& at : run.samples) {
      EXPECT_NEAR(at.outputs[0], 0.0, 1e-11);
      EXPECT_NEAR(at.outputs[1], run.start().outputs[1], 1e-10);
      EXPECT_LT(at.residual[0], 1e-12);
    }
  }
}

TEST(Laws, NoDeadReactionKeepsARowThatRestrictsMagnitudes) {
  const auto message = [](const std::string& relation) {
    const elaborate::testing::Elaborated result = elaborate::testing::elaborated(
        "model m\ncoord x, y, z\nlagrangian (x'^2 + y'^2 + z'^2)/2\nconstraint c: " + relation + "\nrun 1\n");
    EXPECT_EQ(result.model, nullptr) << relation;
    return result.diagnostics.empty() ? std::string() : result.diagnostics[0].message;
  };
  for (const std::string law : {"adiabatic mu = 1", "gyroscopic H = [0, 1, 0; -1, 0, 0; 0, 0, 0]"}) {
    EXPECT_NE(message("x'^2 + y'^2 = 4\n    law " + law).find("no reaction keeps it without work"), std::string::npos);
    EXPECT_NE(message("x'*y' = 1 + z'^2\n    law " + law).find("no reaction keeps it without work"), std::string::npos);
  }
  EXPECT_NE(message("x'^2 + y'^2 = (1 + t)*z'^2\n    law adiabatic mu = 1").find("change with the time"),
            std::string::npos);
}

TEST(Laws, NoDeadReactionKeepsARowThatTheTimeMoves) {
  ModelBuilder b("moved");
  const CoordinateId x = b.add_coordinate("x");
  b.add_lagrangian(b.q_dot(x) * b.q_dot(x) / 2.0);
  b.set_law(b.add_constraint("c", b.q(x) - b.sin(b.time())), reaction_laws::gyroscopic({{b.number(0.0)}}));
  const auto bound = sim::compile_model(*b.finish());
  ASSERT_FALSE(bound);
  EXPECT_NE(bound.error().message.find("its reaction would do work"), std::string::npos);
}

}  // namespace dead_reactions_test
}  // namespace vinculum::agreement
