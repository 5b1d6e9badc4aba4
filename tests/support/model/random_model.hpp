#pragma once

#include <random>
#include <string>
#include <vector>

#include "vinculum/model/builder.hpp"
#include "vinculum/model/evaluate.hpp"

/// Random models with everything that can be stated about frames and points, for tests against independent
/// computations.
namespace vinculum::model::testing {

/// Frames turned by angles, by several rotations, by time and by quaternions, some with bodies; massless points,
/// points of bodies, points that move over bodies, particles. Each is offset from existing things.
class RandomModel {
 public:
  explicit RandomModel(unsigned seed) : generator_(seed), builder("random") {
    frames.push_back(Model::newtonian());
    points.push_back(builder.add_fixed_point("O", Model::newtonian()));
    for (int i = 0; i < 4; ++i) add_frame(i);
    for (int i = 0; i < 9; ++i) add_point(i);
  }

 private:
  std::mt19937_64 generator_;

 public:
  ModelBuilder builder;
  std::vector<FrameId> frames;
  std::vector<PointId> points;
  std::vector<BodyId> bodies;

  [[nodiscard]] const Model& model() const { return builder.model(); }
  double uniform() { return std::uniform_real_distribution<double>(-1.0, 1.0)(generator_); }
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(generator_); }
  FrameId frame() { return frames[below(frames.size())]; }
  PointId point() { return points[below(points.size())]; }
  Term basis() { return builder.axis(frame(), static_cast<int>(below(3))); }
  Term number() { return builder.number(uniform()); }

  Term angle() {
    const Term q = builder.q(coordinate());
    switch (below(4)) {
      case 0: return q + 0.6 * builder.time();
      case 1: return builder.sin(q) + 0.3 * q;
      default: return q;
    }
  }

  Instant instant() {
    Instant at;
    at.t = uniform();
    for (std::size_t i = 0; i < model().coordinates.size(); ++i) {
      at.q.push_back(uniform());
      at.q_dot.push_back(uniform());
      at.q_ddot.push_back(uniform());
    }
    return at;
  }

 private:
  CoordinateId coordinate() { return builder.add_coordinate("q" + std::to_string(model().coordinates.size())); }

  void add_frame(int i) {
    const std::string name = "F" + std::to_string(i);
    const FrameId parent = frame();
    FrameId made;
    switch (below(4)) {
      case 0: {
        std::array<CoordinateId, 4> e;
        for (CoordinateId& q : e) q = coordinate();
        made = builder.add_quaternion_frame(name, parent, e);
        break;
      }
      case 1:
        made = builder.add_rotated_frame(name, parent, angle(),
                                         builder.axis(parent, 0) + number() * builder.axis(parent, 2));
        break;
      case 2: made = builder.add_frame(name, parent, {{2, Term{}, angle()}, {0, Term{}, angle()}}); break;
      default: made = builder.add_rotated_frame(name, parent, angle(), static_cast<int>(below(3))); break;
    }
    frames.push_back(made);
    if (i == 0 || below(3) != 0) {
      const std::array<Term, 6> I{builder.number(1.4), builder.number(1.7), builder.number(1.2),
                                  0.1 * number(),      0.1 * number(),      0.1 * number()};
      bodies.push_back(builder.add_body("B" + std::to_string(i), made, builder.number(1.5 + uniform()),
                                        {I[0], I[1], I[2], I[3], I[4], I[5]}, point(), offset()));
      points.push_back(builder.center_of(bodies.back()));
    }
  }

  Term offset() {
    Term sum = number() * basis() + number() * basis();
    if (below(2) == 0) sum = sum + builder.q(coordinate()) * basis();
    if (below(6) == 0) sum = sum + 0.3 * builder.time() * basis();
    if (below(4) == 0) sum = sum + 0.5 * builder.pos(point(), point());
    return sum;
  }

  void add_point(int i) {
    const std::string name = "P" + std::to_string(i);
    switch (below(4)) {
      case 0:
        points.push_back(builder.point_of(builder.add_particle(name, builder.number(1.0), point(), offset())));
        break;
      case 1: points.push_back(builder.add_point_on(name, frame(), point(), offset())); break;
      case 2: {  // fixed in a body
        const BodyId body = bodies[below(bodies.size())];
        const FrameId B = builder.frame_of(body);
        const Term arm = number() * builder.axis(B, 0) + number() * builder.axis(B, 1);
        points.push_back(builder.add_point(name, builder.center_of(body), arm));
        break;
      }
      default: points.push_back(builder.add_point(name, point(), offset())); break;
    }
  }
};

}  // namespace vinculum::model::testing
