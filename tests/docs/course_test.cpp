// docs/course: the commands of each chapter run and give the output shown.
#include <algorithm>
#include <filesystem>

#include "docs/reader.hpp"

namespace vinculum {
namespace course_test {

namespace fs = std::filesystem;

const fs::path kCourse = fs::path(VINCULUM_SOURCE) / "docs/course";

std::vector<fs::path> chapters() {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(kCourse))
    if (entry.path().stem() != "README") all.push_back(entry.path());
  std::ranges::sort(all);
  return all;
}

class Course : public ::testing::TestWithParam<fs::path> {};

TEST_P(Course, CanBeFollowedAsItStands) {
  docs::Reader reader;
  reader.put_models();
  reader.follow(test_support::read_text(GetParam()));
  EXPECT_GE(reader.commands, 2);
}

INSTANTIATE_TEST_SUITE_P(Chapters, Course, ::testing::ValuesIn(chapters()),
                         [](const auto& chapter) { return "c" + chapter.param.stem().string(); });

TEST(CoursePage, HasTwelveChaptersWithAnswers) {
  const std::string index = test_support::read_text(kCourse / "README.md");
  EXPECT_EQ(chapters().size(), 12U);
  for (const fs::path& chapter : chapters()) {
    EXPECT_NE(index.find("(" + chapter.filename().string() + ")"), std::string::npos) << chapter;
    const std::string text = test_support::read_text(chapter);
    EXPECT_NE(text.find("## Exercises"), std::string::npos) << chapter;
    EXPECT_NE(text.find("*Answers.*"), std::string::npos) << chapter;
  }
}

}  // namespace course_test
}  // namespace vinculum
