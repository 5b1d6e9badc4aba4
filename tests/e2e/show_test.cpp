#include <gtest/gtest.h>

#include "command.hpp"
#include "support/models.hpp"

namespace show_test {

using vinculum::test_support::Folder;
using vinculum::test_support::Ran;
using vinculum::test_support::run_command;

const std::string kPucks = VINCULUM_MODELS "/pucks_parallel.vin";

/// Whether the page is missing, because npm was not available for the build; the command then reports it.
bool is_without_page(const Ran& ran) { return ran.err.find("the page that shows motions is missing") != ran.err.npos; }

TEST(Show, WritesOnePageWithTheMotionInIt) {
  const Folder folder;
  const Ran shown = run_command(folder, "show " + kPucks + " -o out");
  if (is_without_page(shown)) {
    EXPECT_EQ(shown.status, 2);
    EXPECT_NE(shown.err.find("page/build.sh"), std::string::npos);
    GTEST_SKIP() << "no npm where this was built";
  }
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_EQ(shown.out, "wrote out/report.html: open it in a browser\n");
  const std::string page = folder.read("out/report.html");
  EXPECT_NE(page.find("\"format\": \"vinculum-scene/1\""), std::string::npos);
  EXPECT_EQ(page.find("@vinculum-"), std::string::npos);
  EXPECT_EQ(page.find("src=\"http"), std::string::npos);
}

TEST(Show, ChangesNothingOfTheRunItStandsBeside) {
  const Folder folder;
  const Ran plain = run_command(folder, "run " + kPucks + " -o plain");
  const Ran with_page = run_command(folder, "run " + kPucks + " --report -o paged");
  if (is_without_page(with_page)) GTEST_SKIP() << "no npm where this was built";
  EXPECT_EQ(plain.status, 0);
  EXPECT_EQ(with_page.status, 0) << with_page.err;
  EXPECT_EQ(folder.read("plain/trajectory.csv"), folder.read("paged/trajectory.csv"));
  EXPECT_NE(with_page.out.find("wrote paged/report.html"), std::string::npos);
  EXPECT_FALSE(folder.read("paged/report.html").empty());
  EXPECT_EQ(run_command(folder, "run " + kPucks + " -o paged").status, 0);
  EXPECT_TRUE(folder.read("paged/report.html").empty());  // a page of older results must not remain next to new ones
}

TEST(Show, RefusesAMissingMeshBeforeTheRunAndRunDoesNotNeedIt) {
  const Folder folder;
  folder.write("m.vin",
               "model m\nframe N newtonian\npoint O fixed in N\ncoord x [m]\nparticle P mass 1 [kg] at O + x*N.x\n"
               "view {\n    mesh \"none.stl\" on P\n}\nrun 1 [s]\n");
  const Ran shown = run_command(folder, "show m.vin -o out");
  if (is_without_page(shown)) GTEST_SKIP() << "no npm where this was built";
  EXPECT_EQ(shown.status, 1);
  EXPECT_EQ(shown.err,
            "m.vin:7:10: error: there is no file `none.stl` in the model's folder [file-not-found]\n"
            "  7 |     mesh \"none.stl\" on P\n"
            "    |          ^^^^^^^^^^\n");
  EXPECT_TRUE(folder.read("out/report.html").empty());
  EXPECT_EQ(run_command(folder, "check m.vin").status, 0);
  EXPECT_EQ(run_command(folder, "run m.vin -o out").status, 0);
  EXPECT_EQ(run_command(folder, "run m.vin --report -o out").status, 1);
}

TEST(Show, OfAMotionThatWentOnIsOfItsSecondPart) {
  const Folder folder;
  ASSERT_EQ(run_command(folder, "run " + kPucks + " --until 1 -o first").status, 0);
  const Ran rest = run_command(folder, "run " + kPucks + " --from first --report --samples all --until 2 -o rest");
  if (is_without_page(rest)) GTEST_SKIP() << "no npm where this was built";
  ASSERT_EQ(rest.status, 0) << rest.err;
  const std::string all = folder.read("rest/report.html");
  const Ran shown = run_command(folder, "show rest");
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_EQ(shown.err.find("to the last bit"), std::string::npos) << shown.err;
  EXPECT_LT(folder.read("rest/report.html").size(), all.size());
  EXPECT_EQ(run_command(folder, "run " + kPucks + " --samples all -o other").status, 2);
}

TEST(Show, OfAResultsFolderIsOfItsMotion) {
  const Folder folder;
  folder.write("pucks.vin", vinculum::test_support::read_text(kPucks));
  ASSERT_EQ(run_command(folder, "run pucks.vin --set m1=1.5 --until 2 --method dp5 --tolerance 1e-9 -o out").status, 0);
  const Ran shown = run_command(folder, "show out");
  if (is_without_page(shown)) GTEST_SKIP() << "no npm where this was built";
  EXPECT_EQ(shown.status, 0) << shown.err;
  EXPECT_EQ(shown.err.find("to the last bit"), std::string::npos) << shown.err;
  EXPECT_EQ(shown.out, "wrote out/report.html: open it in a browser\n");
  run_command(folder, "show pucks.vin --set m1=1.5 --until 2 --method dp5 --tolerance 1e-9 -o alone");
  EXPECT_EQ(folder.read("out/report.html"), folder.read("alone/report.html"));
  EXPECT_FALSE(folder.read("out/trajectory.csv").empty());

  const Ran other = run_command(folder, "show out --until 3");
  EXPECT_EQ(other.status, 2);
  EXPECT_EQ(other.err, "vinculum: `--until` cannot be used with a results folder: its motion is already computed\n");
  folder.write("pucks.vin", vinculum::test_support::read_text(kPucks) + "\n# changed\n");
  const Ran changed = run_command(folder, "show out");
  EXPECT_EQ(changed.status, 2);
  EXPECT_EQ(changed.err,
            "vinculum: `pucks.vin` has changed since the run that wrote out: `vinculum run` computes new results, "
            "`vinculum show pucks.vin` shows the new model\n");
}

TEST(Show, OfAFolderWithoutResultsSaysSo) {
  const Folder folder;
  for (const char* name : {"empty", "old", "broken"}) std::filesystem::create_directory(folder.path() / name);
  const Ran ran = run_command(folder, "show empty");
  if (is_without_page(ran)) GTEST_SKIP() << "no npm where this was built";
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, "vinculum: `empty` contains no results of a run: there is no result.json\n");
  folder.write("old/result.json", "{\"format\": 1, \"t\": 4.0}\n");
  EXPECT_EQ(run_command(folder, "show old").err,
            "vinculum: `old/result.json` does not say which model it comes from: run the model again\n");
  folder.write("broken/result.json", "{\"provenance\": 3");
  EXPECT_EQ(run_command(folder, "show broken").err,
            "vinculum: `broken/result.json` is not a result of this version: run the model again\n");
}

TEST(Show, OfResultsOfAnotherMotionSaysThatItIsNotTheSame) {
  const Folder folder;
  folder.write("pucks.vin", vinculum::test_support::read_text(kPucks));
  ASSERT_EQ(run_command(folder, "run pucks.vin -o out").status, 0);
  std::string json = folder.read("out/result.json");
  const std::size_t at = json.find("\"q1\": 2.01445");
  ASSERT_NE(at, std::string::npos);
  json.replace(at, 13, "\"q1\": 2.01446");
  folder.write("out/result.json", json);
  const Ran shown = run_command(folder, "show out");
  if (is_without_page(shown)) GTEST_SKIP() << "no npm where this was built";
  EXPECT_EQ(shown.status, 0);
  EXPECT_NE(shown.err.find("note: this motion differs in the last bits from that of out"), std::string::npos)
      << shown.err;
}

TEST(Show, OfAComparisonAsksWhereThePageIsToGo) {
  const Folder folder;
  const Ran ran = run_command(folder, "compare " + kPucks + " --laws ideal,vakonomic --report");
  if (is_without_page(ran)) GTEST_SKIP() << "no npm where this was built";
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, "vinculum: `--report` writes a page: add `-o FOLDER`\n");
}

}  // namespace show_test
