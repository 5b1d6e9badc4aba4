#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>

#include "set_law.hpp"

namespace vinculum::agreement {
namespace laws_test {

void expect_near(double value, double expected, double tolerance, const std::string& what) {
  EXPECT_NEAR(value, expected, tolerance * std::max(1.0, std::abs(expected))) << what;
}

constexpr double kTolReference = 1e-8;

/// Compares a motion with the rows of one reference. Coordinates and reactions are found by their names.
void expect_rows(const nlohmann::json& rows, ModelBuilder& b, const std::vector<std::string>& names, bool is_vakonomic,
                 equations::Formulation formulation = equations::Formulation::kExplicit) {
  std::vector<double> times;
  for (const auto& row : rows) times.push_back(number(row.at("t")));
  const sim::Trajectory run = motion(b, times, 1e-12, formulation);
  ASSERT_EQ(run.asked.size(), times.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    const auto& row = rows[i];
    const sim::Sample& sample = run.asked[i];
    const std::string at = " at t = " + std::to_string(times[i]);
    for (std::size_t k = 0; k < names.size(); ++k) {
      expect_near(sample.q[static_cast<Eigen::Index>(k)], number(row.at(names[k])), kTolReference, names[k] + at);
    }
    if (!is_vakonomic) continue;
    const auto component = [](const nlohmann::json& entry, std::size_t k) {
      return number(entry.is_array() ? entry[k] : entry);
    };
    for (Eigen::Index k = 0; k < sample.z.size(); ++k) {
      expect_near(sample.z[k], component(row.at("mu"), static_cast<std::size_t>(k)), kTolReference, "mu" + at);
      expect_near(sample.z_dot[k], component(row.at("mudot"), static_cast<std::size_t>(k)), kTolReference, "mu'" + at);
    }
    if (!row.contains("R")) continue;
    for (std::size_t k = 0; k < names.size(); ++k) {
      expect_near(sample.outputs[static_cast<Eigen::Index>(k)], number(row.at("R")[k]), 10.0 * kTolReference, "R" + at);
    }
  }
}

TEST(Laws, SkateOnAnInclineUnderBothLawsFollowsTheReference) {
  Skate dalembert = reference_skate(ideal());
  expect_rows(reference().at("skate_dAlembert").at("rows"), dalembert.b, {"x", "y", "theta"}, false);
  for (const auto& [name, one] : reference().at("skate_vakonomic").items()) {
    for (const auto formulation :
         {equations::Formulation::kExplicit, equations::Formulation::kAugmented, equations::Formulation::kMinimal}) {
      Skate skate = reference_skate(vakonomic({number(one.at("mu0"))}));
      add_reaction_outputs(skate.b, skate.c);
      expect_rows(one.at("rows"), skate.b, {"x", "y", "theta"}, true, formulation);
    }
  }
}

TEST(Laws, RollingDiskUnderBothLawsFollowsTheReference) {
  const auto& p = reference().at("disk_dAlembert").at("params");
  const double R = number(p.at("R"));
  const auto disk = [&](const SetLaw& law) {
    auto b = std::make_unique<ModelBuilder>("disk");
    const CoordinateId x = b->add_coordinate("x"), y = b->add_coordinate("y"), theta = b->add_coordinate("theta"),
                       phi = b->add_coordinate("phi");
    const Term vx = b->q_dot(x), vy = b->q_dot(y), turning = b->q_dot(theta), rolling = b->q_dot(phi);
    b->add_lagrangian(number(p.at("m")) / 2.0 * (vx * vx + vy * vy) + number(p.at("I")) / 2.0 * (rolling * rolling) +
                      number(p.at("J")) / 2.0 * (turning * turning));
    const ConstraintId c =
        b->add_rows("roll", {vx - R * b->cos(b->q(theta)) * rolling, vy - R * b->sin(b->q(theta)) * rolling});
    law(*b, c);
    const double th0 = number(p.at("th0")), pd0 = number(p.at("pd0"));
    start(*b, x, 0.0, R * std::cos(th0) * pd0);
    start(*b, y, 0.0, R * std::sin(th0) * pd0);
    start(*b, theta, th0, number(p.at("td0")));
    start(*b, phi, number(p.at("ph0")), pd0);
    return b;
  };
  expect_rows(reference().at("disk_dAlembert").at("rows"), *disk(ideal()), {"x", "y", "theta", "phi"}, false);
  for (const auto& [name, one] : reference().at("disk_vakonomic").items()) {
    const auto& mu = one.at("rows")[0].at("mu");
    expect_rows(one.at("rows"), *disk(vakonomic({number(mu[0]), number(mu[1])})), {"x", "y", "theta", "phi"}, true);
  }
}

/// A constraint to constant speed: F is nonlinear in q', and the inertia is M + μ.
std::unique_ptr<ModelBuilder> constant_speed(const SetLaw& law) {
  const auto& p = reference().at("speed_chetaev").at("params");
  const double m = number(p.at("m")), c = number(p.at("c"));
  auto b = std::make_unique<ModelBuilder>("speed");
  std::vector<CoordinateId> q;
  for (const char* name : {"x", "y", "z"}) q.push_back(b->add_coordinate(name));
  Term square = b->number(0.0);
  for (const CoordinateId one : q) square = square + b->q_dot(one) * b->q_dot(one);
  b->add_lagrangian(m / 2.0 * square - m * number(p.at("g")) * b->q(q[2]));
  const ConstraintId speed = b->add_constraint("speed", (square - c * c) / 2.0);
  law(*b, speed);
  for (std::size_t k = 0; k < 3; ++k) start(*b, q[k], 0.0, number(p.at("v0")[k]));
  add_reaction_outputs(*b, speed);
  return b;
}

TEST(Laws, SpeedHeldConstantUnderBothLawsFollowsTheReference) {
  const auto places = [](const nlohmann::json& rows) {
    nlohmann::json with_y = rows;
    for (auto& row : with_y) row["y"] = "0";
    return with_y;
  };
  expect_rows(places(reference().at("speed_chetaev").at("rows")), *constant_speed(ideal()), {"x", "y", "z"}, false);
  for (const auto& [name, one] : reference().at("speed_vakonomic").items()) {
    auto b = constant_speed(vakonomic({number(one.at("mu0"))}));
    expect_rows(places(one.at("rows")), *b, {"x", "y", "z"}, true);
    auto again = constant_speed(vakonomic({number(one.at("mu0"))}));
    const sim::Trajectory run = motion(*again, {2.0});
    expect_near(run.end().outputs[3], number(one.at("rows").back().at("E_eff")), kTolReference, "effective energy");
  }
}

TEST(Laws, WhereTheMultiplierTakesAwayAllInertiaTheRunStopsAndSaysSo) {
  // Straight up at the constant speed c: p = (m + μ) c − m g t, so m + μ = 0 at t = c/g.
  ModelBuilder b("up");
  const CoordinateId x = b.add_coordinate("x"), z = b.add_coordinate("z");
  const Term square = b.q_dot(x) * b.q_dot(x) + b.q_dot(z) * b.q_dot(z);
  b.add_lagrangian(0.75 * square - 1.5 * 9.81 * b.q(z));
  vakonomic({0.0})(b, b.add_constraint("speed", (square - 16.0) / 2.0));
  start(b, x, 0.0, 0.0);
  start(b, z, 0.0, 4.0);
  sim::Dynamics dynamics = dynamics_of(b);
  sim::SimulateOptions options;
  options.duration = 1.0;
  const sim::Trajectory run = sim::simulate(dynamics, options);
  ASSERT_TRUE(run.stopped);
  EXPECT_EQ(run.stopped->kind, FailureKind::kSingularByMultipliers) << run.stopped->message;
  EXPECT_NEAR(run.stopped->t, 4.0 / 9.81, 1e-8);
  EXPECT_NEAR(run.end().z[0], -1.5, 1e-3);
}

TEST(Laws, RheonomicRowOfAFreeMassFollowsTheClosedForms) {
  const auto free_mass = [](const SetLaw& law) {
    auto b = std::make_unique<ModelBuilder>("rheonomic");
    const CoordinateId x = b->add_coordinate("x"), y = b->add_coordinate("y");
    b->add_lagrangian((b->q_dot(x) * b->q_dot(x) + b->q_dot(y) * b->q_dot(y)) / 2.0);
    const ConstraintId c = b->add_constraint("c", b->q_dot(x) - b->time() * b->q_dot(y));
    law(*b, c);
    start(*b, x, 0.0, 0.0);
    start(*b, y, 0.0, 1.0);
    return b;
  };
  const sim::Trajectory dalembert = motion(*free_mass(ideal()), {1.0});
  EXPECT_NEAR(dalembert.end().q[0], 0.414213562373095, 1e-10);
  EXPECT_NEAR(dalembert.end().q[1], 0.881373587019543, 1e-10);
  const sim::Trajectory hamilton = motion(*free_mass(vakonomic({0.0})), {1.0});
  EXPECT_NEAR(hamilton.end().q[0], 0.346573590279973, 1e-10);
  EXPECT_NEAR(hamilton.end().q[1], std::numbers::pi / 4.0, 1e-10);
  EXPECT_NEAR(hamilton.end().z[0], -0.5, 1e-10);
}

TEST(Laws, VariationsHoldTheRatesOfCoordinatesNotTheSpeeds) {
  // A sleigh with its longitudinal and transverse speed: at fixed u, the row u2 = 0 contains no coordinate.
  ModelBuilder b("sleigh");
  const CoordinateId x = b.add_coordinate("x"), y = b.add_coordinate("y"), theta = b.add_coordinate("theta");
  const Term s = b.sin(b.q(theta)), c = b.cos(b.q(theta));
  const model::SpeedId u1 = b.add_speed("u1", c * b.q_dot(x) + s * b.q_dot(y));
  const model::SpeedId u2 = b.add_speed("u2", c * b.q_dot(y) - s * b.q_dot(x));
  const model::SpeedId u3 = b.add_speed("u3", b.q_dot(theta));
  b.add_lagrangian((b.q_dot(x) * b.q_dot(x) + b.q_dot(y) * b.q_dot(y) + b.q_dot(theta) * b.q_dot(theta)) / 2.0);
  const ConstraintId row = b.add_constraint("row", b.terms().speed(u2));
  vakonomic({1.0})(b, row);
  using On = model::StartCondition::On;
  for (const CoordinateId q : {x, y, theta}) {
    b.add_start({On::kCoordinate, static_cast<std::uint32_t>(q.index()), model::StartKind::kHeld, b.number(0.0), {}});
  }
  for (const auto& [u, value] : {std::pair{u1, 1.0}, std::pair{u2, 0.0}, std::pair{u3, 1.0}}) {
    b.add_start({On::kSpeed, static_cast<std::uint32_t>(u.index()), model::StartKind::kHeld, b.number(value), {}});
  }
  const sim::Trajectory run = motion(b, {1.0});
  EXPECT_NEAR(run.end().q[2], 0.584670363948355, 1e-10);
  EXPECT_NEAR(run.end().u[0], 1.385818596186339, 1e-10);
  EXPECT_NEAR(run.end().z[0], run.end().u[2], 1e-10);
}

std::unique_ptr<ModelBuilder> pendulum(const SetLaw& law, bool is_position, double bend = 0.0) {
  auto b = std::make_unique<ModelBuilder>("pendulum");
  const CoordinateId x = b->add_coordinate("x"), y = b->add_coordinate("y");
  b->add_lagrangian((b->q_dot(x) * b->q_dot(x) + b->q_dot(y) * b->q_dot(y)) / 2.0 - 9.81 * b->q(y));
  const Term scale = 1.0 + bend * (b->q(x) * b->q(x));  // integrating factor of the derivative of the relation
  const ConstraintId c = is_position
                             ? b->add_constraint("length", (b->q(x) * b->q(x) + b->q(y) * b->q(y) - 1.0) / 2.0)
                             : b->add_constraint("length", scale * (b->q(x) * b->q_dot(x) + b->q(y) * b->q_dot(y)));
  law(*b, c);
  start(*b, x, 0.8, 0.0);
  start(*b, y, -0.6, 0.0);
  return b;
}

TEST(Laws, HolonomicConstraintsMoveAlikeWhateverTheMultiplierStartsAt) {
  const sim::Trajectory expected = motion(*pendulum(ideal(), true), {2.0});
  for (const double mu : {0.0, 3.0}) {
    for (const auto& [is_position, bend] : {std::pair{true, 0.0}, std::pair{false, 0.0}, std::pair{false, 0.7}}) {
      const sim::Trajectory run = motion(*pendulum(vakonomic({mu}), is_position, bend), {2.0});
      EXPECT_LT((run.end().q - expected.end().q).norm(), 1e-10) << mu << is_position << bend;
      EXPECT_LT((run.end().u - expected.end().u).norm(), 1e-9) << mu << is_position << bend;
    }
  }
}

/// Observed order in 1/κ of the distance from a limit, from two parameter values whose ratio is ten.
double order_of(const Vector& limit, const std::function<Vector(double)>& at, double coarse) {
  return std::log10((at(coarse) - limit).norm() / (at(10.0 * coarse) - limit).norm());
}

TEST(Laws, TheFamilyBetweenTendsToTheIdealLawWithOrderOne) {
  EXPECT_NEAR(order_of(skate_end(ideal()), [](double c) { return skate_end(vakonomic({0.0}, c)); }, 1e3), 1.0, 0.05);
}

TEST(Laws, RealisationsTendToTheirLawsWithOrderOne) {
  EXPECT_NEAR(order_of(
                  skate_end(ideal()), [](double k) { return skate_end(realised(reaction_laws::viscous, k)); }, 1e3),
              1.0, 0.05);
  // The start satisfies κF(0) = 0 = μ(0).
  EXPECT_NEAR(
      order_of(
          skate_end(vakonomic({0.0})), [](double k) { return skate_end(realised(reaction_laws::inertial, k)); }, 1e3),
      1.0, 0.05);
  const Vector limit = motion(*pendulum(ideal(), true), {1.0}).end().q;
  const auto stiff = [](double k) {
    return Vector(motion(*pendulum(realised(reaction_laws::stiff, k), true), {1.0}, 1e-11).end().q);
  };
  EXPECT_LT((stiff(1e5) - limit).norm(), 30.0 * 1e-5);
  EXPECT_NEAR(order_of(limit, stiff, 1e3), 1.0, 0.3);
}

TEST(Laws, RatesOfMultipliersComeOutOfTheGeneratedSolve) {
  Skate skate = reference_skate(vakonomic({1.5}));
  const sim::Trajectory run = motion(skate.b, {0.5});
  EXPECT_EQ(run.counts.fallbacks, 0);
  EXPECT_GT(run.counts.static_solves, 0);
}

}  // namespace laws_test
}  // namespace vinculum::agreement
