#include "vinculum/model/jet.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace vinculum::model {
namespace {

TEST(Jet, RotationAboutADirectionIsOrthogonalAndKeepsItsAxis) {
  const std::array<Rounded, 3> path{0.4 + 0.2 * std::sin(0.5), 0.2 * std::cos(0.5), -0.2 * std::sin(0.5)};
  const Series angle = Series::along(path);
  const double third = 1.0 / 3.0;
  const SeriesVector axis{third, 2.0 * third, -2.0 * third};
  const SeriesRotation R = rotation_about(axis, angle);
  const SeriesRotation product = multiply(R, transpose(R));
  const SeriesVector turned = rotate(R, axis);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(turned[i].value().value, axis[i].value().value, 1e-15);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(product[i][k].value().value, i == k ? 1.0 : 0.0, 1e-15);
      EXPECT_NEAR(jet_of(product[i][k]).second, 0.0, 1e-15);
    }
  }
  // Right-handed: a quarter turn about z takes x to y.
  const SeriesVector z{0.0, 0.0, 1.0}, x{1.0, 0.0, 0.0};
  EXPECT_NEAR(rotate(rotation_about(z, Series(std::acos(0.0))), x)[1].value().value, 1.0, 1e-15);
}

}  // namespace
}  // namespace vinculum::model
