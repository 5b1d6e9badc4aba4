#include <gtest/gtest.h>

#include "support/models.hpp"
#include "vinculum/model/joint.hpp"

namespace vinculum {
namespace joints_page_test {

const std::filesystem::path kRoot = VINCULUM_SOURCE;

/// The text as a cell of a Markdown table, in which `|` must be escaped.
std::string in_table(std::string_view text) {
  std::string cell;
  for (const char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
  return cell;
}

TEST(JointsPage, QuotesTheTableOfJoints) {
  const std::string page = test_support::read_text(kRoot / "docs/joints.md");
  for (const model::JointInfo& info : model::joint_table()) {
    const std::string row = "| `" + in_table(info.signature) + "` | " + std::to_string(info.rows) + " | " +
                            in_table(info.meaning) + " | " + in_table(info.multipliers) + " |\n";
    EXPECT_NE(page.find(row), std::string::npos) << "the page lacks\n" << row;
  }
  for (const model::SurfaceInfo& info : model::surface_table()) {
    const std::size_t at = page.find("| `" + std::string(info.signature) + "` |");
    ASSERT_NE(at, std::string::npos) << info.name;
    const std::string line = page.substr(at, page.find('\n', at) - at);
    EXPECT_EQ(line.find("`point_on_surface`") != std::string::npos, info.holds_points) << line;
    EXPECT_EQ(line.find("`rolling`") != std::string::npos, info.rolls) << line;
    EXPECT_NE(line.find("`contact`"), std::string::npos) << line;
  }
}

TEST(JointsPage, HasAModelOfEveryJoint) {
  for (const model::JointInfo& info : model::joint_table()) {
    bool is_shown = false;
    for (const auto& file : test_support::model_files()) {
      if (!file.filename().string().starts_with("joint_")) continue;
      is_shown = is_shown ||
                 test_support::read_text(file).find(": " + std::string(info.name) + " between ") != std::string::npos;
    }
    EXPECT_TRUE(is_shown) << info.name;
  }
}

}  // namespace joints_page_test
}  // namespace vinculum
