#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "support/models.hpp"
#include "vinculum/out/report/explain.hpp"
#include "vinculum/sim/run/simulate.hpp"

/// Virtual displacements and variations of the motion ([S] 3.14–3.17, theory.md §11.1).
namespace vinculum {
namespace {

std::string explained(const std::string& text) {
  return out::to_json(out::explain(test_support::compiled(test_support::model_of_text(text))));
}

constexpr const char* kSkate = R"(model skate
coord x, y, th
lagrangian (x'^2 + y'^2)/2 + th'^2/4 + 2*x
constraint blade: sin(th)*x' - cos(th)*y' = 0
start th = 0.3, x' = VX, y' = VY, th' = TH
run 1 tolerance 1e-13 step 0.01
)";

std::string skate(double v, double rate) {
  std::string text = kSkate;
  const auto put = [&text](const std::string& mark, double value) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.17g", value);
    text.replace(text.find(mark), mark.size(), digits);
  };
  put("VX", v * std::cos(0.3)), put("VY", v * std::sin(0.3)), put("TH", rate);
  return text;
}

TEST(Variations, OfABladeAreNoVirtualDisplacements) {
  const std::string report = explained(skate(1.0, 0.8));
  EXPECT_NE(report.find("\"variations\""), std::string::npos);
  EXPECT_NE(report.find("\"rank\": 1"), std::string::npos) << report;
  // Two motions of the blade from neighbouring starts: δq obeys 3.17, and not 3.14.
  const double h = 1e-5;
  const auto run = [](const std::string& text) {
    const auto compiled = test_support::compiled(test_support::model_of_text(text));
    sim::Dynamics dynamics(compiled);
    return sim::simulate(dynamics, sim::options_of(*compiled->model));
  };
  const sim::Trajectory here = run(skate(1.0, 0.8)), before = run(skate(1.0 - h, 0.8 - 2.0 * h)),
                        behind = run(skate(1.0 + h, 0.8 + 2.0 * h));
  double along = 0.0;
  for (std::size_t k = 1; k + 1 < here.samples.size(); k += 9) {
    const sim::Sample& at = here.samples[k];
    const Vector delta = (behind.samples[k].q - before.samples[k].q) / (2.0 * h);
    const Vector delta_rate = (behind.samples[k].u - before.samples[k].u) / (2.0 * h);
    const double s = std::sin(at.q[2]), c = std::cos(at.q[2]);
    const double omega = s * delta[0] - c * delta[1];
    const double omega_rate = s * delta_rate[0] - c * delta_rate[1] + at.u[2] * (c * delta[0] + s * delta[1]);
    // γ_ij q_j' δq_i with γ_θx = cos θ, γ_θy = sin θ
    const double gamma = (c * at.u[0] + s * at.u[1]) * delta[2] - at.u[2] * (c * delta[0] + s * delta[1]);
    EXPECT_NEAR(omega_rate + gamma, 0.0, 1e-8) << at.t;
    along = std::max(along, std::abs(omega));
  }
  EXPECT_GT(along, 1e-2);
}

TEST(Variations, OfIntegrableRowsAreVirtualDisplacements) {
  const std::string report = explained(R"(model integrable
coord x, y, z
lagrangian (x'^2 + y'^2 + z'^2)/2 - x*z
constraint a: y*x' + x*y' = 0
constraint b: z'*exp(x) = y'*exp(x)
start x = 1, y = 0.5, x' = 1
run 1
)");
  EXPECT_NE(report.find("\"rank\": 0"), std::string::npos) << report;
  EXPECT_EQ(explained("model free\ncoord x\nlagrangian x'^2/2\nconstraint c: x = 1\nrun 1\n").find("\"rank_at_start\""),
            std::string::npos);
}

TEST(Variations, ADynamicallyAdiabaticConstraintIsFound) {
  const auto in_field = [](const std::string& field) {
    return explained(
        "model charge\ncoord x, y\nlagrangian (x'^2 + y'^2)/2 + " + field +
        "\nconstraint pace: (x'^2 + y'^2)/2 = 2\n    law vakonomic start mu = 0.4\nstart x' = 2, y' = 0\nrun 1\n");
  };
  EXPECT_NE(in_field("x*y' - y*x'").find("\"dynamically_dead\": true"), std::string::npos);
  EXPECT_NE(in_field("0.5*x").find("\"dynamically_dead\": false"), std::string::npos);
  // One that restricts directions alone does no work along any admissible path: no matter of the motion.
  EXPECT_NE(explained("model skate\ncoord x, y, th\nlagrangian (x'^2 + y'^2)/2 + th'^2/4\nconstraint c: sin(th)*x' = "
                      "cos(th)*y'\n    law vakonomic start mu = 0.4\nstart x' = 1, y' = 0, th' = 1\nrun 1\n")
                .find("\"dynamically_dead\": false"),
            std::string::npos);
}

}  // namespace
}  // namespace vinculum
