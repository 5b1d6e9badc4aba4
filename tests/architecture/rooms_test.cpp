#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

namespace {

namespace fs = std::filesystem;

// Who may include whom (docs/architecture.md); an edge gives what lies below it too.
const std::map<std::string, std::set<std::string>> kEdges = {
    {"base", {}},
    {"diag", {"base"}},
    {"expr", {"base"}},
    {"numeric", {"base"}},
    {"lang", {"diag"}},
    {"mechanics", {"expr", "diag"}},
    {"elaborate", {"lang", "mechanics"}},
    {"dynamics", {"mechanics"}},
    {"solve", {"expr", "numeric"}},
    {"laws", {"dynamics", "solve"}},
    {"codegen", {"expr"}},
    {"integrate", {"numeric"}},
    {"sim", {"laws", "codegen", "integrate"}},
    {"audit", {"sim"}},
    {"compare", {"sim"}},
    {"out", {"audit", "compare"}},
};

std::set<std::string> visible_from(const std::string& room) {
  std::set<std::string> seen{room};
  for (const std::string& below : kEdges.at(room)) seen.merge(visible_from(below));
  return seen;
}

TEST(Rooms, IncludeOnlyWhatLiesBelowThem) {
  const std::regex include("#include \"vinculum/([a-z]+)/");
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(VINCULUM_SOURCE) / "src/vinculum")) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".hpp" && extension != ".cpp") continue;
    const fs::path relative = fs::relative(entry.path(), fs::path(VINCULUM_SOURCE) / "src/vinculum");
    const std::string room = relative.begin()->string();
    ASSERT_TRUE(kEdges.contains(room)) << room << " is no room";
    const std::set<std::string> visible = visible_from(room);
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) {
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      EXPECT_TRUE(visible.contains(match[1].str())) << relative << " includes " << match[1].str();
    }
    ++files;
  }
  EXPECT_GT(files, 50);
}

TEST(Rooms, KeepLlvmInOneFolder) {
  const std::regex include("#include [<\"]llvm");
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(VINCULUM_SOURCE) / "src/vinculum")) {
    if (!entry.is_regular_file()) continue;
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) {
      if (!std::regex_search(line, include)) continue;
      EXPECT_EQ(entry.path().parent_path().filename(), "llvm") << entry.path();
    }
  }
}

TEST(PublicHeaders, KeepTextAndJsonLibrariesOut) {
  const std::regex foreign("#include <(fmt|nlohmann|CLI)/");
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(VINCULUM_SOURCE) / "src/vinculum")) {
    if (entry.path().extension() != ".hpp") continue;
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) {
      EXPECT_FALSE(std::regex_search(line, foreign)) << entry.path() << ": " << line;
    }
  }
}

TEST(Library, NeverPrintsExitsOrAborts) {
  const std::regex forbidden(R"((\bstd::cout\b|\bstd::cerr\b|\bprintf\(|\bstd::exit\(|\babort\(\)))");
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(VINCULUM_SOURCE) / "src/vinculum")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".cpp" || name.ends_with("_test.cpp")) continue;
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) {
      EXPECT_FALSE(std::regex_search(line, forbidden)) << entry.path() << ": " << line;
    }
  }
}

}  // namespace
