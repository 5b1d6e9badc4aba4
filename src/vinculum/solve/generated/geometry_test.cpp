#include "vinculum/solve/generated/geometry.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "property/literal_udwadia_kalaba.hpp"
#include "support/numeric/ideal_reaction.hpp"
#include "support/numeric/random_system.hpp"

namespace vinculum::solve {
namespace {

using numeric::RandomEngine;
using numeric::RandomSystem;
using property::LiteralUdwadiaKalaba;

constexpr double kAgreement = 3e-12;  // allowed difference: ten times the largest one measured on random systems

double apart(const Vector& x, const Vector& reference) { return (x - reference).norm() / (1.0 + reference.norm()); }

template <class Check>
void on_random_geometries(Check check) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    RandomEngine engine(seed);
    const int nu = 1 + static_cast<int>(engine() % 8);
    const int nc = static_cast<int>(engine() % static_cast<std::uint64_t>(nu + 1));
    RandomSystem system = numeric::random_system(engine, nu, nc);
    if (seed % 2 == 0) system = numeric::with_repeated_rows(engine, system, 3);
    SCOPED_TRACE("seed " + std::to_string(seed));
    const auto found = geometry(system.M, system.f, system.A, system.b);
    ASSERT_TRUE(found) << found.error().message;
    check(system, *found);
  }
}

TEST(Geometry, HasTheIdealForceOfTheLiteralFormulaAlsoOfRedundantRows) {
  on_random_geometries([](const RandomSystem& s, const Geometry& g) {
    const LiteralUdwadiaKalaba literal(s.M, s.A);
    const Vector a = s.M.llt().solve(s.f), Q_ideal = literal.Q_ideal(a, s.A, s.b);
    EXPECT_FALSE(g.free.is_mass_singular);
    EXPECT_LT(apart(g.free.a, a), kAgreement);
    EXPECT_LT(apart(g.e, s.b - s.A * a), kAgreement);
    EXPECT_LT(apart(g.Q_ideal, Q_ideal), kAgreement);
    EXPECT_LT(apart(g.L * (g.N * g.scaled_force(s.C)), literal.Q_nonideal(s.C)), kAgreement);
  });
}

TEST(Geometry, SplitsScaledAccelerationsAtRightAngles) {
  on_random_geometries([](const RandomSystem& s, const Geometry& g) {
    const Vector c_s = g.scaled_force(s.C), u_s = g.N * (g.a_s + c_s) + g.B_b;
    const Vector u_dot = g.L.transpose().triangularView<Eigen::Upper>().solve(u_s);
    EXPECT_LT(apart(s.A * u_dot, s.b), kAgreement);
    EXPECT_LT(apart(u_s - g.a_s, g.B_e + g.N * c_s), kAgreement);
    EXPECT_LT(apart(g.B_b, g.B_e + g.T * g.a_s), kAgreement);
    EXPECT_LT(std::abs(g.B_e.dot(g.N * c_s)), kAgreement * (1.0 + g.B_e.norm() * c_s.norm()));
    EXPECT_LT(std::abs(g.B_b.dot(g.N * (g.a_s + c_s))), kAgreement * (1.0 + g.B_b.norm() * (g.a_s + c_s).norm()));
    EXPECT_NEAR((u_s - g.a_s).squaredNorm(), g.B_e.squaredNorm() + (g.N * c_s).squaredNorm(),
                kAgreement * (1.0 + u_s.squaredNorm() + g.a_s.squaredNorm()));
  });
}

TEST(Geometry, HasTheLengthsAndAnglesOfTheSymmetricRoot) {
  on_random_geometries([](const RandomSystem& s, const Geometry& g) {
    const LiteralUdwadiaKalaba literal(s.M, s.A);
    const Vector a = s.M.llt().solve(s.f);
    const std::vector<Vector> symmetric{literal.root * a, literal.inverse_root * s.C, literal.B_plus * (s.b - s.A * a),
                                        literal.B_plus * s.b};
    const std::vector<Vector> ours{g.a_s, g.scaled_force(s.C), g.B_e, g.B_b};
    for (std::size_t i = 0; i < ours.size(); ++i) {
      for (std::size_t k = 0; k < ours.size(); ++k)
        EXPECT_NEAR(ours[i].dot(ours[k]), symmetric[i].dot(symmetric[k]),
                    kAgreement * (1.0 + symmetric[i].norm() * symmetric[k].norm()));
    }
    EXPECT_NEAR(g.T.trace(), g.rank, kAgreement * (1.0 + g.rank));
    EXPECT_LT((g.T * g.T - g.T).norm() + (g.T + g.N - Matrix::Identity(g.T.rows(), g.T.rows())).norm(), kAgreement);
  });
}

TEST(Geometry, HasProjectorsThatNoUnitOfACoordinateChanges) {
  RandomEngine engine(7);
  const RandomSystem s = numeric::random_system(engine, 4, 2);
  const Vector units = (Vector(4) << 1e-3, 1.0, 57.3, 1e4).finished();
  const Matrix D = units.asDiagonal();
  const auto before = geometry(s.M, s.f, s.A, s.b), after = geometry(D * s.M * D, D * s.f, s.A * D, s.b);
  ASSERT_TRUE(before && after);
  EXPECT_LT((before->T - after->T).norm(), kAgreement);
  EXPECT_LT((before->a_s - after->a_s).norm(), kAgreement);
  const LiteralUdwadiaKalaba symmetric_before(s.M, s.A), symmetric_after(D * s.M * D, s.A * D);
  EXPECT_GT((symmetric_before.B_plus * symmetric_before.B - symmetric_after.B_plus * symmetric_after.B).norm(), 1e-2);
}

TEST(Geometry, OfASingularMassHasTheForceThatHolds) {
  // A particle (1 kg) on a massless slider: x'' − 2 s'' = 3, forces −10 on x and 4 on s. Equilibrium of the slider, 4 −
  // 2λ = 0, gives λ = 2, x'' = −8, s'' = −5.5.
  const Matrix M = (Matrix(2, 2) << 1.0, 0.0, 0.0, 0.0).finished();
  const Matrix A = (Matrix(1, 2) << 1.0, -2.0).finished();
  const Vector f = (Vector(2) << -10.0, 4.0).finished(), b = Vector::Constant(1, 3.0);
  const auto g = geometry(M, f, A, b);
  ASSERT_TRUE(g) << g.error().message;
  EXPECT_TRUE(g->free.is_mass_singular);
  EXPECT_LT((g->Q_ideal - Vector((Vector(2) << 2.0, -4.0).finished())).norm(), 1e-13);
  const Vector u_dot = g->free.a + g->L.transpose().triangularView<Eigen::Upper>().solve(g->B_e);
  EXPECT_LT((u_dot - Vector((Vector(2) << -8.0, -5.5).finished())).norm(), 1e-13);
}

// Two windings on one core whose coupling is a third stronger than physically possible: M is indefinite, and positive
// on the kernel of the row. With the weights for a singular M, H would be indefinite too.
TEST(Geometry, OfAnIndefiniteMassHasTheForceThatHolds) {
  const Matrix M = (Matrix(3, 3) << 0.05, 0.0, 0.3, 0.0, 0.05, 0.0, 0.3, 0.0, 0.8).finished();
  const Matrix A = (Matrix(1, 3) << 1.0, 0.0, 0.0).finished();
  const Vector f = (Vector(3) << 2.0, 3.0, 4.0).finished(), b = Vector::Constant(1, 5.0);
  const auto g = geometry(M, f, A, b);
  ASSERT_TRUE(g) << g.error().message;
  EXPECT_TRUE(g->free.is_mass_singular);
  const Vector u_dot = g->free.a + g->L.transpose().triangularView<Eigen::Upper>().solve(g->B_e);
  // u1' = 5, u2' = 60, u3' = (4 − 1.5)/0.8, and λ = 0.25 + 0.3 u3' − 2
  EXPECT_LT((u_dot - Vector((Vector(3) << 5.0, 60.0, 3.125).finished())).norm(), 1e-12);
  EXPECT_LT((M * u_dot - f - Vector((Vector(3) << -0.8125, 0.0, 0.0).finished())).norm(), 1e-12);
  EXPECT_LT((g->Q_ideal - Vector((Vector(3) << -0.8125, 0.0, 0.0).finished())).norm(), 1e-12);
  // M is positive on ker A = span{e2, e3}, but not on the kernel of the following row, span{e1, e3}.
  const Matrix other = (Matrix(1, 3) << 0.0, 1.0, 0.0).finished();
  const auto none = geometry(M, f, other, b);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().kind, FailureKind::kUndetermined);
  EXPECT_NE(none.error().message.find("not positive semidefinite"), std::string::npos);
}

TEST(Geometry, NamesWhatNeitherMassNorConstraintDetermines) {
  const Matrix M = (Matrix(2, 2) << 1.0, 0.0, 0.0, 0.0).finished();
  const Matrix A = (Matrix(1, 2) << 1.0, 0.0).finished();
  const auto g = geometry(M, Vector::Zero(2), A, Vector::Zero(1));
  ASSERT_FALSE(g);
  EXPECT_EQ(g.error().kind, FailureKind::kUndetermined);
  EXPECT_EQ(g.error().coordinates, std::vector<int>{1});
}

TEST(Geometry, WithoutConstraintsIsAllKernel) {
  const auto g = geometry(Matrix::Identity(3, 3), Vector::Ones(3), Matrix(0, 3), Vector(0));
  ASSERT_TRUE(g);
  EXPECT_EQ(g->rank, 0);
  EXPECT_EQ(g->N, Matrix::Identity(3, 3));
  EXPECT_EQ(g->Q_ideal, Vector::Zero(3));
}

}  // namespace
}  // namespace vinculum::solve
