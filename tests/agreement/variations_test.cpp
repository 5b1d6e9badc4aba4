#include "vinculum/run/variations.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "support/models.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/numeric/null_space.hpp"
#include "vinculum/report/explain.hpp"

/// Virtual displacements and variations of the motion ([S] 3.14–3.17, theory.md §11).
namespace vinculum {
namespace variations_test {

std::string explained(const std::string& text) {
  return report::to_json(report::explain(test_support::compiled(test_support::model_of_text(text))));
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
  // Difference δq of two motions of the blade with neighboring starts. It satisfies eq. 3.17 of [S], but not 3.14.
  const double h = 1e-5;
  const auto run = [](const std::string& text) {
    const auto bound = test_support::compiled(test_support::model_of_text(text));
    sim::Dynamics dynamics(bound);
    return sim::simulate(dynamics, sim::options_of(*bound->compiled->model));
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
    // γ_ij q_j' δq_i, with γ_θx = cos θ and γ_θy = sin θ.
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
  // A row that is direction-only does no work in any motion that satisfies it. So it is not called dynamically dead.
  EXPECT_NE(explained("model skate\ncoord x, y, th\nlagrangian (x'^2 + y'^2)/2 + th'^2/4\nconstraint c: sin(th)*x' = "
                      "cos(th)*y'\n    law vakonomic start mu = 0.4\nstart x' = 1, y' = 0, th' = 1\nrun 1\n")
                .find("\"dynamically_dead\": false"),
            std::string::npos);
}

constexpr double kLongest = 0.6;  // [s] longest duration of a run

/// Variations up to the end of a run that start as virtual displacements.
struct Neighbours {
  sim::Start start;
  std::vector<sim::Varied> samples;
};

Neighbours varied(const std::shared_ptr<const sim::Binding>& bound, double tolerance) {
  sim::Dynamics dynamics(bound);
  const auto start = sim::assemble(dynamics);
  if (!start) throw std::runtime_error(start.error().message);
  Vector y(start->q.size() + start->u.size() + start->z.size());
  y << start->q, start->u, start->z;
  sim::Matrices at;
  if (auto done = dynamics.matrices(dynamics.mode(), start->t0, y.data(), at); !done)
    throw std::runtime_error(done.error().message);
  const Matrix Z = numeric::null_space(at.A, tolerance::kAtStates);
  sim::SimulateOptions options = sim::options_of(*bound->compiled->model);
  options.tolerance = tolerance;
  options.duration = kLongest;
  std::optional<Failure> stopped;
  const auto samples = sim::vary(dynamics, *start, sim::variations_from(dynamics, *start, Z), options, 8, stopped);
  if (!samples) throw std::runtime_error(samples.error().message);
  EXPECT_FALSE(stopped);
  return {*start, *samples};
}

/// Motions whose starts differ by ±h w must end with the difference that w predicts. Checked for many kinds of models:
/// a blade under two laws, a rolling body, a closed chain with redundant rows, states, speeds that are not rates, a
/// force by actuator efforts.
TEST(VariationsAlongAMotion, AreDifferencesOfNeighbouringMotions) {
  const std::string more[] = {
      skate(1.0, 0.8),
      "model vakonomic\ncoord x, y, th\nlagrangian (x'^2 + y'^2)/2 + th'^2/4 + 2*x\n"
      "constraint blade: sin(th)*x' - cos(th)*y' = 0\n    law vakonomic start mu = 0.3\n"
      "state w' = x*y - w start w = 0.2\nstart th = 0.3, x' = cos(0.3), y' = sin(0.3), th' = 0.8\nrun 1\n",
      "model dragged\ncoord x, y\nspeed s = x' + y, r = y'\nlagrangian (x'^2 + y'^2)/2 - x^2*y\n"
      "generalized force on x = -0.3*x'*|x'|\nconstraint c: x' = (1 + y^2)*y' + t\nstart y' = 1, x ~ 0.2\nrun 1\n",
      "model redundant\ncoord x, y, z\nlagrangian (x'^2 + 2*y'^2 + z'^2)/2 - 9.81*z\nconstraint a: x^2 + y^2 + z^2 = "
      "1\n"
      "constraint b: 2*x^2 + 2*y^2 + 2*z^2 = 2\nstart x = 0.6, y = 0, z = 0.8, y' = 1.3\nrun 1\n",
  };
  std::vector<std::shared_ptr<const model::Model>> models;
  for (const std::string& text : more) models.push_back(test_support::model_of_text(text));
  for (const char* name : {"rolling_disk", "joint_rolling_ball", "constant_speed_vakonomic_started"})
    models.push_back(
        test_support::model_of_file(std::filesystem::path(VINCULUM_MODELS) / (std::string(name) + ".vin")));
  for (const auto& model : models) {
    SCOPED_TRACE(model->name);
    const auto bound = test_support::compiled(model);
    const Neighbours found = varied(bound, 1e-12);
    const sim::Varied &begin = found.samples.front(), &end = found.samples.back();
    const Eigen::Index nq = found.start.q.size(), nu = found.start.u.size();
    for (Eigen::Index k = 0; k < begin.w.cols(); ++k) {
      const double h = 2e-6;
      Vector ends[2];
      for (int side = 0; side < 2; ++side) {
        const Vector dy = (side == 0 ? -h : h) * begin.w.col(k);
        sim::Start start = found.start;
        start.q += dy.head(nq);
        start.u += dy.segment(nq, nu);
        sim::Dynamics dynamics(bound);
        sim::SimulateOptions options = sim::options_of(*model);
        options.tolerance = 1e-12;
        options.duration = kLongest;
        const sim::Trajectory run = sim::simulate(dynamics, start, options);
        ASSERT_FALSE(run.stopped) << run.stopped->message;
        ends[side].resize(end.y.size());
        ends[side] << run.end().q, run.end().u, run.end().z;
      }
      const Vector difference = (ends[1] - ends[0]) / (2.0 * h);
      EXPECT_LT((difference - end.w.col(k)).norm(), 3e-6 * (1.0 + end.w.col(k).norm())) << "variation " << k;
    }
  }
}

// Eq. 3.17 of [S]: variations satisfy the rows to first order at every instant, φ_q δq = 0 and ψ_q δq + ψ_u δu = 0.
TEST(VariationsAlongAMotion, SatisfyTheRowsToFirstOrder) {
  for (const char* name : {"rolling_disk", "slider_crank", "joint_rolling_ball"}) {
    SCOPED_TRACE(name);
    const auto bound = test_support::compiled(
        test_support::model_of_file(std::filesystem::path(VINCULUM_MODELS) / (std::string(name) + ".vin")));
    sim::Dynamics dynamics(bound);
    const Neighbours found = varied(bound, 1e-11);
    for (const sim::Varied& one : found.samples) {
      for (Eigen::Index k = 0; k < one.w.cols(); ++k) {
        const double h = 1e-5 / (1.0 + one.w.col(k).norm());
        sim::Matrices before, behind;
        const Vector a = one.y - h * one.w.col(k), b = one.y + h * one.w.col(k);
        sim::EquationsOf(dynamics).matrices_as_they_are(dynamics.mode(), one.t, a.data(), before);
        sim::EquationsOf(dynamics).matrices_as_they_are(dynamics.mode(), one.t, b.data(), behind);
        const double size = 1.0 + behind.A.norm() * one.w.col(k).norm();
        EXPECT_LT((behind.phi - before.phi).norm() / (2.0 * h), 1e-5 * size) << one.t;
        EXPECT_LT((behind.psi - before.psi).norm() / (2.0 * h), 1e-5 * size) << one.t;
      }
    }
  }
}

nlohmann::json followed(const std::shared_ptr<const model::Model>& model, double duration) {
  return nlohmann::json::parse(report::to_json(report::explain(test_support::compiled(model), {.along = duration})))
      .at("variations_along");
}

// Model blade_variations: δθ = 1 at the start leads to the displacement (v/w) (1 − cos wt) along the blade and −(v/w)
// sin wt across it. A displacement along the blade at the start moves the whole circle; its component across the
// turning blade is sin wt.
TEST(VariationsAlongAMotion, OfABladeLeaveTheVirtualDisplacementsAsTheClosedFormSays) {
  const auto along =
      followed(test_support::model_of_file(std::filesystem::path(VINCULUM_MODELS) / "blade_variations.vin"), 3.0);
  EXPECT_EQ(along.at("rank").at("least"), 1);
  EXPECT_EQ(along.at("stay_virtual"), false);
  ASSERT_EQ(along.at("variations").size(), 2U);
  const double m = 2.0, J = 0.3, v = 1.5, w = 0.8;
  for (const auto& instant : along.at("instants")) {
    const double t = instant.at("t").get<double>(), r = v / w;
    const double across = std::sqrt(m) * r * std::abs(std::sin(w * t));
    const double size = std::sqrt(J + m * r * r * (2.0 - 2.0 * std::cos(w * t)));
    for (std::size_t k = 0; k < 2; ++k) {
      const bool turns = along.at("variations")[k].at("free") == "th'";
      EXPECT_NEAR(instant.at("across")[k].get<double>(), turns ? across / size : std::abs(std::sin(w * t)), 1e-8) << t;
    }
  }
}

TEST(VariationsAlongAMotion, OfHolonomicRowsStayVirtualDisplacements) {
  for (const char* name : {"pendulum_stiff", "four_bar", "slider_crank"}) {
    auto model = test_support::model_of_file(std::filesystem::path(VINCULUM_MODELS) / (std::string(name) + ".vin"));
    const auto along = followed(model, 0.5);
    if (along.contains("not_followed")) continue;  // penalty realizations have no rows
    EXPECT_EQ(along.at("stay_virtual"), true) << name << along.dump();
    EXPECT_EQ(along.at("rank").at("most"), 0) << name;
  }
  // A set of rows that is integrable, but written with velocities.
  const auto along = followed(test_support::model_of_text(R"(model integrable
coord x, y, z
lagrangian (x'^2 + y'^2 + z'^2)/2 - x*z
constraint a: y*x' + x*y' = 0
constraint b: z'*exp(x) = y'*exp(x)
start x = 1, y = 0.5, x' = 1
run 1
)"),
                              1.0);
  EXPECT_EQ(along.at("stay_virtual"), true) << along.dump();
}

TEST(VariationsAlongAMotion, SayWhereTheyAreNotFollowed) {
  EXPECT_TRUE(
      followed(test_support::model_of_file(std::filesystem::path(VINCULUM_MODELS) / "friction_incline.vin"), 0.1)
          .contains("not_followed"));
  EXPECT_TRUE(
      followed(test_support::model_of_file(std::filesystem::path(VINCULUM_MODELS) / "higher_order_jerk.vin"), 0.1)
          .contains("not_followed"));
  // If the motion ends early, the variations are integrated up to its end.
  const auto ends =
      followed(test_support::model_of_file(std::filesystem::path(VINCULUM_MODELS) / "appell_rising.vin"), 10.0);
  EXPECT_TRUE(ends.contains("not_followed") || !ends.at("stopped").is_null()) << ends.dump();
}

// A linkage passes a singular configuration and continues. Neighboring motions separate from it there, so the
// variations end.
TEST(VariationsAlongAMotion, EndWhereItPassesASingularPose) {
  const auto along =
      followed(test_support::model_of_file(std::filesystem::path(VINCULUM_MODELS) / "four_bar.vin"), 2.0);
  EXPECT_EQ(along.at("stopped").at("kind"), "rank-drop") << along.dump();
  const double t = along.at("stopped").at("t");
  EXPECT_GT(t, 0.0);
  EXPECT_LT(along.at("to"), t);
  EXPECT_EQ(along.at("stay_virtual"), true);
}

// Rows that are satisfied identically are not equations of the variations.
TEST(VariationsAlongAMotion, KnowNothingOfRowsThatTheCoordinatesHold) {
  const auto along = followed(test_support::model_of_text(R"(model bead
frame N newtonian
point O fixed in N
coord a, s
particle P mass 1 at O + 3*cos(a)*N.x + 3*sin(a)*N.y + s*N.z
force on P = -s*N.z - a*N.x
constraint rod: dot(pos(P, O), N.x)^2 + dot(pos(P, O), N.y)^2 = 9
start a = 0.3, a' = 1, s = 0.1
run 1
)"),
                              1.0);
  EXPECT_EQ(along.at("variations").size(), 2U) << along.dump();
  EXPECT_EQ(along.at("stay_virtual"), true);
}

}  // namespace variations_test
}  // namespace vinculum
