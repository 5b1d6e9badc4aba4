#include <gtest/gtest.h>

#include <regex>

#include "support/models.hpp"
#include "vinculum/report/audit_report.hpp"
#include "vinculum/verify/accounts/audit_accounts.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum {
namespace audit_page_test {

const std::filesystem::path kRoot = VINCULUM_SOURCE;

sim::SimulateOptions audited(const model::Model& model) {
  sim::SimulateOptions options = sim::options_of(model);
  options.accounts = sim::audit_accounts;
  return options;
}

/// The text without the values and places of the largest residuals. Residuals are rounding errors, which differ between
/// machines.
std::string without_digits(const std::string& text) {
  return std::regex_replace(text, std::regex("(worst|smallest margin) .*"), "$1");
}

TEST(AuditPage, QuotesTheAuditOfAModel) {
  const std::string page = test_support::read_text(kRoot / "docs/audit.md");
  const std::string opening = "$ vinculum audit models/nonideal_cone.vin --list\n";
  const std::size_t begin = page.find(opening);
  ASSERT_NE(begin, std::string::npos);
  const std::size_t from = begin + opening.size();
  const std::string quoted = page.substr(from, page.find("```", from) - from);
  const auto bound = test_support::compiled(test_support::model_of_file(kRoot / "models/nonideal_cone.vin"));
  sim::Dynamics dynamics(bound);
  const audit::Audit audit = audit::audit(*bound, sim::simulate(dynamics, audited(*bound->compiled->model)));
  EXPECT_EQ(without_digits(quoted),
            without_digits(report::to_text(report::audit_report(bound->compiled->model->name, audit, true))));
}

TEST(AuditPage, SpeaksOfEveryLine) {
  const std::string page = test_support::read_text(kRoot / "docs/audit.md");
  const auto bound = test_support::compiled(test_support::model_of_file(kRoot / "models/pendulum.vin"));
  sim::Dynamics dynamics(bound);
  for (const audit::AuditLine& line :
       audit::audit(*bound, sim::simulate(dynamics, audited(*bound->compiled->model))).lines) {
    EXPECT_NE(page.find("| " + line.section + " |"), std::string::npos) << line.identity;
  }
}

}  // namespace audit_page_test
}  // namespace vinculum
