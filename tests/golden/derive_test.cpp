#include "golden/golden.hpp"
#include "vinculum/exports/derive_report.hpp"

namespace vinculum {
namespace derive_test {

namespace fs = std::filesystem;
using equations::Formulation;
using test_support::read_text;

const fs::path kFolder = fs::path(VINCULUM_SOURCE) / "tests/golden/derive";

struct Case {
  const char* model;
  Formulation form;
  const char* to;
  report::Additional additional = report::Additional::kSpeeds;
};

const char* suffix(report::Additional additional) {
  return additional == report::Additional::kVanishing  ? ".vanishing"
         : additional == report::Additional::kAbsolute ? ".absolute"
                                                       : "";
}

std::string derived(const Case& one) {
  const auto derivation =
      report::derive(test_support::model_of_file(fs::path(VINCULUM_MODELS) / (std::string(one.model) + ".vin")),
                     one.form, one.additional);
  if (!derivation) return derivation.error().message;
  const std::string to = one.to;
  return to == "c"        ? report::derive_c(*derivation)
         : to == "python" ? report::derive_python(*derivation)
         : to == "latex"  ? report::derive_latex(*derivation)
                          : report::derive_text(*derivation);
}

class DeriveGolden : public testing::TestWithParam<Case> {};

TEST_P(DeriveGolden, ReadsAsItDid) {
  const Case& one = GetParam();
  test_support::expect_golden(kFolder / (std::string(one.model) + "." + std::string(to_string(one.form)) +
                                         suffix(one.additional) + "." + one.to + ".txt"),
                              derived(one));
}

INSTANTIATE_TEST_SUITE_P(
    Models, DeriveGolden,
    testing::Values(
        Case{"pucks_parallel", Formulation::kExplicit, "text"}, Case{"pucks_parallel", Formulation::kAugmented, "text"},
        Case{"pucks_parallel", Formulation::kMinimal, "text"}, Case{"pucks_parallel", Formulation::kExplicit, "latex"},
        Case{"rolling_disk", Formulation::kMinimal, "text"}, Case{"pucks_parallel", Formulation::kMinimal, "c"},
        Case{"pucks_parallel", Formulation::kExplicit, "python"},
        Case{"constant_speed_vakonomic", Formulation::kExplicit, "text"},
        Case{"constant_speed_vakonomic", Formulation::kMinimal, "text"},
        Case{"constant_speed_vakonomic", Formulation::kAugmented, "latex"},
        Case{"constant_speed_vakonomic", Formulation::kExplicit, "c"},
        Case{"kozlov_blade", Formulation::kMinimal, "python"}, Case{"prescribed_arm", Formulation::kExplicit, "text"},
        Case{"prescribed_arm", Formulation::kExplicit, "latex"}, Case{"prescribed_arm", Formulation::kExplicit, "c"},
        Case{"prescribed_arm", Formulation::kMinimal, "python"},
        Case{"pucks_by_direction", Formulation::kExplicit, "text"},
        Case{"projectile_by_direction", Formulation::kExplicit, "python"},
        Case{"pucks_perpendicular", Formulation::kMinimal, "text", report::Additional::kAbsolute},
        Case{"pucks_perpendicular", Formulation::kMinimal, "text", report::Additional::kVanishing},
        Case{"pucks_perpendicular", Formulation::kMinimal, "python", report::Additional::kAbsolute},
        Case{"accelerometer", Formulation::kMinimal, "text", report::Additional::kVanishing}),
    [](const auto& instance) {
      std::string name = std::string(instance.param.model) + "_" + std::string(to_string(instance.param.form)) +
                         suffix(instance.param.additional) + "_" + instance.param.to;
      std::ranges::replace(name, '.', '_');
      return name;
    });

// The documentation page shows the output of the command.
TEST(DerivePage, QuotesWhatIsPrinted) {
  const std::string page = read_text(fs::path(VINCULUM_SOURCE) / "docs/derive.md");
  const auto part_from = [](const std::string& text, const std::string& heading) {
    return text.substr(text.find("\n" + heading + "\n") + 1);
  };
  EXPECT_NE(page.find(derived({"pucks_parallel", Formulation::kExplicit, "text"})), std::string::npos);
  const std::string augmented =
      part_from(derived({"pucks_parallel", Formulation::kAugmented, "text"}), "Equations of motion with multipliers");
  EXPECT_NE(page.find(augmented), std::string::npos) << augmented;
  const std::string minimal = part_from(derived({"rolling_disk", Formulation::kMinimal, "text"}), "Independent speeds");
  EXPECT_NE(page.find(minimal), std::string::npos) << minimal;
  const std::string additional =
      part_from(derived({"pucks_perpendicular", Formulation::kMinimal, "text", report::Additional::kAbsolute}),
                "Additional motion variables");
  EXPECT_NE(page.find(additional), std::string::npos) << additional;
  const std::string revealed =
      part_from(derived({"prescribed_arm", Formulation::kExplicit, "text"}), "Revealed forces");
  EXPECT_NE(page.find(revealed), std::string::npos) << revealed;
}

}  // namespace derive_test
}  // namespace vinculum
