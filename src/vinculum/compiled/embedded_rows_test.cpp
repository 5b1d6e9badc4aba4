#include "vinculum/compiled/embedded_rows.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/motion/test_models.hpp"
#include "vinculum/compiled/values.hpp"
#include "vinculum/start/assembly.hpp"

namespace vinculum::sim {
namespace {

using testing::kind_of;
using testing::reason;
using testing::run_for;
using testing::Sketch;
using testing::Term;

/// A bead on a circle of radius `length`, described by its angle; x and y are functions of the angle. A second
/// coordinate, `other`, is free.
struct Bead : Sketch {
  explicit Bead(double of_length, double mass = 1.0)
      : length(of_length), angle(coordinate("angle")), other(coordinate("other")) {
    const Term q = builder.q(angle), l = number(length);
    x = l * builder.terms().function(expr::Op::kCosine, q);
    y = l * builder.terms().function(expr::Op::kSine, q);
    point = builder.point_of(builder.add_particle("bead", number(mass), origin, x * axis(0) + y * axis(1)));
    const Term s = builder.q(other);
    builder.add_particle("slider", number(mass), origin, l * s * axis(2));
    start(angle, 0.3);
    start_rate(angle, 1.0);
    start(other, 0.0);
    start_rate(other, 0.2);
  }
  std::shared_ptr<const Binding> compiled() {
    auto bound = try_compile();
    if (!bound) throw std::runtime_error(bound.error().message);
    return *bound;
  }
  double length;
  model::CoordinateId angle, other;
  Term x, y;
  model::PointId point;
};

TEST(EmbeddedRows, AreFoundAtEveryMagnitude) {
  for (const double length : {1e-6, 1e-3, 1.0, 1e3, 1e6}) {
    for (const double mass : {1e-6, 1.0, 1e6}) {
      Bead bead(length, mass);
      bead.builder.add_constraint("reach",
                                  bead.builder.terms().norm(bead.from_origin(bead.point)) - bead.number(length));
      const auto bound = bead.compiled();
      EXPECT_EQ(bound->embedding().front(), Embedding::kWhole) << length;
      Dynamics dynamics(bound);
      const Trajectory run = simulate(dynamics, run_for(2.0, 1e-10));
      ASSERT_FALSE(run.stopped) << length << ": " << reason(run);
      EXPECT_NEAR(run.end().q[0], 2.3, 1e-9);
      EXPECT_NEAR(run.end().q[1], 0.4, 1e-9);
      EXPECT_EQ(run.end().rank, 0);
      EXPECT_EQ(run.end().row_unique, (std::vector<char>{0}));
    }
  }
}

TEST(EmbeddedRows, AreNoneThatAreOnlySmall) {
  // One term of the row is a billion times smaller than the others, but larger than their rounding error. So the row
  // restricts the motion.
  Bead bead(1.0);
  const Term identity = bead.x * bead.x + bead.y * bead.y - bead.number(1.0);
  bead.builder.add_constraint("small", identity + bead.number(1e-9) * bead.builder.q(bead.other));
  EXPECT_EQ(bead.compiled()->embedding().front(), Embedding::kNone);
}

TEST(EmbeddedRows, AreNoneWhoseGradientVanishesAtTheStartAlone) {
  Bead bead(1.0);
  const Term s = bead.builder.q(bead.other);
  bead.builder.add_constraint("squared", s * s);
  const auto bound = bead.compiled();
  EXPECT_EQ(bound->embedding().front(), Embedding::kNone);
  Dynamics dynamics(bound);
  EXPECT_EQ(kind_of(simulate(dynamics, run_for(1.0, 1e-8))), FailureKind::kNotUnique);
}

TEST(EmbeddedRows, AreNoneWithBranchesThatSleep) {
  Bead bead(1.0);
  const Term s = bead.builder.q(bead.other);
  bead.builder.add_constraint(
      "stop", bead.builder.terms().function(expr::Op::kMaximum, s - bead.number(100.0), bead.number(0.0)));
  EXPECT_EQ(bead.compiled()->embedding().front(), Embedding::kNone);
}

TEST(EmbeddedRows, ThatTheCoordinatesContradictAreMissedAtTheStart) {
  for (const double length : {1e-6, 1.0, 1e6}) {
    Bead bead(length);
    bead.builder.add_constraint("reach",
                                bead.builder.terms().norm(bead.from_origin(bead.point)) - bead.number(1.001 * length));
    const auto bound = bead.compiled();
    EXPECT_EQ(bound->embedding().front(), Embedding::kGradient);
    Dynamics dynamics(bound);
    const auto start = assemble(dynamics);
    ASSERT_FALSE(start);
    EXPECT_EQ(start.error().kind, FailureKind::kAssembly);
    EXPECT_EQ(start.error().rows, (std::vector<int>{0}));
    EXPECT_NEAR(start.error().size, 0.001 * length, 1e-9 * length);
  }
}

TEST(EmbeddedRows, FollowTheValuesInForce) {
  // r1 ω1 + r2 ω2 = 0 for wheels whose angles already have this ratio. In double precision 0.3 − 3·0.1 is −5.6e-17, not
  // 0.
  Sketch s;
  const auto r1 = s.builder.add_parameter("r1", 0.3), r2 = s.builder.add_parameter("r2", 0.1),
             ratio = s.builder.add_parameter("ratio", 3.0);
  const auto angle = s.coordinate("a");
  const auto A = s.builder.add_rotated_frame("A", Sketch::frame(), s.builder.q(angle), 2);
  const auto B =
      s.builder.add_rotated_frame("B", Sketch::frame(), -(s.builder.parameter(ratio) * s.builder.q(angle)), 2);
  const auto inertia = [&s](double J) {
    return model::Inertia{s.number(J), s.number(J), s.number(J), s.number(0.0), s.number(0.0), s.number(0.0)};
  };
  s.builder.add_body("big", A, s.number(1.0), inertia(2.0), s.origin, s.builder.terms().zero_vector());
  s.builder.add_body("small", B, s.number(1.0), inertia(1.0), s.origin, s.builder.terms().zero_vector());
  s.builder.add_constraint("mesh", s.builder.parameter(r1) * s.dot(s.builder.omega(A), s.axis(2)) +
                                       s.builder.parameter(r2) * s.dot(s.builder.omega(B), s.axis(2)));
  s.builder.add_generalized_force(angle, s.number(1.0));
  const auto bound = s.try_compile();
  ASSERT_TRUE(bound);
  EXPECT_EQ((*bound)->embedding().front(), Embedding::kWhole);
  Dynamics turning(*bound);
  const Trajectory run = simulate(turning, run_for(1.0, 1e-10));
  ASSERT_FALSE(run.stopped) << reason(run);
  EXPECT_NEAR(run.end().q[0], 0.5 / 11.0, 1e-10);

  const ParameterValue other[] = {{"ratio", 2.0}}, back[] = {{"ratio", 1.5}, {"r2", 0.2}};
  const auto locked = with(**bound, other);
  ASSERT_TRUE(locked);
  EXPECT_EQ((*locked)->embedding().front(), Embedding::kNone);
  Dynamics resting(*locked);
  EXPECT_NEAR(simulate(resting, run_for(1.0, 1e-10)).end().q[0], 0.0, 1e-12);
  EXPECT_FALSE((*bound)->rows.evidence->still_holds((*locked)->parameters, std::array<char, 3>{0, 0, 1}));
  EXPECT_TRUE((*locked)->rows.evidence->still_holds(std::array{0.4, 0.1, 2.0}, std::array<char, 3>{1, 0, 0}));
  EXPECT_FALSE((*locked)->rows.evidence->still_holds(std::array{0.2, 0.1, 2.0}, std::array<char, 3>{1, 0, 0}));
  const auto free = with(**locked, back);
  ASSERT_TRUE(free);
  EXPECT_EQ((*free)->embedding().front(), Embedding::kWhole);
}

}  // namespace
}  // namespace vinculum::sim
