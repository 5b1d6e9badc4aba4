#include "fuzz/statements.hpp"

#include <gtest/gtest.h>

#include <ctime>

#include "fuzz/check_one.hpp"
#include "fuzz/use_one.hpp"

namespace vinculum {
namespace statements_test {

constexpr std::uint64_t kSeed = 27112026;

/// Description of a fault in the treatment of a text, or "".
std::string fault_of(const std::string& text, bool is_run, int& runs) try {
  if (std::string fault = test_support::check_one(text); !fault.empty() || !is_run) return fault;
  bool is_model = false;
  std::string fault = test_support::use_one(text, is_model);
  runs += is_model ? 1 : 0;
  return fault;
} catch (const std::exception& error) {
  return error.what();
}

// For any sequence of words of the language there is an error with a place, or a model that runs or reports why not.
TEST(Check, UnderstandsWordsInAnyOrder) {
  std::mt19937_64 random(kSeed);
  test_support::StatementTexts texts(random);
  int runs = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::string text = texts.text();
    const std::clock_t begin = std::clock();
    ASSERT_EQ(fault_of(text, i % 5 == 0, runs), "") << "text " << i << " of seed " << kSeed << "\n" << text;
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    ASSERT_LT(seconds, 2.0) << "text " << i << " of seed " << kSeed << "\n" << text;
  }
  EXPECT_GT(runs, 50);  // some texts are valid models
}

}  // namespace statements_test
}  // namespace vinculum
