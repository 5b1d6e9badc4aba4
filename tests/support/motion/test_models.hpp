#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "vinculum/model/builder.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/invariants/invariants.hpp"

/// Models built by program that several tests of this module share. Numbers have no units.
namespace vinculum::sim::testing {

using model::ModelBuilder;
using model::StartCondition;
using model::StartKind;
using model::Term;

/// Builder of particles in the plane or in space with Cartesian coordinates, with short functions for start
/// conditions.
class Sketch {
 public:
  explicit Sketch(const std::string& name = "sketch") : builder(name) {
    origin = builder.add_fixed_point("O", frame());
  }

  static model::FrameId frame() { return model::Model::newtonian(); }
  Term axis(int i) { return builder.axis(frame(), i); }
  Term number(double x) { return builder.number(x); }
  model::CoordinateId coordinate(const std::string& name) { return builder.add_coordinate(name); }

  /// A particle at O + Σ coordinate_i axis_i with new coordinates NAMEx, NAMEy(, NAMEz).
  model::PointId particle(const std::string& name, double mass, int dimensions) {
    Term offset = builder.terms().zero_vector();
    for (int i = 0; i < dimensions; ++i) {
      const auto q = coordinate(name + std::string(1, "xyz"[i]));
      coordinates.push_back(q);
      offset = offset + builder.q(q) * axis(i);
    }
    return builder.point_of(builder.add_particle(name, number(mass), origin, offset));
  }
  Term square(Term vector) { return builder.terms().dot(vector, vector); }
  Term dot(Term a, Term b) { return builder.terms().dot(a, b); }
  Term from_origin(model::PointId point) { return builder.pos(point, origin); }

  void start(model::CoordinateId q, double value, StartKind kind = StartKind::kHeld) {
    builder.add_start({StartCondition::On::kCoordinate, q.value, kind, number(value), {}});
  }
  void start_rate(model::CoordinateId q, double value, StartKind kind = StartKind::kHeld) {
    builder.add_start({StartCondition::On::kCoordinateRate, q.value, kind, number(value), {}});
  }
  /// Start values for all coordinates made so far, then for their rates.
  void start_all(const std::vector<double>& q, const std::vector<double>& q_dot, StartKind kind = StartKind::kHeld) {
    for (std::size_t i = 0; i < q.size(); ++i) start(model::CoordinateId(i), q[i], kind);
    for (std::size_t i = 0; i < q_dot.size(); ++i) start_rate(model::CoordinateId(i), q_dot[i], kind);
  }

  std::shared_ptr<const model::Model> finish() {
    auto model = builder.finish();
    if (!model) throw std::runtime_error(model.error().message);
    return *model;
  }
  Outcome<std::shared_ptr<const Binding>> try_compile() {
    CompileSettings settings;
    settings.conserved_judge = judge_conserved;
    settings.codegen.backend = codegen::Backend::kTape;
    return compile_model(finish(), settings);
  }
  Dynamics dynamics() {
    auto bound = try_compile();
    if (!bound) throw std::runtime_error(bound.error().message);
    return Dynamics(*bound);
  }

  ModelBuilder builder;
  model::PointId origin;
  std::vector<model::CoordinateId> coordinates;
};

inline SimulateOptions run_for(double duration, double tolerance, std::vector<double> times = {}) {
  SimulateOptions options;
  options.duration = duration;
  options.tolerance = tolerance;
  options.sample_times = std::move(times);
  return options;
}

inline std::string reason(const Trajectory& trajectory) {
  return trajectory.stopped ? trajectory.stopped->message : std::string("the run reached its end");
}

inline FailureKind kind_of(const Trajectory& trajectory) {
  EXPECT_TRUE(trajectory.stopped.has_value());
  return trajectory.stopped ? trajectory.stopped->kind : FailureKind::kNonFinite;
}

/// Two pucks of mass 1 and 2 with forces along x and parallel velocities ([R] Example 3).
inline Sketch parallel_pucks() {
  Sketch s("parallel_pucks");
  const auto P1 = s.particle("a", 1.0, 2);
  const auto P2 = s.particle("b", 2.0, 2);
  s.builder.add_force(P1, s.number(0.3) * s.axis(0));
  s.builder.add_force(P2, s.number(0.7) * s.axis(0));
  const Term turned = s.builder.terms().cross(s.axis(2), s.builder.vel(P1));
  s.builder.add_constraint("parallel", s.dot(s.builder.vel(P2), turned));
  s.start_all({0.0, 1.0, 1.0, 0.0}, {0.25, 1.0, 1.0, 4.0});
  return s;
}

/// A double pendulum in Cartesian coordinates; each rod is stated `copies` times with factors 1, −2.5, 0.4, …
inline Sketch double_pendulum(int copies, double tilt = 0.1) {
  Sketch s("double_pendulum");
  const auto P1 = s.particle("a", 1.0, 2);
  const auto P2 = s.particle("b", 1.5, 2);
  s.builder.add_gravity(s.number(-9.81) * s.axis(1));
  const double factors[] = {1.0, -2.5, 0.4};
  for (int i = 0; i < copies; ++i) {
    const Term factor = s.number(factors[i]);
    s.builder.add_constraint("upper" + std::to_string(i), factor * (s.square(s.from_origin(P1)) - s.number(1.0)));
    s.builder.add_constraint("lower" + std::to_string(i), factor * (s.square(s.builder.pos(P2, P1)) - s.number(0.64)));
  }
  const double x1 = std::sin(tilt), y1 = -std::cos(tilt);
  s.start_all({x1, y1, x1, y1 - 0.8}, {0.0, 0.0, 0.0, 0.0}, StartKind::kGuess);
  return s;
}

/// Parallelogram of two particles of unequal mass on cranks of length 1, connected by a rod of length 2.
/// \param angle  of the cranks, \param rate  of both cranks.
inline Sketch four_bar(double angle, double rate) {
  Sketch s("four_bar");
  const auto B = s.builder.add_point("B", s.origin, s.number(2.0) * s.axis(0));
  const auto P = s.particle("p", 1.0, 2);
  const auto Q = s.particle("q", 2.0, 2);
  s.builder.add_gravity(s.number(-1.0) * s.axis(1));
  s.builder.add_constraint("left", s.square(s.from_origin(P)) - s.number(1.0));
  s.builder.add_constraint("right", s.square(s.builder.pos(Q, B)) - s.number(1.0));
  s.builder.add_constraint("rod", s.square(s.builder.pos(Q, P)) - s.number(4.0));
  const double c = std::cos(angle), d = std::sin(angle);
  s.start_all({c, d, 2.0 + c, d}, {-rate * d, rate * c, -rate * d, rate * c}, StartKind::kGuess);
  return s;
}

}  // namespace vinculum::sim::testing
