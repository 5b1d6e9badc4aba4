#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "e2e/command.hpp"
#include "support/models.hpp"

namespace vinculum {
namespace compare_page_test {

/// The text without rounding errors and column widths, which differ between machines.
std::string without_rounding(const std::string& text) {
  const std::string small = std::regex_replace(text, std::regex(R"(\d(\.\d+)?e-(0[7-9]|1\d))"), "~");
  return std::regex_replace(small, std::regex(" +"), " ");
}

TEST(ComparePage, QuotesTheCommandAsItRuns) {
  const std::string page = test_support::read_text(std::filesystem::path(VINCULUM_SOURCE) / "docs/compare.md");
  const std::string opening = "```\n$ vinculum ";
  int count = 0;
  for (std::size_t at = page.find(opening); at != std::string::npos; at = page.find(opening, at + 1)) {
    const std::size_t begin = at + opening.size(), line_end = page.find('\n', begin);
    const std::string arguments = page.substr(begin, line_end - begin);
    const std::string quoted = page.substr(line_end + 1, page.find("```", line_end) - line_end - 1);
    const test_support::Folder folder;
    const std::string full = std::regex_replace(arguments, std::regex("models/"), VINCULUM_MODELS "/");
    const test_support::Ran ran = test_support::run_command(folder, full);
    EXPECT_EQ(ran.status, 0) << ran.err;
    EXPECT_EQ(without_rounding(ran.out), without_rounding(quoted)) << arguments;
    ++count;
  }
  EXPECT_EQ(count, 2);
}

/// Compares the table of docs/laws.md with the results of `compare` for the same ladders of parameter values.
TEST(LawsPage, QuotesTheDistancesOfTheRealisations) {
  const std::string page = test_support::read_text(std::filesystem::path(VINCULUM_SOURCE) / "docs/laws.md");
  const struct {
    std::string model, laws;
  } ladders[] = {{"knife_edge_viscous", "ideal,viscous(kappa=1e1..1e4)"},
                 {"knife_edge_inertial", "vakonomic(mu=mu0),inertial(kappa=1e1..1e4)"},
                 {"pendulum_stiff", "ideal,stiff(kappa=1e3..1e6)"}};
  for (const auto& [model, laws] : ladders) {
    const std::size_t begin = page.find("| `" + model + "`");
    ASSERT_NE(begin, std::string::npos) << model;
    const std::string row = page.substr(begin, page.find('\n', begin) - begin);
    const test_support::Folder folder;
    const test_support::Ran ran =
        test_support::run_command(folder, "compare --json " VINCULUM_MODELS "/" + model + ".vin --laws '" + laws + "'");
    ASSERT_EQ(ran.status, 0) << ran.err;
    std::string distances, orders;
    const nlohmann::json result = nlohmann::json::parse(ran.out);
    for (const auto& rung : result["ladders"][0]["rungs"]) {
      distances += (distances.empty() ? "" : ", ") + fmt::format("{:.3g}", rung["coordinates"].get<double>());
      if (!rung["coordinates_order"].is_null())
        orders += (orders.empty() ? "" : ", ") + fmt::format("{:.2f}", rung["coordinates_order"].get<double>());
    }
    EXPECT_NE(row.find("| " + distances + " |"), std::string::npos) << distances << "\n" << row;
    EXPECT_NE(row.find("| " + orders + " |"), std::string::npos) << orders << "\n" << row;
  }
}

TEST(ComparePage, NamesEveryLawOfTheLanguage) {
  const std::string page = test_support::read_text(std::filesystem::path(VINCULUM_SOURCE) / "docs/compare.md");
  for (const char* law : {"ideal", "stated", "vakonomic", "kozlov(c=", "adiabatic(mu=", "gyroscopic(H=",
                          "directed(along=", "stiff(kappa=", "viscous(kappa=", "inertial(kappa="}) {
    EXPECT_NE(page.find(std::string("`") + law), std::string::npos) << law;
  }
}

}  // namespace compare_page_test
}  // namespace vinculum
