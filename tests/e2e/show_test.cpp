#include <gtest/gtest.h>

#include "command.hpp"

namespace {

using vinculum::test_support::Folder;
using vinculum::test_support::Ran;
using vinculum::test_support::run_command;

const std::string kPucks = VINCULUM_MODELS "/pucks_parallel.vin";

/// The page is built by npm; without it the command says so.
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
  EXPECT_TRUE(folder.read("paged/report.html").empty());  // a page of older results would be a lie beside new ones
}

TEST(Show, OfAComparisonAsksWhereThePageIsToGo) {
  const Folder folder;
  const Ran ran = run_command(folder, "compare " + kPucks + " --laws ideal,vakonomic --report");
  if (is_without_page(ran)) GTEST_SKIP() << "no npm where this was built";
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(ran.err, "vinculum: `--report` writes a page: say where by `-o FOLDER`\n");
}

}  // namespace
