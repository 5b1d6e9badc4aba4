#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "support/models.hpp"
#include "vinculum/report/columns.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/audit/audit.hpp"

// Tests of the models of this folder. Their `expect` statements compare motions and forces with closed forms and
// references. The tests check these, the forces that are reported as not unique, and the audit.
namespace vinculum {
namespace systems_test {

using Names = std::vector<std::string>;

/// Names of the output entries that are not unique at time t. At all other listed times, and in models that are not in
/// the table, all entries are unique.
struct Shared {
  double t;
  Names names;
};

const std::map<std::string, std::vector<Shared>>& shared_forces() {
  static const std::map<std::string, std::vector<Shared>> table = {
      {"bench_pushed_by_a_ramp", {{1.0, {"RA.x", "RC.x"}}, {4.0, {}}}},
      {"stool_on_three_rough_feet", {{0.0, {"tA"}}}},
      {"bench_rests_on_two_rough_feet", {{0.5, {"RA.x", "RC.x"}}}},
      {"brake_beside_a_rough_floor", {{0.2, {}}, {0.9, {"R"}}}},
      {"brake_disc_with_two_pads", {{0.5, {}}, {2.8, {"first", "second"}}}},
      {"drive_that_dwells", {{0.5, {"F", "R"}}}},
      {"drive_that_dwells_then_moves", {{0.5, {"F", "R"}}, {1.5, {}}}},
      {"ladder_rests", {{0.5, {"N1", "N2"}}}},
      // The friction force of each contact also depends on the normal force of the other contact.
      {"two_contacts_at_one_point", {{0.5, {"Rf.x", "Rf.y", "Rf.z", "Rw.x", "Rw.y", "Rw.z", "normal"}}}},
      {"wedge_jams", {{0.5, {"up", "side"}}}},
  };
  return table;
}

std::string name_of(const std::filesystem::path& file) { return file.stem().string(); }

std::vector<std::filesystem::path> systems() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(VINCULUM_SOURCE "/tests/friction"))
    if (entry.path().extension() == ".vin") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

sim::Trajectory run_of(const std::shared_ptr<const sim::Binding>& bound) {
  sim::Dynamics dynamics(bound);
  return sim::simulate(dynamics, sim::options_of(*bound->compiled->model));
}

class FrictionSystem : public testing::TestWithParam<std::filesystem::path> {};

/// Names of the output entries that a sample flags as not unique.
Names flagged_at(const std::vector<report::Column>& columns, const sim::Sample& sample) {
  Names names;
  for (const report::Column& column : columns) {
    for (int k = 0; k < column.count && column.is_unique; ++k)
      if (!column.is_unique(sample, k)) names.push_back(report::entry_name(column, k));
  }
  return names;
}

TEST_P(FrictionSystem, FlagsTheForcesThatAreNotUnique) {
  const auto bound = test_support::compiled(test_support::model_of_file(GetParam()));
  const sim::Trajectory run = run_of(bound);
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  const std::vector<report::Column> columns = report::columns_of(*bound);
  const auto stated = shared_forces().find(name_of(GetParam()));
  if (stated == shared_forces().end()) {
    for (const sim::Sample& sample : run.samples)
      ASSERT_EQ(flagged_at(columns, sample), Names()) << "at " << sample.t << " s";
    return;
  }
  for (const Shared& at : stated->second) {
    const auto nearest =
        std::ranges::min_element(run.samples, {}, [&](const sim::Sample& sample) { return std::abs(sample.t - at.t); });
    EXPECT_EQ(flagged_at(columns, *nearest), at.names) << "at " << nearest->t << " s";
  }
}

// Models of tests/cases. Their own `expect` statements check motions and forces.
TEST(FrictionCases, FlagOnlyForcesThatContactsShare) {
  const std::vector<std::pair<std::string, Names>> all = {
      {"ladder_from_rest", {}},
      {"two_contacts_at_one_point", {}},
      {"two_contacts_one_smooth_by_parameter", {}},
      {"two_rough_feet", {"RA.x", "RC.x"}},
  };
  for (const auto& [name, names] : all) {
    SCOPED_TRACE(name);
    const auto bound = test_support::compiled(
        test_support::model_of_file(std::filesystem::path(VINCULUM_SOURCE "/tests/cases") / (name + ".vin")));
    const sim::Trajectory run = run_of(bound);
    ASSERT_FALSE(run.stopped) << run.stopped->message;
    const std::vector<report::Column> columns = report::columns_of(*bound);
    for (const sim::Sample& sample : run.samples)
      ASSERT_EQ(flagged_at(columns, sample), names) << "at " << sample.t << " s";
  }
}

TEST(FrictionEvents, ContainAContactThatASwitchOfTheDriveSetsOff) {
  const auto bound = test_support::compiled(
      test_support::model_of_file(VINCULUM_SOURCE "/tests/friction/drive_that_dwells_then_moves.vin"));
  const sim::Trajectory run = run_of(bound);
  ASSERT_EQ(run.all<sim::FrictionChange>().size(), 1U);
  EXPECT_NEAR(run.all<sim::FrictionChange>()[0].t, 1.0, 1e-9);
  EXPECT_EQ(run.all<sim::FrictionChange>()[0].to, sim::FrictionChange::To::kSlides);
}

TEST(FrictionCases, ABlockAtRestTakesAFewLongSteps) {
  const auto bound =
      test_support::compiled(test_support::model_of_file(VINCULUM_SOURCE "/tests/cases/rest_takes_250_steps.vin"));
  const sim::Trajectory run = run_of(bound);
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_LE(run.statistics.steps, 4);
}

TEST_P(FrictionSystem, HasNoAlarmOfTheAudit) {
  const auto bound = test_support::compiled(test_support::model_of_file(GetParam()));
  const audit::Audit found = audit::audit(*bound, run_of(bound), {.samples = 6});
  for (const audit::AuditLine& line : found.lines) {
    EXPECT_NE(line.verdict, audit::AuditLine::Verdict::kBroken)
        << line.identity << " at " << line.t << " s, " << line.where << ": " << line.worst << " of " << line.allowed;
  }
}

INSTANTIATE_TEST_SUITE_P(All, FrictionSystem, testing::ValuesIn(systems()),
                         [](const auto& instance) { return name_of(instance.param); });

TEST(FrictionSystems, AreFortyAndEachHasExpectations) {
  EXPECT_GE(systems().size(), 40U);
  for (const auto& file : systems())
    EXPECT_FALSE(test_support::model_of_file(file)->expectations.empty()) << name_of(file);
  for (const auto& [name, shared] : shared_forces())
    EXPECT_TRUE(std::filesystem::exists(VINCULUM_SOURCE "/tests/friction/" + name + ".vin")) << name;
}

}  // namespace systems_test
}  // namespace vinculum
