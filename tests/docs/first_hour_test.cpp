#include "docs/reader.hpp"

namespace vinculum {
namespace first_hour_test {

TEST(FirstHourPage, CanBeFollowedAsItStands) {
  const std::string page = test_support::read_text(std::filesystem::path(VINCULUM_SOURCE) / "docs/first_hour.md");
  docs::Reader reader;
  reader.follow(page);
  EXPECT_EQ(reader.models, 9);
  EXPECT_GE(reader.commands, 12);
}

/// The Python programs of the page are run by python/tests/test_package.py.
TEST(FirstHourPage, HasTenSteps) {
  const std::string page = test_support::read_text(std::filesystem::path(VINCULUM_SOURCE) / "docs/first_hour.md");
  for (int step = 1; step <= 10; ++step)
    EXPECT_NE(page.find("\n## " + std::to_string(step) + ". "), std::string::npos) << step;
}

}  // namespace first_hour_test
}  // namespace vinculum
