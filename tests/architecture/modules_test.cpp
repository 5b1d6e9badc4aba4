#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "sources.hpp"

namespace {

namespace fs = std::filesystem;
using vinculum::test_support::holds_any;

// Allowed includes (docs/architecture.md). A module may also include the modules that these may include.
const std::map<std::string, std::set<std::string>> kEdges = {
    {"base", {}},
    {"diag", {"base"}},
    {"files", {"base"}},
    {"expr", {"base"}},
    {"numeric", {"base"}},
    {"lang", {"diag"}},
    {"model", {"expr", "diag"}},
    {"reaction_laws", {"lang", "model"}},
    {"imports", {"lang", "model"}},
    {"elaborate", {"reaction_laws"}},
    {"equations", {"model"}},
    {"solve", {"equations", "numeric"}},
    {"higher_order", {"equations", "numeric"}},
    {"codegen", {"expr"}},
    {"integrate", {"numeric"}},
    {"compiled", {"solve", "higher_order", "codegen", "integrate"}},
    {"motion", {"compiled"}},
    {"start", {"motion"}},
    {"hybrid", {"motion"}},
    {"linear", {"run"}},
    {"run", {"start", "hybrid"}},
    {"sensitivity", {"run"}},
    {"verify", {"run"}},
    {"compare", {"elaborate", "verify"}},
    {"exports", {"verify"}},
    {"report", {"exports", "compare", "linear"}},
    {"scene", {"report"}},
    {"api", {"elaborate", "scene", "sensitivity", "imports", "files"}},
};
/// Modules whose tests may run whole motions.
const std::set<std::string> kTestedByMotions = {"compiled", "motion", "start", "hybrid", "run"};

// Calls `visit` for each line of the files below a folder of the project with one of these extensions.
template <class Visit>
int visit_lines(const fs::path& folder, const std::set<std::string>& extensions, Visit visit) {
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(VINCULUM_SOURCE) / folder)) {
    if (!extensions.contains(entry.path().extension().string())) continue;
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) visit(entry.path(), line);
    ++files;
  }
  return files;
}

/// Whether a file is a test or a helper of tests.
bool is_test(const fs::path& relative) {
  const std::string name = relative.filename().string();
  return name.ends_with("_test.cpp") || name.starts_with("test_") ||
         relative.string().find("testing/") != std::string::npos;
}

std::set<std::string> visible_from(const std::string& module) {
  std::set<std::string> seen{module};
  for (const std::string& below : kEdges.at(module)) seen.merge(visible_from(below));
  return seen;
}

TEST(Modules, IncludeOnlyWhatLiesBelowThem) {
  const std::regex include("#include \"vinculum/([a-z_]+)/");
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(VINCULUM_SOURCE) / "src/vinculum")) {
    const std::string extension = entry.path().extension().string();
    if (extension != ".hpp" && extension != ".cpp") continue;
    const fs::path relative = fs::relative(entry.path(), fs::path(VINCULUM_SOURCE) / "src/vinculum");
    const std::string module = relative.begin()->string();
    ASSERT_TRUE(kEdges.contains(module)) << module << " is no module";
    std::set<std::string> visible = visible_from(module);
    if (is_test(relative)) visible.merge(visible_from("reaction_laws"));  // tests may use any law
    if (is_test(relative) && kTestedByMotions.contains(module)) visible.merge(visible_from("verify"));
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) {
      std::smatch match;
      if (!holds_any(line, {"#include"}) || !std::regex_search(line, match, include)) continue;
      EXPECT_TRUE(visible.contains(match[1].str())) << relative << " includes " << match[1].str();
    }
    ++files;
  }
  EXPECT_GT(files, 50);
}

// Names of laws occur, in code and comments, only in their own module: other code asks the law object, never which
// law it is.
TEST(ReactionLaws, AreNamedInTheirOwnModuleAlone) {
  const std::regex name(
      "vakonomic|kozlov|adiabatic|gyroscopic|lusternik|\\b(law|Law|law::|k) ?`?(stiff|viscous|inertial)\\b|"
      "\"(stiff|viscous|inertial)\"",
      std::regex::icase);
  const std::regex told_apart("(holds_alternative|get_if|std::get|std::visit)[^;]*(Law>|(\\.|->)law\\))");
  for (const char* folder : {"src/vinculum", "apps"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(VINCULUM_SOURCE) / folder)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".hpp" && extension != ".cpp") continue;
      const fs::path relative = fs::relative(entry.path(), fs::path(VINCULUM_SOURCE) / folder);
      if (relative.begin()->string() == "reaction_laws" || is_test(relative) || relative == "base/failure.cpp")
        continue;
      std::ifstream stream(entry.path());
      for (std::string line; std::getline(stream, line);) {
        if (!holds_any(line, {"vakonomic", "kozlov", "adiabatic", "gyroscopic", "lusternik", "stiff", "viscous",
                              "inertial", "law>", "law)"}))
          continue;
        if (holds_any(line, {"\"static\""})) continue;  // viscous friction together with a static bound
        // The element of URDF and SDF files with the mass of a link.
        if (relative.begin()->string() == "imports" && holds_any(line, {"\"inertial\""})) continue;
        EXPECT_FALSE(std::regex_search(line, name)) << relative << ": " << line;
        EXPECT_FALSE(std::regex_search(line, told_apart)) << relative << ": " << line;
      }
    }
  }
}

// `expand` and `check` must not include the code that builds the model.
TEST(Elaboration, FollowsOneDirection) {
  const std::map<std::string, std::string> kUnseen = {{"check", "expand|statements"}, {"expand", "statements"}};
  const fs::path module = fs::path(VINCULUM_SOURCE) / "src/vinculum/elaborate";
  for (const auto& [part, unseen] : kUnseen) {
    const std::regex include("#include \"vinculum/elaborate/(" + unseen + ")/");
    for (const auto& entry : fs::directory_iterator(module / part)) {
      if (entry.path().filename().string().ends_with("_test.cpp")) continue;
      std::ifstream stream(entry.path());
      for (std::string line; std::getline(stream, line);)
        EXPECT_FALSE(std::regex_search(line, include)) << entry.path() << ": " << line;
    }
  }
}

TEST(Modules, KeepLlvmInOneFolder) {
  const std::regex include("#include [<\"]llvm");
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(VINCULUM_SOURCE) / "src/vinculum")) {
    if (!entry.is_regular_file()) continue;
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) {
      if (!holds_any(line, {"#include"}) || !std::regex_search(line, include)) continue;
      EXPECT_EQ(entry.path().parent_path().filename(), "llvm") << entry.path();
    }
  }
}

TEST(PublicHeaders, ReachNothingPrivate) {
  const std::regex include("#include ([<\"])([^>\"]+)");
  const std::set<std::string> own = {"vinculum/outcome.hpp",  "vinculum/error.hpp",   "vinculum/trajectory.hpp",
                                     "vinculum/vinculum.hpp", "vinculum/builder.hpp", "vinculum/evaluator.hpp",
                                     "vinculum/names.hpp",    "vinculum/tools.hpp",   "vinculum/linearization.hpp"};
  const int headers = visit_lines("include", {".hpp"}, [&](const fs::path& file, const std::string& line) {
    std::smatch match;
    if (!holds_any(line, {"#include"}) || !std::regex_search(line, match, include)) return;
    const std::string name = match[2];  // headers of the standard library have neither folder nor extension
    EXPECT_TRUE(own.contains(name) || name.find_first_of("/.") == std::string::npos) << file << ": " << line;
  });
  EXPECT_EQ(headers, static_cast<int>(own.size()));
}

TEST(Command, IncludesThePublicHeadersAlone) {
  const std::regex include("#include ([<\"])([^>\"]+)");
  const std::set<std::string> system = {"dlfcn.h", "fcntl.h", "spawn.h", "sys/mman.h", "sys/wait.h", "unistd.h"};
  const int files = visit_lines("apps/cli", {".hpp", ".cpp"}, [&](const fs::path& file, const std::string& line) {
    std::smatch match;
    if (!holds_any(line, {"#include"}) || !std::regex_search(line, match, include)) return;
    const std::string name = match[2];
    const bool is_own = match[1] == "\"" && fs::exists(file.parent_path() / name);
    const bool is_public = match[1] == "<" && fs::exists(fs::path(VINCULUM_SOURCE) / "include" / name);
    const bool is_standard = match[1] == "<" && name.find_first_of("/.") == std::string::npos;
    EXPECT_TRUE(is_own || is_public || is_standard || system.contains(name) || name == "CLI/CLI.hpp")
        << file << ": " << line;
  });
  EXPECT_GT(files, 8);
}

// Reading, running and showing a model opens no network connection. One module does, and only `watch` loads it.
TEST(Sockets, AreOpenedInOneFile) {
  const std::regex network("#include <(httplib|sys/socket|sys/un|netinet/|arpa/|netdb|curl/|boost/asio)");
  int found = 0;
  for (const char* folder : {"src", "include", "apps", "python"}) {
    visit_lines(folder, {".hpp", ".cpp"}, [&](const fs::path& file, const std::string& line) {
      if (!holds_any(line, {"#include"}) || !std::regex_search(line, network)) return;
      EXPECT_EQ(fs::relative(file, VINCULUM_SOURCE), fs::path("apps/watch/server.cpp")) << line;
      ++found;
    });
  }
  EXPECT_EQ(found, 1);
  visit_lines("apps", {".cpp"}, [&](const fs::path& file, const std::string& line) {
    if (holds_any(line, {"kMakeServer"})) {
      EXPECT_EQ(file.filename(), "watch.cpp") << line;
    }
  });
}

TEST(PublicHeaders, KeepTextAndJsonLibrariesOut) {
  const std::regex foreign("#include <(fmt|nlohmann|CLI)/");
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(VINCULUM_SOURCE) / "src/vinculum")) {
    if (entry.path().extension() != ".hpp") continue;
    std::ifstream stream(entry.path());
    for (std::string line; std::getline(stream, line);) {
      if (!holds_any(line, {"#include"})) continue;
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
      if (!holds_any(line, {"std::c", "printf", "exit", "abort"})) continue;
      EXPECT_FALSE(std::regex_search(line, forbidden)) << entry.path() << ": " << line;
    }
  }
}

}  // namespace
