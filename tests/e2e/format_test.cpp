// `format --write` changes a file that the command did not create: the model. It must not be lost.
#include <gtest/gtest.h>

#include <set>

#include "e2e/process.hpp"

namespace vinculum {
namespace format_test {

namespace fs = std::filesystem;
using test_support::Folder;
using test_support::Ran;
using test_support::run_command;
using test_support::run_line;

/// A valid model that is not in canonical layout.
const std::string kUntidy = "model m   \"a model\"\ncoord   x\nlagrangian x'^2/2\nstart x = 0,  x' = 1\nrun 1\n";

std::string tidied() {
  const Folder folder;
  folder.write("m.vin", kUntidy);
  return run_command(folder, "format m.vin").out;
}

std::set<std::string> models_in(const Folder& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder.path())) {
    const std::string name = entry.path().filename().string();
    if (name.find("m.vin") != std::string::npos) names.insert(name);
  }
  return names;
}

TEST(FormatWrite, ThroughALinkWritesTheModelAndLeavesTheLink) {
  const Folder folder;
  fs::create_directory(folder.path() / "models");
  folder.write("models/m.vin", kUntidy);
  fs::create_symlink("models/m.vin", folder.path() / "link");
  fs::create_symlink("link", folder.path() / "link_to_link");
  ASSERT_EQ(run_command(folder, "format -w link_to_link").status, 0);
  EXPECT_EQ(folder.read("models/m.vin"), tidied());
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link_to_link"));
}

TEST(FormatWrite, ThroughALinkToNothingSaysSo) {
  const Folder folder;
  fs::create_symlink("nothing.vin", folder.path() / "link");
  const Ran ran = run_command(folder, "format -w link");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("there is no file `link`"), std::string::npos) << ran.err;
  EXPECT_FALSE(fs::exists(folder.path() / "nothing.vin"));
}

TEST(FormatWrite, OntoAFullDiskLeavesTheModel) {
  const Folder folder;  // limits files to zero blocks; the output of the command goes through a pipe
  folder.write("m.vin", kUntidy);
  const Ran ran = run_line(folder, "{ (ulimit -f 0; exec \"$VINCULUM\" format -w m.vin) 2>&1; echo $?; } | cat");
  EXPECT_NE(ran.out.find("`m.vin` cannot be written: File too large"), std::string::npos) << ran.out;
  EXPECT_TRUE(ran.out.ends_with("\n2\n")) << ran.out;
  EXPECT_EQ(folder.read("m.vin"), kUntidy);
  EXPECT_EQ(models_in(folder), std::set<std::string>{"m.vin"});
}

TEST(FormatWrite, ThatIsKilledLeavesTheOldModelOrTheNewOne) {
  const std::string tidy = tidied();
  int killed_runs = 0;
  for (int at = 1; at < 40; ++at) {
    const Folder folder;
    folder.write("m.vin", kUntidy);
    const Ran killed = run_line(folder, "(KILL_AT=" + std::to_string(at) +
                                            " LD_PRELOAD='" VINCULUM_KILLER "' exec \"$VINCULUM\" format -w m.vin)");
    const std::string text = folder.read("m.vin");
    EXPECT_TRUE(text == kUntidy || text == tidy) << "at call " << at << ": " << text;
    if (killed.status == 0) break;
    EXPECT_EQ(killed.status, 128 + SIGKILL) << killed.err;
    ++killed_runs;
    ASSERT_EQ(run_command(folder, "format -w m.vin").status, 0);
    EXPECT_EQ(folder.read("m.vin"), tidy);
  }
  EXPECT_GE(killed_runs, 1);
}

TEST(FormatWrite, OfWhatCannotBeReadChangesNothing) {
  const Folder folder;
  const std::string wrong = kUntidy + "constraint constraint\n";
  folder.write("m.vin", wrong);
  EXPECT_NE(run_command(folder, "format -w m.vin").status, 0);
  EXPECT_EQ(folder.read("m.vin"), wrong);
}

}  // namespace format_test
}  // namespace vinculum
