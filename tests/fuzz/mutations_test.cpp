#include <gtest/gtest.h>

#include <ctime>

#include "fuzz/check_one.hpp"
#include "fuzz/mutate.hpp"
#include "fuzz/use_one.hpp"
#include "support/models.hpp"

namespace vinculum {
namespace {

// A sample of what tests/fuzz/mutations.cpp does at length.
TEST(Check, SurvivesMutatedModelsInTime) {
  std::vector<std::string> texts;
  for (const auto& file : test_support::text_files()) texts.push_back(test_support::read_text(file));
  constexpr std::uint64_t kSeed = 19112002;
  std::mt19937_64 random(kSeed);
  for (int i = 0; i < 3000; ++i) {
    const std::string text = test_support::mutate(texts[random() % texts.size()], texts, random);
    const std::clock_t begin = std::clock();
    const std::string fault = test_support::check_one(text);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    ASSERT_EQ(fault, "") << "mutation " << i << " of seed " << kSeed << "\n" << text;
    // the contract is a second; of the processor's own time, so that a busy machine fails no text
    ASSERT_LT(seconds, 1.0) << "mutation " << i << " of seed " << kSeed << "\n" << text;
  }
}

// A mutation that is still a model moves, or an error says why it does not: no contract breaks on a text.
TEST(Use, EndsInNoBrokenContractOnMutatedModels) {
  std::vector<std::string> texts;
  for (const auto& file : test_support::text_files()) texts.push_back(test_support::read_text(file));
  constexpr std::uint64_t kSeed = 27112026;
  std::mt19937_64 random(kSeed);
  int models = 0;
  for (int i = 0; i < 400; ++i) {
    const std::string text = test_support::mutate(texts[random() % texts.size()], texts, random);
    bool is_model = false;
    ASSERT_EQ(test_support::use_one(text, is_model), "") << "mutation " << i << " of seed " << kSeed << "\n" << text;
    models += is_model ? 1 : 0;
  }
  EXPECT_GT(models, 8);  // measured: 13. Most mutations are errors of the text
}

}  // namespace
}  // namespace vinculum
