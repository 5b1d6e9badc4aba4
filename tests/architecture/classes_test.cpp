// A class has at most 30 methods and 20 data members. The list of exceptions may only shrink.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <string>
#include <vector>

#include "sources.hpp"

namespace {

using vinculum::test_support::code_of;
using vinculum::test_support::sources;
using vinculum::test_support::text_of;

struct Size {
  int methods = 0, members = 0;
};

constexpr Size kLimit = {30, 20};

/// Largest sizes of the exceptions. A class that has become smaller gets its new size or is removed from the list.
const std::map<std::string, Size> kLarge = {
    // One method per statement, node of the grammar or operation: no limit on methods.
    {"Elaborator", {195, 23}},
    {"Checker", {98, 20}},
    {"SyntaxReader", {88, 20}},
    {"Writer", {71, 20}},
    {"ModelBuilder", {56, 20}},
    {"Steps", {63, 20}},
    {"Builder", {66, 20}},
    {"TermPool", {42, 20}},
    {"Cursor", {37, 20}},
    // Plain data: one member per quantity of the theory, or per kernel.
    {"Model", {30, 29}},
    {"System", {30, 37}},
    {"HigherOrder", {30, 22}},
    {"Kernels", {30, 30}},
    {"Structure", {30, 22}},
    {"Trajectory", {32, 21}},
    // To be divided into smaller classes.
    {"Look", {41, 34}},
    {"Expander", {52, 28}},
    {"Lowering", {51, 26}},
    {"Probe", {32, 20}},
    {"RankSource", {30, 21}},
    {"KnotSource", {30, 23}},
    {"ExplicitStepper", {30, 24}},
    {"RadauStepper", {30, 35}},
    {"RadauStages", {30, 23}},
    {"FrictionSolve", {30, 28}},
    {"ConstrainedSolve", {30, 36}},
    {"ReducedSolve", {30, 21}},
    {"ModeEquations", {30, 21}},
    {"GaussSolve", {30, 23}},
    {"AugmentedSolve", {30, 25}},
    {"DirectedSolve", {30, 21}},
    {"RateAccount", {30, 25}},
    {"Residual", {30, 22}},
    {"Watches", {30, 24}},
    {"Equations", {30, 30}},
};

std::size_t end_of_block(const std::string& code, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < code.size(); ++i) {
    if (code[i] == '{') ++depth;
    if (code[i] == '}' && --depth == 0) return i;
  }
  return code.size();
}

/// The text of a body with every block replaced by "{}".
std::string without_blocks(const std::string& body) {
  std::string flat;
  int depth = 0;
  for (const char c : body) {
    if (c == '{' && depth++ == 0) flat += '{';
    if (c == '}' && --depth == 0) flat += '}';
    if (c != '{' && c != '}' && depth == 0) flat += c;
  }
  return flat;
}

std::string without_template_arguments(std::string text) {
  static const std::regex arguments(R"(<[^<>()]*(\([^()]*\))?[^<>()]*>)");
  for (int i = 0; i < 4; ++i) text = std::regex_replace(text, arguments, "");
  return text;
}

/// Declarations of a class. The body of a function or nested type ends a declaration, an initializer does not.
std::vector<std::string> declarations_of(const std::string& body) {
  static const std::regex access(R"(\b(public|private|protected)\s*:(?!:))");
  const std::string flat = std::regex_replace(without_blocks(body), access, "");
  std::vector<std::string> all;
  std::string one;
  for (std::size_t i = 0; i < flat.size(); ++i) {
    if (flat[i] == ';') {
      all.push_back(std::exchange(one, {}));
      continue;
    }
    if (flat.compare(i, 2, "{}") != 0) {
      one += flat[i];
      continue;
    }
    ++i;
    const std::size_t next = flat.find_first_not_of(" \n", i + 1);
    const bool goes_on = next != flat.npos && (flat[next] == ';' || flat[next] == ',');
    const std::string head = without_template_arguments(one);
    const auto brackets = std::ranges::count(head, '(');
    const bool is_function = brackets > 0 && brackets == std::ranges::count(head, ')');
    if (is_function && !goes_on) all.push_back(std::exchange(one, {}));
  }
  return all;
}

Size size_of(const std::string& body) {
  static const std::regex prefix(R"(^\s*(template\s*<[^>]*>\s*)?(\[\[\w+\]\]\s*)?)");
  static const std::regex no_part(R"(^(using|typedef|friend|static_assert|enum|struct|class|union)\b)");
  static const std::regex arguments(R"(\([^()]*\))");
  static const std::regex defaulted(R"(=\s*(default|delete)\s*$)");
  Size size;
  for (const std::string& declaration : declarations_of(body)) {
    const std::string text = without_template_arguments(std::regex_replace(declaration, prefix, ""));
    if (text.find_first_not_of(" \n") == text.npos || std::regex_search(text, no_part)) continue;
    const std::size_t bracket = text.find('('), equals = text.find('=');
    const bool is_method = text.find("operator") != text.npos || (bracket != text.npos && bracket < equals);
    if (is_method) {
      if (!std::regex_search(text, defaulted)) ++size.methods;
    } else if (!text.starts_with("static") && !text.starts_with("constexpr")) {
      size.members += 1 + static_cast<int>(std::ranges::count(std::regex_replace(text, arguments, ""), ','));
    }
  }
  return size;
}

TEST(Classes, AreCountedByTheirDeclarations) {
  const Size size = size_of(
      "\n public:\n  X(int a, int b);\n  X(const X&) = delete;\n  int f() const { return g(1, 2); }\n  using T = int;\n"
      " private:\n  struct Part { int inside = 0; };\n  std::map<int, std::function<int(int, int)>> table_;\n"
      "  double a_ = f(), b_ = 0.0;\n  std::vector<int> c_{};\n");
  EXPECT_EQ(size.methods, 2);
  EXPECT_EQ(size.members, 4);
}

TEST(Classes, HaveAtMostThirtyMethodsAndTwentyMembers) {
  static const std::regex head(R"(\b(class|struct)\s+([\w:]+)\s*(final\s*)?(:[^;{()]*)?\{)");
  std::map<std::string, Size> found;
  int classes = 0;
  for (const auto& path : sources()) {
    const std::string code = code_of(text_of(path));
    for (std::sregex_iterator it(code.begin(), code.end(), head), last; it != last; ++it) {
      const auto open = static_cast<std::size_t>(it->position() + it->length() - 1);
      const Size size = size_of(code.substr(open + 1, end_of_block(code, open) - open - 1));
      const std::string name = (*it)[2];
      ++classes;
      if (size.methods <= kLimit.methods && size.members <= kLimit.members) continue;
      Size& of_name = found[name];  // classes of different namespaces may have one name
      of_name.methods = std::max(of_name.methods, size.methods);
      of_name.members = std::max(of_name.members, size.members);
      const Size allowed = kLarge.contains(name) ? kLarge.at(name) : kLimit;
      EXPECT_LE(size.methods, allowed.methods) << name << " in " << path;
      EXPECT_LE(size.members, allowed.members) << name << " in " << path;
    }
  }
  EXPECT_GT(classes, 800);
  for (const auto& [name, allowed] : kLarge) {
    EXPECT_TRUE(found.contains(name)) << name << " is within the limits now: delete it from the list";
    EXPECT_EQ(std::max(found[name].methods, kLimit.methods), allowed.methods) << name << ": enter the new size";
    EXPECT_EQ(std::max(found[name].members, kLimit.members), allowed.members) << name << ": enter the new size";
  }
}

}  // namespace
