#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum {
namespace higher_order_test {

/// Motions under constraints of higher order, compared with equations reduced by hand
/// (tests/reference/compute_higher_order.py): all values of each reference, for every integration method.
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
    const auto bound = test_support::compiled(
        test_support::model_of_file(std::filesystem::path(VINCULUM_MODELS) / (std::string(name) + "_vakonomic.vin")));
    sim::Dynamics dynamics(bound);
    sim::SimulateOptions options = sim::options_of(*bound->compiled->model);
    options.method = GetParam();
    options.tolerance = 1e-12;
    for (const auto& row : rows) options.sample_times.push_back(row.at("t").get<double>());
    const sim::Trajectory run = sim::simulate(dynamics, options);
    ASSERT_FALSE(run.stopped) << run.stopped->message;
    ASSERT_EQ(run.asked.size(), rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) expect_row(rows[i], run.asked[i], factor_of_mu, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, HigherOrder, testing::Values("dop853", "dp5", "tsit5"),
                         [](const auto& instance) { return std::string(instance.param); });

// In addition: a constraint at velocity level under the same law, whose μ is a state too, and an extra state. The
// coupling of all of them conserves the effective energy.
TEST(HigherOrderMixed, ConservesTheEffectiveEnergyOfBothOrders) {
  const auto bound = test_support::compiled(test_support::model_of_text(R"(model mixed
coord x, y, th, X, Y
lagrangian (x'^2 + y'^2)/2 + th'^2/4 + (X'^2 + Y'^2)/2 + 0.3*th*X
constraint skate: sin(th)*x' - cos(th)*y' = 0
    law vakonomic start mu = 0.4
constraint link: X'' = Y' + 0.1*th'
    law vakonomic start mu = 0, mu' = 0.5
state w' = X - w
output h = effective_energy
start th = 0.3, x' = cos(0.3), y' = sin(0.3), th' = 1, Y' = 1
run 2 tolerance 1e-12
)"));
  sim::Dynamics dynamics(bound);
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*bound->compiled->model));
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  for (const sim::Sample& sample : run.samples) EXPECT_NEAR(sample.outputs[0], 1.25, 1e-9);
  EXPECT_LT(run.worst_residual.maxCoeff(), 1e-13);
  const audit::Audit audit = audit::audit(*bound, run);
  for (const audit::AuditLine& line : audit.lines)
    EXPECT_NE(line.verdict, audit::AuditLine::Verdict::kBroken) << line.identity << ": " << line.where;
}

// Speeds that are not rates of coordinates, and a quaternion: the spin of a body is coupled to the velocity of its
// center.
TEST(HigherOrderMixed, ConservesTheEffectiveEnergyOfABody) {
  const auto bound = test_support::compiled(test_support::model_of_text(R"(model spun
coord e0, e1, e2, e3, x, y
frame N newtonian
frame B = N quaternion(e0, e1, e2, e3)
point O fixed in N
body D frame B mass 2 inertia (1, 2, 2.5) at O + x*N.x + y*N.y
constraint drive: dot(alpha(B), B.z) = x'
    law vakonomic start mu = 0.3, mu' = 0.2
output h = effective_energy
start B.wx = 0.4, B.wy = 1, B.wz = 0.3, x' = 0.5, y' = 0.1
run 1.5 tolerance 1e-12
)"));
  sim::Dynamics dynamics(bound);
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*bound->compiled->model));
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  for (const sim::Sample& sample : run.samples) EXPECT_NEAR(sample.outputs[0], 1.3925, 1e-9);
  const audit::Audit audit = audit::audit(*bound, run);
  for (const audit::AuditLine& line : audit.lines)
    EXPECT_NE(line.verdict, audit::AuditLine::Verdict::kBroken) << line.identity << ": " << line.where;
}

// Without the coupling, the skate must move as in a model without the constraint of higher order, which another solver
// computes.
TEST(HigherOrderMixed, LeavesWhatItIsNotCoupledWithAsItIs) {
  const std::string skate = R"(model skate
coord x, y, th, X, Y
lagrangian (x'^2 + y'^2)/2 + th'^2/4 + (X'^2 + Y'^2)/2 + 2*x
constraint skate: sin(th)*x' - cos(th)*y' = 0
    law vakonomic start mu = 0.4
constraint rod: X^2 + Y^2 = 1
start th = 0.3, x' = cos(0.3), y' = sin(0.3), th' = 1, X = 1, Y' = 1
run 1.5 tolerance 1e-12
)";
  const std::string other =
      "coord a, b\nlagrangian (a'^2 + b'^2)/2\nconstraint link: a'' = b'\n    law vakonomic start mu = 0, mu' = "
      "0.5\nstart b' = 1\n";
  const auto alone = test_support::compiled(test_support::model_of_text(skate));
  std::string text = skate;
  text.insert(text.find("start th"), other);
  const auto both = test_support::compiled(test_support::model_of_text(text));
  ASSERT_EQ(both->compiled->system->higher != nullptr, true);
  sim::Dynamics of_alone(alone), of_both(both);
  const sim::Trajectory first = sim::simulate(of_alone, sim::options_of(*alone->compiled->model)),
                        second = sim::simulate(of_both, sim::options_of(*both->compiled->model));
  ASSERT_FALSE(first.stopped || second.stopped);
  EXPECT_LT((first.end().q - second.end().q.head(5)).norm(), 1e-9);
  EXPECT_LT((first.end().u - second.end().u.head(5)).norm(), 1e-9);
  EXPECT_LT((first.end().reaction.lambda() - second.end().reaction.lambda()).norm(), 1e-8);
  EXPECT_NEAR(second.end().u[6], (3.0 * std::exp(1.5) + std::exp(-1.5)) / 4.0, 1e-9);
}

}  // namespace higher_order_test
}  // namespace vinculum
