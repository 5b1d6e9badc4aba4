#include "vinculum/motion/reports/uniqueness.hpp"

#include <gtest/gtest.h>

namespace vinculum::sim {
namespace {

/// Returns the given gradient, with the same error for every coefficient.   \param calls  counts the calls
WithNoise noise(const Matrix& gradient, double error, int* calls = nullptr) {
  return [=](std::span<const int> rows) {
    if (calls != nullptr) ++*calls;
    RoundedMatrix result(static_cast<Eigen::Index>(rows.size()), gradient.cols());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      for (Eigen::Index i = 0; i < gradient.cols(); ++i)
        result(static_cast<Eigen::Index>(k), i) = Rounded(gradient(rows[k], i), error);
    }
    return result;
  };
}

TEST(Uniqueness, ASumOfSharesIsUniqueAndAShareIsNot) {
  Matrix gradient(3, 2), N(2, 1);
  gradient << 1.0, 1.0, 1.0, 0.0, 0.0, 1.0;
  N << 1.0, -1.0;
  std::vector<double> clear(3, 0.0);
  EXPECT_EQ(unaffected_by(gradient, N, clear, noise(gradient, 1e-16)), (std::vector<char>{1, 0, 0}));
}

TEST(Uniqueness, CoefficientsBelowTheirErrorsSayNothing) {
  Matrix gradient(2, 2), N(2, 1);
  gradient << 1e-17, 3e-17, 1e-17, 3e-9;
  N << 0.8, 0.6;
  std::vector<double> clear(2, 0.0);
  EXPECT_EQ(unaffected_by(gradient, N, clear, noise(gradient, 1e-16)), (std::vector<char>{1, 0}));
}

TEST(Uniqueness, ErrorsAreNotAskedForAgainWhereAProductIsClear) {
  Matrix gradient(1, 1), N(1, 1);
  gradient << 2.0;
  N << 1.0;
  std::vector<double> clear(1, 0.0);
  int calls = 0;
  for (int k = 0; k < 3; ++k)
    EXPECT_EQ(unaffected_by(gradient, N, clear, noise(gradient, 1e-15, &calls)), std::vector<char>{0});
  EXPECT_EQ(calls, 1);
  const Matrix small = 1e-17 * gradient;
  EXPECT_EQ(unaffected_by(small, N, clear, noise(small, 1e-15, &calls)), std::vector<char>{1});
  EXPECT_EQ(calls, 2);
}

TEST(Uniqueness, WithoutFreeMultipliersAllIsUnique) {
  const Matrix gradient = Matrix::Random(3, 2);
  std::vector<double> clear(3, 0.0);
  EXPECT_EQ(unaffected_by(gradient, Matrix(2, 0), clear, noise(gradient, 0.0)), (std::vector<char>{1, 1, 1}));
}

}  // namespace
}  // namespace vinculum::sim
