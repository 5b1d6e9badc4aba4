#include "vinculum/mechanics/jet.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

namespace vinculum::mechanics {
namespace {

using expr::Op;

/// x(t) and y(t) with their exact derivatives, in the domain of every operation.
Jet x_at(double t) { return {0.4 + 0.2 * std::sin(t), 0.2 * std::cos(t), -0.2 * std::sin(t)}; }
Jet y_at(double t) { return {0.7 + 0.1 * t * t, 0.2 * t, 0.2}; }

void expect_derivatives(const std::function<Jet(double)>& jet_at, const std::string& name) {
  const double t = 0.3, step = 1e-4;
  const Jet jet = jet_at(t);
  const double before = jet_at(t - step).value, after = jet_at(t + step).value;
  EXPECT_NEAR(jet.rate, (after - before) / (2.0 * step), 1e-7) << name;
  EXPECT_NEAR(jet.second, (after - 2.0 * jet.value + before) / (step * step), 1e-6) << name;
}

TEST(Jet, EveryOperationHasTheDerivativesOfItsValue) {
  for (const expr::OperationInfo& info : expr::operation_table()) {
    if (info.arity == 0 || info.op == Op::kTable) continue;
    const auto jet_at = [&info](double t) {
      return info.arity == 3 ? evaluate_jet(info.op, Jet{1.0, 0.0, 0.0}, x_at(t), y_at(t))
                             : evaluate_jet(info.op, x_at(t), y_at(t));
    };
    const std::string name = std::string(info.name) + std::string(info.infix);
    EXPECT_NEAR(jet_at(0.3).value,
                info.arity == 3 ? x_at(0.3).value : expr::evaluate_operation(info.op, x_at(0.3).value, y_at(0.3).value),
                1e-15)
        << name;
    expect_derivatives(jet_at, name);
  }
}

TEST(Jet, ASplineIsDifferentiatedThroughItsPieces) {
  const expr::Spline spline("cam", {0.0, 0.35, 0.5, 0.9, 1.4}, {1.0, 0.2, 0.8, -1.0, 2.0});
  expect_derivatives([&spline](double t) { return evaluate_jet(spline, 0, x_at(t)); }, "table");
}

TEST(Jet, RotationAboutADirectionIsOrthogonalAndKeepsItsAxis) {
  const double third = 1.0 / 3.0;
  const JetVector axis{Jet{third, 0, 0}, Jet{2.0 * third, 0, 0}, Jet{-2.0 * third, 0, 0}};
  const JetRotation R = rotation_about(axis, x_at(0.5));
  const JetRotation product = multiply(R, transpose(R));
  const JetVector turned = rotate(R, axis);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(turned[i].value, axis[i].value, 1e-15);
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_NEAR(product[i][k].value, i == k ? 1.0 : 0.0, 1e-15);
      EXPECT_NEAR(product[i][k].second, 0.0, 1e-15);
    }
  }
  // Right-handed: a quarter turn about z takes x to y.
  const JetVector z{Jet{}, Jet{}, Jet{1.0, 0, 0}}, x{Jet{1.0, 0, 0}, Jet{}, Jet{}};
  EXPECT_NEAR(rotate(rotation_about(z, Jet{std::acos(0.0), 0, 0}), x)[1].value, 1.0, 1e-15);
}

}  // namespace
}  // namespace vinculum::mechanics
