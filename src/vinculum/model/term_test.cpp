#include "vinculum/model/term.hpp"

#include <gtest/gtest.h>

#include "vinculum/base/contract.hpp"
#include "vinculum/model/builder.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {
namespace {

using expr::Op;

class TermTest : public ::testing::Test {
 protected:
  ModelBuilder builder{"terms"};
  TermPool& pool = builder.terms();
  Term x = builder.q(builder.add_coordinate("x")), y = builder.q(builder.add_coordinate("y"));
  FrameId N = Model::newtonian();
  Term Nx = builder.axis(N, 0), Ny = builder.axis(N, 1), Nz = builder.axis(N, 2);
  FrameId B = builder.add_rotated_frame("B", N, x, 2);
  Term Bx = builder.axis(B, 0);
  PointId O = builder.add_fixed_point("O", N);
  PointId P = builder.point_of(builder.add_particle("P", builder.number(2.0), O, x* Nx + y * Ny));
  Term v = builder.vel(P), r = builder.pos(P, O);

  std::string text(Term term) { return to_text(builder.model(), term); }
};

TEST_F(TermTest, EqualTermsAreOneNode) {
  EXPECT_EQ(pool.cross(v, Nz), pool.cross(v, Nz));
  EXPECT_EQ(pool.number(0.0), pool.number(-0.0));
  EXPECT_EQ(x * y + 1.0, x * y + 1.0);
  const std::size_t size = pool.size();
  (void)pool.cross(v, Nz);
  EXPECT_EQ(pool.size(), size);
  EXPECT_NE(pool.cross(v, Nz), pool.cross(Nz, v));
}

TEST_F(TermTest, OperandsComeBeforeTheirUsers) {
  const Term term = pool.dot(v, pool.cross(Nz, pool.unit(r))) * x - y;
  for (const Term node : in_order(term)) {
    for (int i = 0; i < node.operand_count(); ++i) EXPECT_LT(node.operand(i).id(), node.id());
  }
}

TEST_F(TermTest, FoldsNumbersZerosAndOnes) {
  EXPECT_EQ((pool.number(2.0) * pool.number(3.5)).value(), 7.0);
  EXPECT_TRUE((0.0 * x).is_zero());
  EXPECT_EQ(1.0 * x, x);
  EXPECT_EQ(x + 0.0, x);
  EXPECT_TRUE((x - x).is_zero());
  EXPECT_EQ(-(-x), x);
  EXPECT_EQ(x / 1.0, x);
  EXPECT_EQ(pool.function(Op::kPower, x, pool.number(1.0)), x);
  EXPECT_EQ(x + x, 2.0 * x);
  EXPECT_EQ(2.0 * (3.0 * x), 6.0 * x);
  EXPECT_TRUE((0.0 * v).is_zero());
  EXPECT_TRUE((v - v).is_zero());
}

TEST_F(TermTest, DoesNotFoldWhatIsNotFinite) {
  const Term bad = pool.function(Op::kLogarithm, pool.number(-1.0));
  EXPECT_FALSE(bad.is_number());
  EXPECT_FALSE((pool.number(1.0) / pool.number(0.0)).is_number());
  EXPECT_FALSE((x / x).is_number());  // remains an operation, because x may be zero
}

TEST_F(TermTest, KnowsTheBasisOfOneFrame) {
  EXPECT_EQ(pool.dot(Nx, Nx).value(), 1.0);
  EXPECT_EQ(pool.dot(Nx, Ny).value(), 0.0);
  EXPECT_EQ(pool.cross(Nx, Ny), Nz);
  EXPECT_EQ(pool.cross(Nz, Nx), Ny);
  EXPECT_EQ(pool.cross(Ny, Nx), -Nz);
  EXPECT_EQ(pool.norm(Bx).value(), 1.0);
  EXPECT_FALSE(pool.dot(Nx, Bx).is_number());
}

TEST_F(TermTest, PullsSignsAndFactorsOut) {
  EXPECT_EQ(text(pool.cross(-v, Nz)), "-cross(vel(P), N.z)");
  EXPECT_EQ(text(pool.cross(2.0 * v, x * Nz)), "2*x*cross(vel(P), N.z)");
  EXPECT_EQ(text(pool.dot(3.0 * v, -Nx)), "-3*dot(vel(P), N.x)");
  EXPECT_EQ(text(-2.0 * (x * Nx)), "-2*x*N.x");
  EXPECT_EQ(text(v - (-1.0) * v), "2*vel(P)");
  EXPECT_EQ(text(pool.norm(-2.0 * v)), "2*norm(vel(P))");
  EXPECT_EQ(text(pool.unit(4.0 * r)), "unit(pos(P, O))");
  EXPECT_EQ(pool.norm(pool.unit(r)).value(), 1.0);
}

TEST_F(TermTest, CollectsLikeVectorsInTheOrderWritten) {
  EXPECT_EQ(text(x * Nx + y * Ny - 2.0 * Nx), "(x - 2)*N.x + y*N.y");
  EXPECT_EQ(text(x * Nx + y * Ny - x * Nx), "y*N.y");
  EXPECT_EQ(text(x * Nx + v - v), "x*N.x");
}

TEST_F(TermTest, RejectsOperandsOfTheWrongType) {
  EXPECT_THROW((void)(x + v), InternalError);
  EXPECT_THROW((void)(v * v), InternalError);
  EXPECT_THROW((void)pool.function(Op::kSine, v), InternalError);
  EXPECT_THROW((void)pool.dot(v, x), InternalError);
  EXPECT_THROW((void)pool.function(Op::kAdd, x), InternalError);
  EXPECT_THROW((void)pool.basis_vector(N, 3), InternalError);
}

TEST_F(TermTest, ReadsLikeAText) {
  EXPECT_EQ(text(2.0 * x * Nx), "2*x*N.x");
  EXPECT_EQ(text(0.3 * Nx + y * Ny), "0.3*N.x + y*N.y");
  EXPECT_EQ(text(pool.dot(v, pool.cross(Nz, v - r))), "dot(vel(P), cross(N.z, vel(P) - pos(P, O)))");
  EXPECT_EQ(text((x + y) * (x - y)), "(x + y)*(x - y)");
  EXPECT_EQ(text(x - (y - 1.0)), "x - (y - 1)");
  EXPECT_EQ(text(pool.function(Op::kPower, x + 1.0, pool.number(2.0))), "(x + 1)^2");
  EXPECT_EQ(text(pool.function(Op::kPower, pool.function(Op::kPower, x, y), pool.number(2.0))), "(x^y)^2");
  EXPECT_EQ(text(-pool.function(Op::kPower, x, pool.number(2.0))), "-x^2");
  EXPECT_EQ(text(x / (y * 2.0)), "x/(2*y)");
  EXPECT_EQ(text(v / pool.norm(v)), "vel(P)/norm(vel(P))");
  EXPECT_EQ(text(builder.vel(P, B)), "vel(P, B)");
  EXPECT_EQ(text(pool.angular_velocity(B, N)), "omega(B)");
  EXPECT_EQ(text(builder.q_dot(CoordinateId(std::size_t{0}))), "x'");
  EXPECT_EQ(text(pool.function(Op::kSelect, pool.function(Op::kLess, x, y), x, y)), "x if x < y else y");
  EXPECT_EQ(text(pool.function(Op::kMaximum, x, pool.function(Op::kSine, y))), "max(x, sin(y))");
}

TEST_F(TermTest, LongSumsCostNoStack) {
  Term sum = Nx;
  Term number = x;
  for (int i = 0; i < 20000; ++i) {
    sum = sum + builder.number(1.0 + i) * (i % 2 == 0 ? v : r);
    number = number + pool.function(Op::kPower, y, pool.number(2.0 + i));
  }
  EXPECT_EQ(level_of(builder.model(), pool.dot(sum, Nx) + number), Level::kVelocity);
  EXPECT_TRUE(time_derivative(builder.model(), sum).is_valid());
}

// Products of numbers that overflow remain operations, and simplification terminates.
TEST_F(TermTest, NumbersThatOverflowEnd) {
  const double extreme[] = {-1e300, -1e200, -1e-300, 1e-300, 1e200, 1e300};
  for (const double a : extreme) {
    for (const double b : extreme) {
      const Term product = pool.number(a) * pool.number(b), difference = pool.number(a) - pool.number(-b);
      for (const Op op : {Op::kAdd, Op::kSubtract, Op::kMultiply, Op::kDivide, Op::kPower}) {
        const Term first = pool.function(op, pool.number(a), pool.number(b));
        for (const Term second : {product, difference, a * x, b * (x * y), -(b * x)}) {
          EXPECT_TRUE(pool.function(op, first, second).is_scalar());
          EXPECT_TRUE(pool.function(op, second, first).is_scalar());
          EXPECT_TRUE((first * (second * Nx)).is_vector());
        }
      }
    }
  }
  EXPECT_TRUE((pool.number(1e200) * (pool.number(1e200) * Nx)).is_vector());
  EXPECT_TRUE(time_derivative(builder.model(), pool.function(Op::kPower, 1e200 * x, pool.number(2.0))).is_valid());
}

}  // namespace
}  // namespace vinculum::model
