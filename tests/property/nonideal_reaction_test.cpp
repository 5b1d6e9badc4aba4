#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "literal_udwadia_kalaba.hpp"
#include "support/numeric/ideal_reaction.hpp"
#include "support/numeric/random_system.hpp"
#include "vinculum/numeric/null_space.hpp"

namespace vinculum::property {
namespace nonideal_reaction_test {

using numeric::RandomEngine;
using numeric::RandomSystem;

constexpr double kTolConsistency = 1e-10;
constexpr double kTolAgreement = 3e-12;  // ten times the largest measured difference, as in ideal_reaction_test.cpp

template <class Check>
void on_random_systems(Check check) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    RandomEngine engine(seed);
    const int nu = 1 + static_cast<int>(engine() % 9);
    const int nc = static_cast<int>(engine() % static_cast<std::uint64_t>(nu + 1));
    RandomSystem system = numeric::random_system(engine, nu, nc);
    if (seed % 2 == 0) system = numeric::with_repeated_rows(engine, system, 3);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto result = numeric::nonideal_reaction(system.M, system.f, system.A, system.b, system.C, kTolConsistency);
    ASSERT_TRUE(result) << result.error().message;
    check(system, *result, engine);
  }
}

double relative(const Vector& difference, const Vector& reference) {
  return difference.norm() / (1.0 + reference.norm());
}

TEST(NonidealReaction, AgreesWithTheLiteralFormula) {
  on_random_systems([](const RandomSystem& s, const numeric::NonidealReaction& result, RandomEngine&) {
    const LiteralUdwadiaKalaba literal(s.M, s.A);
    const Vector Q_ideal = literal.Q_ideal(s.M.llt().solve(s.f), s.A, s.b);
    const Vector Q_nonideal = literal.Q_nonideal(s.C);
    EXPECT_LT(relative(result.Q_ideal - Q_ideal, Q_ideal), kTolAgreement);
    EXPECT_LT(relative(result.Q_nonideal - Q_nonideal, Q_nonideal), kTolAgreement);
    EXPECT_LT(relative(result.u_dot - s.M.llt().solve(s.f + Q_ideal + Q_nonideal), result.u_dot), kTolAgreement);
  });
}

TEST(NonidealReaction, DoesThePrescribedVirtualWork) {
  on_random_systems([](const RandomSystem& s, const numeric::NonidealReaction& result, RandomEngine& engine) {
    const Matrix Z = numeric::null_space(s.A, 1e-13);
    const Vector v = Z * numeric::random_vector(engine, static_cast<int>(Z.cols()));
    const Vector Q_c = result.Q_ideal + result.Q_nonideal;
    EXPECT_NEAR(v.dot(Q_c), v.dot(s.C), kTolAgreement * (1.0 + v.norm() * (Q_c.norm() + s.C.norm())));
  });
}

TEST(NonidealReaction, EqualsTheIdealProblemWithCAddedToTheForces) {
  on_random_systems([](const RandomSystem& s, const numeric::NonidealReaction& result, RandomEngine&) {
    const auto total = numeric::ideal_reaction(s.M, s.f + s.C, s.A, s.b, kTolConsistency);
    ASSERT_TRUE(total);
    EXPECT_LT(relative(result.u_dot - total->u_dot, total->u_dot), kTolAgreement);
    EXPECT_LT(relative(result.lambda - total->lambda, total->lambda), kTolAgreement);
    EXPECT_LT(relative(result.Q_ideal + result.Q_nonideal - s.C - s.A.transpose() * result.lambda, s.C), kTolAgreement);
  });
}

TEST(NonidealReaction, DoesNotMoveDifferentlyForCThatTheConstraintsCancel) {
  on_random_systems([](const RandomSystem& s, const numeric::NonidealReaction& result, RandomEngine& engine) {
    const Vector kappa = numeric::random_vector(engine, static_cast<int>(s.b.size()));
    const Vector C = s.C + s.A.transpose() * kappa;
    const auto other = numeric::nonideal_reaction(s.M, s.f, s.A, s.b, C, kTolConsistency);
    ASSERT_TRUE(other);
    EXPECT_LT(relative(other->u_dot - result.u_dot, result.u_dot), 10 * kTolAgreement);
    EXPECT_LT(relative(other->Q_nonideal - result.Q_nonideal, C), 10 * kTolAgreement);
  });
}

}  // namespace nonideal_reaction_test
}  // namespace vinculum::property
