#include "vinculum/solve/pivoted/gauss.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

namespace vinculum::solve {
namespace {

/// Test rows: linear ones R u' = r, followed by quadratic ones ½ u'ᵀ S_k u' = s_k.
struct Rows {
  Matrix R;
  Vector r;
  std::vector<Matrix> S;
  std::vector<double> s;

  [[nodiscard]] int count() const { return static_cast<int>(R.rows()) + static_cast<int>(S.size()); }
  [[nodiscard]] GaussSolve::Evaluate evaluate() const {
    return [this](const Vector& u_dot, const Vector& lambda, Matrix& A, Vector& b, Matrix& H) {
      A.topRows(R.rows()) = R;
      b.head(R.rows()) = r;
      H.setZero();
      for (std::size_t k = 0; k < S.size(); ++k) {
        const auto row = R.rows() + static_cast<Eigen::Index>(k);
        A.row(row) = (S[k] * u_dot).transpose();
        b[row] = A.row(row).dot(u_dot) - (0.5 * u_dot.dot(S[k] * u_dot) - s[k]);
        H += lambda[row] * S[k];
      }
    };
  }
};

Rows sphere(int nu, double radius) {
  Rows rows;
  rows.R = Matrix::Zero(0, nu);
  rows.r = Vector::Zero(0);
  rows.S = {2.0 * Matrix::Identity(nu, nu)};
  rows.s = {radius * radius};
  return rows;
}

TEST(GaussSolve, TakesTheAccelerationOfAPrescribedSizeAlongTheForce) {
  for (const double radius : {0.3, 4.0, 9.0, 9.81, 12.0, 100.0}) {
    const Rows rows = sphere(3, radius);
    GaussSolve gauss(3, 1);
    GaussSolve::Branch of_gauss;
    gauss.remember_in(of_gauss);
    const Vector f = 2.0 * Eigen::Vector3d(1.0, -2.0, 9.0);
    ASSERT_TRUE(gauss.solve(0.0, 2.0 * Matrix::Identity(3, 3), f, rows.evaluate())) << radius;
    EXPECT_LT((gauss.u_dot() - radius * f.normalized()).norm(), 1e-10 * radius) << radius;
  }
}

/// 4 x''² + (3 φ'')² = 1. If x is measured in a unit smaller by 2^20, and masses and forces are converted, the solution
/// must be the same.
TEST(GaussSolve, FindsTheSameAnswerInOtherUnits) {
  const auto answer = [](double unit) {
    Rows rows = sphere(2, 1.0);
    rows.S[0].diagonal() << 8.0 / (unit * unit), 18.0;
    Matrix M = Matrix::Identity(2, 2);
    M.diagonal() << 2.0 / (unit * unit), 0.5;
    const Vector f = Eigen::Vector2d(-3.0 / unit, 1.0);
    GaussSolve gauss(2, 1);
    GaussSolve::Branch of_gauss;
    gauss.remember_in(of_gauss);
    EXPECT_TRUE(gauss.solve(0.0, M, f, rows.evaluate()));
    return Vector(Eigen::Vector2d(gauss.u_dot()[0] / unit, gauss.u_dot()[1]));
  };
  const Vector plain = answer(1.0);
  EXPECT_NEAR(4.0 * plain[0] * plain[0] + 9.0 * plain[1] * plain[1], 1.0, 1e-12);
  for (const int power : {20, -20}) EXPECT_EQ(answer(std::exp2(power)), plain) << power;
}

/// x'² = 49, and y' is not restricted: there are two solutions, and one is nearer to the unconstrained acceleration.
TEST(GaussSolve, TakesTheBranchThatIsStated) {
  Rows rows = sphere(2, 7.0);
  rows.S[0](1, 1) = 0.0;
  const Vector f = Eigen::Vector2d(3.0, 1.0);
  for (const double wanted : {7.0, -7.0}) {
    GaussSolve gauss(2, 1);
    GaussSolve::Branch of_gauss;
    gauss.remember_in(of_gauss);
    gauss.choose([wanted](const Vector& u_dot) { return u_dot[0] * wanted > 0.0; });
    ASSERT_TRUE(gauss.solve(0.0, Matrix::Identity(2, 2), f, rows.evaluate()));
    EXPECT_NEAR(gauss.u_dot()[0], wanted, 1e-12);
    EXPECT_NEAR(gauss.u_dot()[1], 1.0, 1e-12);
  }
}

TEST(GaussSolve, TellsEquallyNearAnswersApartByTheBranchStated) {
  Rows rows = sphere(2, 7.0);
  rows.S[0](1, 1) = 0.0;
  const Vector f = Eigen::Vector2d(0.0, 1.0);
  GaussSolve gauss(2, 1);
  GaussSolve::Branch of_gauss;
  gauss.remember_in(of_gauss);
  const auto undecided = gauss.solve(0.0, Matrix::Identity(2, 2), f, rows.evaluate());
  ASSERT_FALSE(undecided.has_value());
  gauss.choose([](const Vector& u_dot) { return u_dot[0] < 0.0; });
  ASSERT_TRUE(gauss.solve(0.0, Matrix::Identity(2, 2), f, rows.evaluate()));
  EXPECT_NEAR(gauss.u_dot()[0], -7.0, 1e-12);
}

TEST(GaussSolve, SaysWhereNoAnswerIsOnTheBranchStated) {
  const Rows rows = sphere(3, 4.0);
  GaussSolve gauss(3, 1);
  GaussSolve::Branch of_gauss;
  gauss.remember_in(of_gauss);
  gauss.choose([](const Vector& u_dot) { return u_dot[0] > 100.0; });
  const auto done = gauss.solve(0.0, Matrix::Identity(3, 3), Eigen::Vector3d(1.0, 2.0, 3.0), rows.evaluate());
  ASSERT_FALSE(done.has_value());
  EXPECT_EQ(done.error().kind, FailureKind::kNotUnique);
  EXPECT_NE(done.error().message.find("none of them meets the condition of the clause `branch`"), std::string::npos);
}

/// Compares with the least value of Gauss's function found by brute force. Of three unknowns, a linear row leaves a
/// plane, and a quadratic row leaves a curve in this plane.
TEST(GaussSolve, IsNearestToTheFreeAccelerationAmongAllAdmissibleOnes) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  const auto fill = [&](int n, int m) { return Matrix(n, m).unaryExpr([&](double) { return normal(random); }).eval(); };
  for (int trial = 0; trial < 20; ++trial) {
    const Matrix X = fill(3, 3), Y = fill(3, 3);
    const Matrix M = X * X.transpose() + Matrix::Identity(3, 3);
    Rows rows;
    rows.R = fill(1, 3);
    rows.r = Vector::Constant(1, 0.2);
    rows.S = {Y * Y.transpose() + 0.5 * Matrix::Identity(3, 3)};
    rows.s = {20.0};
    const Vector f = 3.0 * fill(3, 1);
    GaussSolve gauss(3, 2);
    GaussSolve::Branch of_gauss;
    gauss.remember_in(of_gauss);
    ASSERT_TRUE(gauss.solve(0.0, M, f, rows.evaluate())) << trial;
    const Vector& w = gauss.u_dot();
    EXPECT_NEAR(rows.R.row(0).dot(w), 0.2, 1e-10);
    EXPECT_NEAR(0.5 * w.dot(rows.S[0] * w), 20.0, 1e-8);
    const Vector free = M.ldlt().solve(f);
    const double value = (w - free).dot(M * (w - free));
    // The admissible accelerations are a curve w = w0 + Z (cos t, sin t) r(t).
    const Vector w0 = rows.R.transpose() * 0.2 / rows.R.squaredNorm();
    const Eigen::JacobiSVD<Matrix> svd(rows.R, Eigen::ComputeFullV);
    const Matrix Z = svd.matrixV().rightCols(2);
    double least = 1e300;
    for (int i = 0; i < 20000; ++i) {
      const double angle = 2.0 * M_PI * i / 20000.0;
      const Vector d = Z * Eigen::Vector2d(std::cos(angle), std::sin(angle));
      const double a = 0.5 * d.dot(rows.S[0] * d), half = 0.5 * d.dot(rows.S[0] * w0),
                   c = 0.5 * w0.dot(rows.S[0] * w0) - 20.0;
      const Vector at = w0 + d * ((-half + std::sqrt(half * half - a * c)) / a);
      least = std::min(least, (at - free).dot(M * (at - free)));
    }
    EXPECT_LE(value, least * (1.0 + 1e-9)) << trial;
    EXPECT_GT(value, least * (1.0 - 1e-5) - 1e-9) << trial;
  }
}

TEST(GaussSolve, AllowsRowsThatDependOnEachOther) {
  Rows rows = sphere(3, 5.0);
  rows.S.push_back(-4.0 * Matrix::Identity(3, 3));
  rows.s.push_back(-50.0);
  GaussSolve gauss(3, 2);
  GaussSolve::Branch of_gauss;
  gauss.remember_in(of_gauss);
  const Vector f = Eigen::Vector3d(0.0, 3.0, 4.0);
  ASSERT_TRUE(gauss.solve(0.0, Matrix::Identity(3, 3), f, rows.evaluate()));
  EXPECT_LT((gauss.u_dot() - f).norm(), 1e-9);
}

TEST(GaussSolve, FollowsItsBranchAsTheForceTurnsAway) {
  // u'² = 9 with one unknown: for the first force +3 is nearest, and later solutions stay on this branch.
  Rows rows = sphere(1, 3.0);
  GaussSolve gauss(1, 1);
  GaussSolve::Branch of_gauss;
  gauss.remember_in(of_gauss);
  double t = 0.0;
  for (const double f : {2.0, 1.0, 0.1, -0.1, -1.0}) {
    t += 1.0;
    ASSERT_TRUE(gauss.solve(t, Matrix::Identity(1, 1), Vector::Constant(1, f), rows.evaluate())) << f;
    EXPECT_NEAR(gauss.u_dot()[0], 3.0, 1e-12) << f;
    gauss.follow(t);
  }
  of_gauss.followed = 0;
  ASSERT_TRUE(gauss.solve(0.0, Matrix::Identity(1, 1), Vector::Constant(1, -1.0), rows.evaluate()));
  EXPECT_NEAR(gauss.u_dot()[0], -3.0, 1e-12);
}

TEST(GaussSolve, IsFollowedFromTheAnswerBeforeIt) {
  // u'1² + u'2² = 9 with a force that turns by π. A single step of half a turn would end on the opposite side.
  Rows rows = sphere(2, 3.0);
  GaussSolve gauss(2, 1);
  GaussSolve::Branch of_gauss;
  gauss.remember_in(of_gauss);
  const auto at = [&](double t) {
    return gauss.solve(t, Matrix::Identity(2, 2), Eigen::Vector2d(std::cos(t), std::sin(t)), rows.evaluate());
  };
  for (int i = 0; i <= 100; ++i) {  // more solutions than are stored
    ASSERT_TRUE(at(0.03 * i));
    gauss.follow(0.03 * i);
  }
  for (const double t : {3.0, 2.0, 2.5}) {
    ASSERT_TRUE(at(t));
    EXPECT_LT((gauss.u_dot() - 3.0 * Eigen::Vector2d(std::cos(t), std::sin(t))).norm(), 1e-10) << t;
  }
  gauss.follow(2.0);
  ASSERT_TRUE(at(2.1));
  EXPECT_LT((gauss.u_dot() - 3.0 * Eigen::Vector2d(std::cos(2.1), std::sin(2.1))).norm(), 1e-10);
}

TEST(GaussSolve, SaysThatTwoAccelerationsAreEquallyNear) {
  const Rows rows = sphere(2, 3.0);
  GaussSolve gauss(2, 1);
  GaussSolve::Branch of_gauss;
  gauss.remember_in(of_gauss);
  const auto done = gauss.solve(0.0, Matrix::Identity(2, 2), Vector::Zero(2), rows.evaluate());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, FailureKind::kNotUnique);
}

TEST(GaussSolve, SaysThatNoAccelerationIsAdmissible) {
  Rows rows = sphere(2, 3.0);
  rows.s = {-1.0};
  GaussSolve gauss(2, 1);
  GaussSolve::Branch of_gauss;
  gauss.remember_in(of_gauss);
  const auto done = gauss.solve(0.0, Matrix::Identity(2, 2), Vector::Ones(2), rows.evaluate());
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().kind, FailureKind::kNotUnique);
}

}  // namespace
}  // namespace vinculum::solve
