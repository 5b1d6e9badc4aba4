#include "vinculum/run/expectations.hpp"

#include <gtest/gtest.h>

#include "support/motion/test_models.hpp"

namespace vinculum::sim {
namespace {

using model::Expectation;
using testing::Sketch;
using testing::Term;

/// A particle that falls from rest for two seconds: z = −t²/2.
struct Fall : Sketch {
  Fall() {
    particle("p", 1.0, 1);
    builder.add_gravity(number(-1.0) * axis(0));
    start_all({0.0}, {0.0});
    builder.model().run = model::RunSettings{2.0, {}, {}, 1e-10, "dop853", "explicit", {}};
  }
  Term x() { return builder.q(coordinates[0]); }
  void expect(Expectation::When when, Term left, Term right, double tolerance, double time = 0.0) {
    Expectation expectation{};
    expectation.when = when;
    expectation.time = time;
    expectation.left = left;
    expectation.right = right;
    expectation.tolerance = tolerance;
    expectation.text = "expectation " + std::to_string(builder.model().expectations.size());
    builder.model().expectations.push_back(expectation);
  }
  void expect_stop(const std::string& kind, double time, double tolerance) {
    Expectation expectation{};
    expectation.when = Expectation::When::kStop;
    expectation.stop_kind = kind;
    expectation.has_time = tolerance > 0.0;
    expectation.time = time;
    expectation.tolerance = tolerance;
    builder.model().expectations.push_back(expectation);
  }
  Term less(Term a, Term b) { return builder.terms().function(expr::Op::kLess, a, b); }
  CheckedRun judge() {
    auto made = dynamics();
    return run_with_expectations(made, options_of(*made.binding()->model));
  }
};

TEST(Expectations, SayWhatIsWrongInTheirOwnRelation) {
  using When = Expectation::When;
  Fall s;
  s.expect(When::kEnd, s.less(s.x(), s.number(-3.0)), {}, 0.0);
  s.expect(When::kEnd, s.less(s.number(1.0), s.x()), {}, 0.0);
  s.expect(When::kEnd, s.x(), s.number(-1.5), 0.25);
  const CheckedRun run = s.judge();
  EXPECT_EQ(run.results[0].note, "-2 is not < -3 at t = 2 s");
  EXPECT_EQ(run.results[1].note, "-2 is not > 1 at t = 2 s");
  EXPECT_EQ(run.results[2].note, "found -2 instead of -1.5, off by 0.5 (allowed: 0.25) at t = 2 s");
}

TEST(Expectations, ThatHeldUntilTheRunEndedEarlySaySo) {
  Fall s;
  s.builder.add_output("root", s.builder.terms().function(expr::Op::kSquareRoot, s.x() + s.number(0.7)));
  s.expect(Expectation::When::kAlways, s.less(s.x(), s.number(1.0)), {}, 0.0);
  const CheckedRun run = s.judge();
  ASSERT_TRUE(run.trajectory.stopped);
  EXPECT_FALSE(run.results[0].passed);
  EXPECT_EQ(run.results[0].note.find("it was true until the run ended early with non-finite"), 0u)
      << run.results[0].note;
}

TEST(Expectations, AreJudgedWhereTheySay) {
  using When = Expectation::When;
  Fall s;
  s.expect(When::kStart, s.x(), s.number(0.0), 0.0);
  s.expect(When::kAt, s.x(), s.number(-0.5), 1e-12, 1.0);
  s.expect(When::kEnd, s.x(), s.number(-2.0), 1e-12);
  s.expect(When::kEnd, s.x(), s.number(-2.1), 0.05);
  s.expect(When::kAt, s.x(), s.number(-0.5), 1e-3, 1.01);
  const CheckedRun run = s.judge();
  ASSERT_EQ(run.results.size(), 5u);
  EXPECT_TRUE(run.results[0].passed);
  EXPECT_TRUE(run.results[1].passed) << run.results[1].note;
  EXPECT_EQ(run.results[1].t, 1.0);
  EXPECT_TRUE(run.results[2].passed) << run.results[2].note;
  EXPECT_FALSE(run.results[3].passed);
  EXPECT_NEAR(run.results[3].deviation, 0.1, 1e-12);
  EXPECT_NEAR(run.results[3].value[0], -2.0, 1e-12);
  EXPECT_EQ(run.results[3].expected[0], -2.1);
  EXPECT_FALSE(run.results[3].note.empty());
  EXPECT_FALSE(run.results[4].passed);
}

TEST(Expectations, AtAllTimesFindTheWorstOne) {
  using When = Expectation::When;
  Fall s;
  s.expect(When::kAlways, s.less(s.x(), s.number(0.1)), {}, 0.0);
  s.expect(When::kAlways, s.less(s.number(-1.9), s.x()), {}, 0.0);  // x > −1.9 fails at the end
  s.expect(When::kAlways, s.x(), s.number(-0.5) * s.builder.time() * s.builder.time(), 1e-12);
  s.expect(When::kAlways, s.x(), s.number(-1.0), 1.5);
  const CheckedRun run = s.judge();
  ASSERT_EQ(run.results.size(), 4u);
  EXPECT_TRUE(run.results[0].passed);
  EXPECT_NEAR(run.results[0].deviation, -0.1, 1e-12);
  EXPECT_FALSE(run.results[1].passed);
  EXPECT_NEAR(run.results[1].deviation, 0.1, 1e-12);
  EXPECT_NEAR(run.results[1].value[0], -2.0, 1e-12);
  EXPECT_EQ(run.results[1].t, 2.0);
  EXPECT_TRUE(run.results[2].passed) << run.results[2].note;
  EXPECT_TRUE(run.results[3].passed);
  EXPECT_NEAR(run.results[3].deviation, 1.0, 1e-12);
}

/// Conditions on a quantity that misses its bound by the fraction `excess` of its size; the run has tolerance 1e-10.
struct Bounds : Fall {
  Bounds(double excess, double size) : bound(-2.0 * size * (1.0 - excess)) {
    builder.model().expectations.clear();
    const Term scaled = number(size) * x();
    const auto of = [&](expr::Op op, Term a, Term b) { return builder.terms().function(op, a, b); };
    const Term meets = of(expr::Op::kLessEqual, number(bound), scaled), is_below = less(scaled, number(bound));
    const Term is_small = less(x(), number(1.0));
    for (const Term condition :
         {meets, of(expr::Op::kAnd, is_small, meets), of(expr::Op::kOr, less(number(1.0), x()), meets),
          builder.terms().function(expr::Op::kNot, is_below), less(number(bound), scaled)})
      expect(Expectation::When::kAlways, condition, {}, 0.0);
    expect(Expectation::When::kEnd, meets, {}, 0.0);
  }
  double bound;
};

TEST(Expectations, OfABoundPermitADifferenceWithinTheAccuracyOfTheRun) {
  for (const double size : {1e-9, 1.0, 1e9}) {
    const CheckedRun close = Bounds(1e-11, size).judge(), off = Bounds(1e-9, size).judge();
    for (std::size_t i = 0; i < close.results.size(); ++i) {
      const bool is_strict = i == 4;
      EXPECT_EQ(close.results[i].passed, !is_strict) << i << " at size " << size << ": " << close.results[i].note;
      EXPECT_FALSE(off.results[i].passed) << i << " at size " << size;
    }
  }
}

TEST(Expectations, OutsideTheRunFailWithAReason) {
  Fall s;
  s.expect(Expectation::When::kAt, s.x(), s.number(0.0), 1e9, 3.0);
  const CheckedRun run = s.judge();
  EXPECT_FALSE(run.results[0].passed);
  EXPECT_FALSE(run.results[0].evaluated);
  EXPECT_FALSE(run.results[0].note.empty());
}

TEST(Expectations, OfANumberThatIsNoneFail) {
  Fall s;
  const Term root = s.builder.terms().function(expr::Op::kSquareRoot, s.x() - s.number(1.0));
  s.expect(Expectation::When::kEnd, root, s.number(0.0), 1e9);
  s.expect(Expectation::When::kAlways, s.less(root, s.number(1.0)), {}, 0.0);
  const CheckedRun run = s.judge();
  EXPECT_FALSE(run.results[0].passed);
  EXPECT_FALSE(run.results[1].passed);
}

TEST(Expectations, OfAStopPassWhereTheRunStopsSo) {
  // The square root in the force is not defined for x < −0.5, so the run ends there, at t near 1.
  using When = Expectation::When;
  const auto model = [](const std::string& kind, double tolerance) {
    Fall s;
    const Term root = s.builder.terms().function(expr::Op::kSquareRoot, s.x() + s.number(0.5));
    s.builder.add_force(model::PointId(std::size_t{1}), s.number(1e-9) * root * s.axis(0));
    s.expect_stop(kind, 1.0, tolerance);
    s.expect(When::kAt, s.x(), s.number(-0.125), 1e-6, 0.5);
    s.expect(When::kAt, s.x(), s.number(-1.125), 1e-6, 1.5);
    return s.judge();
  };
  const CheckedRun right = model("non-finite", 1e-3);
  EXPECT_TRUE(right.results[0].passed) << right.results[0].note;
  EXPECT_TRUE(right.results[1].passed) << right.results[1].note;
  EXPECT_FALSE(right.results[2].passed);
  EXPECT_FALSE(right.results[2].evaluated);
  EXPECT_NE(right.results[2].note.find("non-finite"), std::string::npos);
  EXPECT_FALSE(model("rank-drop", 0.0).results[0].passed);
  Fall goes_on;
  goes_on.expect_stop("non-finite", 0.0, 0.0);
  EXPECT_FALSE(goes_on.judge().results[0].passed);
}

TEST(Expectations, AtTheEndFailWhereTheRunNeverGotThere) {
  Fall s;
  const Term root = s.builder.terms().function(expr::Op::kSquareRoot, s.x() + s.number(0.5));
  s.builder.add_force(model::PointId(std::size_t{1}), s.number(1e-9) * root * s.axis(0));
  s.expect(Expectation::When::kEnd, s.x(), s.number(0.0), 1e9);
  s.expect(Expectation::When::kAlways, s.x(), s.number(0.0), 1e9);
  const CheckedRun run = s.judge();
  EXPECT_FALSE(run.results[0].passed);
  EXPECT_FALSE(run.results[1].passed);
}

}  // namespace
}  // namespace vinculum::sim
