#include "vinculum/equations/derived_flag.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/model/builder.hpp"

namespace vinculum::equations {
namespace {

using model::Term;
using Kind = IntegrableCombination::Kind;

class DerivedFlags : public ::testing::Test {
 protected:
  model::ModelBuilder b{"forms"};
  model::CoordinateId qx = b.add_coordinate("x"), qy = b.add_coordinate("y"), qz = b.add_coordinate("z"),
                      qw = b.add_coordinate("w");
  Term x = b.q(qx), y = b.q(qy), z = b.q(qz), w = b.q(qw), t = b.time();
  Term x_dot = b.q_dot(qx), y_dot = b.q_dot(qy), z_dot = b.q_dot(qz), w_dot = b.q_dot(qw);
  std::shared_ptr<System> system;
  std::vector<std::vector<double>> probes = {
      {0.3, -0.7, 0.4, 1.1, 0.2}, {-0.6, 0.5, 0.9, -0.3, 0.7}, {0.8, 1.2, -0.5, 0.6, -0.4}};

  std::vector<double> sizes = std::vector<double>(5, 1.0);

  DerivedFlag find() {
    system = *derive(*b.finish());
    return derived_flag(*system, {}, probes, sizes);
  }
  double coefficient(const IntegrableCombination::Part& part, std::size_t probe) const {
    std::vector<expr::Expr> symbols = system->q;
    symbols.push_back(system->t);
    return expr::interpret({&part.coefficient, 1}, symbols, probes[probe])[0];
  }
};

TEST_F(DerivedFlags, ADifferenceOfTwoNonholonomicRowsIsARate) {
  b.add_constraint("first", x_dot + y * z_dot);
  b.add_constraint("second", y * z_dot - 2.0 * w_dot);
  const DerivedFlag flag = find();
  EXPECT_EQ(flag.dimensions, (std::vector<int>{2, 1}));
  EXPECT_EQ(flag.nonholonomic(), 1);
  ASSERT_EQ(flag.combinations.size(), 1U);
  EXPECT_EQ(flag.combinations[0].kind, Kind::kTotalDerivative);  // the combination x + 2 w
  ASSERT_EQ(flag.combinations[0].parts.size(), 2U);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(coefficient(flag.combinations[0].parts[0], k) + coefficient(flag.combinations[0].parts[1], k), 0.0,
                1e-12);
}

TEST_F(DerivedFlags, ContactFormsAreIntegrableOnlyTogether) {
  b.add_constraint("a", z_dot - w * x_dot);
  b.add_constraint("b", w_dot - y * x_dot);
  b.add_constraint("c", y_dot - z * x_dot);
  const DerivedFlag flag = find();
  EXPECT_EQ(flag.dimensions, std::vector<int>{3});
  ASSERT_EQ(flag.combinations.size(), 3U);
  for (const IntegrableCombination& one : flag.combinations) {
    EXPECT_EQ(one.kind, Kind::kTogether);
    EXPECT_EQ(one.beside.size(), 2U);
  }
}

TEST_F(DerivedFlags, ARowWithAFactorIsIntegrableByItself) {
  b.add_constraint("scaled", (1.0 + y * y) * (y * x_dot + x * y_dot));
  const DerivedFlag flag = find();
  ASSERT_EQ(flag.combinations.size(), 1U);
  EXPECT_EQ(flag.combinations[0].kind, Kind::kByItself);
}

// t x' + x = (t x)' is a total derivative; y' − z is not integrable.
TEST_F(DerivedFlags, RowsWithTheTimeAreFormsInSpaceAndTime) {
  b.add_constraint("moved", t * x_dot + x);
  b.add_constraint("chased", y_dot - z);
  const DerivedFlag flag = find();
  EXPECT_EQ(flag.dimensions, (std::vector<int>{2, 1}));
  ASSERT_EQ(flag.combinations.size(), 1U);
  EXPECT_EQ(flag.combinations[0].kind, Kind::kTotalDerivative);
}

TEST_F(DerivedFlags, AContactFormOnASurfaceIsIntegrableThereAlone) {
  b.add_constraint("contact", z_dot - y * x_dot);
  b.add_constraint("slope", y - x * x);
  for (std::vector<double>& probe : probes) probe[1] = probe[0] * probe[0];
  const DerivedFlag flag = find();
  ASSERT_EQ(flag.combinations.size(), 1U);
  EXPECT_EQ(flag.combinations[0].kind, Kind::kOnPositions);
  ASSERT_EQ(flag.combinations[0].parts.size(), 1U);
}

// dx + z dy is integrable only together with dy, and dy follows from the rows dy − 2 dw and dw.
TEST_F(DerivedFlags, ARowBesideOneThatIsARateNeedsItOrNot) {
  b.add_constraint("scaled", x_dot + z * y_dot);
  b.add_constraint("line", y_dot - 2.0 * w_dot);
  b.add_constraint("still", w_dot);
  const DerivedFlag flag = find();
  ASSERT_EQ(flag.combinations.size(), 3U);
  for (const IntegrableCombination& one : flag.combinations) {
    const bool is_scaled = one.parts.front().row == 0;
    EXPECT_EQ(one.kind, is_scaled && one.parts.size() == 1 ? Kind::kTogether : Kind::kTotalDerivative);
  }
}

// A disk of radius r that rolls along its heading w: dx − r cos w dz, dy − r sin w dz. Lengths are multiplied by 1,
// 2^20 or 2^-20, as by a change of units.
TEST(DerivedFlagInOtherUnits, IsTheSameWithTheSameCoefficients) {
  for (const int power : {0, 20, -20}) {
    const double r = 0.7 * std::exp2(power);
    model::ModelBuilder b{"disk"};
    const auto qx = b.add_coordinate("x"), qy = b.add_coordinate("y"), qz = b.add_coordinate("z"),
               qw = b.add_coordinate("w");
    b.add_constraint("along", b.q_dot(qx) * b.cos(b.q(qw)) + b.q_dot(qy) * b.sin(b.q(qw)) - r * b.q_dot(qz));
    b.add_constraint("across", b.q_dot(qx) * b.sin(b.q(qw)) - b.q_dot(qy) * b.cos(b.q(qw)));
    b.add_constraint("turn", b.q_dot(qw) - 0.5 * b.q_dot(qz));
    const auto system = *derive(*b.finish());
    const std::vector<double> sizes{r, r, 1.0, 1.0, 1.0};
    const DerivedFlag flag =
        derived_flag(*system, {}, {{0.3 * r, r, 0.4, 1.1, 0.2}, {-r, 0.5 * r, 0.9, -0.3, 0.7}}, sizes);
    // three closed forms in four coordinates: their common integral manifolds are curves
    EXPECT_EQ(flag.dimensions, (std::vector<int>{3})) << power;
    ASSERT_EQ(flag.combinations.size(), 3U) << power;
  }
}

TEST_F(DerivedFlags, OneStepIsNotEnough) {
  b.add_constraint("first", y_dot - z * x_dot);
  b.add_constraint("second", z_dot - w * x_dot);
  const DerivedFlag flag = find();
  EXPECT_EQ(flag.dimensions, (std::vector<int>{2, 1, 0}));
  EXPECT_EQ(flag.nonholonomic(), 2);
  EXPECT_TRUE(flag.combinations.empty());
}

TEST_F(DerivedFlags, CoefficientsMayChangeWithThePlace) {
  // The rows times e^x and 1 are e^x (dx + z dy) and dw − z e^x dy. Their sum e^x dx + dw is a total derivative.
  b.add_constraint("first", x_dot + z * y_dot);
  b.add_constraint("second", w_dot - z * b.terms().function(expr::Op::kExponential, x) * y_dot);
  const DerivedFlag flag = find();
  EXPECT_EQ(flag.dimensions, (std::vector<int>{2, 1}));
  ASSERT_EQ(flag.combinations.size(), 1U);
  const auto& parts = flag.combinations[0].parts;
  ASSERT_EQ(parts.size(), 2U);
  for (std::size_t k = 0; k < 3; ++k)
    EXPECT_NEAR(coefficient(parts[0], k) / coefficient(parts[1], k), std::exp(probes[k][0]), 1e-12);
}

TEST_F(DerivedFlags, OfAClosedSetStandStillAtOnce) {
  b.add_constraint("first", z_dot - y * x_dot);
  b.add_constraint("second", y_dot - 2.0 * x_dot);
  EXPECT_EQ(find().dimensions, std::vector<int>{2});
}

TEST_F(DerivedFlags, RowsOfPositionLevelTakePart) {
  b.add_constraint("contact", z_dot - y * x_dot);
  b.add_constraint("slope", y - x * x);
  for (auto& probe : probes) probe[1] = probe[0] * probe[0];
  const DerivedFlag flag = find();
  EXPECT_EQ(flag.dimensions, std::vector<int>{2});
  EXPECT_EQ(flag.combinations.size(), 1U);
}

TEST_F(DerivedFlags, AnAffineRowIsAFormInSpaceAndTime) {
  b.add_constraint("drift", x_dot - t * y_dot);
  EXPECT_EQ(find().nonholonomic(), 1);
}

TEST_F(DerivedFlags, CountNoRowTwice) {
  b.add_constraint("first", x_dot + y * z_dot);
  b.add_constraint("twice", 2.0 * (x_dot + y * z_dot));
  EXPECT_EQ(find().dimensions, (std::vector<int>{1, 0}));
}

TEST_F(DerivedFlags, WithoutRowsOfVelocityLevelAreEmpty) {
  b.add_constraint("sphere", x * x + y * y - 1.0);
  EXPECT_TRUE(find().dimensions.empty());
}

// Fifty pairs of rows like those of the test above, each with its own variables: 100 rows in 150 coordinates.
TEST(DerivedFlagOfManyRows, IsTheSumOfThoseThatShareNoVariable) {
  model::ModelBuilder b{"many"};
  constexpr int kPairs = 50;
  std::vector<double> probe[3];
  for (int i = 0; i < kPairs; ++i) {
    const std::string n = std::to_string(i);
    const auto qx = b.add_coordinate("x" + n), qy = b.add_coordinate("y" + n), qz = b.add_coordinate("z" + n);
    b.add_constraint("first" + n, b.q_dot(qx) + b.q(qy) * b.q_dot(qz));
    if (i % 2 == 0) b.add_constraint("second" + n, b.q_dot(qy) - b.q(qz) * b.q_dot(qz));
    for (int k = 0; k < 3; ++k) probe[k].insert(probe[k].end(), {0.3 + 0.1 * i, 0.2 * k - 0.7, 0.4 * k + 0.01 * i});
  }
  for (auto& one : probe) one.push_back(0.2);
  const auto system = *derive(*b.finish());
  const DerivedFlag flag =
      derived_flag(*system, {}, {probe[0], probe[1], probe[2]}, std::vector<double>(3 * kPairs + 1, 1.0));
  EXPECT_EQ(flag.not_sought, "");
  // each pair: two forms in three variables, one of which is integrable
  EXPECT_EQ(flag.dimensions, (std::vector<int>{75, 50}));
  EXPECT_EQ(flag.combinations.size(), 50U);
  EXPECT_TRUE(flag.is_by_form);
}

// Each row contains sines of all coordinates, so elimination produces long products.
TEST(DerivedFlagOfManyRows, IsGivenUpWhereCombinationsGrowTooLarge) {
  model::ModelBuilder b{"knot"};
  constexpr int kCoordinates = 30, kRows = 15;
  std::vector<model::CoordinateId> q;
  std::vector<double> probe[2];
  for (int i = 0; i < kCoordinates; ++i) {
    q.push_back(b.add_coordinate("q" + std::to_string(i)));
    for (int k = 0; k < 2; ++k) probe[k].push_back(0.1 * i - 0.7 * k);
  }
  for (auto& one : probe) one.push_back(0.2);
  for (int row = 0; row < kRows; ++row) {
    Term sum = b.q_dot(q[0]);
    for (int i = 1; i < kCoordinates; ++i)
      sum = sum + b.sin(static_cast<double>(row + 1) * b.q(q[static_cast<std::size_t>((i * 7 + row) % kCoordinates)])) *
                      b.q_dot(q[static_cast<std::size_t>(i)]);
    b.add_constraint("c" + std::to_string(row), sum);
  }
  const auto system = *derive(*b.finish());
  const DerivedFlag flag = derived_flag(*system, {}, {probe[0], probe[1]}, std::vector<double>(kCoordinates + 1, 1.0));
  EXPECT_NE(flag.not_sought.find("given up, as combining 15 rows in 30 coordinates"), std::string::npos)
      << flag.not_sought;
}

TEST_F(DerivedFlags, AreNotSoughtWhereThereIsNowhereToJudge) {
  b.add_constraint("first", x_dot + y * z_dot);
  probes.clear();
  EXPECT_FALSE(find().not_sought.empty());
}

}  // namespace
}  // namespace vinculum::equations
