#include "vinculum/diag/diagnostic.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace vinculum::diag {
namespace {

TEST(DiagnosticTable, HasOneRowForEachKindUpToTheLast) {
  std::set<std::string_view> names;
  const auto last = static_cast<std::size_t>(Kind::kNotATree);
  ASSERT_EQ(diagnostic_table().size(), last + 1);
  for (std::size_t i = 0; i <= last; ++i) {
    const KindInfo& row = kind_info(static_cast<Kind>(i));
    EXPECT_EQ(row.kind, static_cast<Kind>(i));
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_FALSE(row.meaning.empty()) << row.name;
  }
}

TEST(Diagnostics, SortByPlaceWithErrorsFirst) {
  Diagnostics sink;
  Diagnostic one;
  one.range = {5, 6};
  one.message = "later";
  sink.report(one);
  one.range = {1, 2};
  one.severity = Severity::kWarning;
  one.message = "warning";
  sink.report(one);
  EXPECT_TRUE(sink.has_errors());
  one.severity = Severity::kError;
  one.message = "error";
  sink.report(one);
  sink.sort();
  ASSERT_EQ(sink.all().size(), 3U);
  EXPECT_EQ(sink.all()[0].message, "error");
  EXPECT_EQ(sink.all()[1].message, "warning");
  EXPECT_EQ(sink.all()[2].message, "later");
}

TEST(Diagnostics, WarningsAreNoErrors) {
  Diagnostics sink;
  Diagnostic one;
  one.severity = Severity::kWarning;
  sink.report(one);
  EXPECT_FALSE(sink.has_errors());
}

TEST(NearestName, IsFoundThroughTyposCaseAndExchangedLetters) {
  const std::vector<std::string> names{"particle", "param", "point", "q1", "q2", "lambda"};
  EXPECT_EQ(nearest_name("partcile", names), "particle");
  EXPECT_EQ(nearest_name("parm", names), "param");
  EXPECT_EQ(nearest_name("Lambda", names), "lambda");
  EXPECT_EQ(nearest_name("Q2", names), "q2");
}

TEST(NearestName, IsEmptyWhenNothingIsNear) {
  const std::vector<std::string> names{"particle", "q1", "x"};
  EXPECT_EQ(nearest_name("zebra", names), "");
  EXPECT_EQ(nearest_name("", names), "");
  EXPECT_EQ(nearest_name("y", names), "");
  EXPECT_EQ(nearest_name(std::string(100000, 'p'), names), "");
  EXPECT_EQ(nearest_name("zebra", {}), "");
}

}  // namespace
}  // namespace vinculum::diag
