// Conditions of events with poles, without a value, of several non-smooth functions, and of equality.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum::sim {
namespace event_guards_test {

constexpr double kPi = std::numbers::pi;

constexpr const char* kParticle =
    "model m\nframe N newtonian\npoint O fixed in N\ncoord x\nparticle P mass 1 at O + x*N.x\n";

Trajectory run_of(const std::string& text) {
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  Dynamics dynamics(bound);
  SimulateOptions options = options_of(*bound->compiled->model);
  options.tolerance = 1e-11;
  return simulate(dynamics, options);
}

using Value = std::function<double(double t)>;

/// Instants at which an event `g = 0` of one direction happened.
std::vector<double> times_of(const Trajectory& run, const std::string& event) {
  std::vector<double> times;
  for (const Mark& mark : run.all<Mark>())
    if (mark.event == event) times.push_back(mark.t);
  return times;
}

/// Instants at which the truth of 0 < g(t) changes, by dense samples and bisection.
std::vector<double> changes_of(const Value& g, double duration, bool rises) {
  constexpr int kSamples = 20011;
  std::vector<double> times;
  for (int i = 0; i + 1 < kSamples; ++i) {
    double before = duration * i / (kSamples - 1), after = duration * (i + 1) / (kSamples - 1);
    const bool was = g(before) > 0.0;
    if (was == (g(after) > 0.0) || was == rises) continue;
    for (int halving = 0; halving < 60; ++halving) {
      const double middle = 0.5 * (before + after);
      ((g(middle) > 0.0) == was ? before : after) = middle;
    }
    times.push_back(after);
  }
  return times;
}

/// Compares the events `up` and `down` of a guard with its changes of sign.
void expect_changes(const Trajectory& run, const std::string& name, const Value& g, double duration,
                    const std::string& of) {
  for (const bool rises : {true, false}) {
    const std::vector<double> found = times_of(run, name + (rises ? "_up" : "_down"));
    const std::vector<double> expected = changes_of(g, duration, rises);
    ASSERT_EQ(found.size(), expected.size()) << of << (rises ? ", rising" : ", falling");
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-8) << of;
  }
}

void expect_near(const std::vector<double>& times, const std::vector<double>& expected) {
  ASSERT_EQ(times.size(), expected.size());
  for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], expected[i], 1e-9);
}

std::string events_of(const std::string& name, const std::string& guard) {
  return fmt::format("event {0}_up: {1} = 0 rising record\nevent {0}_down: {1} = 0 falling record\n", name, guard);
}

/// x = x0 + t. A sign changes through zeros and through poles of odd order. A denominator that only touches 0, or that
/// keeps its sign, changes none.
TEST(Guard, ChangesItsSignAtPoles) {
  struct Guard {
    std::string text;
    double start, duration;
    Value of_x;
  };
  const std::vector<Guard> guards = {
      {"1/(x - 0.5)", 0.0, 2.0, [](double x) { return 1.0 / (x - 0.5); }},
      {"1/(0.5 - x)", 0.0, 1.0, [](double x) { return 1.0 / (0.5 - x); }},
      {"(x - 1)/(x - 0.5)/(x - 2)", 0.0, 3.0, [](double x) { return (x - 1.0) / (x - 0.5) / (x - 2.0); }},
      {"1/(x - 0.5)^2 - 4", -0.7, 3.0, [](double x) { return 1.0 / ((x - 0.5) * (x - 0.5)) - 4.0; }},
      {"1/(x - 2)^3 + 1", 0.0, 5.0, [](double x) { return 1.0 / ((x - 2.0) * (x - 2.0) * (x - 2.0)) + 1.0; }},
      {"(x - 1)^(-1) - 0.5", 0.0, 5.0, [](double x) { return 1.0 / (x - 1.0) - 0.5; }},
      {"tan(x) - 3", 0.0, 8.0, [](double x) { return std::tan(x) - 3.0; }},
      {"1/tan(x)", 0.1, 6.0, [](double x) { return 1.0 / std::tan(x); }},
      {"sin(x)/x - 0.5", -4.0, 8.0, [](double x) { return x == 0.0 ? 0.5 : std::sin(x) / x - 0.5; }},
      {"x/(1 + x^2)", -1.0, 2.0, [](double x) { return x / (1.0 + x * x); }},
      {"atan2(sin(x), cos(x)) - 0.5", 0.0, 7.0, [](double x) { return std::remainder(x, 2.0 * kPi) - 0.5; }},
      {"max(1/(x - 0.5), -abs(x))", 0.0, 2.0, [](double x) { return std::max(1.0 / (x - 0.5), -std::abs(x)); }},
      {"min(abs(1/(x - 0.5)), 3) - 2", -1.0, 4.0,
       [](double x) { return std::min(std::abs(1.0 / (x - 0.5)), 3.0) - 2.0; }}};
  for (const Guard& guard : guards) {
    const Trajectory run = run_of(fmt::format("{}{}start x = {}, x' = 1\nrun {}\n", kParticle,
                                              events_of("e", guard.text), guard.start, guard.duration));
    ASSERT_FALSE(run.stopped) << guard.text << ": " << run.stopped->message;
    expect_changes(run, "e", [&](double t) { return guard.of_x(guard.start + t); }, guard.duration, guard.text);
  }
}

TEST(Guard, WithAPoleEndsARunThere) {
  const Trajectory quotient = run_of(std::string(kParticle) + "terminate when 1/(x - 0.5) > 0\nstart x' = 1\nrun 2\n");
  ASSERT_TRUE(quotient.stopped);
  EXPECT_EQ(quotient.stopped->kind, FailureKind::kTerminated);
  EXPECT_NEAR(quotient.stopped->t, 0.5, 1e-12);
  const Trajectory tangent = run_of(std::string(kParticle) + "terminate when tan(x) < -3\nstart x' = 1\nrun 3\n");
  ASSERT_TRUE(tangent.stopped);
  EXPECT_NEAR(tangent.stopped->t, 0.5 * kPi, 1e-12);
}

/// A ball thrown back where 1/x falls through its pole, in the direction in which it is set.
TEST(Guard, WithAPoleTurnsAMotion) {
  const Trajectory run =
      run_of(std::string(kParticle) + "event hit: 1/x = 0 falling set x' = -0.5*x'\nstart x = 1, x' = -1\nrun 3\n");
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  ASSERT_EQ(times_of(run, "hit").size(), 1u);
  EXPECT_NEAR(run.samples.back().q[0], 1.0, 1e-9);
}

TEST(Guard, WithAPoleSwitchesAForce) {
  const Trajectory run =
      run_of(std::string(kParticle) + "force on P = (1 if 1/(x - 1) > 0 else 0)*N.x\nstart x' = 1\nrun 3\n");
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_NEAR(run.samples.back().q[0], 1.0 + 2.0 + 2.0, 1e-9);
}

TEST(Guard, WithoutAValueEndsTheRun) {
  for (const char* guard :
       {"sqrt(1 - x) - 0.5", "log(1 - x) + 3", "asin(x) - 0.5", "(1 - x)^0.5 - 2", "sqrt(1 - x) + 1"}) {
    const Trajectory run = run_of(fmt::format("{}event e: {} = 0 record\nstart x' = 1\nrun 3\n", kParticle, guard));
    ASSERT_TRUE(run.stopped) << guard;
    EXPECT_EQ(run.stopped->kind, FailureKind::kNonFinite) << guard << run.stopped->message;
    EXPECT_NEAR(run.stopped->t, 1.0, 1e-6) << guard;
    ASSERT_EQ(run.stopped->statements.size(), 1u) << guard;
    EXPECT_EQ(run.stopped->statements[0].kind, StatementId::Kind::kEvent) << guard;
  }
  const Trajectory start = run_of(std::string(kParticle) + "terminate when sqrt(x - 1) > 1\nrun 3\n");
  ASSERT_TRUE(start.stopped);
  EXPECT_EQ(start.stopped->kind, FailureKind::kNonFinite);
  EXPECT_EQ(start.stopped->t, 0.0);
}

/// x = sin t is above 0.9 for a while, where the root has no value and does not matter.
TEST(Guard, WithoutAValueMayBeProtected) {
  for (const char* condition : {"x < 0.9 and sqrt(0.9 - x) > 0.8", "(sqrt(0.9 - x) if x < 0.9 else 0) > 0.8"}) {
    const Trajectory run =
        run_of(fmt::format("{}force on P = -x*N.x\nstate n' = 0\nterminate when n > 0.5 and ({})\n"
                           "event back: x = 0.8 falling set n = 1\nstart x' = 1\nrun 4\n",
                           kParticle, condition));
    ASSERT_TRUE(run.stopped) << condition;
    EXPECT_EQ(run.stopped->kind, FailureKind::kTerminated) << condition << ": " << run.stopped->message;
    EXPECT_NEAR(run.stopped->t, kPi - std::asin(0.9 - 0.64), 1e-8) << condition;
  }
}

/// Random guards of linear expressions with abs, min, max and sign, several in a model. x = x0 + v t, y = y0 + w t.
class RandomGuard {
 public:
  explicit RandomGuard(unsigned seed) : random_(seed) {}
  struct Written {
    std::string text;
    std::function<double(double x, double y)> value;
  };
  double number(double size) { return std::round(1000.0 * size * uniform_(random_)) / 1000.0; }
  Written linear() {
    const double a = number(2.0), b = number(2.0), c = number(0.7);
    return {fmt::format("(({})*x + ({})*y + ({}))", a, b, c), [=](double x, double y) { return a * x + b * y + c; }};
  }
  Written any(int depth) {
    if (depth == 0) return linear();
    const Written one = any(depth - 1), two = any(depth - 1), base = linear();
    switch (std::uniform_int_distribution<int>(0, 4)(random_)) {
      case 0:
        return {fmt::format("abs({})", one.text), [one](double x, double y) { return std::abs(one.value(x, y)); }};
      case 1:
        return {fmt::format("(max({}, {}))", one.text, two.text),
                [=](double x, double y) { return std::max(one.value(x, y), two.value(x, y)); }};
      case 2:
        return {fmt::format("(min({}, {}))", one.text, two.text),
                [=](double x, double y) { return std::min(one.value(x, y), two.value(x, y)); }};
      case 3:
        return {fmt::format("(sign({})*{})", base.text, one.text), [=](double x, double y) {
                  const double side = base.value(x, y);
                  return (side > 0.0 ? 1.0 : side < 0.0 ? -1.0 : 0.0) * one.value(x, y);
                }};
      default:
        return {fmt::format("({} + {})", one.text, two.text),
                [=](double x, double y) { return one.value(x, y) + two.value(x, y); }};
    }
  }

 private:
  std::mt19937_64 random_;
  std::uniform_real_distribution<double> uniform_{-1.0, 1.0};
};

TEST(Guard, OfSeveralNonSmoothFunctionsAgreesWithBruteForce) {
  for (unsigned seed = 1; seed <= 15; ++seed) {
    RandomGuard random(seed);
    const double x0 = random.number(1.0), v = random.number(2.0), y0 = random.number(1.0), w = random.number(2.0);
    std::vector<RandomGuard::Written> guards;
    std::string text =
        "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y\n"
        "particle P mass 1 at O + x*N.x + y*N.y\n";
    for (int i = 0; i < 3; ++i) {
      RandomGuard::Written guard = random.any(1 + i % 3);
      const double shift = random.number(0.5) + 1e-4;
      guards.push_back(
          {guard.text + fmt::format(" - ({})", shift), [=](double x, double y) { return guard.value(x, y) - shift; }});
      text += events_of("e" + std::to_string(i), guards.back().text);
    }
    const Trajectory run = run_of(text + fmt::format("start x = {}, x' = {}, y = {}, y' = {}\nrun 2\n", x0, v, y0, w));
    ASSERT_FALSE(run.stopped) << "seed " << seed << ": " << run.stopped->message;
    for (std::size_t i = 0; i < guards.size(); ++i)
      expect_changes(
          run, "e" + std::to_string(i), [&](double t) { return guards[i].value(x0 + v * t, y0 + w * t); }, 2.0,
          fmt::format("seed {}: {}", seed, guards[i].text));
  }
}

/// An equality of values that change by jumps only becomes true at a jump.
TEST(Terminate, WhenACounterIsEqualToANumber) {
  const std::string ticks =
      std::string(kParticle) + "state n' = 0\nevent tick: every 0.25 set n = n + 1\nstart x' = 1\n";
  struct Row {
    std::string condition;
    double t;
  };
  for (const Row& row :
       {Row{"n == 3", 0.5}, Row{"n != 0", 0.0}, Row{"2*n == 6 and x > 0.6", 0.6}, Row{"floor(1.6*x) == 1", 0.625},
        Row{"floor(2*x) == 2", 1.0}, Row{"n > 1.5 and n != 2 and n != 3", 0.75}, Row{"not (n == 0 or n == 1)", 0.25}}) {
    const Trajectory run = run_of(ticks + "terminate when " + row.condition + "\nrun 4 step 1\n");
    ASSERT_TRUE(run.stopped) << row.condition;
    EXPECT_EQ(run.stopped->kind, FailureKind::kTerminated) << row.condition << ": " << run.stopped->message;
    EXPECT_NEAR(run.stopped->t, row.t, 1e-12) << row.condition;
  }
  const Trajectory sampled =
      run_of(std::string(kParticle) + "state k every 0.1 = k + 1\nterminate when k == 7\nrun 4\n");
  ASSERT_TRUE(sampled.stopped);
  EXPECT_NEAR(sampled.stopped->t, 0.6, 1e-12);
}

/// x'' = 1 from 0 to 1 s, x' = 0.25 from 1 s to 2 s, then x'' = 1 again.
TEST(When, ACounterIsEqualToANumberAConstraintActs) {
  const Trajectory run = run_of(std::string(kParticle) +
                                "state n' = 0\nevent tick: every 1 set n = n + 1\nconstraint hold: x' = 0.25\n"
                                "    when n == 2\nforce on P = (1 if n != 2 else 7)*N.x\nstart x' = 1\nrun 3\n");
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  ASSERT_EQ(run.all<Impulse>().size(), 1u);
  EXPECT_NEAR(run.all<Impulse>()[0].rows[0], 0.25 - 2.0, 1e-10);
  EXPECT_NEAR(run.samples.back().q[0], 1.5 + 0.25 + 0.25 + 0.5, 1e-9);
}

/// Events with many guards: each is found once, in order.
TEST(Event, OfManyGuardsHappenInOrder) {
  const int count = 300;
  std::string text = std::string(kParticle) + "state n' = 0\n";
  for (int k = 1; k <= count; ++k) text += fmt::format("event e{}: x = {}/{} set n = n + 1\n", k, k, count);
  const Trajectory run = run_of(text + "start x' = 1\nrun 1.001\n");
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  const auto marks = run.all<Mark>();
  ASSERT_EQ(marks.size(), static_cast<std::size_t>(count));
  for (int k = 1; k <= count; ++k) {
    EXPECT_EQ(marks[static_cast<std::size_t>(k - 1)].event, fmt::format("e{}", k));
    EXPECT_NEAR(marks[static_cast<std::size_t>(k - 1)].t, static_cast<double>(k) / count, 1e-10);
  }
  EXPECT_EQ(run.samples.back().z[0], count);
}

/// The motion turns back at the surface of an event that makes another one happen at the same instant. The surface is
/// left on the side where it was reached, without an event.
TEST(Event, ThatTurnsTheMotionBackHappensOnceAmongOthers) {
  const Trajectory run = run_of(std::string(kParticle) +
                                "state n' = 0\nevent hit: abs(x) - 0.5 = 0 set x' = -x'\n"
                                "event turn: x' = 0.2 set n = n + 1\nstart x = 1, x' = -1\nrun 2 step 0.3\n");
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  expect_near(times_of(run, "hit"), {0.5});
  expect_near(times_of(run, "turn"), {0.5});
  EXPECT_NEAR(run.samples.back().q[0], 2.0, 1e-9);
}

/// `max(x, n)` jumps with n although x is the larger one before.
TEST(Event, ReadsTheBranchOfAConditionAfterAJump) {
  const Trajectory run =
      run_of(std::string(kParticle) +
             "state n' = 0\nevent e: max(x, n) - 0.5 = 0 rising record\n"
             "event step: x = 0.25 set n = 0.75\nevent back: x = 0.3 set n = 0\nstart x' = 1\nrun 1\n");
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  expect_near(times_of(run, "e"), {0.25, 0.5});
}

}  // namespace event_guards_test
}  // namespace vinculum::sim
