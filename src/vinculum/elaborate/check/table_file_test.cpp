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

  /// The message for an expression, with its hint in brackets; empty if there is none.
  [[nodiscard]] std::string message(const std::string& expression) const {
    const Elaborated result = output(expression);
    if (result.diagnostics.empty()) return "";
    const diag::Diagnostic& one = result.diagnostics[0];
    return one.hint.empty() ? one.message : one.message + " (" + one.hint + ")";
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
            "the argument of this table must be in m, found dimensionless");
}

TEST_F(TableFile, NamesAColumnWithoutAUnit) {
  write("model/t.csv", "time (s), force\n0, 0\n30, 1.5\n");
  EXPECT_EQ(message("table(\"t.csv\", t)"),
            "column `time (s)` of this table has no unit, and its argument `t` is in s (write the units of the columns "
            "in the first line of the file, as `time [s]`; or give the argument no dimension: `t/(1 [s])`)");
  write("model/t.csv", "0, 0\n30, 1.5\n");
  EXPECT_EQ(message("table(\"t.csv\", x + x)"),
            "the first column of this table has no unit, and its argument `x + x` is in m (begin the file with a line "
            "of titles with units, as `t [m]`; or give the argument no dimension: `(x + x)/(1 [m])`)");
}

TEST_F(TableFile, SaysWhichLineIsWrong) {
  EXPECT_EQ(problem("0, 1\n1, 2, 3\n"), "`t.csv`, line 2: 3 cells, but 2 in the lines before");
  EXPECT_EQ(problem("x, y, z\n1, 2\n"), "`t.csv`, line 2: 2 cells, but 3 in the lines before");
  EXPECT_EQ(problem("0, 1\n1 2\n"), "`t.csv`, line 2: columns are divided by commas");
  EXPECT_EQ(problem("x, y\n0, 1\n0, 2\n"), "`t.csv`, line 3: the first column increases from row to row");
  EXPECT_EQ(problem("0, 1\n1, inf\n"), "`t.csv`, line 2: the cell of column number 2 is not a finite number");
  EXPECT_EQ(problem("x, y\n0, 1\n1, 2x\n"), "`t.csv`, line 3: the cell of column `y` is not a finite number");
  EXPECT_EQ(problem("x [foo], y\n0, 1\n1, 2\n"), "`t.csv`, line 1: the unit of the column `x [foo]` cannot be read");
  EXPECT_EQ(problem("0, 1\n"), "`t.csv`, a table has two rows at least");
  EXPECT_EQ(problem("x, y\n"), "`t.csv`, the file has no rows of numbers");
  EXPECT_EQ(problem(""), "`t.csv`, the file has no rows of numbers");
}

TEST_F(TableFile, TakesTheColumnThatIsNamed) {
  write("model/t.csv", "s [cm], F [kN], note, T [N*m]\n0, 0, first, 2\n30, 1.5, , 4\n100, 2, last, 5\n");
  const Elaborated force = output("table(\"t.csv\", x, column \"F\")"),
                   moment = output("table(\"t.csv\", x, column \"T\")");
  EXPECT_DOUBLE_EQ(value_of(force, "out"), 1500.0);
  EXPECT_DOUBLE_EQ(value_of(moment, "out"), 4.0);
  EXPECT_EQ(message("table(\"t.csv\", x)"), "`t.csv` has 4 columns (name one: `column \"F\"`)");
  EXPECT_EQ(message("table(\"t.csv\", x, column \"f\")"), "`t.csv` has no column `f` (did you mean `F`?)");
  EXPECT_EQ(message("table(\"t.csv\", x, column \"note\")"),
            "`t.csv`, line 2: the cell of column `note` is not a finite number");
  write("model/bare.csv", "0, 1, 2\n1, 2, 3\n");
  EXPECT_EQ(message("table(\"bare.csv\", phi, column \"F\")"), "`bare.csv` has no header, so no column has a title");
}

TEST_F(TableFile, HasTheShapeThatItsOptionsState) {
  write("model/t.csv", "0, 1\n0.25, 3\n0.5, 2\n1, 1\n");  // phi = 0.4
  EXPECT_DOUBLE_EQ(value_of(output("table(\"t.csv\", phi, linear)"), "out"), 2.4);
  EXPECT_DOUBLE_EQ(value_of(output("table(\"t.csv\", phi, hold)"), "out"), 3.0);
  EXPECT_DOUBLE_EQ(value_of(output("table(\"t.csv\", phi + 1, linear, outside hold)"), "out"), 1.0);
  EXPECT_NEAR(value_of(output("table(\"t.csv\", phi + 1, outside linear, linear)"), "out"), 0.2, 1e-15);
  EXPECT_DOUBLE_EQ(value_of(output("table(\"t.csv\", phi - 1, linear, outside linear)"), "out"), -3.8);
  EXPECT_DOUBLE_EQ(value_of(output("table(\"t.csv\", phi - 1, outside hold)"), "out"), 1.0);
  EXPECT_TRUE(std::isnan(value_of(output("table(\"t.csv\", phi + 1, linear, outside error)"), "out")));
  EXPECT_NEAR(value_of(output("table(\"t.csv\", phi + 3, linear, periodic)"), "out"), 2.4, 1e-14);
  EXPECT_NEAR(value_of(output("table(\"t.csv\", phi - 7, periodic, hold)"), "out"), 3.0, 1e-14);
  // phi' = 0.6
  EXPECT_DOUBLE_EQ(value_of(output("dt(table(\"t.csv\", phi, linear))"), "out"), -4.0 * 0.6);
  EXPECT_DOUBLE_EQ(value_of(output("dt(table(\"t.csv\", phi, hold))"), "out"), 0.0);
  EXPECT_DOUBLE_EQ(value_of(output("dt(table(\"t.csv\", phi + 1, linear, outside linear))"), "out"), -2.0 * 0.6);
  EXPECT_DOUBLE_EQ(value_of(output("dt(table(\"t.csv\", phi + 1, linear, outside hold))"), "out"), 0.0);
}

TEST_F(TableFile, RefusesUnknownAndContradictingOptions) {
  write("model/t.csv", "x, y\n0, 1\n0.25, 3\n1, 1\n");
  write("model/open.csv", "x [m], y [mm]\n0, 1\n0.25, 3\n1, 1.5\n");
  const auto of = [&](const std::string& options) { return message("table(\"t.csv\", phi, " + options + ")"); };
  EXPECT_EQ(of("liner"), "`table` has no option `liner` (did you mean `linear`?)");
  EXPECT_EQ(of("colum \"y\""), "`table` has no option `colum` (did you mean `column`?)");
  EXPECT_EQ(of("outsid hold"), "`table` has no option `outsid` (did you mean `outside`?)");
  EXPECT_EQ(of("outside hole"), "`hole` is no value of a table outside its range (did you mean `hold`?)");
  EXPECT_EQ(of("outside"), "`outside` wants `error`, `hold` or `linear` (write `outside error|hold|linear`)");
  EXPECT_EQ(of("column y"), "`column` wants the title of a column in quotes (write `column \"NAME\"`)");
  EXPECT_EQ(of("linear \"y\""), "`linear` takes no value (write `linear`)");
  EXPECT_EQ(of("linear, spline"), "`linear` and `spline` contradict each other: a table has one kind");
  EXPECT_EQ(of("outside hold, outside hold"), "the option `outside` is stated twice");
  EXPECT_EQ(of("periodic, outside hold"),
            "`outside` and `periodic` contradict each other: a periodic table has no outside");
  EXPECT_EQ(of("x, periodic"), "`periodic` is an option of tables with one argument, this one has two");
  EXPECT_EQ(of("x, outside linear"), "`outside linear` is an option of tables with one argument, this one has two");
  EXPECT_EQ(message("table(\"open.csv\", x, periodic)"),
            "`open.csv`, the first and the last value of a periodic table are equal, found 1 and 1.5");
  EXPECT_EQ(of("linear"), "");
}

TEST_F(TableFile, TakesANameInBracketsAsAnArgument) {
  write("model/g.csv", ", 0, 1\n0, 1, 2\n1, 3, 5\n");
  const Elaborated result =
      in_plane("param hold = 0.5\noutput out = table(\"g.csv\", phi, (hold), linear)\n", {}, root_ / "model");
  ASSERT_TRUE(result.model) << result.messages;
  EXPECT_NEAR(value_of(result, "out"), 1.0 + 0.5 + 0.4 * 2.0 + 0.4 * 0.5 * 1.0, 1e-14);
}

TEST_F(TableFile, ReadsAGridWithItsUnits) {
  write("model/g.csv", "x [cm], phi [deg], F [kN]\n, 0, 90\n0, 1, 2\n100, 3, 5\n");
  const Elaborated result = output("table(\"g.csv\", x, phi, linear)");
  ASSERT_TRUE(result.model) << result.messages;
  const double a = 0.3, b = 0.4 / (0.5 * 3.14159265358979323846);
  EXPECT_NEAR(value_of(result, "out"), 1000.0 * (1.0 + b + 2.0 * a + a * b), 1e-11);
  EXPECT_EQ(si_unit(result.model->outputs[0].dimension), "N");
  EXPECT_EQ(message("table(\"g.csv\", phi, x)"), "the first argument of this table must be in m, found dimensionless");
  const auto of = [&](const std::string& content) {
    write("model/h.csv", content);
    return message("table(\"h.csv\", phi, phi)");
  };
  EXPECT_EQ(of("x, y\n, 0, 1\n0, 1, 2\n1, 3, 5\n"),
            "`h.csv`, 2 titles; a table with two arguments has three: of both arguments and of the values");
  EXPECT_EQ(of("5, 0, 1\n0, 1, 2\n1, 3, 5\n"),
            "`h.csv`, line 1: the row of the second argument begins with an empty cell");
  EXPECT_EQ(of(", 0, 1\n0, 1, 2\n1, 3\n"), "`h.csv`, line 3: 2 cells, but 3 in the lines before");
  EXPECT_EQ(of(", 0, 0\n0, 1, 2\n1, 3, 5\n"),
            "`h.csv`, line 1: the values of the second argument increase from cell to cell");
  EXPECT_EQ(of(", 0, 1\n0, 1, 2\n0, 3, 5\n"), "`h.csv`, line 3: the first column increases from row to row");
  EXPECT_EQ(of(", 0, 1\n0, 1, 2\n1, 3, u\n"), "`h.csv`, line 3: cell 3 is not a finite number");
  EXPECT_EQ(of(", 0, 1\n0, 1, 2\n"),
            "`h.csv`, a table with two arguments has two rows and two columns of values at least");
}

TEST_F(TableFile, LiesBelowTheFolderOfTheModel) {
  write("secret.csv", "0, 1\n1, 2\n");
  write("model/t.csv", "0, 1\n1, 2\n");
  fs::create_symlink(root_ / "secret.csv", root_ / "model" / "link.csv");
  fs::create_directory_symlink(root_, root_ / "model" / "up");
  const auto of_file = [&](const std::string& name) {
    const Elaborated result = output("table(\"" + name + "\", phi)");
    return result.diagnostics.size() == 1 ? result.diagnostics[0].message : result.messages;
  };
  EXPECT_EQ(of_file("../secret.csv"),
            "a table must be in the model's folder or below it: `../secret.csv` leads out of it");
  EXPECT_EQ(of_file("data/../../secret.csv"),
            "a table must be in the model's folder or below it: `data/../../secret.csv` leads out of it");
  EXPECT_EQ(of_file("/etc/passwd"), "a table must be in the model's folder or below it: `/etc/passwd` leads out of it");
  EXPECT_EQ(of_file("link.csv"),
            "a table must be in the model's folder or below it: `link.csv` is a link that leads out of it");
  EXPECT_EQ(of_file("up/secret.csv"),
            "a table must be in the model's folder or below it: `up/secret.csv` is a link that leads out of it");
  EXPECT_EQ(of_file("none.csv"), "there is no file `none.csv` in the model's folder");
  EXPECT_EQ(of_file("data"), "`data` is not a file");
  EXPECT_EQ(of_file(""), "a table needs the name of its file");
  EXPECT_EQ(of_file("t.csv"), "");
}

}  // namespace
}  // namespace vinculum::elaborate
