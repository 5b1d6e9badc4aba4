#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/models.hpp"
#include "vinculum/sim/simulate.hpp"

namespace vinculum {
namespace {

/// Constraints of higher order against motions reduced by hand (tests/reference/compute_higher_order.py): everything that a row of the
/// reference holds, by every method.
class HigherOrder : public testing::TestWithParam<const char*> {};

void expect_row(const nlohmann::json& row, const sim::Sample& sample, double factor_of_mu, double tolerance) {
  const double t = row.at("t").get<double>();
  const auto near = [&](double value, double expected, const char* what) {
    EXPECT_NEAR(value, expected, tolerance * std::max(1.0, std::abs(expected))) << what << " at t = " << t;
  };
  for (std::size_t i = 0; i < 2; ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    near(sample.q[k], row.at("r")[i].get<double>(), "r");
    near(sample.u[k], row.at("v")[i].get<double>(), "v");
    near(sample.reaction.u_dot()[k], row.at("a")[i].get<double>(), "a");
    near(sample.reaction.Q_c[k], row.at("Q")[i].get<double>(), "Q");
  }
  near(sample.z[0], factor_of_mu * row.at("mu").get<double>(), "mu");
  near(sample.z[1], factor_of_mu * row.at("mu'").get<double>(), "mu'");
}

TEST_P(HigherOrder, AgreesWithTheReductionByHand) {
  const nlohmann::json all = nlohmann::json::parse(std::ifstream(VINCULUM_SOURCE "/tests/reference/higher_order.json"));
  for (const auto& [name, factor_of_mu] : {std::pair{"constant_acceleration", 0.5}, {"constant_jerk", 1.0}}) {
    const auto& rows = all.at(name);
    const auto compiled = test_support::compiled(test_support::model_of_file(std::filesystem::path(VINCULUM_MODELS) / (std::string(name) + "_vakonomic.vin")));
    sim::Dynamics dynamics(compiled);
    sim::SimulateOptions options = sim::options_of(*compiled->model);
    options.method = GetParam();
    options.tolerance = 1e-12;
    for (const auto& row : rows) options.sample_times.push_back(row.at("t").get<double>());
    const sim::Trajectory run = sim::simulate(dynamics, options);
    ASSERT_FALSE(run.stopped) << run.stopped->message;
    ASSERT_EQ(run.asked.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) expect_row(rows[i], run.asked[i], factor_of_mu, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, HigherOrder, testing::Values("dop853", "dp5", "tsit5"), [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace vinculum
