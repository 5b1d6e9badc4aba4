#include <gtest/gtest.h>

#include "support/sim/test_models.hpp"

namespace vinculum::sim {
namespace {

using testing::kind_of;
using testing::reason;
using testing::run_for;
using testing::Sketch;
using testing::Term;

TEST(SingularKinematics, NamesTheSpeedThatDoesNotDetermineItsRate) {
  Sketch s;
  s.particle("p", 1.0, 2);
  const Term x = s.builder.q(s.coordinates[0]), x_dot = s.builder.q_dot(s.coordinates[0]);
  s.builder.add_speed("w", s.builder.q_dot(s.coordinates[1]));
  s.builder.add_speed("u", x * x_dot);
  s.start_all({0.0, 1.0}, {});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-8));
  EXPECT_EQ(kind_of(run), FailureKind::kSingularKinematics) << reason(run);
  EXPECT_EQ(run.stopped->message, "the definition of `u` cannot be solved for `px'` here");
  ASSERT_EQ(run.stopped->statements.size(), 1u);
  EXPECT_EQ(run.stopped->statements[0].kind, StatementId::Kind::kSpeed);
  EXPECT_EQ(run.stopped->statements[0].index, 1);
}

TEST(SingularKinematics, IsNotBlamedForATermOfADefinitionThatIsNotFinite) {
  Sketch s;
  s.particle("p", 1.0, 1);
  const Term x = s.builder.q(s.coordinates[0]), x_dot = s.builder.q_dot(s.coordinates[0]);
  s.builder.add_speed("u", s.builder.terms().function(expr::Op::kSquareRoot, x) * x_dot + s.number(1.0) / x);
  s.start_all({0.0}, {});
  auto dynamics = s.try_compile();
  const Failure failure = [&]() -> Failure {
    if (!dynamics) return dynamics.error();
    Dynamics made(*dynamics);
    return simulate(made, run_for(1.0, 1e-8)).stopped.value_or(Failure());
  }();
  EXPECT_EQ(failure.kind, FailureKind::kNonFinite) << failure.message;
}

}  // namespace
}  // namespace vinculum::sim
