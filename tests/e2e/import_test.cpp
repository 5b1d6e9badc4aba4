// `import` reads one file and writes one file.
#include <gtest/gtest.h>

#include <filesystem>

#include "e2e/process.hpp"

namespace vinculum {
namespace import_test {

namespace fs = std::filesystem;
using test_support::Folder;
using test_support::Ran;
using test_support::run_command;

const std::string kArm = VINCULUM_SOURCE "/tests/reference/robots/arm.urdf";

int entries_in(const fs::path& folder) {
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) count += entry.exists();
  return count;
}

TEST(Import, WritesAModelThatRuns) {
  const Folder folder;
  const Ran ran = run_command(folder, "import " + kArm + " -o arm.vin");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out,
            "5 links, 4 joints, 3 degrees of freedom\nleft out:\n"
            "  mesh      1  pictures of meshes, which are never opened\nwrote arm.vin\n");
  EXPECT_EQ(run_command(folder, "format --check arm.vin").status, 0);
  const Ran checked = run_command(folder, "check arm.vin");
  EXPECT_EQ(checked.status, 0);
  EXPECT_EQ(checked.out + checked.err, "");
  EXPECT_EQ(run_command(folder, "run arm.vin").status, 0);
}

TEST(Import, PrintsTheModelAloneOnStandardOutput) {
  const Folder folder;
  const Ran printed = run_command(folder, "import " + kArm);
  ASSERT_EQ(printed.status, 0) << printed.err;
  ASSERT_EQ(run_command(folder, "import " + kArm + " --output arm.vin").status, 0);
  EXPECT_EQ(printed.out, folder.read("arm.vin"));
  EXPECT_TRUE(printed.err.starts_with("5 links, 4 joints")) << printed.err;
}

TEST(Import, WritesNothingIfTheFileIsWrong) {
  const Folder folder;
  fs::create_directory(folder.path() / "in");
  folder.write("in/r.urdf", "<robot name=\"r\"><link name=\"a\"/>");
  folder.write("in/r.vin", "kept");
  const Ran ran = run_command(folder, "import in/r.urdf -o in/r.vin");
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.err.find("in/r.urdf:1:"), std::string::npos) << ran.err;
  EXPECT_EQ(folder.read("in/r.vin"), "kept");
  EXPECT_EQ(entries_in(folder.path() / "in"), 2);
}

TEST(Import, NeverWritesOnTheRobot) {
  const Folder folder;
  folder.write("r.urdf", folder.read(kArm));
  const Ran ran = run_command(folder, "import r.urdf -o ./r.urdf");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("the model needs another name"), std::string::npos) << ran.err;
  EXPECT_EQ(folder.read("r.urdf"), folder.read(kArm));
}

TEST(Import, RefusesOtherWordsOfItsOptions) {
  const Folder folder;
  EXPECT_EQ(run_command(folder, "import " + kArm + " --base free").status, 2);
  EXPECT_EQ(run_command(folder, "import " + kArm + " --limits hard").status, 2);
  EXPECT_EQ(run_command(folder, "import missing.urdf").status, 2);
  EXPECT_EQ(run_command(folder, "import").status, 2);
}

TEST(Import, WarnsOfImpossibleInertia) {
  const Folder folder;
  const std::string walker = VINCULUM_SOURCE "/tests/reference/robots/walker.urdf";
  const Ran ran = run_command(folder, "import " + walker + " -o w.vin --fix-inertia --base floating --limits contact");
  ASSERT_EQ(ran.status, 0) << ran.err;
  EXPECT_NE(ran.err.find("warning: no body has the inertia of link `left-thigh`"), std::string::npos) << ran.err;
  EXPECT_NE(ran.out.find("is replaced by the nearest possible one"), std::string::npos) << ran.out;
  EXPECT_EQ(run_command(folder, "run w.vin --until 0.1").status, 0);
}

}  // namespace import_test
}  // namespace vinculum
