// A region in force that contradicts the state is found. A contradiction within the error of a step is not reported.
#include "vinculum/hybrid/region_check.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "support/models.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/regions.hpp"

namespace vinculum::hybrid {
namespace region_check_test {

using sim::Dynamics;
using sim::Look;
using sim::RegionCheck;
using sim::Regions;

constexpr double kTolerance = 1e-8, kDuration = 1.0;

/// A condition, and states before and after the change of its truth value.
struct Case {
  const char* condition;
  double before, behind;
};
void PrintTo(const Case& one, std::ostream* out) { *out << one.condition; }

/// A particle with x'' = 1 while a condition is true, and the check of its regions.
struct Checked {
  explicit Checked(const char* condition)
      : model(test_support::model_of_text(
            fmt::format("model m\nframe N newtonian\npoint O fixed in N\ncoord y\nparticle P mass 1 at O + y*N.y\n"
                        "force on P = (1 if {} else 0)*N.y\nrun 1\n",
                        condition))),
        dynamics(test_support::compiled(model)),
        regions(dynamics, kDuration),
        look({dynamics, dynamics.mode(), kTolerance, kDuration}, regions),
        check(dynamics, kTolerance, kDuration) {
    // Tolerances are relative to the largest value so far, but at least to a thousandth of the scale. With this scale
    // they are relative to 1.
    dynamics.set_scale(Vector::Constant(2, 1.0 / tolerance::kFloor), kTolerance);
  }
  /// The result of the check for `state`, if the regions of the state `in_force` are in force.
  [[nodiscard]] std::optional<Failure> of(double state, double in_force) {
    look.take(look.sides_at(0.0, Vector{{in_force, 0.0}}));
    return check.contradiction(0.5, Vector{{state, 0.0}}, look);
  }
  std::shared_ptr<const model::Model> model;
  Dynamics dynamics;
  Regions regions;
  Look look;
  RegionCheck check;
};

class Contradictions : public ::testing::TestWithParam<Case> {};

TEST_P(Contradictions, IsFoundBeyondTheSurfaceAndNotBefore) {
  const auto [condition, before, behind] = GetParam();
  Checked checked(condition);
  EXPECT_FALSE(checked.of(before, before));
  EXPECT_FALSE(checked.of(behind, behind));
  for (const auto& [state, in_force] : {std::pair{before, behind}, {behind, before}}) {
    const auto failure = checked.of(state, in_force);
    ASSERT_TRUE(failure) << state << " with the regions of " << in_force;
    EXPECT_EQ(failure->kind, FailureKind::kRegionContradiction);
    EXPECT_EQ(failure->t, 0.5);
    ASSERT_EQ(failure->statements.size(), 1U) << "the load that holds the condition";
    EXPECT_EQ(failure->statements[0].kind, StatementId::Kind::kLoad);
  }
}

INSTANTIATE_TEST_SUITE_P(Conditions, Contradictions,
                         ::testing::Values(Case{"y < 0", 0.1, -0.1}, Case{"y <= 0.5", 0.6, 0.4},
                                           Case{"max(-y, 0) > 0", 0.1, -0.1}, Case{"min(y, 0) < 0", 0.1, -0.1},
                                           Case{"floor(y) < 0", 0.1, -0.1}, Case{"abs(y) - y > 0", 0.1, -0.1},
                                           Case{"smoothstep(-y) > 0", 0.1, -0.1},
                                           Case{"(1 if y < 0 else 0) > 0", 0.1, -0.1}, Case{"sign(y) > 0", 0.1, -0.1},
                                           Case{"y > 0 and y < 1", 0.5, -0.5}, Case{"exp(max(-y, 0)) > 1", 0.1, -0.1}));

TEST(Contradiction, IsNoneWithinAHundredTolerances) {
  for (const char* condition : {"y < 0", "max(-y, 0) > 0", "floor(y) < 0"}) {
    Checked checked(condition);
    EXPECT_FALSE(checked.of(0.5e-6, -0.1)) << condition;
    EXPECT_FALSE(checked.of(-0.5e-6, 0.1)) << condition;
    EXPECT_TRUE(checked.of(2e-6, -0.1)) << condition;
  }
}

TEST(Contradiction, IsNoneWhereAnInnerConditionIsMetByRoundingAlone) {
  for (const char* condition : {"floor(2*floor(1 - (t - 0.5)^2)) < 1", "floor(1 - (t - 0.5)^2) <= 0.5",
                                "max(floor(1 - (t - 0.5)^2), 0.25) < 1"})
    EXPECT_FALSE(Checked(condition).of(0.0, 0.0)) << condition;
}

TEST(Contradiction, IsFoundWhereTheOuterConditionAloneStayedBehind) {
  Checked checked("floor(2*floor(1 + y)) < 1");
  std::vector<double> sides = checked.look.sides_at(0.0, Vector{{0.1, 0.0}});
  ASSERT_EQ(sides, (std::vector{1.0, 2.0, -1.0})) << "inner floor, outer floor, comparison";
  checked.look.take(sides);
  EXPECT_FALSE(checked.check.contradiction(0.5, Vector{{0.1, 0.0}}, checked.look));
  sides[1] = 0.0;
  checked.look.take(sides);
  EXPECT_TRUE(checked.check.contradiction(0.5, Vector{{0.1, 0.0}}, checked.look));
}

}  // namespace region_check_test
}  // namespace vinculum::hybrid
