#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "support/folder.hpp"
#include "support/models.hpp"
#include "vinculum/vinculum.hpp"

// A motion that is stopped early and continued from its last state must equal the uninterrupted motion.
namespace vinculum {
namespace going_on_test {

using test_support::Folder;

class GoingOn : public testing::TestWithParam<std::filesystem::path> {};

std::vector<double> last(const Array& values) {
  const auto row = values.row(values.rows - 1);
  return {row.begin(), row.end()};
}

/// Largest difference of the final states, relative to the largest magnitude among coordinates or among speeds.
double distance(const Trajectory& a, const Trajectory& b) {
  double worst = 0.0;
  for (const auto& of : {&Trajectory::q, &Trajectory::u}) {
    const Array &all = (a.*of)(), &other = (b.*of)();
    double size = 1e-3;
    for (const double value : all.values) size = std::max(size, std::abs(value));
    for (int k = 0; k < all.columns; ++k)
      worst = std::max(
          worst, std::abs(last(all)[static_cast<std::size_t>(k)] - last(other)[static_cast<std::size_t>(k)]) / size);
  }
  return worst;
}

/// Whether the model has contacts that can stick.
bool may_stick(const std::filesystem::path& file) {
  return test_support::read_text(file).find("friction on") != std::string::npos;
}

void expect_same_bits(std::span<const double> a, const std::vector<double>& b) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < b.size(); ++k)
    EXPECT_EQ(std::bit_cast<std::uint64_t>(a[k]), std::bit_cast<std::uint64_t>(b[k])) << k;
}

TEST_P(GoingOn, FromWhereItWasHaltedIsAsTheWholeMotion) {
  constexpr double kTolerance = 1e-11;
  const Model model = Model::load(GetParam(), {.backend = Backend::kTape}).value();
  const auto whole = model.run({.tolerance = kTolerance});
  if (!whole) GTEST_SKIP() << "without a run";
  if (whole->t().size() < 3) GTEST_SKIP() << "no motion";
  const double end = whole->provenance().until;
  const double halt = 0.43 * (whole->stopped() != nullptr ? whole->t().back() : end);
  const Trajectory begun = model.run({.until = halt, .tolerance = kTolerance}).value();
  ASSERT_EQ(begun.stopped(), nullptr) << begun.stopped()->text();
  const State state{begun.t().back(), last(begun.q()), last(begun.u()),
                    begun.z().columns > 0 ? last(begun.z()) : std::vector<double>()};
  const Folder folder;
  const auto written = begun.write(folder.path());
  ASSERT_TRUE(written) << written.error().text();
  const State kept = FinishedRun::read(folder.path()).value().end(model).value();
  EXPECT_EQ(kept.t, state.t);
  expect_same_bits(kept.q, state.q);
  expect_same_bits(kept.u, state.u);
  expect_same_bits(kept.z, state.z);

  const auto rest = model.run({.start = state, .until = end, .tolerance = kTolerance});
  const bool has_branches = !rest && rest.error().text().find("several accelerations satisfy") != std::string::npos;
  if (has_branches) GTEST_SKIP() << "a state does not say the branch";
  ASSERT_TRUE(rest) << rest.error().text();
  ASSERT_FALSE(rest->t().empty()) << rest->stopped()->text();
  EXPECT_EQ(rest->t().front(), halt);
  if (!may_stick(GetParam())) {
    expect_same_bits(rest->q().row(0), state.q);
    expect_same_bits(rest->u().row(0), state.u);
  }
  ASSERT_EQ(rest->stopped() != nullptr, whole->stopped() != nullptr)
      << (rest->stopped() != nullptr ? rest->stopped()->text() : "goes on");
  if (whole->stopped() != nullptr) {
    // Only the stop messages are compared, because the last available state may be one step earlier.
    EXPECT_NEAR(rest->stopped()->t, whole->stopped()->t, 1e-4 * end);
    return;
  }
  // Motions may diverge fast (a rattleback). So ten times the difference from a run with ten times the tolerance is
  // permitted.
  const Trajectory coarser = model.run({.tolerance = 10.0 * kTolerance}).value();
  const double allowed = std::max(1e-8, coarser.stopped() == nullptr ? 10.0 * distance(*whole, coarser) : 0.0);
  EXPECT_LT(distance(*whole, *rest), allowed);
}

INSTANTIATE_TEST_SUITE_P(OfModels, GoingOn, testing::ValuesIn(test_support::model_files()),
                         [](const auto& instance) { return instance.param.stem().string(); });

TEST(Simulation, FollowsTheAccelerationsThatItHasCome) {
  const Model model = Model::load(VINCULUM_MODELS "/acceleration_turns.vin", {.backend = Backend::kTape}).value();
  Simulation simulation = model.simulation().value();
  for (int k = 1; k <= 6; ++k) {
    const auto moved = simulation.advance(k);
    ASSERT_TRUE(moved) << moved.error().text();
  }
  EXPECT_NEAR(simulation.state().q[0], 6.0 + 5.0 * (1.0 - std::cos(6.0)), 1e-8);
  EXPECT_NEAR(simulation.state().q[1], 5.0 * (6.0 - std::sin(6.0)), 1e-8);
  const Error why = model.run({.start = simulation.state(), .until = 7.0}).error();
  EXPECT_NE(why.text().find("several accelerations satisfy `pace`"), std::string::npos) << why.text();
}

}  // namespace going_on_test
}  // namespace vinculum
