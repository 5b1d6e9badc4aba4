#include "vinculum/elaborate/check/table_file.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "support/elaborate/elaborated.hpp"

namespace vinculum::elaborate {
namespace {

namespace fs = std::filesystem;
using testing::Elaborated;
using testing::in_plane;
using testing::value_of;

class TableFile : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    root_ = fs::path(::testing::TempDir()) / (std::string("vinculum_tables_") + test->name());
    fs::remove_all(root_);
    fs::create_directories(root_ / "model" / "data");
  }
  void TearDown() override { fs::remove_all(root_); }

  void write(const std::string& name, const std::string& content) const { std::ofstream(root_ / name) << content; }
  [[nodiscard]] Elaborated output(const std::string& expression) const {
    return in_plane("output out = " + expression + "\n", {}, root_ / "model");
  }
  /// The message for a table with this content.
  [[nodiscard]] std::string problem(const std::string& content) const {
    write("model/t.csv", content);
    const Elaborated result = output("table(\"t.csv\", phi)");
    return result.diagnostics.size() == 1 ? result.diagnostics[0].message : result.messages;
  }

  fs::path root_;
};

TEST_F(TableFile, GoesThroughItsRows) {
  write("model/data/t.csv", "\xEF\xBB\xBFx, y\r\n# a comment\n-1, 2\n\n0.4,+3.5e0\n 1 , 7\n2,-1\n");
  const Elaborated result = output("table(\"data/t.csv\", phi)");
  ASSERT_TRUE(result.model) << result.messages;
  EXPECT_DOUBLE_EQ(value_of(result, "out"), 3.5);
  EXPECT_TRUE(std::isnan(value_of(output("table(\"data/t.csv\", phi + 2)"), "out")));
}

TEST_F(TableFile, TakesUnitsFromItsHeader) {
  write("model/t.csv", "path [cm], force [kN]\n0, 0\n30, 1.5\n100, 2\n");
  const Elaborated result = output("table(\"t.csv\", x)");
  ASSERT_TRUE(result.model) << result.messages;
  EXPECT_DOUBLE_EQ(value_of(result, "out"), 1500.0);
  EXPECT_EQ(si_unit(result.model->outputs[0].dimension), "N");
  EXPECT_EQ(output("table(\"t.csv\", phi)").diagnostics[0].message,
            "the first column of this table must be in m, found dimensionless");
}

TEST_F(TableFile, SaysWhichLineIsWrong) {
  EXPECT_EQ(problem("0, 1\n1, 2, 3\n"), "`t.csv`, line 2: a table has two columns divided by a comma");
  EXPECT_EQ(problem("0, 1\n1 2\n"), "`t.csv`, line 2: a table has two columns divided by a comma");
  EXPECT_EQ(problem("x, y\n0, 1\n0, 2\n"), "`t.csv`, line 3: the first column increases from row to row");
  EXPECT_EQ(problem("0, 1\n1, inf\n"), "`t.csv`, line 2: both columns are finite numbers");
  EXPECT_EQ(problem("0, 1\n1, 2x\n"), "`t.csv`, line 2: both columns are finite numbers");
  EXPECT_EQ(problem("x [foo], y\n0, 1\n1, 2\n"), "`t.csv`, line 1: the unit of a column cannot be read");
  EXPECT_EQ(problem("0, 1\n"), "`t.csv`, a table has two rows at least");
  EXPECT_EQ(problem(""), "`t.csv`, a table has two rows at least");
}

TEST_F(TableFile, LiesBelowTheFolderOfTheModel) {
  write("secret.csv", "0, 1\n1, 2\n");
  write("model/t.csv", "0, 1\n1, 2\n");
  fs::create_symlink(root_ / "secret.csv", root_ / "model" / "link.csv");
  fs::create_directory_symlink(root_, root_ / "model" / "up");
  const auto message = [&](const std::string& name) {
    const Elaborated result = output("table(\"" + name + "\", phi)");
    return result.diagnostics.size() == 1 ? result.diagnostics[0].message : result.messages;
  };
  EXPECT_EQ(message("../secret.csv"),
            "a table must be in the model's folder or below it: `../secret.csv` leads out of it");
  EXPECT_EQ(message("data/../../secret.csv"),
            "a table must be in the model's folder or below it: `data/../../secret.csv` leads out of it");
  EXPECT_EQ(message("/etc/passwd"), "a table must be in the model's folder or below it: `/etc/passwd` leads out of it");
  EXPECT_EQ(message("link.csv"),
            "a table must be in the model's folder or below it: `link.csv` is a link that leads out of it");
  EXPECT_EQ(message("up/secret.csv"),
            "a table must be in the model's folder or below it: `up/secret.csv` is a link that leads out of it");
  EXPECT_EQ(message("none.csv"), "there is no file `none.csv` in the model's folder");
  EXPECT_EQ(message("data"), "`data` is not a file");
  EXPECT_EQ(message(""), "a table needs the name of its file");
  EXPECT_EQ(message("t.csv"), "");
}

}  // namespace
}  // namespace vinculum::elaborate
