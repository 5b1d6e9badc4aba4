#include "vinculum/model/calculus.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "vinculum/model/builder.hpp"
#include "vinculum/model/evaluate.hpp"

namespace vinculum::model {
namespace {

using expr::Op;

/// Rotated frames, one of which depends on time, and a particle offset from a massless point on a moving frame.
class CalculusTest : public ::testing::Test {
 protected:
  ModelBuilder builder{"calculus"};
  TermPool& pool = builder.terms();
  FrameId N = Model::newtonian();
  CoordinateId q1 = builder.add_coordinate("q1"), q2 = builder.add_coordinate("q2"), q3 = builder.add_coordinate("q3");
  Term x = builder.q(q1), y = builder.q(q2), z = builder.q(q3), t = builder.time();
  Term Nx = builder.axis(N, 0), Ny = builder.axis(N, 1), Nz = builder.axis(N, 2);
  FrameId A = builder.add_rotated_frame("A", N, x, 2);
  FrameId B = builder.add_rotated_frame("B", A, y* y + 0.4 * t, builder.axis(A, 0) + 2.0 * builder.axis(A, 1));
  FrameId D = builder.add_frame("D", B, {{0, Term{}, z}, {2, Term{}, x* z}, {1, Term{}, 0.7 * t}});
  FrameId K = builder.add_rotated_frame("K", N, builder.number(0.6), 1);
  PointId O = builder.add_fixed_point("O", N);
  PointId C = builder.add_point("C", O, x* Nx + pool.function(Op::kSine, y) * builder.axis(B, 1));
  PointId P = builder.point_of(builder.add_particle("P", builder.number(1.0), C, z* builder.axis(D, 0) + 0.5 * Nz));
  PointId Q = builder.point_of(builder.add_particle("Q", builder.number(2.0), O, y* Ny + t * z * builder.axis(A, 0)));
  PointId S = builder.add_point("S", Q, 0.3 * builder.axis(D, 2));
  std::mt19937_64 generator{7};

  Instant random_instant() {
    std::uniform_real_distribution<double> uniform(-1.0, 1.0);
    Instant at;
    at.t = uniform(generator);
    for (int i = 0; i < 3; ++i) {
      at.q.push_back(uniform(generator));
      at.q_dot.push_back(uniform(generator));
      at.q_ddot.push_back(uniform(generator));
    }
    return at;
  }

  std::vector<Term> vectors() {
    return {Nx,
            builder.axis(D, 1),
            builder.pos(P, Q),
            builder.pos(C, P),
            builder.vel(P),
            builder.vel(P, B),
            builder.vel(S, D),
            pool.angular_velocity(D, N),
            pool.angular_velocity(D, A),
            pool.angular_velocity(N, B),
            pool.angular_velocity(A, D),
            pool.cross(builder.pos(P, O), pool.angular_velocity(B, N)),
            pool.unit(builder.pos(P, Q)),
            pool.unit(builder.vel(Q)),
            (x * t) * builder.vel(Q) - builder.axis(K, 1) / (1.5 + y),
            pool.vector_select(pool.function(Op::kLess, x, y), builder.pos(P, O), 2.0 * Nz)};
  }

  std::vector<Term> scalars() {
    const auto f = [this](Op op, Term a, Term b = {}) { return pool.function(op, a, b); };
    const Term w = pool.dot(builder.vel(P), builder.axis(B, 0));
    const Term inside = 0.4 * f(Op::kSine, x + t);  // its value is within the domain of asin and acos
    const auto spline = std::make_shared<const expr::Spline>("cam", std::vector<double>{-3, -1, 0.5, 2, 3},
                                                             std::vector<double>{1, 0, 2, -1, 4});
    return {x * builder.q_dot(q2) + t,
            w * w - pool.norm(builder.pos(P, Q)),
            pool.dot(builder.vel(P), builder.vel(P)),
            pool.norm(builder.vel(Q, A)),
            f(Op::kDivide, w, 2.0 + y),
            f(Op::kPower, x + 2.0, y),
            f(Op::kPower, x, builder.number(3.0)),
            f(Op::kSquareRoot, 2.0 + x),
            f(Op::kExponential, w),
            f(Op::kLogarithm, 2.0 + z),
            f(Op::kTangent, inside),
            f(Op::kArcSine, inside),
            f(Op::kArcCosine, inside),
            f(Op::kArcTangent, w),
            f(Op::kArcTangent2, x, y),
            f(Op::kHyperbolicSine, x),
            f(Op::kHyperbolicCosine, y),
            f(Op::kHyperbolicTangent, z),
            f(Op::kAbsolute, w),
            f(Op::kSign, w),
            f(Op::kMinimum, w, y),
            f(Op::kMaximum, w, x * y),
            pool.function(Op::kSelect, f(Op::kLess, x, z), w, y * y),
            pool.table(spline, 0, x + y),
            pool.dot(pool.angular_velocity(D, B), builder.axis(D, 2))};
  }
};

TEST_F(CalculusTest, DerivativesOfManyTermsAreThoseOfEach) {
  TimeDerivatives rates(builder.model());
  for (int round = 0; round < 2; ++round) {
    for (const Term v : vectors()) {
      EXPECT_EQ(rates.of(v), time_derivative(builder.model(), v));
      EXPECT_EQ(rates.of(pool.dot(v, v)), time_derivative(builder.model(), pool.dot(v, v)));
    }
  }
}

TEST_F(CalculusTest, ScalarRatesAgreeWithJets) {
  for (const Term term : scalars()) {
    const Term rate = time_derivative(builder.model(), term);
    ASSERT_TRUE(rate.is_valid()) << to_text(builder.model(), term);
    for (int k = 0; k < 5; ++k) {
      TermValues values(builder.model(), random_instant());
      const double expected = values.scalar(term).rate;
      ASSERT_TRUE(std::isfinite(expected)) << to_text(builder.model(), term);
      EXPECT_NEAR(values.scalar(rate).value, expected, 1e-12 * (1.0 + std::fabs(expected)))
          << to_text(builder.model(), term);
    }
  }
}

TEST_F(CalculusTest, VectorRatesSeenInAnyFrameAgreeWithJets) {
  for (const FrameId frame : {N, A, B, D, K}) {
    for (const Term term : vectors()) {
      const Term rate = time_derivative(builder.model(), term, frame);
      ASSERT_TRUE(rate.is_valid()) << to_text(builder.model(), term);
      for (int k = 0; k < 3; ++k) {
        TermValues values(builder.model(), random_instant());
        const JetVector moving = values.vector(term, frame), expected = rate_of(moving),
                        got = values.vector(rate, frame);
        for (std::size_t i = 0; i < 3; ++i) {
          ASSERT_TRUE(std::isfinite(expected[i].value));
          EXPECT_NEAR(got[i].value, expected[i].value, 2e-12 * (1.0 + std::fabs(expected[i].value)))
              << to_text(builder.model(), term) << " seen in frame " << frame.value;
        }
      }
    }
  }
}

TEST_F(CalculusTest, SecondRatesOfPositionsAgreeWithJets) {
  for (const Term term : {builder.pos(P, Q), builder.pos(S, C)}) {
    const Term once = time_derivative(builder.model(), term, B);
    const Term twice = time_derivative(builder.model(), once, B);
    TermValues values(builder.model(), random_instant());
    const JetVector expected = rate_of(rate_of(values.vector(term, B))), got = values.vector(twice, B);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(got[i].value, expected[i].value, 1e-11);
  }
}

TEST_F(CalculusTest, RateOfAnAccelerationHoldsThirdDerivatives) {
  for (const Term acceleration :
       {builder.acc(P), pool.coordinate(q1, 2) * x, pool.dot(pool.angular_acceleration(B, N), Nx),
        pool.speed(SpeedId(std::size_t{0}), 1)}) {
    const Term rate = time_derivative(builder.model(), acceleration);
    ASSERT_TRUE(rate.is_valid());
    EXPECT_EQ(level_of(builder.model(), rate), Level::kThird);
  }
  EXPECT_EQ(to_text(builder.model(), time_derivative(builder.model(), pool.coordinate(q1, 2))), "q1'''");
}

TEST_F(CalculusTest, ThirdDerivativesByNumbersAreThoseOfTheMotion) {
  // The motion is q1 = t³ at t = 0.7; all other coordinates are zero.
  const double time = 0.7;
  Instant at;
  at.t = time;
  at.q.assign(builder.model().coordinates.size(), 0.0);
  at.q_dot = at.q_ddot = at.q_higher = at.q;
  at.q[0] = time * time * time, at.q_dot[0] = 3.0 * time * time, at.q_ddot[0] = 6.0 * time, at.q_higher[0] = 6.0;
  TermValues values(builder.model(), at);
  EXPECT_EQ(values.scalar(pool.coordinate(q1, 3)).value, 6.0);
  EXPECT_EQ(values.scalar(pool.coordinate(q1, 1)).second, 6.0);
  // (q1²)''' = 2 q1 q1''' + 6 q1' q1''.
  const Term square = builder.q(q1) * builder.q(q1);
  const Term second = time_derivative(builder.model(), time_derivative(builder.model(), square));
  EXPECT_NEAR(values.scalar(time_derivative(builder.model(), second)).value, 120.0 * time * time * time, 1e-12);
  EXPECT_NEAR(values.scalar(pool.rate(second)).value, 120.0 * time * time * time, 1e-12);
}

TEST_F(CalculusTest, RatesReadAsAMechanicianWritesThem) {
  const auto rate = [this](Term term) { return to_text(builder.model(), time_derivative(builder.model(), term)); };
  EXPECT_EQ(rate(builder.pos(P, O)), "vel(P)");
  EXPECT_EQ(rate(builder.pos(P, Q)), "vel(P) - vel(Q)");
  EXPECT_EQ(rate(builder.axis(B, 0)), "cross(omega(B), B.x)");
  EXPECT_EQ(rate(builder.axis(K, 0)), "0");
  EXPECT_EQ(rate(builder.vel(P)), "acc(P)");
  EXPECT_EQ(rate(pool.norm(builder.pos(P, Q))), "dot(pos(P, Q), vel(P) - vel(Q))/norm(pos(P, Q))");
  EXPECT_EQ(rate(pool.angular_velocity(B, N)), "alpha(B)");
  EXPECT_EQ(rate(pool.dot(builder.vel(P), builder.vel(P))), "2*dot(vel(P), acc(P))");
}

TEST_F(CalculusTest, LevelIsTheHighestDerivativeHeldAfterExpansion) {
  const auto level = [this](Term term) { return level_of(builder.model(), term); };
  EXPECT_EQ(level(pool.dot(builder.pos(P, O), builder.axis(B, 0)) + t), Level::kPosition);
  EXPECT_EQ(level(builder.q_dot(q1)), Level::kVelocity);
  EXPECT_EQ(level(builder.vel(P)), Level::kVelocity);
  EXPECT_EQ(level(builder.acc(S)), Level::kAcceleration);
  EXPECT_EQ(level(builder.vel(O)), Level::kPosition);  // O is at rest
  // K is rotated by a constant angle, so it does not move
  EXPECT_EQ(level(pool.angular_velocity(K, N)), Level::kPosition);
  EXPECT_EQ(level(pool.angular_velocity(D, A)), Level::kVelocity);
  EXPECT_EQ(level(pool.angular_acceleration(D, B)), Level::kAcceleration);
}

TEST_F(CalculusTest, ExpansionKeepsTheValueAndLeavesOnlyParticlesAndOrigins) {
  for (const Term term :
       {builder.pos(S, C), builder.pos(P, Q), builder.vel(C), builder.vel(S, B), builder.acc(S), builder.acc(C, D)}) {
    const Term expanded = expand_massless(builder.model(), term);
    TermValues values(builder.model(), random_instant());
    const JetVector before = values.vector(term), after = values.vector(expanded);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(after[i].value, before[i].value, 1e-11);
    const std::string text = to_text(builder.model(), expanded);
    EXPECT_EQ(text.find("(C"), std::string::npos) << text;
    EXPECT_EQ(text.find("(S"), std::string::npos) << text;
  }
  EXPECT_EQ(to_text(builder.model(), expand_massless(builder.model(), builder.pos(S, O))), "pos(Q, O) + 0.3*D.z");
}

}  // namespace
}  // namespace vinculum::model
