#include <gtest/gtest.h>

#include "support/elaborate/elaborated.hpp"
#include "vinculum/elaborate/statements/elaborate.hpp"

namespace vinculum::elaborate {
namespace {

using model::Expectation;
using testing::elaborated;
using testing::Elaborated;
using testing::in_plane;

TEST(Expectations, OfListsAreOneForEachEntry) {
  const Elaborated result = in_plane(
      "run 3 [s]\nexpect at 1: [x, phi] = [200 [mm], 2] ± 1e-9\nexpect at end: [x, y] = 0 ± 1 [mm]\n"
      "let v = [x', phi']\nexpect at start: v = [3, 4] ± 0.5\nexpect at 2: [1, x; 2, y] = [1, 0; 2, 0] ± 1e-3\n");
  ASSERT_TRUE(result.model) << result.messages;
  const std::vector<Expectation>& all = result.model->expectations;
  ASSERT_EQ(all.size(), 10u);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(all[i].tolerance, 1e-9);
  EXPECT_NEAR(testing::value_of(*result.model, all[0].right), 0.2, 1e-15);
  EXPECT_EQ(testing::value_of(*result.model, all[1].right), 2.0);
  EXPECT_EQ(testing::value_of(*result.model, all[3].right), 0.0);
  EXPECT_NEAR(all[3].tolerance, 1e-3, 1e-18);
  EXPECT_EQ(testing::value_of(*result.model, all[4].left), 1.1);
  EXPECT_EQ(testing::value_of(*result.model, all[5].right), 4.0);
  EXPECT_EQ(testing::value_of(*result.model, all[9].left), -0.7);
  EXPECT_EQ(all[9].text, "at 2: [1, x; 2, y] = [1, 0; 2, 0] ± 1e-3  (entry 2, 2)");
}

TEST(Expectations, OfListsAreOfOneLength) {
  const Elaborated result =
      in_plane("run 3 [s]\nexpect at 1: [x, y] = [1, 2, 3] ± 1e-9\nexpect at 1: [x, phi] = [1, 2] ± 1 [mm]\n");
  ASSERT_EQ(result.diagnostics.size(), 2u) << result.messages;
  EXPECT_EQ(result.diagnostics[0].message, "two sides of an expectation are of one size");
  EXPECT_EQ(result.diagnostics[1].kind, diag::Kind::kDimensionMismatch);
}

TEST(Expectations, KnowTheWaysARunEnds) {
  const Elaborated result = in_plane("run 3 [s]\nexpect stop: not-unique at 0.2 ± 0.01\nexpect stop: assembly\n");
  ASSERT_TRUE(result.model) << result.messages;
  const Expectation& at = result.model->expectations[0];
  EXPECT_EQ(at.when, Expectation::When::kStop);
  EXPECT_EQ(at.stop_kind, "not-unique");
  EXPECT_TRUE(at.has_time);
  EXPECT_EQ(at.time, 0.2);
  EXPECT_EQ(at.tolerance, 0.01);
  EXPECT_FALSE(result.model->expectations[1].has_time);
}

}  // namespace
}  // namespace vinculum::elaborate
