#include <algorithm>
#include <vinculum/vinculum.hpp>

#include "golden/golden.hpp"

namespace vinculum {
namespace mistakes_test {

namespace fs = std::filesystem;

const fs::path kMistakes = fs::path(VINCULUM_SOURCE) / "tests/golden/mistakes";

std::vector<std::string> mistakes() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kMistakes)) {
    if (entry.path().extension() == ".vin") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

// Typical mistakes of beginners, one model each. The message must point to the mistake and tell what to write.
class Mistakes : public testing::TestWithParam<std::string> {};

TEST_P(Mistakes, AreShownWhereTheyAreWithARemedy) {
  const std::string text = test_support::read_text(kMistakes / (GetParam() + ".vin"));
  const auto model = Model::from_text(text, {.set = {}, .backend = Backend::kTape, .cache = ""}, GetParam() + ".vin");
  const Diagnostics& said = model ? model->diagnostics() : model.error().diagnostics;
  std::string shown = said.text;
  if (model && said.all.empty()) {
    const auto run = model->run();
    ASSERT_FALSE(run) << "nothing is wrong";
    shown = run.error().text();
  }
  for (const Diagnostic& one : said.all) {
    EXPECT_FALSE(one.hint.empty()) << one.message;
    EXPECT_FALSE(one.place.empty()) << one.message;
  }
  test_support::expect_golden(kMistakes / (GetParam() + ".txt"), shown);
}

INSTANTIATE_TEST_SUITE_P(OfBeginners, Mistakes, testing::ValuesIn(mistakes()), [](const auto& instance) {
  std::string name = instance.param;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(MistakesOfBeginners, AreSixtyAndMore) { EXPECT_GE(mistakes().size(), 60u); }

}  // namespace mistakes_test
}  // namespace vinculum
