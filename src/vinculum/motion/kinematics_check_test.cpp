#include <gtest/gtest.h>

#include "support/motion/test_models.hpp"

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

/// Massless bodies whose frames are rotated relative to the frame of a pendulum (`are_side_by_side`), or each relative
/// to the previous one.
struct Massless {
  std::string name;
  bool are_side_by_side;
  std::vector<int> axes;
};

void expect_undetermined(const Massless& massless) {
  SCOPED_TRACE(massless.name);
  Sketch s;
  const Term zero = s.number(0.0), one = s.number(1.0), none = s.builder.terms().zero_vector();
  const auto a = s.coordinate("a");
  const auto A = s.builder.add_frame("A", Sketch::frame(), {{2, {}, s.builder.q(a)}});
  const auto arm = s.builder.add_body("arm", A, one, {one, one, one, zero, zero, zero}, s.origin, none);
  model::FrameId parent = A;
  for (std::size_t k = 0; k < massless.axes.size(); ++k) {
    const std::string name(1, static_cast<char>('b' + k));
    const auto angle = s.coordinate(name);
    const auto frame = s.builder.add_frame("F" + name, parent, {{massless.axes[k], {}, s.builder.q(angle)}});
    s.builder.add_body("body_" + name, frame, zero, {zero, zero, zero, zero, zero, zero}, s.builder.center_of(arm),
                       none);
    if (!massless.are_side_by_side) parent = frame;
  }
  std::vector<double> start(1 + massless.axes.size(), 0.3);
  s.start_all(start, start);
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(1.0, 1e-8));
  EXPECT_EQ(kind_of(run), FailureKind::kUndetermined) << reason(run);
}

TEST(GimbalLock, IsNotBlamedForBodiesWithoutMass) {
  expect_undetermined({"two side by side, about one axis", true, {2, 2}});
  expect_undetermined({"two side by side, about two axes", true, {0, 1}});
  expect_undetermined({"three side by side", true, {0, 1, 1}});
  expect_undetermined({"one after the other", false, {0, 1}});
  expect_undetermined({"three, each after the one before", false, {0, 1, 2}});
}

}  // namespace
}  // namespace vinculum::sim
