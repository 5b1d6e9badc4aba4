#pragma once

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/model/builder.hpp"
#include "vinculum/model/evaluate.hpp"

/// Small mechanical systems and random motions of them, for the tests of this module.
namespace vinculum::equations::testing {

using model::FrameId;
using model::Model;
using model::ModelBuilder;
using model::PointId;
using model::Term;

enum class Speeds { kDefault, kStated };

struct Sample {
  std::string name;
  std::function<std::shared_ptr<const Model>(Speeds)> build;
};

inline std::shared_ptr<const Model> finished(ModelBuilder& builder) { return *builder.finish(); }

/// Two links on turned frames, with gravity and a damped spring from the origin to the second particle.
inline std::shared_ptr<const Model> double_pendulum(Speeds speeds) {
  ModelBuilder b("double_pendulum");
  const FrameId N = Model::newtonian();
  const auto q1 = b.add_coordinate("q1"), q2 = b.add_coordinate("q2");
  const Term l = b.parameter(b.add_parameter("l", 0.8)), m = b.parameter(b.add_parameter("m", 1.3));
  const FrameId A = b.add_rotated_frame("A", N, b.q(q1), 2), B = b.add_rotated_frame("B", A, b.q(q2), 2);
  const PointId O = b.add_fixed_point("O", N);
  const PointId P1 = b.point_of(b.add_particle("P1", m, O, l * b.axis(A, 0)));
  const PointId P2 = b.point_of(b.add_particle("P2", b.number(0.6), P1, 1.1 * b.axis(B, 0)));
  if (speeds == Speeds::kStated) {
    b.add_speed("w", b.terms().dot(b.terms().angular_velocity(B, N), b.axis(N, 2)));
    b.add_speed("v", l * b.q_dot(q1) + b.time());
  }
  b.add_gravity(9.81 * b.axis(N, 0));
  b.add_spring(P2, O, b.number(4.0), b.number(0.7), b.number(0.2));
  b.add_force(P1, 0.5 * b.axis(B, 1), P2);
  b.add_generalized_force(q2, -0.3 * b.q_dot(q2));
  return finished(b);
}

/// A particle on a rod that slides along N.x and turns; with a potential in coordinates.
inline std::shared_ptr<const Model> sliding_rod(Speeds speeds) {
  ModelBuilder b("sliding_rod");
  const FrameId N = Model::newtonian();
  const auto s = b.add_coordinate("s"), a = b.add_coordinate("a"), r = b.add_coordinate("r");
  const FrameId R = b.add_rotated_frame("R", N, b.q(a), 1);
  const PointId O = b.add_fixed_point("O", N);
  const PointId foot = b.point_of(b.add_particle("foot", b.number(0.4), O, b.q(s) * b.axis(N, 0)));
  const PointId bead = b.point_of(b.add_particle("bead", b.number(1.2), foot, b.q(r) * b.axis(R, 0)));
  if (speeds == Speeds::kStated) {
    b.add_speed("u1", b.terms().dot(b.vel(bead), b.axis(R, 0)));
    b.add_speed("u2", b.terms().dot(b.vel(bead), b.axis(R, 2)));
  }
  b.add_gravity(-9.81 * b.axis(N, 2));
  b.add_potential(1.5 * b.q(s) * b.q(s) + b.cos(b.q(a)) * b.q(r));
  return finished(b);
}

/// A bead on a hoop that turns at a constant rate about the vertical (rheonomic).
inline std::shared_ptr<const Model> hoop_bead(Speeds speeds) {
  ModelBuilder b("hoop_bead");
  const FrameId N = Model::newtonian();
  const auto q = b.add_coordinate("q");
  const FrameId H = b.add_rotated_frame("H", N, 3.0 * b.time(), 2);
  const PointId O = b.add_fixed_point("O", N);
  const PointId P = b.point_of(
      b.add_particle("P", b.number(0.7), O, 0.9 * (b.sin(b.q(q)) * b.axis(H, 0) - b.cos(b.q(q)) * b.axis(H, 2))));
  if (speeds == Speeds::kStated)
    b.add_speed("u", b.terms().dot(b.vel(P), b.axis(H, 0)) + b.terms().dot(b.vel(P), b.axis(N, 1)));
  b.add_gravity(-9.81 * b.axis(N, 2));
  return finished(b);
}

/// A spherical pendulum on two turned frames, the first about an inclined direction, with an observer's frame that
/// drifts.
inline std::shared_ptr<const Model> spherical_pendulum(Speeds speeds) {
  ModelBuilder b("spherical_pendulum");
  const FrameId N = Model::newtonian();
  const auto yaw = b.add_coordinate("yaw"), lean = b.add_coordinate("lean"), z = b.add_coordinate("z");
  const FrameId A = b.add_rotated_frame("A", N, b.q(yaw) + 0.2 * b.time(), b.axis(N, 2) + 0.3 * b.axis(N, 0));
  const FrameId L = b.add_frame("L", A, {{0, Term{}, b.q(lean)}, {1, Term{}, b.number(0.3)}});
  const PointId O = b.add_fixed_point("O", N);
  const PointId C = b.add_point("C", O, b.q(z) * b.axis(N, 2));
  const PointId P = b.point_of(b.add_particle("P", b.number(1.0), C, 1.4 * b.axis(L, 2)));
  const PointId Q = b.point_of(b.add_particle("Q", b.number(0.5), C, -0.6 * b.axis(L, 1) + b.q(z) * b.axis(A, 0)));
  if (speeds == Speeds::kStated) {
    b.add_speed("wx", b.terms().dot(b.terms().angular_velocity(L, N), b.axis(L, 0)));
    b.add_speed("wz", b.terms().dot(b.terms().angular_velocity(L, N), b.axis(A, 2)) + 0.1 * b.q_dot(z));
  }
  b.add_gravity(-9.81 * b.axis(N, 2) + 0.5 * b.time() * b.axis(N, 1));
  b.add_spring(P, Q, b.number(2.0), b.number(0.4));
  return finished(b);
}

inline std::vector<Sample> samples() {
  return {{"double_pendulum", double_pendulum},
          {"sliding_rod", sliding_rod},
          {"hoop_bead", hoop_bead},
          {"spherical_pendulum", spherical_pendulum}};
}

inline model::Instant random_instant(const Model& model, std::mt19937_64& generator) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  model::Instant at;
  at.t = uniform(generator);
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    at.q.push_back(0.9 + uniform(generator));
    at.q_dot.push_back(2.0 * uniform(generator));
    at.q_ddot.push_back(3.0 * uniform(generator));
  }
  for (const model::Constraint& constraint : model.constraints) {
    at.lambda.emplace_back();
    at.lambda_ideal.emplace_back();
    for (std::size_t k = 0; k < constraint.rows.size(); ++k) {
      at.lambda.back().push_back(uniform(generator));
      at.lambda_ideal.back().push_back(uniform(generator));
    }
  }
  return at;
}

/// A system at one instant of a motion; u and u' follow from the definitions of the speeds.
class SystemAt {
 public:
  SystemAt(const System& system, const model::Instant& at) {
    model::TermValues values(*system.model, at);
    const auto set = [this](const std::vector<expr::Expr>& symbols, const std::vector<double>& numbers) {
      symbols_.insert(symbols_.end(), symbols.begin(), symbols.end());
      numbers_.insert(numbers_.end(), numbers.begin(), numbers.end());
    };
    for (const model::Speed& speed : system.model->speeds) {
      const model::Jet jet = values.scalar(speed.definition);
      u.push_back(jet.value);
      u_dot.push_back(jet.rate);
    }
    std::vector<double> parameters, lambda, lambda_ideal;
    for (const model::Parameter& parameter : system.model->parameters) parameters.push_back(parameter.value);
    for (const auto& rows : at.lambda) lambda.insert(lambda.end(), rows.begin(), rows.end());
    for (const auto& rows : at.lambda_ideal) lambda_ideal.insert(lambda_ideal.end(), rows.begin(), rows.end());
    set({system.t}, {at.t});
    set(system.q, at.q);
    set(system.u, u);
    set(system.u_dot, u_dot);
    set(system.parameters, parameters);
    set(system.lambda, lambda);
    set(system.lambda_ideal, lambda_ideal);
  }

  [[nodiscard]] std::vector<double> values(std::span<const expr::Expr> expressions) const {
    return expr::interpret(expressions, symbols_, numbers_);
  }
  [[nodiscard]] double value(expr::Expr expression) const { return values({&expression, 1})[0]; }

  std::vector<double> u, u_dot;

 private:
  std::vector<expr::Expr> symbols_;
  std::vector<double> numbers_;
};

}  // namespace vinculum::equations::testing
