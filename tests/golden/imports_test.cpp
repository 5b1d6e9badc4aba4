#include <algorithm>
#include <vinculum/tools.hpp>

#include "golden/golden.hpp"

namespace vinculum {
namespace imports_golden_test {

namespace fs = std::filesystem;

const fs::path kImports = fs::path(VINCULUM_SOURCE) / "tests/golden/imports";

std::vector<std::string> files() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kImports)) {
    const std::string extension = entry.path().extension().string();
    if (extension == ".urdf" || extension == ".sdf") names.push_back(entry.path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

// Robots with one mistake each. The message must point to the mistake and tell what to write.
class BrokenRobots : public testing::TestWithParam<std::string> {};

TEST_P(BrokenRobots, AreShownWhereTheyAreWithARemedy) {
  const fs::path file = kImports / GetParam();
  const auto robot = import_robot(file);
  const Diagnostics& said = robot ? robot->diagnostics : robot.error().diagnostics;
  ASSERT_FALSE(said.all.empty()) << "nothing is wrong";
  for (const Diagnostic& one : said.all) {
    EXPECT_FALSE(one.hint.empty()) << one.message;
    EXPECT_FALSE(one.place.empty()) << one.message;
    EXPECT_EQ(one.severity == "error", !robot) << one.message;
  }
  std::string shown = said.text;  // without the folder of the file
  const std::string folder = kImports.string() + "/";
  for (std::size_t at = shown.find(folder); at != shown.npos; at = shown.find(folder)) shown.erase(at, folder.size());
  test_support::expect_golden(kImports / (GetParam() + ".txt"), shown);
}

INSTANTIATE_TEST_SUITE_P(OfRobots, BrokenRobots, testing::ValuesIn(files()), [](const auto& instance) {
  std::string name = instance.param;
  std::ranges::replace(name, '-', '_');
  std::ranges::replace(name, '.', '_');
  return name;
});

TEST(BrokenRobotFiles, AreThirtyAndMore) { EXPECT_GE(files().size(), 30U); }

}  // namespace imports_golden_test
}  // namespace vinculum
