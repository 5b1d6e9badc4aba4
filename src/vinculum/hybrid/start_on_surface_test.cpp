#include <gtest/gtest.h>

#include <algorithm>

#include "support/motion/test_models.hpp"

/// A mass that starts at rest on the switching surface of its force.
namespace vinculum::sim {
namespace {

using expr::Op;
using testing::run_for;
using testing::Sketch;

constexpr double kWatched = 2.0, kFine = 1e-9;

struct Begun {
  double x = 0.0;  ///< position at the end
  bool is_one_of_two = false;
};

/// x'' = upper if the comparison of 0 with x is true, otherwise lower; starts from rest at x = 0.
Begun begin_at(Op comparison, double upper, double lower) {
  Sketch s("start");
  const auto P = s.particle("p", 1.0, 1);
  const auto terms = [&](Op op, model::Term a, model::Term b, model::Term c = {}) {
    return s.builder.terms().function(op, a, b, c);
  };
  const auto holds = terms(comparison, s.number(0.0), s.dot(s.from_origin(P), s.axis(0)));
  s.builder.add_force(P, terms(Op::kSelect, holds, s.number(upper), s.number(lower)) * s.axis(0));
  s.start_all({0.0}, {0.0});
  auto dynamics = s.dynamics();
  const Trajectory run = simulate(dynamics, run_for(kWatched, kFine));
  EXPECT_FALSE(run.stopped);
  const bool is_noted = std::ranges::any_of(run.notes, [](const Note& note) { return note.kind == "start"; });
  return {run.end().q[0], is_noted};
}

TEST(StartOnSurface, LiesOnTheSideThatIsStatedForEquals) {
  const Begun at_rest = begin_at(Op::kLess, 1.0, 0.0), moving = begin_at(Op::kLessEqual, 1.0, 0.0);
  EXPECT_EQ(at_rest.x, 0.0);
  EXPECT_NEAR(moving.x, 0.5 * kWatched * kWatched, 1e-8);
}

TEST(StartOnSurface, SaysWhereAnotherMotionBegins) {
  EXPECT_TRUE(begin_at(Op::kLess, 1.0, 0.0).is_one_of_two);
  EXPECT_TRUE(begin_at(Op::kLess, 1.0, -1.0).is_one_of_two);
  EXPECT_TRUE(begin_at(Op::kLessEqual, 1.0, -1.0).is_one_of_two);
}

TEST(StartOnSurface, SaysNothingWhereOnlyOneDoes) {
  EXPECT_FALSE(begin_at(Op::kLessEqual, 1.0, 0.0).is_one_of_two) << "on the other side nothing moves away";
  EXPECT_FALSE(begin_at(Op::kLess, 2.0, 1.0).is_one_of_two);
  EXPECT_FALSE(begin_at(Op::kLess, -1.0, -2.0).is_one_of_two);
  EXPECT_NEAR(begin_at(Op::kLess, 2.0, 1.0).x, kWatched * kWatched, 1e-8) << "through to the other side at once";
}

}  // namespace
}  // namespace vinculum::sim
