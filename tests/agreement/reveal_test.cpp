#include <gtest/gtest.h>

#include <sstream>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum {
namespace reveal_test {

/// The text without the lines that contain any of the words.
std::string without(const std::string& text, const std::vector<std::string>& words) {
  std::istringstream lines(text);
  std::string kept;
  for (std::string line; std::getline(lines, line);) {
    const bool has_one =
        std::ranges::any_of(words, [&](const std::string& word) { return line.find(word) != std::string::npos; });
    if (!has_one) kept += line + "\n";
  }
  return kept;
}

sim::Trajectory run(const std::string& text) {
  const auto model = test_support::model_of_text(text);
  sim::Dynamics dynamics(test_support::compiled(model));
  return sim::simulate(dynamics, sim::options_of(*model));
}

void expect_same_bits(const sim::Trajectory& a, const sim::Trajectory& b) {
  ASSERT_FALSE(a.stopped) << a.stopped->message;
  ASSERT_EQ(a.samples.size(), b.samples.size());
  EXPECT_EQ(a.step_times, b.step_times);
  for (std::size_t i = 0; i < a.samples.size(); ++i) {
    EXPECT_TRUE((a.samples[i].q.array() == b.samples[i].q.array()).all()) << "t = " << a.samples[i].t;
    EXPECT_TRUE((a.samples[i].u.array() == b.samples[i].u.array()).all()) << "t = " << a.samples[i].t;
  }
}

void expect_motion_without_reveals(const char* name, const std::vector<std::string>& words) {
  const std::string text =
      test_support::read_text(std::filesystem::path(VINCULUM_MODELS) / (std::string(name) + ".vin"));
  const std::string plain = without(text, words);
  ASSERT_EQ(plain.find("reveal "), std::string::npos);
  ASSERT_NE(text.find("\nreveal "), std::string::npos);
  expect_same_bits(run(text), run(plain));
}

TEST(Reveal, LeavesTheMotionOfRodAndSleeveTheSameToTheLastBit) {
  expect_motion_without_reveals("rod_and_sleeve", {"reveal", "sigma[", "tau[", "rho[", "arrow of_"});
}

TEST(Reveal, LeavesTheMotionOfAConstrainedArmTheSameToTheLastBit) {
  expect_motion_without_reveals("prescribed_arm", {"reveal", "pin["});
}

}  // namespace reveal_test
}  // namespace vinculum
