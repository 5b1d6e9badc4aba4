#include <regex>

#include "golden/golden.hpp"
#include "vinculum/hybrid/look.hpp"
#include "vinculum/hybrid/region_check.hpp"
#include "vinculum/imports/import.hpp"
#include "vinculum/integrate/method.hpp"
#include "vinculum/motion/regions.hpp"
#include "vinculum/reaction_laws/law_table.hpp"
#include "vinculum/report/failure_report.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/invariants/invariants.hpp"

namespace vinculum {
namespace failures_test {

namespace fs = std::filesystem;
using test_support::read_text;

const fs::path kFolder = fs::path(VINCULUM_SOURCE) / "tests/golden/failures";

// The error estimate of an impossible step is rounding, so its value is removed from the golden text.
std::string without_error_size(const std::string& text) {
  return std::regex_replace(text, std::regex("[0-9.e+-]+ of its tolerance"), "... of its tolerance");
}

// The end of a model's run, as the command shows it.
std::string failure_of(const std::string& text, const std::string& name) {
  const auto model = test_support::model_of_text(text, name);
  sim::CompileSettings settings;
  settings.conserved_judge = sim::judge_conserved;
  settings.codegen.backend = codegen::Backend::kTape;
  const auto bound = sim::compile_model(model, settings);
  if (!bound) return report::failure_text(*model, nullptr, bound.error());
  sim::Dynamics dynamics(*bound);
  const sim::Trajectory trajectory = sim::simulate(dynamics, sim::options_of(*model));
  return trajectory.stopped ? report::failure_text(*model, (*bound)->compiled->system.get(), *trajectory.stopped) : "";
}

// No model is known whose run ends in this way. So the check is given a state below 0 with the regions of a state
// above 0.
std::string contradiction_of(const std::string& text, const std::string& name) {
  const auto model = test_support::model_of_text(text, name);
  sim::Dynamics dynamics(test_support::compiled(model));
  const double tolerance = 1e-8, duration = 1.0;
  dynamics.set_scale(Vector::Ones(2), tolerance);
  sim::Regions regions(dynamics, duration);
  sim::Look look({dynamics, dynamics.mode(), tolerance, duration}, regions);
  look.take(look.sides_at(0.0, Vector{{0.2, 0.0}}));
  const auto failure = sim::RegionCheck(dynamics, tolerance, duration).contradiction(0.25, Vector{{-0.1, -2.5}}, look);
  return failure ? report::failure_text(*model, dynamics.binding()->system.get(), *failure) : "";
}

// Each kind of failure has a model that fails so, the exact message, and a page in docs/errors that quotes both.
class Failures : public testing::TestWithParam<FailureInfo> {};

TEST_P(Failures, AreShownAtTheLineThatCausedThem) {
  const std::string kind(GetParam().name);
  const std::string text = read_text(kFolder / (kind + ".vin"));
  const bool is_contradiction = GetParam().kind == FailureKind::kRegionContradiction;
  const std::string shown =
      without_error_size(is_contradiction ? contradiction_of(text, kind + ".vin") : failure_of(text, kind + ".vin"));
  EXPECT_NE(shown.find("[" + kind + "]"), std::string::npos) << shown;
  test_support::expect_golden(kFolder / (kind + ".txt"), shown);
  const std::string page = read_text(fs::path(VINCULUM_SOURCE) / "docs/errors" / (kind + ".md"));
  EXPECT_NE(page.find(text), std::string::npos) << "the page does not quote the model";
  EXPECT_NE(page.find(read_text(kFolder / (kind + ".txt"))), std::string::npos)
      << "the page does not quote what is shown";
}

INSTANTIATE_TEST_SUITE_P(Kinds, Failures, testing::ValuesIn(failure_table().begin(), failure_table().end()),
                         [](const auto& instance) {
                           std::string name(instance.param.name);
                           std::erase(name, '-');
                           return name;
                         });

// Rows of a joint differ in dimension: the last two rows of a revolute joint are angles.
TEST(FailureText, HasTheUnitOfTheRowThatIsMissed) {
  const std::string shown = failure_of(read_text(kFolder / "attitude-row.vin"), "attitude-row.vin");
  test_support::expect_golden(kFolder / "attitude-row.txt", shown);
  EXPECT_NE(shown.find("`hinge[4]` by 0.3 rad/s;"), std::string::npos) << shown;
}

// The gap of an attitude is no length, and the hint says what the rows of the joint are.
TEST(FailureText, SaysWhichGapOfAJointIsOpen) {
  const std::string shown = failure_of(read_text(kFolder / "joint-begins-with-gap.vin"), "joint-begins-with-gap.vin");
  test_support::expect_golden(kFolder / "joint-begins-with-gap.txt", shown);
}

// The inverse of this matrix is a quotient by the root of a long sum; the message shows its outer form.
TEST(FailureText, NamesTheConstraintWhoseMatrixIsSingular) {
  const std::string shown = failure_of(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord a, b, c\nparticle P mass 1 at O + a*N.x + b*N.y + c*N.z\n"
      "constraint k: [a', b', c'] = pinv([1, 0, cos(t); 0, 0, sin(t)])*[0.1, 0.2]\nrun 5\n",
      "m.vin");
  EXPECT_EQ(shown.rfind("m.vin:6:15: error: at t = 0 s constraint `k[1]` is not finite: ", 0), 0u) << shown;
  EXPECT_NE(shown.find(" = 0; it divides by "), std::string::npos) << shown;
  EXPECT_LT(shown.find('\n'), 420u) << shown;
}

// Pages of diagnostics quote a model in a `vin` block, followed by the exact output of `check`, or a robot in an `xml`
// block, followed by that of `import`.
TEST(ErrorPages, QuoteWhatIsShown) {
  for (const diag::KindInfo& kind : diag::diagnostic_table()) {
    const fs::path file = fs::path(VINCULUM_SOURCE) / "docs/errors" / (std::string(kind.name) + ".md");
    const std::string page = read_text(file);
    const auto block = [&page](const std::string& opening, std::size_t from) {
      const std::size_t at = page.find(opening, from);
      if (at == std::string::npos) return std::pair<std::string, std::size_t>{"", page.size()};
      const std::size_t begin = at + opening.size();
      const std::size_t end = page.find("\n```", begin);
      return std::pair<std::string, std::size_t>{page.substr(begin, end - begin + 1), end};
    };
    const auto [model, after] = block("```vin\n", 0);
    const auto [shown, end] = block("```text\n", model.empty() ? block("```xml\n", 0).second : after);
    // These two need a table file and two hundred errors; the tests of the modules contain them.
    if (kind.kind == diag::Kind::kBadTable || kind.kind == diag::Kind::kTooManyErrors) continue;
    ASSERT_FALSE(shown.empty()) << file;
    const std::string name = shown.substr(0, shown.find(':'));
    diag::Diagnostics diagnostics;
    if (model.empty()) {
      const diag::SourceText robot(name, block("```xml\n", 0).first);
      EXPECT_FALSE(imports::import_robot(robot, imports::TextOptions(), diagnostics)) << file;
      EXPECT_EQ(diag::render_text(robot, diagnostics.all()), shown) << file;
      continue;
    }
    diag::SourceText source(name, model);
    const lang::ModelFile parsed = lang::parse(source, reaction_laws::laws().forms(), diagnostics);
    (void)elaborate::elaborate(
        parsed, source, {fs::path(VINCULUM_MODELS), {}, integrate::names_of(integrate::method_table())}, diagnostics);
    EXPECT_EQ(diag::render_text(source, diagnostics.all()), shown) << file;
  }
}

}  // namespace failures_test
}  // namespace vinculum
