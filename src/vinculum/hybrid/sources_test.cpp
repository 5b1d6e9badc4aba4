#include <gtest/gtest.h>

#include <cmath>

#include "support/motion/test_models.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {
namespace {

using model::Term;
using testing::Sketch;

TEST(EventSources, RefuseAnAccelerationThatIsNotFiniteWhereNoRowTouchesIt) {
  // `a` moves on a circle; `b` moves freely under the force √(1/2 − bx). The acceleration of `b` is in no row, so no
  // residual of a row shows that it is not finite.
  for (const double infinite_at : {0.6, 0.5}) {
    Sketch s;
    const auto A = s.particle("a", 1.0, 2);
    const auto B = s.particle("b", 1.0, 1);
    s.builder.add_constraint("circle", s.square(s.from_origin(A)) - s.number(1.0));
    const Term ahead = s.number(0.5) - s.dot(s.from_origin(B), s.axis(0));
    const Term root = s.builder.terms().function(expr::Op::kSquareRoot, ahead);
    const Term force = infinite_at == 0.6 ? root : s.number(1.0) / ahead;
    s.builder.add_force(B, force * s.axis(0));
    s.start_all({1.0, 0.0, 0.0}, {0.0, 1.0, 0.0});
    auto dynamics = s.dynamics();
    Vector y_dot(6);
    const Vector good = (Vector(6) << 1.0, 0.0, 0.25, 0.0, 1.0, 0.0).finished();
    ASSERT_TRUE(dynamics.derivative(0.0, good.data(), y_dot.data()));
    EXPECT_NEAR(y_dot[5], infinite_at == 0.6 ? 0.5 : 4.0, 1e-15);
    EXPECT_EQ(dynamics.mode().counts.static_solves, 1);
    Vector bad = good;
    bad[2] = infinite_at;
    const auto done = dynamics.derivative(0.0, bad.data(), y_dot.data());
    ASSERT_FALSE(done) << "u' = " << y_dot.tail(3).transpose();
    EXPECT_EQ(done.error().kind, FailureKind::kNonFinite);
    EXPECT_EQ(dynamics.mode().counts.static_solves, 1);
  }
}

}  // namespace
}  // namespace vinculum::sim
