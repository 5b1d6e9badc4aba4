#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numbers>
#include <utility>
#include <vector>

#include "vinculum/model/builder.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/reaction_laws/laws.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/invariants/invariants.hpp"

/// Systems whose reaction laws are set by tests, and their motions.
namespace vinculum::agreement {

using model::ConstraintId;
using model::CoordinateId;
using model::Model;
using model::ModelBuilder;
using model::StateId;
using model::Term;

/// Sets the reaction law of a constraint.
using SetLaw = std::function<void(ModelBuilder&, ConstraintId)>;

inline SetLaw ideal() {
  return [](ModelBuilder&, ConstraintId) {};
}
inline SetLaw vakonomic(std::vector<double> mu, double c = 0.0) {
  return [mu, c](ModelBuilder& b, ConstraintId id) {
    std::vector<Term> starts;
    for (const double one : mu) starts.push_back(b.number(one));
    reaction_laws::set_vakonomic(b, id, starts, c > 0.0 ? b.number(c) : Term{});
  };
}
/// A penalty law as a function of its parameter: reaction_laws::stiff, viscous or inertial.
using Realisation = reaction_laws::LawPtr (*)(Term kappa);
inline SetLaw realised(Realisation by, double kappa) {
  return [by, kappa](ModelBuilder& b, ConstraintId id) { b.set_law(id, by(b.number(kappa))); };
}

inline void start(ModelBuilder& b, CoordinateId q, double value, double rate) {
  using On = model::StartCondition::On;
  const auto index = static_cast<std::uint32_t>(q.index());
  b.add_start({On::kCoordinate, index, model::StartKind::kHeld, b.number(value), {}});
  b.add_start({On::kCoordinateRate, index, model::StartKind::kHeld, b.number(rate), {}});
}

inline sim::Dynamics dynamics_of(ModelBuilder& b) {
  auto model = b.finish();
  EXPECT_TRUE(model);
  sim::CompileSettings settings;
  settings.conserved_judge = sim::judge_conserved;
  settings.codegen.backend = codegen::Backend::kTape;
  auto bound = sim::compile_model(*model, settings);
  EXPECT_TRUE(bound) << (bound ? "" : bound.error().message);
  return sim::Dynamics(*bound);
}

inline sim::Trajectory motion(ModelBuilder& b, std::vector<double> times, double tolerance = 1e-12,
                              equations::Formulation formulation = equations::Formulation::kExplicit) {
  sim::Dynamics dynamics = dynamics_of(b);
  sim::SimulateOptions options;
  options.duration = times.back();
  options.sample_times = std::move(times);
  options.tolerance = tolerance;
  options.formulation = formulation;
  sim::Trajectory run = sim::simulate(dynamics, options);
  EXPECT_FALSE(run.stopped) << (run.stopped ? run.stopped->message : "");
  return run;
}

/// Adds outputs: the components of the complete reaction along the speeds, followed by the effective energy.
inline void add_reaction_outputs(ModelBuilder& b, ConstraintId c) {
  EXPECT_FALSE(b.complete_speeds());
  for (std::size_t k = 0; k < b.model().speeds.size(); ++k) {
    b.add_output("R" + std::to_string(k), b.terms().generalized_force(c, model::SpeedId(k)));
  }
  b.add_output("E_eff", model::effective_energy(b.model()));
}

/// A skate on an incline.
struct Skate {
  ModelBuilder b{"skate"};
  CoordinateId x, y, theta;
  ConstraintId c;
  Skate(const SetLaw& law, double m, double J, double weight, double th0, double Om0, double v0) {
    x = b.add_coordinate("x"), y = b.add_coordinate("y"), theta = b.add_coordinate("theta");
    const Term vx = b.q_dot(x), vy = b.q_dot(y), w = b.q_dot(theta);
    b.add_lagrangian(m / 2.0 * (vx * vx + vy * vy) + J / 2.0 * (w * w) + weight * b.q(x));
    c = b.add_constraint("c", b.sin(b.q(theta)) * vx - b.cos(b.q(theta)) * vy);
    law(b, c);
    start(b, x, 0.0, v0 * std::cos(th0));
    start(b, y, 0.0, v0 * std::sin(th0));
    start(b, theta, th0, Om0);
  }
};

inline const nlohmann::json& reference() {
  static const nlohmann::json all =
      nlohmann::json::parse(std::ifstream(VINCULUM_SOURCE "/tests/reference/vakonomic.json"));
  return all;
}
inline double number(const nlohmann::json& text) { return std::stod(text.get<std::string>()); }

inline Skate reference_skate(const SetLaw& law) {
  const auto& p = reference().at("skate_dAlembert").at("params");
  const double m = number(p.at("m"));
  const double weight = m * number(p.at("g")) * std::sin(number(p.at("incl_deg")) * std::numbers::pi / 180.0);
  return Skate(law, m, number(p.at("J")), weight, number(p.at("th0")), number(p.at("Om0")), number(p.at("v0")));
}

inline Vector skate_end(const SetLaw& law, double duration = 0.5) {
  Skate skate = reference_skate(law);
  return motion(skate.b, {duration}, 1e-11).end().q;
}

}  // namespace vinculum::agreement
