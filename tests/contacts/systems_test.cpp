#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "support/models.hpp"
#include "vinculum/report/columns.hpp"
#include "vinculum/run/simulate.hpp"

// Tests of the models of this folder. Their `expect` statements compare motions and forces with closed forms and
// references (tests/reference/compute_unilateral.py); `vinculum test` checks these and audits the motions. The tests
// here check which forces are reported as not unique.
namespace vinculum {
namespace systems_test {

using Names = std::vector<std::string>;

/// Names of the output entries that are not unique at time t. In models that are not in the table, all entries are
/// unique at all times.
struct Shared {
  double t;
  Names names;
};

const std::map<std::string, std::vector<Shared>>& shared_forces() {
  static const std::map<std::string, std::vector<Shared>> table = {
      {"box_lands_on_four_feet",
       {{0.1, {}}, {0.9, {"R1", "R2", "R3", "R4"}}, {1.5, {"R1", "R2", "R3", "R4"}}, {2.2, {}}}},
      {"box_lifted_by_two_jaws", {{0.5, {"N1", "N2", "T2"}}, {2.0, {}}}},
      {"box_tips_over_on_two_feet", {{0.1, {}}, {1.0, {"R1", "R2", "R3", "R4"}}, {2.3, {}}}},
      {"contact_joint_box_rests_in_a_valley", {{0.5, {"left.x", "right.x"}}, {2.0, {"left.x", "right.x"}}}},
      {"double_pendulum_comes_to_rest_on_a_floor", {{1.2, {}}, {1.8, {"R", "T"}}}},
      {"ladder_is_climbed", {{1.0, {"Rw", "Rf"}}, {6.0, {"Rw", "Rf"}}, {6.4, {}}}},
      {"mass_pulled_off_its_stop_with_dry_friction", {{0.3, {}}, {0.7, {"R"}}, {2.0, {}}}},
      {"rod_tips_off_one_of_two_supports", {{1.0, {"T2"}}, {2.4, {"T2"}}, {3.0, {}}}},
      {"slider_pulled_off_its_stop_with_joint_friction", {{0.3, {}}, {0.7, {"R"}}, {2.0, {}}}},
      {"wheel_is_pulled_over_a_curb", {{0.5, {"R", "F"}}, {1.3, {}}}},
  };
  return table;
}

std::string name_of(const std::filesystem::path& file) { return file.stem().string(); }

std::vector<std::filesystem::path> systems() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(VINCULUM_SOURCE "/tests/contacts"))
    if (entry.path().extension() == ".vin") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

/// Names of the output entries that a sample flags as not unique.
Names flagged_at(const std::vector<report::Column>& columns, const sim::Sample& sample) {
  Names names;
  for (const report::Column& column : columns) {
    for (int k = 0; k < column.count && column.is_unique; ++k)
      if (!column.is_unique(sample, k)) names.push_back(report::entry_name(column, k));
  }
  return names;
}

class ContactSystem : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(ContactSystem, FlagsTheForcesThatAreNotUnique) {
  const auto bound = test_support::compiled(test_support::model_of_file(GetParam()));
  sim::Dynamics dynamics(bound);
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*bound->compiled->model));
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

INSTANTIATE_TEST_SUITE_P(All, ContactSystem, testing::ValuesIn(systems()),
                         [](const auto& instance) { return name_of(instance.param); });

TEST(ContactSystems, AreThirtyAndEachHasExpectations) {
  EXPECT_GE(systems().size(), 30U);
  for (const auto& file : systems())
    EXPECT_FALSE(test_support::model_of_file(file)->expectations.empty()) << name_of(file);
  for (const auto& [name, shared] : shared_forces())
    EXPECT_TRUE(std::filesystem::exists(VINCULUM_SOURCE "/tests/contacts/" + name + ".vin")) << name;
}

}  // namespace systems_test
}  // namespace vinculum
