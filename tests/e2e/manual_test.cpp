#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <vector>

#include "e2e/command.hpp"

namespace vinculum {
namespace manual_test {

using test_support::Folder;
using test_support::Ran;
using test_support::run_command;
using test_support::run_line;

const std::vector<std::string> kCommandsTold = {"check",   "explain",   "derive",      "run",  "show",   "audit",
                                                "compare", "linearize", "equilibrium", "test", "format", "import"};

/// The options listed by `vinculum COMMAND --help`, such as "--set".
std::vector<std::string> options_told(const Folder& folder, const std::string& command) {
  const std::string help = run_command(folder, command + " --help").out;
  std::vector<std::string> names;
  static const std::regex kOption("^  (?:-\\w,)?(--[a-z-]+)", std::regex::multiline);
  for (std::sregex_iterator at(help.begin(), help.end(), kOption), end; at != end; ++at) names.push_back((*at)[1]);
  EXPECT_GE(names.size(), 2u) << help;
  return names;
}

std::string in_troff(std::string text) {
  for (std::size_t at = 0; (at = text.find('-', at)) != text.npos; at += 2) text.insert(at, "\\");
  return text;
}

TEST(Manual, NamesEveryCommandWithEveryOption) {
  const Folder folder;
  const Ran page = run_command(folder, "--man");
  ASSERT_EQ(page.status, 0);
  EXPECT_TRUE(page.out.starts_with(".TH VINCULUM 1 "));
  for (const std::string& command : kCommandsTold) {
    const std::size_t begin = page.out.find("\n.SS " + command + "\n");
    ASSERT_NE(begin, page.out.npos) << command;
    const std::string section = page.out.substr(begin, page.out.find("\n.S", begin + 2) - begin);
    for (const std::string& option : options_told(folder, command))
      EXPECT_NE(section.find("\\fB" + in_troff(option) + "\\fR"), section.npos) << command << " " << option;
  }
}

TEST(Manual, IsSetWithoutAWarning) {
  const Folder folder;
  const Ran set =
      run_line(folder, "command -v groff >/dev/null || exit 77; \"$VINCULUM\" --man | groff -man -Tutf8 -ww");
  if (set.status == 77) GTEST_SKIP() << "no groff";
  EXPECT_EQ(set.status, 0);
  EXPECT_EQ(set.err, "");
}

/// Completions that bash offers for the last word.
std::string completed(const Folder& folder, const std::string& words) {
  return run_line(folder,
                  "\"$VINCULUM\" --completion bash >.completion && bash -c '. ./.completion; COMP_WORDS=(vinculum " +
                      words + "); COMP_CWORD=$((${#COMP_WORDS[@]}-1)); _vinculum; echo \"${COMPREPLY[*]}\"'")
      .out;
}

TEST(Completion, OfBashKnowsCommandsOptionsWordsAndFiles) {
  const Folder folder;
  folder.write("a model.vin", "");
  folder.write("a.txt", "");
  EXPECT_EQ(completed(folder, "ex"), "explain\n");
  EXPECT_EQ(completed(folder, "run --back"), "--backend\n");
  EXPECT_EQ(completed(folder, "run --backend \"\""), "native tape interpreter\n");
  EXPECT_EQ(completed(folder, "derive --to p"), "python\n");
  EXPECT_EQ(completed(folder, "run a"), "a model.vin\n");
  EXPECT_EQ(completed(folder, "run --until \"\""), "\n");
  EXPECT_EQ(completed(folder, "run --png a.t"), "a.txt\n");
  for (const std::string& option : options_told(folder, "run"))
    EXPECT_EQ(completed(folder, "run " + option).find(option), 0u) << option;
}

TEST(Completion, OfZshHasEveryOption) {
  const Folder folder;
  const Ran script = run_command(folder, "--completion zsh");
  ASSERT_EQ(script.status, 0);
  EXPECT_TRUE(script.out.starts_with("#compdef vinculum\n"));
  for (const std::string& command : kCommandsTold) {
    const std::size_t begin = script.out.find("\n    " + command + ")\n");
    ASSERT_NE(begin, script.out.npos) << command;
    const std::string part = script.out.substr(begin, script.out.find(";;", begin) - begin);
    for (const std::string& option : options_told(folder, command))
      EXPECT_NE(part.find(option), part.npos) << command << " " << option;
  }
  const Ran read = run_line(folder, "command -v zsh >/dev/null || exit 77; \"$VINCULUM\" --completion zsh | zsh -n");
  EXPECT_TRUE(read.status == 0 || read.status == 77) << read.err;
}

TEST(Completion, OfAnotherShellIsRefused) {
  const Folder folder;
  const Ran ran = run_command(folder, "--completion fish");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("fish not in {bash,zsh}"), ran.err.npos) << ran.err;
}

}  // namespace manual_test
}  // namespace vinculum
