#include <gtest/gtest.h>

#include <ctime>

#include "fuzz/check_one.hpp"
#include "fuzz/mutate.hpp"
#include "fuzz/use_one.hpp"
#include "support/models.hpp"

namespace vinculum {
namespace mutations_test {

// A short run of tests/fuzz/mutations.cpp.
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
    // The limit is one second of processor time, so that a busy machine causes no failure.
    ASSERT_LT(seconds, 1.0) << "mutation " << i << " of seed " << kSeed << "\n" << text;
  }
}

// A mutation that is still a model has a motion, or an error that gives the reason. No model text may break a
// contract.
TEST(Use, EndsInNoBrokenContractOnMutatedModels) {
  std::vector<std::string> texts;
  for (const auto& file : test_support::text_files()) texts.push_back(test_support::read_text(file));
  constexpr std::uint64_t kSeed = 27112026;
  std::mt19937_64 random(kSeed);
  // Most mutations have errors in the text: about one in forty is a model.
  constexpr int kModels = 40;
  constexpr int kMostMutations = 8000;
  int models = 0;
  for (int i = 0; i < kMostMutations && models < kModels; ++i) {
    const std::string text = test_support::mutate(texts[random() % texts.size()], texts, random);
    bool is_model = false;
    ASSERT_EQ(test_support::use_one(text, is_model), "") << "mutation " << i << " of seed " << kSeed << "\n" << text;
    models += is_model ? 1 : 0;
  }
  EXPECT_EQ(models, kModels);
}

}  // namespace mutations_test
}  // namespace vinculum
