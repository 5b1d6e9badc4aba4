#include "vinculum/integrate/step_matrix.hpp"

#include <gtest/gtest.h>

#include <random>

namespace vinculum::integrate {
namespace {

/// Equations of a rope: two coordinates q, three speeds u (one of which is the rate of no coordinate) and two forces s.
/// q' = V u, u' = …, 0 = K q + C u − s.
struct Rope {
  std::vector<Place> places;
  Matrix J = Matrix::Zero(7, 7);

  explicit Rope(double stiffness) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1.0, 1.0);
    const auto set = [&](int row, int column, double value) {
      places.push_back({row, column});
      J(row, column) = value;
    };
    set(0, 2, 1.0), set(1, 2, number(random)), set(1, 3, number(random));
    for (int row = 2; row < 5; ++row)
      for (int column = 0; column < 7; ++column) set(row, column, number(random));
    for (int row = 5; row < 7; ++row) {
      for (int column = 0; column < 5; ++column) set(row, column, stiffness * number(random));
      set(row, row, -1.0);
    }
  }
};

template <class Scalar>
double miss(const Matrix& J, const Condensation* condensed, Scalar sigma) {
  using Vec = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;
  StepMatrix<Scalar> matrix;
  EXPECT_TRUE(matrix.factor(sigma, 5, J, condensed));
  Vec r = Vector::LinSpaced(7, -1.0, 2.0).cast<Scalar>(), x = Vec::Zero(7);
  if constexpr (!std::is_same_v<Scalar, double>) r[3] += Scalar(0.0, 0.5);
  matrix.solve(condensed, r, x);
  typename StepMatrix<Scalar>::ScalarMatrix whole = (-J).template cast<Scalar>();
  for (int i = 0; i < 5; ++i) whole(i, i) += sigma;
  return ((whole * x - r).cwiseAbs().array() / (whole.cwiseAbs() * x.cwiseAbs() + r.cwiseAbs()).array()).maxCoeff();
}

TEST(StepMatrix, SolvesTheWholeWhatItCondenses) {
  const Rope rope(100.0);
  Condensation condensed(5, 7, rope.places);
  EXPECT_EQ(condensed.rest(), 3);
  condensed.condense(rope.J);
  EXPECT_TRUE(condensed.is_fit_for(3.0));
  for (const Condensation* by :
       {static_cast<const Condensation*>(nullptr), static_cast<const Condensation*>(&condensed)}) {
    EXPECT_LT(miss(rope.J, by, 3.0), 1e-13);
    EXPECT_LT(miss(rope.J, by, std::complex<double>(2.0, 3.0)), 1e-13);
  }
}

TEST(StepMatrix, IsNotCondensedWhereAForceLeavesNoDigits) {
  const Rope rope(1e16);
  Condensation condensed(5, 7, rope.places);
  condensed.condense(rope.J);
  EXPECT_FALSE(condensed.is_fit_for(3.0));
}

// An unknown that appears in the rate of another eliminated coordinate is not eliminated: q0' = q1, q1' = u.
TEST(StepMatrix, TakesForPlacesNoneThatFollowOthers) {
  const std::vector<Place> places{{0, 1}, {1, 2}, {2, 0}};
  EXPECT_EQ(Condensation(3, 3, places).rest(), 2);
  EXPECT_EQ(Condensation(2, 2, std::vector<Place>{{0, 0}, {1, 1}}).rest(), 2);  // each depends only on itself and
                                                                                // remains
}

}  // namespace
}  // namespace vinculum::integrate
