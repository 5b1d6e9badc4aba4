#include "vinculum/solve/pivoted/constrained_solve.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/QR>
#include <cmath>
#include <limits>
#include <numeric>

#include "support/numeric/random_system.hpp"
#include "vinculum/base/contract.hpp"

namespace vinculum::solve {
namespace {

using numeric::RandomEngine;
using numeric::RandomSystem;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

struct Result {
  Solution solution;
  std::vector<char> unique;
  int rank = 0;
};

Result solved(const RandomSystem& s) {
  ConstrainedSolve solver(static_cast<int>(s.f.size()), static_cast<int>(s.b.size()));
  const auto factored = solver.factor(s.M, s.A);
  EXPECT_TRUE(factored) << factored.error().message;
  Result result;
  const auto outcome = solver.solve(s.f, s.b, result.solution);
  EXPECT_TRUE(outcome) << outcome.error().message;
  result.unique = solver.unique();
  result.rank = solver.rank();
  return result;
}

double relative_error(const Vector& value, const Vector& reference) {
  return (value - reference).norm() / reference.norm();
}

TEST(ConstrainedSolve, HangsAMassWithAMultiplierOfMinusItsWeight) {
  const double m = 2.0, g = 9.81;
  RandomSystem s;
  s.M = m * Matrix::Identity(2, 2);
  s.f = (Vector(2) << 0.0, -m * g).finished();
  s.A = (Matrix(1, 2) << 0.0, -1.0).finished();  // gradient of |p| − l at p = (0, −l)
  s.b = Vector::Zero(1);
  const Result result = solved(s);
  EXPECT_NEAR(result.solution.lambda[0], -m * g, 1e-14);
  EXPECT_NEAR(result.solution.Q[1], m * g, 1e-14);
  EXPECT_NEAR(result.solution.u.norm(), 0.0, 1e-15);
}

TEST(ConstrainedSolve, CompliancesDivideTheMultipliersOfDependentRows) {
  RandomEngine engine(5);
  for (int trial = 0; trial < 50; ++trial) {
    const RandomSystem s = numeric::with_repeated_rows(engine, numeric::random_system(engine, 6, 3), 3);
    const Vector c = numeric::random_vector(engine, 9).cwiseAbs().array() + 0.1;
    const Result free = solved(s);
    ConstrainedSolve solver(6, 9);
    solver.set_compliance(c);
    ASSERT_TRUE(solver.factor(s.M, s.A));
    Solution found;
    ASSERT_TRUE(solver.solve(s.f, s.b, found));
    EXPECT_EQ(found.u, free.solution.u);
    EXPECT_LT(relative_error(s.A.transpose() * found.lambda, found.Q), 1e-11);
    // λ is a combination of the rows divided by the compliances: nᵀ c λ = 0 for every n with nᵀ A = 0.
    const Matrix along = s.A.fullPivLu().image(s.A);
    const Vector yielding = c.cwiseProduct(found.lambda);
    const Vector rest = yielding - along * along.colPivHouseholderQr().solve(yielding);
    EXPECT_LT(rest.norm(), 1e-10 * yielding.norm());
    EXPECT_EQ(std::accumulate(solver.unique().begin(), solver.unique().end(), 0), 9);
    EXPECT_EQ(solver.left_null_space().cols(), 0);
    solver.set_compliance(Vector());
    ASSERT_TRUE(solver.factor(s.M, s.A));
    ASSERT_TRUE(solver.solve(s.f, s.b, found));
    EXPECT_EQ(found.lambda, free.solution.lambda);
  }
}

TEST(ConstrainedSolve, RowsWithoutComplianceAreRigid) {
  RandomSystem s;  // three equal rows; the rigid ones take all of the force, and share it in an unknown way
  s.M = Matrix::Identity(1, 1);
  s.f = Vector::Constant(1, -6.0);
  s.A = Matrix::Ones(3, 1);
  s.b = Vector::Zero(3);
  ConstrainedSolve solver(1, 3);
  solver.set_compliance(Vector{{1.0, 0.0, 0.0}});
  ASSERT_TRUE(solver.factor(s.M, s.A));
  Solution found;
  ASSERT_TRUE(solver.solve(s.f, s.b, found));
  EXPECT_NEAR((found.lambda - Vector{{0.0, 3.0, 3.0}}).norm(), 0.0, 1e-14);
  EXPECT_EQ(solver.unique(), (std::vector<char>{1, 0, 0}));
  EXPECT_EQ(solver.left_null_space().cols(), 1);
}

TEST(ConstrainedSolve, WorksAtTheEdgesOfSize) {
  for (const auto& [nu, nc] : {std::pair{1, 0}, {1, 1}, {3, 0}, {1, 4}, {2, 7}, {0, 0}, {5, 5}}) {
    SCOPED_TRACE(std::to_string(nu) + " speeds, " + std::to_string(nc) + " rows");
    RandomEngine engine(3);
    const RandomSystem s = numeric::random_system(engine, nu, nc);
    const Result result = solved(s);
    EXPECT_EQ(result.rank, std::min(nu, nc));
    EXPECT_LT((s.M * result.solution.u - s.f - s.A.transpose() * result.solution.lambda).norm(), 1e-13);
    EXPECT_LT((s.A * result.solution.u - s.b).norm(), 1e-13);
    EXPECT_EQ(result.unique, std::vector<char>(static_cast<std::size_t>(nc), nc <= nu ? 1 : 0));
  }
}

TEST(ConstrainedSolve, IgnoresRowsOfZerosThatAskForNothing) {
  RandomEngine engine(4);
  RandomSystem s = numeric::random_system(engine, 4, 3);
  s.A.row(1).setZero();
  s.b[1] = 0.0;
  const Result result = solved(s);
  EXPECT_EQ(result.rank, 2);
  EXPECT_EQ(result.solution.lambda[1], 0.0);
  EXPECT_EQ(result.unique, (std::vector<char>{1, 0, 1}));
  s.A.setZero();
  s.b.setZero();
  const Result free = solved(s);
  EXPECT_EQ(free.rank, 0);
  EXPECT_EQ(free.solution.lambda.norm(), 0.0);
  EXPECT_LT((s.M * free.solution.u - s.f).norm(), 1e-14);
}

TEST(ConstrainedSolve, ReportsARowOfZerosThatAsksForSomething) {
  RandomEngine engine(4);
  RandomSystem s = numeric::random_system(engine, 4, 3);
  s.A.row(1).setZero();
  s.b[1] = 3e-2;
  ConstrainedSolve solver(4, 3);
  Solution solution;
  ASSERT_TRUE(solver.factor(s.M, s.A));
  EXPECT_EQ(solver.row_lengths()[1], 0.0);
  const auto outcome = solver.solve(s.f, s.b, solution);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, FailureKind::kInconsistent);
  EXPECT_EQ(outcome.error().rows, std::vector<int>{1});
  EXPECT_NEAR(outcome.error().size, 3e-2, 1e-15);
  s.b[1] = 1e-18;  // as small as a rounding error, so it is no contradiction
  EXPECT_TRUE(solver.solve(s.f, s.b, solution));
}

TEST(ConstrainedSolve, MovesTheSameWhenEveryRowIsStatedThreeTimes) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomEngine engine(seed);
    const int nu = 2 + static_cast<int>(engine() % 10);
    const int nc = 1 + static_cast<int>(engine() % static_cast<std::uint64_t>((nu + 1) / 2));
    const RandomSystem once = numeric::random_system(engine, nu, nc);
    std::vector<int> origin;
    const RandomSystem thrice = numeric::with_repeated_rows(engine, once, 3, &origin);
    const Result reference = solved(once);
    const Result result = solved(thrice);
    EXPECT_EQ(result.rank, reference.rank);
    EXPECT_LT(relative_error(result.solution.u, reference.solution.u), 1e-12);
    EXPECT_LT(relative_error(result.solution.Q, reference.solution.Q), 1e-12);
    EXPECT_EQ(result.unique, std::vector<char>(static_cast<std::size_t>(3 * nc), 0));
    // Each row of `once` occurs three times in `thrice`, multiplied by factors c_i. Many multipliers λ_i give the same
    // force. The solver selects those with the least norm after all rows are scaled to unit length, so each of the
    // three rows exerts a third of the force: c_i λ_i = λ / 3.
    for (int i = 0; i < 3 * nc; ++i) {
      const int source = origin[static_cast<std::size_t>(i)];
      const double factor = thrice.A.row(i).norm() / once.A.row(source).norm() *
                            (thrice.A.row(i).dot(once.A.row(source)) > 0 ? 1.0 : -1.0);
      EXPECT_NEAR(result.solution.lambda[i] * factor, reference.solution.lambda[source] / 3.0,
                  1e-11 * (1.0 + reference.solution.lambda.norm()));
    }
  }
}

TEST(ConstrainedSolve, DoesNotDependOnTheUnitsOfRows) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomEngine engine(seed);
    RandomSystem s = numeric::random_system(engine, 7, 3);
    // The last two rows depend only on the first two; the multiplier of the third row stays unique.
    s.A.conservativeResize(5, Eigen::NoChange);
    s.b.conservativeResize(5);
    const Matrix mix = numeric::random_matrix(engine, 2, 2);
    s.A.bottomRows(2) = mix * s.A.topRows(2);
    s.b.tail(2) = mix * s.b.head(2);
    const Result reference = solved(s);
    EXPECT_EQ(reference.rank, 3);
    EXPECT_EQ(reference.unique, (std::vector<char>{0, 0, 1, 0, 0}));
    RandomSystem scaled = s;
    Vector scale(5);
    for (int i = 0; i < 5; ++i) scale[i] = std::pow(10.0, static_cast<int>(engine() % 41) - 20);
    scaled.A = scale.asDiagonal() * s.A;
    scaled.b = scale.asDiagonal() * s.b;
    const Result result = solved(scaled);
    EXPECT_EQ(result.rank, reference.rank);
    EXPECT_EQ(result.unique, reference.unique);
    EXPECT_LT(relative_error(result.solution.u, reference.solution.u), 1e-12);
    EXPECT_LT(relative_error(result.solution.Q, reference.solution.Q), 1e-12);
    EXPECT_NEAR(result.solution.lambda[2] * scale[2], reference.solution.lambda[2],
                1e-12 * (1.0 + reference.solution.lambda.norm()));
  }
}

TEST(ConstrainedSolve, KeepsARowWhoseUnitIsFarBelowThatOfAnother) {
  // The rows are 1e-8 u0 = 0, 1e8 u1 = 0 and the dependent row 5e-9 (u0 + u1) = 0.
  const Matrix A = (Matrix(3, 3) << 1e-8, 0, 0, 0, 1e8, 0, 5e-9, 5e-9, 0).finished();
  const Vector f = (Vector(3) << 1.0, 2.0, 3.0).finished();
  ConstrainedSolve solver(3, 3);
  Solution solution;
  ASSERT_TRUE(solver.factor(Matrix::Identity(3, 3), A));
  EXPECT_EQ(solver.rank(), 2);
  ASSERT_TRUE(solver.solve(f, Vector::Zero(3), solution));
  EXPECT_LT((solution.u - Vector(Eigen::Vector3d(0.0, 0.0, 3.0))).norm(), 1e-14);
  EXPECT_LT((solution.Q - Vector(Eigen::Vector3d(-1.0, -2.0, 0.0))).norm(), 1e-14);
}

TEST(ConstrainedSolve, DoesNotCallForcesUniqueInOtherUnitsOfCoordinates) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomEngine engine(seed);
    RandomSystem s = numeric::random_system(engine, 5, 4);
    s.A.row(3) = 2.0 * s.A.row(0) - s.A.row(1);
    s.b[3] = 2.0 * s.b[0] - s.b[1];
    const Result reference = solved(s);
    EXPECT_EQ(reference.unique, (std::vector<char>{0, 0, 1, 0}));
    Vector unit(5);  // u = unit · u_new
    for (int j = 0; j < 5; ++j) unit[j] = std::pow(10.0, static_cast<int>(engine() % 7) - 3);
    RandomSystem other = s;
    other.M = unit.asDiagonal() * s.M * unit.asDiagonal();
    other.f = unit.asDiagonal() * s.f;
    other.A = s.A * unit.asDiagonal();
    const Result result = solved(other);
    EXPECT_EQ(result.rank, 3);
    EXPECT_EQ(result.unique, reference.unique);
    EXPECT_LT(relative_error(unit.asDiagonal() * result.solution.u, reference.solution.u), 1e-11);
    EXPECT_NEAR(result.solution.lambda[2], reference.solution.lambda[2], 1e-11 * reference.solution.lambda.norm());
  }
}

using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

/// u' of a system with independent rows, computed with 64-bit mantissa.
Vector long_double_reference(const RandomSystem& s) {
  const LongMatrix M = s.M.cast<long double>();
  const LongMatrix A = s.A.cast<long double>();
  const Eigen::LLT<LongMatrix> llt(M);
  const LongMatrix L = llt.matrixL();
  const LongMatrix Bt = L.triangularView<Eigen::Lower>().solve(LongMatrix(A.transpose()));
  const LongVector a = llt.solve(LongVector(s.f.cast<long double>()));
  const LongVector e = s.b.cast<long double>() - A * a;
  const Eigen::ColPivHouseholderQR<LongMatrix> qr(Bt);
  const LongMatrix R = qr.matrixR().topLeftCorner(A.rows(), A.rows());
  const LongVector permuted = qr.colsPermutation().transpose() * e;
  LongVector x = LongVector::Zero(A.cols());
  x.head(A.rows()) = R.triangularView<Eigen::Upper>().transpose().solve(permuted);
  x = qr.householderQ() * x;
  return (a + L.transpose().triangularView<Eigen::Upper>().solve(x)).cast<double>();
}

TEST(ConstrainedSolve, KeepsItsDigitsNearSingularConfigurations) {
  // The error is about ε/s, s = σ_min/σ_max of the rows; methods with A M⁻¹ Aᵀ have ε/s². The bounds are ten times the
  // largest error in 20 trials.
  struct Row {
    double s, bound;
  };
  for (const Row& row :
       {Row{1.0, 1e-14}, Row{1e-2, 1e-12}, Row{1e-3, 1e-11}, Row{1e-4, 1e-10}, Row{1e-6, 1e-8}, Row{1e-8, 1e-6}}) {
    double worst = 0.0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      RandomEngine engine(seed);
      const RandomSystem s = numeric::random_system_with_singular_values(engine, 12, 6, row.s);
      worst = std::max(worst, relative_error(solved(s).solution.u, long_double_reference(s)));
    }
    RecordProperty("s=" + std::to_string(row.s), std::to_string(worst));
    EXPECT_LT(worst, row.bound) << "s = " << row.s;
  }
}

TEST(ConstrainedSolve, ApproachesTheLimitOfVanishingMassAndNamesWhatIsUndetermined) {
  // A massless link u2 is connected to u0 and u1. Its motion is compared with that of a link whose mass tends to zero.
  RandomSystem s;
  s.M = (Vector(3) << 2.0, 3.0, 0.0).finished().asDiagonal();
  s.A = (Matrix(2, 3) << 1.0, 0.0, -0.5, 0.0, 1.0, 0.3).finished();
  s.b = (Vector(2) << 0.7, -0.2).finished();
  s.f = (Vector(3) << 1.0, -2.0, 0.4).finished();
  const Result limit = solved(s);
  for (const double m : {1e-6, 1e-9, 1e-12}) {
    RandomSystem light = s;
    light.M(2, 2) = m;
    // The accelerations differ by O(m). In the metric of M, terms as large as 1/√m cancel.
    EXPECT_LT(relative_error(solved(light).solution.u, limit.solution.u), 10 * m + 3e-16 / std::sqrt(m)) << "m = " << m;
  }
  EXPECT_LT((s.M * limit.solution.u - s.f - limit.solution.Q).norm(), 1e-14);
  EXPECT_LT((s.A.transpose() * limit.solution.lambda - limit.solution.Q).norm(), 1e-14);

  ConstrainedSolve solver(3, 2);
  Matrix loose = s.A;
  loose.col(2).setZero();
  const auto outcome = solver.factor(s.M, loose);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, FailureKind::kUndetermined);
  EXPECT_EQ(outcome.error().coordinates, std::vector<int>{2});
}

TEST(ConstrainedSolve, TakesASemidefiniteMassInAnyUnits) {
  // Two coordinates share one inertia, so their block of M has rank one. Units are from millimeters to meters, and from
  // grams to tons.
  for (const double unit : {1e-6, 1.0, 1e6}) {
    RandomSystem s;
    s.M = (Matrix(3, 3) << 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 4.0).finished();
    s.A = (Matrix(2, 3) << 1.0, -1.0, 0.0, 1.0, 0.0, 2.0).finished();
    s.b = (Vector(2) << 0.5, 1.0).finished();
    s.f = (Vector(3) << 0.3, 0.3, -1.0).finished();
    const Result reference = solved(s);
    const Vector scale = (Vector(3) << 1.0, unit, unit * unit).finished();
    s.M = scale.asDiagonal() * s.M * scale.asDiagonal();
    s.f = scale.asDiagonal() * s.f;
    s.A = s.A * scale.asDiagonal();
    const Result result = solved(s);
    EXPECT_LT(relative_error(scale.asDiagonal() * result.solution.u, reference.solution.u), 1e-12) << unit;
    EXPECT_LT(relative_error(result.solution.lambda, reference.solution.lambda), 1e-12) << unit;
  }
}

TEST(ConstrainedSolve, ReportsNonFiniteValuesBeforeItDecidesOnRank) {
  RandomEngine engine(8);
  const RandomSystem s = numeric::random_system(engine, 3, 2);
  ConstrainedSolve solver(3, 2);
  Solution solution;
  Matrix A = s.A;
  A(1, 2) = kNaN;
  auto outcome = solver.factor(s.M, A);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, FailureKind::kNonFinite);
  EXPECT_EQ(outcome.error().rows, std::vector<int>{1});
  Matrix M = s.M;
  M(2, 1) = std::numeric_limits<double>::infinity();
  outcome = solver.factor(M, s.A);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, FailureKind::kNonFinite);
  EXPECT_EQ(outcome.error().coordinates, std::vector<int>{2});
  ASSERT_TRUE(solver.factor(s.M, s.A));
  Vector b = s.b;
  b[0] = kNaN;
  outcome = solver.solve(s.f, b, solution);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, FailureKind::kNonFinite);
  EXPECT_EQ(outcome.error().rows, std::vector<int>{0});
  Vector f = s.f;
  f[1] = -std::numeric_limits<double>::infinity();
  outcome = solver.solve(f, s.b, solution);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().coordinates, std::vector<int>{1});
}

TEST(ConstrainedSolve, NamesTheRowThatContradictsTwoOthersAndByHowMuch) {
  RandomEngine engine(9);
  RandomSystem s = numeric::random_system(engine, 6, 2);
  // The rows are r0, r1, 100 r0 (with a right-hand side that is wrong by 0.5) and −3 r0.
  s.A.conservativeResize(4, Eigen::NoChange);
  s.b.conservativeResize(4);
  s.A.row(2) = 100.0 * s.A.row(0);
  s.b[2] = 100.0 * s.b[0] + 0.5;
  s.A.row(3) = -3.0 * s.A.row(0);
  s.b[3] = -3.0 * s.b[0];
  ConstrainedSolve solver(6, 4);
  Solution solution;
  ASSERT_TRUE(solver.factor(s.M, s.A));
  const auto outcome = solver.solve(s.f, s.b, solution);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().kind, FailureKind::kInconsistent);
  EXPECT_EQ(outcome.error().rows, (std::vector<int>{2, 0, 3}));
  EXPECT_NEAR(outcome.error().size, 0.5, 1e-10);
}

TEST(ConstrainedSolve, AcceptsDisagreementBelowTheTolerance) {
  RandomEngine engine(9);
  RandomSystem s = numeric::random_system(engine, 3, 1);
  s.A.conservativeResize(2, Eigen::NoChange);
  s.b = (Vector(2) << 1.0, 2.0).finished();
  s.A.row(1) = 2.0 * s.A.row(0);
  ConstrainedSolve solver(3, 2);
  Solution solution;
  ASSERT_TRUE(solver.factor(s.M, s.A));
  EXPECT_TRUE(solver.solve(s.f, s.b, solution));
  s.b[1] += 1e-12;
  EXPECT_TRUE(solver.solve(s.f, s.b, solution));
  s.b[1] += 1e-8;
  EXPECT_FALSE(solver.solve(s.f, s.b, solution));
}

TEST(ConstrainedSolve, CompromisesOnlyWhenAskedForLeastSquares) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomEngine engine(seed);
    RandomSystem s = numeric::random_system(engine, 5, 3);
    s.A.row(2) = s.A.row(0) - 0.5 * s.A.row(1);
    s.b[2] += 1.0;
    ConstrainedSolve solver(5, 3);
    Solution solution;
    ASSERT_TRUE(solver.factor(s.M, s.A));
    EXPECT_FALSE(solver.solve(s.f, s.b, solution));
    solver.solve_least_squares(s.f, s.b, solution);
    // Normal equations: the residual of the equilibrated rows is orthogonal to the range of B.
    const Matrix L = s.M.llt().matrixL();
    Matrix B = L.triangularView<Eigen::Lower>().solve(Matrix(s.A.transpose())).transpose();
    const Vector D = B.rowwise().norm().cwiseInverse();
    B = D.asDiagonal() * B;
    const Vector residual = D.asDiagonal() * (s.b - s.A * solution.u);
    EXPECT_LT((B.transpose() * residual).norm(), 1e-12);
    EXPECT_LT((s.M * solution.u - s.f - solution.Q).norm(), 1e-12);
    EXPECT_LT((s.A.transpose() * solution.lambda - solution.Q).norm(), 1e-12);
  }
}

TEST(ConstrainedSolve, GivesBasesOfBothNullSpaces) {
  RandomEngine engine(12);
  const RandomSystem s = numeric::with_repeated_rows(engine, numeric::random_system(engine, 6, 2), 2);
  ConstrainedSolve solver(6, 4);
  ASSERT_TRUE(solver.factor(s.M, s.A));
  const Matrix Z = solver.null_space();
  ASSERT_EQ(Z.cols(), 4);
  EXPECT_LT((s.A * Z).norm(), 1e-13);
  EXPECT_LT((Z.transpose() * s.M * Z - Matrix::Identity(4, 4)).norm(), 1e-13);
  const Matrix N = solver.left_null_space();
  ASSERT_EQ(N.cols(), 2);
  EXPECT_LT((s.A.transpose() * N).norm(), 1e-13);
  EXPECT_EQ(Matrix(N).colPivHouseholderQr().rank(), 2);
}

TEST(ConstrainedSolve, MeasuresTheDistanceFromALossOfRank) {
  RandomEngine engine(13);
  for (const double s : {1.0, 1e-4, 1e-9}) {
    const RandomSystem system = numeric::random_system_with_singular_values(engine, 6, 3, s);
    ConstrainedSolve solver(6, 3);
    ASSERT_TRUE(solver.factor(system.M, system.A));
    EXPECT_GT(solver.conditioning(), 0.02 * s);
    EXPECT_LE(solver.conditioning(), 1.0);
    EXPECT_LT(solver.conditioning(), 50.0 * s);
  }
}

TEST(ConstrainedSolve, TakesNoRoundingOfAShortRowForAnIndependentOne) {
  // The second row is the first one times 1e-6, with an error of 1e-10 in its direction.
  const Matrix M = Matrix::Identity(2, 2);
  Matrix A(2, 2);
  A << 1.0, 1.0, 1e-6, 1e-6 * (1.0 + 1e-10);
  ConstrainedSolve solver(2, 2);
  ASSERT_TRUE(solver.factor(M, A));
  EXPECT_EQ(solver.rank(), 2);
  solver.set_certainty(Vector{{1.0, 1e-4}});
  ASSERT_TRUE(solver.factor(M, A));
  EXPECT_EQ(solver.rank(), 1);
  Solution solution;
  ASSERT_TRUE(solver.solve(Vector{{1.0, 0.0}}, Vector{{2.0, 2e-6 + 1e-17}}, solution));
  EXPECT_NEAR(solution.u.sum(), 2.0, 1e-15);
  A.row(1) << 1e-6, -1e-6;  // a short row counts if its direction is independent
  ASSERT_TRUE(solver.factor(M, A));
  EXPECT_EQ(solver.rank(), 2);
}

TEST(ConstrainedSolve, GivesMultipliersOfLeastNormWhateverTheCertaintyOfRows) {
  const Matrix M = Matrix::Identity(2, 2);
  Matrix A(3, 2);
  A << 1.0, 0.0, 2.0, 0.0, 0.0, 1.0;
  ConstrainedSolve solver(2, 3);
  Solution solution;
  for (const double certainty : {1.0, 0.5, 1e-3}) {
    solver.set_certainty(Vector{{1.0, certainty, 1.0}});
    ASSERT_TRUE(solver.factor(M, A));
    EXPECT_EQ(solver.rank(), 2);
    ASSERT_TRUE(solver.solve(Vector{{3.0, 1.0}}, Vector::Zero(3), solution));
    // The rows share the force −3. If they had unit length, their multipliers would be equal.
    EXPECT_LE((solution.lambda - Vector{{-1.5, -0.75, -1.0}}).norm(), 1e-13) << certainty;
  }
}

TEST(ConstrainedSolve, ChecksItsArguments) {
  ConstrainedSolve solver(2, 1);
  Solution solution;
  EXPECT_THROW(solver.solve_least_squares(Vector::Zero(2), Vector::Zero(1), solution), InternalError);
  EXPECT_THROW((void)solver.factor(Matrix::Identity(3, 3), Matrix::Zero(1, 3)), InternalError);
  ASSERT_TRUE(solver.factor(Matrix::Identity(2, 2), Matrix::Ones(1, 2)));
  EXPECT_THROW((void)solver.solve(Vector::Zero(3), Vector::Zero(1), solution), InternalError);
}

}  // namespace
}  // namespace vinculum::solve
