// Tests a chain with so many links that its mass matrix is deferred. The chain moves without the matrix, which is
// compiled when it is first requested.
#include "vinculum/compiled/late_matrices.hpp"

#include <gtest/gtest.h>

#include "support/equations/bodies.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum::sim {
namespace {

std::shared_ptr<const Binding> chain(int n) {
  CompileSettings settings;
  settings.codegen.backend = codegen::Backend::kTape;
  return *compile_model(equations::testing::rods(n, false), settings);
}

TEST(LateMatrices, AreThoseOfTheMotion) {
  const auto bound = chain(130);
  ASSERT_TRUE(bound->compiled->late_matrices);
  EXPECT_FALSE(bound->matrices.kernel);
  Dynamics dynamics(bound);
  const Eigen::Index n = bound->compiled->nu();
  Vector y(2 * n), y_dot(2 * n);
  for (Eigen::Index i = 0; i < n; ++i) y[i] = 0.1, y[n + i] = 0.05 * static_cast<double>(i % 7);
  ASSERT_TRUE(dynamics.derivative(0.0, y.data(), y_dot.data()));
  Matrices at;
  ASSERT_TRUE(dynamics.matrices(dynamics.mode(), 0.0, y.data(), at));
  ASSERT_EQ(at.M.rows(), n);
  const Vector inertia = at.M * y_dot.tail(n);
  const Vector size = at.M.cwiseAbs() * y_dot.tail(n).cwiseAbs() + at.f.cwiseAbs();
  EXPECT_LE(((inertia - at.f).cwiseAbs().cwiseQuotient(size)).maxCoeff(), 1e-12);
  EXPECT_EQ(at.q_dot, y.tail(n));

  Sample sample;
  ASSERT_TRUE(dynamics.report(0.0, y.data(), sample));
  EXPECT_EQ(sample.reaction.total.u, y_dot.tail(n));
}

TEST(LateMatrices, AreNoneOfPlantsThatNeedThem) {
  EXPECT_FALSE(chain(20)->compiled->late_matrices);
  EXPECT_TRUE(chain(20)->matrices.kernel);
}

}  // namespace
}  // namespace vinculum::sim
