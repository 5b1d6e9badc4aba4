#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "support/elaborate/elaborated.hpp"

// Bodies whose inertia is that of a solid of uniform density.
namespace vinculum::elaborate {
namespace solids_test {

using Vector = std::array<double, 3>;
using Tensor = std::array<double, 6>;  // xx, yy, zz, xy, yz, zx

struct PointMass {
  double share;
  Vector at;
};

/// Σ m (r·r 1 − r r) of point masses.
Tensor inertia_of(double mass, const std::vector<PointMass>& points) {
  Tensor sum{};
  for (const auto& [share, r] : points) {
    const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    const Tensor one = {square - r[0] * r[0], square - r[1] * r[1], square - r[2] * r[2],
                        -r[0] * r[1],         -r[1] * r[2],         -r[2] * r[0]};
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += mass * share * one[k];
  }
  return sum;
}

// Gauss points with their weights on [−1, 1], which sum up to 1. Three points integrate polynomials of order 5 exactly.
const std::array<std::array<double, 2>, 3> kGauss = {
    {{-std::sqrt(0.6), 5.0 / 18.0}, {0.0, 8.0 / 18.0}, {std::sqrt(0.6), 5.0 / 18.0}}};

/// Point masses that have the second moments of a stack of disks. Each disk is a ring at half of its squared radius,
/// and the ring has four points.
std::vector<PointMass> stack_of_disks(double length, const std::array<Vector, 3>& e, auto squared_radius) {
  std::vector<PointMass> points;
  double sum = 0.0;
  for (const auto& [place, weight] : kGauss) sum += weight * squared_radius(place * length / 2.0);
  for (const auto& [place, weight] : kGauss) {
    const double z = place * length / 2.0, radius = std::sqrt(squared_radius(z) / 2.0);
    for (int k = 0; k < 4; ++k) {
      const double c = radius * std::cos(k * std::numbers::pi / 2.0), s = radius * std::sin(k * std::numbers::pi / 2.0);
      PointMass& point = points.emplace_back(PointMass{weight * squared_radius(z) / sum / 4.0, {}});
      for (std::size_t i = 0; i < 3; ++i) point.at[i] = c * e[0][i] + s * e[1][i] + z * e[2][i];
    }
  }
  return points;
}

constexpr std::array<Vector, 3> kUpright = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
// Right-handed triad whose third vector is (1, 2, 2)/3.
constexpr std::array<Vector, 3> kTilted = {
    {{2.0 / 3, 1.0 / 3, -2.0 / 3}, {-2.0 / 3, 2.0 / 3, -1.0 / 3}, {1.0 / 3, 2.0 / 3, 2.0 / 3}}};

testing::Elaborated with_body(const std::string& rest) {
  return testing::in_plane("frame B = N rotated phi about x\nbody b frame B " + rest + " at O + x*N.x\n");
}

void expect_inertia(const std::string& rest, double mass, const Tensor& wanted) {
  const auto result = with_body(rest);
  ASSERT_EQ(result.messages, "") << rest;
  const model::Body& body = result.model->bodies[0];
  EXPECT_NEAR(testing::value_of(*result.model, body.mass), mass, 1e-15 * mass) << rest;
  const model::Inertia& I = body.inertia;
  const std::array<model::Term, 6> found = {I.xx, I.yy, I.zz, I.xy, I.yz, I.zx};
  for (std::size_t k = 0; k < found.size(); ++k)
    EXPECT_NEAR(testing::value_of(*result.model, found[k]), wanted[k], 1e-15 * mass) << rest << ", entry " << k;
}

TEST(Solid, HasTheInertiaOfItsPoints) {
  const auto line = [](double) { return 1e-40; };  // disks without a radius
  const auto ends = [](double) { return 0.3 * 0.3; };
  const auto ball = [](double z) { return 0.4 * 0.4 - z * z; };
  expect_inertia("mass 2 [kg] inertia rod(0.9 [m])", 2.0, inertia_of(2.0, stack_of_disks(0.9, kUpright, line)));
  expect_inertia("mass 2 [kg] inertia rod(3*L, axis B.x + 2*B.y + 2*B.z)", 2.0,
                 inertia_of(2.0, stack_of_disks(0.9, kTilted, line)));
  expect_inertia("mass 2 [kg] inertia cylinder(L, 90 [cm])", 2.0, inertia_of(2.0, stack_of_disks(0.9, kUpright, ends)));
  expect_inertia("mass 2 [kg] inertia cylinder(L, 0.9 [m]) axis B.x + 2*B.y + 2*B.z", 2.0,
                 inertia_of(2.0, stack_of_disks(0.9, kTilted, ends)));
  expect_inertia("mass 2 [kg] inertia cylinder(L, 0.9 [m], axis x)", 2.0,
                 inertia_of(2.0, stack_of_disks(0.9, {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}}, ends)));
  expect_inertia("mass 2 [kg] inertia sphere(0.4 [m])", 2.0, inertia_of(2.0, stack_of_disks(0.8, kUpright, ball)));
  std::vector<PointMass> box;
  for (const auto& [x, wx] : kGauss)
    for (const auto& [y, wy] : kGauss)
      for (const auto& [z, wz] : kGauss) box.push_back({wx * wy * wz, {x * 0.1, y * 0.15, z * 0.35}});
  expect_inertia("mass 2 [kg] inertia box(0.2 [m], L, 70 [cm])", 2.0, inertia_of(2.0, box));
}

TEST(Solid, HasTheMassOfItsDensity) {
  const double pi = std::numbers::pi;
  const auto mass = [](const std::string& rest) {
    const auto result = with_body(rest);
    EXPECT_EQ(result.messages, "");
    return testing::value_of(*result.model, result.model->bodies[0].mass);
  };
  EXPECT_NEAR(mass("density 2700 [kg/m^3] inertia box(10 [cm], 20 [cm], L)"), 2700 * 0.006, 1e-13);
  EXPECT_NEAR(mass("density 7.85 [g/cm^3] inertia cylinder(2 [cm], L)"), 7850 * pi * 4e-4 * 0.3, 1e-14);
  EXPECT_NEAR(mass("density 1000 [kg/m^3] inertia sphere(L)"), 1000 * 4 * pi * 0.027 / 3, 1e-12);
}

TEST(Solid, FollowsItsParameters) {
  const auto wide = testing::elaborated(
      "model m\nframe N newtonian\nparam r = 1 [m], rho = 3 [kg/m^3]\ncoord a [rad]\nframe B = N rotated a about x\n"
      "point O fixed in N\nbody b frame B density rho inertia sphere(r) at O\n",
      {{"r", "2"}});
  EXPECT_NEAR(testing::value_of(*wide.model, wide.model->bodies[0].mass), 3 * 4 * std::numbers::pi * 8 / 3, 1e-13);
}

TEST(Solid, IsRefusedWithAReason) {
  const auto problem = [](const std::string& rest) { return testing::kinds_and_sentences(with_body(rest)); };
  EXPECT_EQ(problem("density 3 [kg/m^3] inertia rod(L)"), "not-allowed-here: a rod has no volume, and so no density\n");
  EXPECT_EQ(problem("mass 1 [kg] inertia box(L, L)"), "wrong-argument-count: `box` has 3 sizes, 2 given\n");
  EXPECT_EQ(problem("mass 1 [kg] inertia sphere(L, L)"), "wrong-argument-count: `sphere` has 1 size, 2 given\n");
  EXPECT_EQ(problem("mass 1 [kg] inertia sphere(L, axis B.x)"), "not-allowed-here: `sphere` has no axis\n");
  EXPECT_EQ(problem("mass 1 [kg] inertia cone(L, L)"), "unknown-name: unknown solid `cone`\n");
  EXPECT_EQ(problem("mass 1 [kg] inertia rod(0 [m])"), "bad-value: the size of a solid must be positive\n");
  EXPECT_EQ(problem("density -1 [kg/m^3] inertia sphere(L)"), "bad-value: a density must be positive\n");
  EXPECT_EQ(problem("mass 1 [kg] inertia rod(0.3)"),
            "dimension-mismatch: the size of a solid must be in m, found dimensionless\n");
  EXPECT_EQ(problem("density 3 [kg] inertia sphere(L)"), "dimension-mismatch: a density must be in kg/m^3, found kg\n");
  EXPECT_EQ(problem("mass 1 [kg] inertia rod(L, axis N.y)"),
            "not-allowed-here: the axis of a solid is `x`, `y`, `z` or a vector fixed in `B`\n");
  EXPECT_EQ(problem("mass 1 [kg] inertia rod(x)"),
            "not-allowed-here: `x` changes with the coordinates, but the size of a solid may contain only numbers and "
            "parameters\n");
}

}  // namespace solids_test
}  // namespace vinculum::elaborate
