// Events, sampled states and the end of a run, compared with closed forms.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "support/models.hpp"
#include "vinculum/hybrid/event_actions.hpp"
#include "vinculum/report/failure_report.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/accounts/audit_accounts.hpp"
#include "vinculum/verify/audit/audit.hpp"

namespace vinculum::sim {
namespace events_test {

constexpr const char* kParticle =
    "model m\nframe N newtonian\npoint O fixed in N\ncoord x\n"
    "particle P mass 1 at O + x*N.x\n";

Trajectory run_of(const std::string& text, double tolerance = 1e-11) {
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  Dynamics dynamics(bound);
  SimulateOptions options = options_of(*bound->compiled->model);
  options.tolerance = tolerance;
  return simulate(dynamics, options);
}

/// Line of the model at which a failure is shown, counted from 1.
int line_of_failure(const std::string& text) {
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  const model::Model& model = *bound->compiled->model;
  Dynamics dynamics(bound);
  const Trajectory run = simulate(dynamics, options_of(model));
  if (!run.stopped) return 0;
  const diag::SourceRange range = report::failure_place(model, bound->compiled->system.get(), *run.stopped);
  return static_cast<int>(model.source_text.position(range.begin).line);
}

/// A ball falls from 5 m at 10 m/s² onto a floor with restitution e = 0.8. It hits the floor at 1 s and then after
/// flights of 1.6, 1.28, … s.
TEST(Event, SetsASpeedAndCounts) {
  const Trajectory run =
      run_of(std::string(kParticle) +
             "gravity -10*N.x\nstate hits' = 0\nevent hit: x = 0 falling {\n    set x' = -0.8*x'\n"
             "    set hits = hits + 1\n}\nterminate when hits > 4.5\nstart x = 5\nrun 20 step 0.1\n");
  ASSERT_TRUE(run.stopped);
  EXPECT_EQ(run.stopped->kind, FailureKind::kTerminated);
  const auto marks = run.all<Mark>();
  ASSERT_EQ(marks.size(), 6u);  // five hits, and the end of the run
  double t = 1.0, flight = 2.0;
  for (int k = 0; k < 5; ++k) {
    EXPECT_EQ(marks[k].event, "hit");
    EXPECT_NEAR(marks[k].t, t, 1e-9);
    flight *= 0.8;
    t += flight;
  }
  EXPECT_NEAR(run.stopped->t, 5.7232, 1e-9);
  EXPECT_EQ(run.samples.back().z[0], 5.0);
}

/// Two masses touch at the start. The first is pushed: the gap leaves 0 downward. Pulled, it leaves 0 upward.
TEST(Event, ThatIsZeroAtTheStartIsNotedIfTheMotionLeavesInItsDirection) {
  const auto notes = [](const std::string& event, const std::string& force) {
    const Trajectory run =
        run_of(std::string(kParticle) + "coord y\nparticle Q mass 1 at O + y*N.x\nforce on P = " + force +
               "*N.x\nevent hit: " + event + " record\nrun 1\n");
    EXPECT_TRUE(run.all<Mark>().empty());
    return std::ranges::count_if(run.notes, [](const Note& note) { return note.term == "hit"; });
  };
  EXPECT_EQ(notes("y - x = 0 falling", "1"), 1);
  EXPECT_EQ(notes("y - x = 0 falling", "(-1)"), 0);
  EXPECT_EQ(notes("y - x = 0 rising", "(-1)"), 1);
  EXPECT_EQ(notes("y - x = 0 rising", "1"), 0);
  EXPECT_EQ(notes("y - x = 0", "1"), 1);
  EXPECT_EQ(notes("y - x = 0", "(-1)"), 1);
  EXPECT_EQ(notes("y - x = 0 rising", "(-1e-5)"), 1);
  EXPECT_EQ(notes("x - y = 0 falling", "(-1e-5)"), 1);
  EXPECT_EQ(notes("y - x + 1 = 0 falling", "1"), 0);
  EXPECT_EQ(notes("abs(y) - 1 = 0 falling", "1"), 0);
}

/// A force u is kept constant over the sample time T. Exactly: x⁺ = x + v T + u T²/2, v⁺ = v + u T.
TEST(SampledState, HoldsItsValueBetweenSamples) {
  const Trajectory run = run_of(std::string(kParticle) +
                                "state u every 0.01 = -20*x - 6*x'\nforce on P = u*N.x\nstart x = 1\nrun 1 step 0.1\n");
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  double x = 1.0, v = 0.0;
  for (int k = 0; k < 100; ++k) {
    const double u = -20.0 * x - 6.0 * v;
    x += v * 0.01 + 0.5 * u * 0.01 * 0.01;
    v += u * 0.01;
  }
  EXPECT_NEAR(run.samples.back().q[0], x, 1e-10);
  EXPECT_NEAR(run.samples.back().u[0], v, 1e-10);
  EXPECT_TRUE(run.all<Mark>().empty());
}

/// Two sample rates: a filter at 50 Hz reads the value that a controller at 100 Hz keeps constant. Samples at one
/// instant use the state before the instant.
TEST(SampledState, OfTwoRatesSeeTheStateBeforeTheInstant) {
  const Trajectory run = run_of(std::string(kParticle) +
                                "state u every 0.01 = -5*x\nstate w every 0.02 = 0.5*u + 0.1*w start w = 1\n"
                                "force on P = (u + w)*N.x\nstart x = 1\nrun 0.5 step 0.1\n");
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  double x = 1.0, v = 0.0, u = 0.0, w = 1.0;
  for (int k = 0; k < 50; ++k) {
    const double before = u;
    u = -5.0 * x;
    if (k % 2 == 0) w = 0.5 * before + 0.1 * w;
    x += v * 0.01 + 0.5 * (u + w) * 0.01 * 0.01;
    v += (u + w) * 0.01;
  }
  EXPECT_NEAR(run.samples.back().q[0], x, 1e-11);
  EXPECT_NEAR(run.samples.back().z[0], -5.0 * x, 1e-10);  // the run ends after the sample at 0.5 s
}

TEST(Event, OfATimeHappensAtItAndRecordsASample) {
  const Trajectory run =
      run_of(std::string(kParticle) +
             "event kick: at 0.7 {\n    set x' = x' + 2\n    record\n}\nevent tick: every 0.5 record\n"
             "start x' = 1\nrun 2 step 1\n");
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_NEAR(run.samples.back().q[0], 0.7 + 3.0 * 1.3, 1e-12);
  EXPECT_TRUE(std::ranges::any_of(run.samples, [](const Sample& one) { return one.t == 0.7 && one.u[0] == 3.0; }));
  std::vector<double> ticks;
  for (const Mark& mark : run.all<Mark>())
    if (mark.event == "tick") ticks.push_back(mark.t);
  EXPECT_EQ(ticks, (std::vector<double>{0.0, 0.5, 1.0, 1.5, 2.0}));
}

TEST(Event, StopsTheRun) {
  const Trajectory run = run_of(std::string(kParticle) + "event there: x = 0.25 stop\nstart x' = 1\nrun 2 step 0.1\n");
  ASSERT_TRUE(run.stopped);
  EXPECT_EQ(run.stopped->kind, FailureKind::kEvent);
  EXPECT_NEAR(run.stopped->t, 0.25, 1e-12);
  EXPECT_NEAR(run.samples.back().t, 0.25, 1e-12);
}

TEST(Terminate, EndsARunAtItsStartIfItsConditionIsTrueThere) {
  const Trajectory run = run_of(std::string(kParticle) + "terminate when x > -1\nrun 2\n");
  ASSERT_TRUE(run.stopped);
  EXPECT_EQ(run.stopped->kind, FailureKind::kTerminated);
  EXPECT_EQ(run.stopped->t, 0.0);
}

TEST(Event, ThatCauseEachOtherWithoutEndStopTheRun) {
  const Trajectory run = run_of(std::string(kParticle) +
                                "state a' = 0\nstate b' = 0\nstate c' = 0\nevent go: at 1 set c = 1\n"
                                "event up: a - b + c = 0.5 rising set b = b + 2\n"
                                "event down: a - b + c = -0.5 falling set a = a + 2\nrun 2\n");
  ASSERT_TRUE(run.stopped);
  EXPECT_EQ(run.stopped->kind, FailureKind::kEventLoop);
  EXPECT_EQ(run.stopped->t, 1.0);
}

TEST(Event, ThatSetsAVariableTogetherWithAnotherIsAFailureAtBoth) {
  const std::string text = std::string(kParticle) + "event a: at 1 set x' = 0\nevent b: at 1 set x' = 2\nrun 2\n";
  const Trajectory run = run_of(text);
  ASSERT_TRUE(run.stopped);
  EXPECT_EQ(run.stopped->kind, FailureKind::kInconsistent);
  EXPECT_EQ(run.stopped->t, 1.0);
  EXPECT_EQ(run.stopped->message, "events `a` and `b` set `x'` at the same instant");
  EXPECT_NE(run.stopped->advice.find("different instants"), std::string::npos) << run.stopped->advice;
  ASSERT_EQ(run.stopped->statements.size(), 2u);
  EXPECT_EQ(line_of_failure(text), 6);
}

TEST(Event, IsThePlaceOfItsFailures) {
  const std::string head(kParticle);
  EXPECT_EQ(line_of_failure(head + "event e: at 1 stop\nrun 2\n"), 6);
  EXPECT_EQ(line_of_failure(head + "terminate when t > 1\nrun 2\n"), 6);
  EXPECT_EQ(line_of_failure(head + "event a: at 1 record\nevent e: at 1 set x' = 1/x\nrun 2\n"), 7);
  EXPECT_EQ(line_of_failure(head + "state u every 0.5 = 1/(x - x*t)\nrun 2\n"), 6);
  EXPECT_EQ(line_of_failure(head + "gravity -10*N.x\nevent hit: x = 0 falling set x' = -0.5*x'\n"
                                   "start x = 1\nrun 20\n"),
            7);
  const int line = line_of_failure(head +
                                   "state a' = 0\nstate b' = 0\nstate c' = 0\nevent go: at 1 set c = 1\n"
                                   "event up: a - b + c = 0.5 rising set b = b + 2\n"
                                   "event down: a - b + c = -0.5 falling set a = a + 2\nrun 2\n");
  EXPECT_TRUE(line == 10 || line == 11) << line;
}

TEST(Event, WithAPeriodBelowTheResolutionOfTimeIsAFailureAtTheStart) {
  for (const char* line : {"event e: every 1e-15 record\n", "state u every 1e-15 = x\n"}) {
    const std::string text = kParticle + std::string(line) + "run 2\n";
    const Trajectory run = run_of(text);
    ASSERT_TRUE(run.stopped) << line;
    EXPECT_EQ(run.stopped->kind, FailureKind::kStepTooSmall);
    EXPECT_EQ(run.stopped->t, 0.0);
    EXPECT_NE(run.stopped->message.find("1e-15 s, is too short"), std::string::npos) << run.stopped->message;
    EXPECT_EQ(line_of_failure(text), 6) << line;
  }
}

/// A heater that is on until the temperature reaches 2 degrees: T = 3 − 2 e^−t up to ln 2, then T = 2 e^−t.
TEST(Event, SwitchesADiscreteVariable) {
  const Trajectory run = run_of(std::string(kParticle) +
                                "state T' = 3*h - T\nstate h' = 0\nevent hot: T = 2 rising set h = 0\n"
                                "state unused' = 0\nstart T = 1, h = 1\nrun 2 step 0.1\n");
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  ASSERT_EQ(run.all<Mark>().size(), 1u);
  EXPECT_NEAR(run.all<Mark>()[0].t, std::log(2.0), 1e-10);
  EXPECT_NEAR(run.samples.back().z[0], 2.0 * std::exp(std::log(2.0) - 2.0), 1e-10);
}

/// A contact as a constraint with a condition: an event closes the contact when the ball lands, the constraint acts
/// while the floor pushes, and a load lifts the ball off again.
TEST(Event, ClosesAndOpensAContact) {
  const Trajectory run = run_of(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord z\nparticle P mass 2 at O + z*N.z\ngravity -10*N.z\n"
      "force on P = 8*t*N.z\nstate closed' = 0\nconstraint ground: z = 0\n    when closed > 0.5\n"
      "event land: z = 0 falling set closed = 1\noutput push = multiplier(ground)\nstart z = 1\nrun 1.5 step 0.1\n");
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  // z'' = −10 + 4 t, so the ball lands when 1 − 5 t² + 2/3 t³ = 0.
  const auto impulses = run.all<Impulse>();
  ASSERT_EQ(impulses.size(), 1u);
  const double t = impulses[0].t;
  EXPECT_NEAR(1.0 - 5.0 * t * t + 2.0 / 3.0 * t * t * t, 0.0, 1e-10);
  EXPECT_NEAR(impulses[0].rows[0], 2.0 * (10.0 * t - 2.0 * t * t), 1e-9);
  EXPECT_NEAR(run.samples.back().outputs[0], 20.0 - 8.0 * 1.5, 1e-9);
  EXPECT_NEAR(run.samples.back().q[0], 0.0, 1e-12);
}

/// An event sets the speed of a constrained particle: the rod exerts an impulse, and the audit holds.
TEST(Event, SetsASpeedOfAConstrainedParticle) {
  const auto bound = test_support::compiled(test_support::model_of_text(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 2 at O + x*N.x + y*N.y\n"
      "constraint rod: norm(pos(P, O)) = 1\nevent kick: at 0.5 set x' = 3\nstart x = 0.6, y = 0.8\nrun 1 step 0.1\n"));
  Dynamics dynamics(bound);
  SimulateOptions options = options_of(*bound->compiled->model);
  options.tolerance = 1e-11;
  options.accounts = audit_accounts;
  const Trajectory run = simulate(dynamics, options);
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  // Of the velocity (3, 0) the component along the tangent (0.8, -0.6) remains: 2.4. The gradient of the rod is (0.6,
  // 0.8).
  const auto impulses = run.all<Impulse>();
  ASSERT_EQ(impulses.size(), 1u);
  EXPECT_NEAR(impulses[0].rows[0], -2.0 * 3.0 * 0.6, 1e-10);
  EXPECT_NEAR(run.samples.back().u.norm(), 2.4, 1e-10);
  for (const audit::AuditLine& line : audit::audit(*bound, run).lines)
    EXPECT_NE(line.verdict, audit::AuditLine::Verdict::kBroken) << line.identity << " at " << line.where;
}

/// Guards that are sums of sines: every sign change that a dense scan finds must be an event, and there must be no
/// other events.
TEST(Event, IsNeitherMissedNorDoubled) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0.5, 6.0);
  for (int seed = 0; seed < 60; ++seed) {
    const double a = uniform(random), b = uniform(random), c = uniform(random) / 10.0;
    const std::string guard = "sin(" + std::to_string(a) + "*x)*sin(" + std::to_string(b) + "*x + 0.3) + " +
                              std::to_string(c) + "*(x - 2)*(x - 2)*(x - 4) ";
    const auto value = [&](double x) {
      const double A = std::stod(std::to_string(a)), B = std::stod(std::to_string(b)), C = std::stod(std::to_string(c));
      return std::sin(A * x) * std::sin(B * x + 0.3) + C * (x - 2.0) * (x - 2.0) * (x - 4.0);
    };
    const Trajectory run = run_of(
        std::string(kParticle) + "event e: " + guard + "= 0 record\nstart x = 0.1, x' = 1\nrun 5 step 5\n", 1e-9);
    ASSERT_FALSE(run.stopped) << run.stopped->message;
    std::vector<double> expected;
    constexpr int kParts = 200000;
    for (int i = 0; i < kParts; ++i) {
      const double from = 0.1 + 5.0 * i / kParts, to = 0.1 + 5.0 * (i + 1) / kParts;
      if ((value(from) > 0.0) != (value(to) > 0.0)) expected.push_back(0.5 * (from + to) - 0.1);
    }
    const auto marks = run.all<Mark>();
    ASSERT_EQ(marks.size(), expected.size()) << guard;
    for (std::size_t i = 0; i < marks.size(); ++i) EXPECT_NEAR(marks[i].t, expected[i], 3e-5) << guard;
  }
}

/// A ball on a floor, for various restitutions, starts and steps. At a hit, x is a rounding error; its sign must not
/// decide whether the next flight begins above the floor.
TEST(Event, SetsASpeedAtEveryHit) {
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> uniform(0.2, 3.0);
  const auto number = [](double value) { return std::to_string(value); };
  for (int i = 0; i < 40; ++i) {
    const double e = std::vector{0.3, 0.5, 0.75, 0.9, 1.0}[static_cast<std::size_t>(i) % 5];
    const double height = std::stod(number(uniform(random)));
    const std::string text = std::string(kParticle) + "gravity -10*N.x\nevent hit: x = 0" +
                             (i % 2 == 0 ? " falling" : "") + " set x' = -" + number(e) +
                             "*x'\nstart x = " + number(height) + "\nrun 4 step " + (i % 3 == 0 ? "0.1" : "2") +
                             (i % 4 == 3 ? " method radau\n" : "\n");
    const Trajectory run = run_of(text, i % 4 == 1 ? 1e-6 : 1e-9);
    std::vector<double> expected;
    double t = std::sqrt(0.2 * height);
    for (double flight = 2.0 * t; t < 4.0 && flight > 1e-4; t += flight) {
      expected.push_back(t);
      flight *= e;
    }
    const auto marks = run.all<Mark>();
    if (t >= 4.0) {
      EXPECT_EQ(marks.size(), expected.size()) << text;
    }
    ASSERT_GE(marks.size(), expected.size()) << text;
    for (std::size_t k = 0; k < expected.size(); ++k) EXPECT_NEAR(marks[k].t, expected[k], 1e-5) << text;
    for (const Sample& sample : run.samples) EXPECT_GE(sample.q[0], -1e-5) << text;
    if (e > 0.5) continue;  // the ball comes to rest before the end
    ASSERT_TRUE(run.stopped) << text;
    EXPECT_EQ(run.stopped->kind, FailureKind::kEventLoop) << text;
  }
}

/// Guards that are 0 at the same instant have their events together, whatever the first event changes.
TEST(Event, OfOneInstantHappenTogether) {
  for (const double a : {0.37, 1.0, 1.9}) {
    for (const char* factor : {"2", "0.1", "7", "-3"}) {
      for (const char* action : {"record", "set n = n + 1", "set x' = 2"}) {
        const std::string at = std::to_string(a);
        const Trajectory run = run_of(std::string(kParticle) + "state n' = 0\nstate m' = 0\nevent one: x = " + at +
                                      " " + action + "\nevent two: " + factor + "*x = " + factor + "*" + at +
                                      " set m = m + x'\nstart x = 0, x' = 1\nrun 3 step 3\n");
        ASSERT_FALSE(run.stopped) << run.stopped->message;
        const auto marks = run.all<Mark>();
        ASSERT_EQ(marks.size(), 2u) << at << factor << action;
        EXPECT_EQ(marks[0].event, "one");
        EXPECT_EQ(marks[1].event, "two");
        EXPECT_EQ(marks[0].t, marks[1].t);
        EXPECT_EQ(run.samples.back().z[1], 1.0);  // m counts with the speed before the events
      }
    }
  }
}

/// If the event that ends a run and another event happen at the same instant, the run ends after both.
TEST(Event, EndsTheRunWithTheOthersOfTheInstant) {
  for (const char* end : {"event two: 2*x = 2 stop\n", "terminate when 2*x > 2\n", "event two: at 1 stop\n"}) {
    const Trajectory run = run_of(std::string(kParticle) + "state n' = 0\nevent one: x = 1 set n = n + 1\n" + end +
                                  "start x = 0, x' = 1\nrun 2 step 2\n");
    ASSERT_TRUE(run.stopped) << end;
    EXPECT_NEAR(run.stopped->t, 1.0, 1e-12) << end;
    if (std::string(end).find("at 1") == std::string::npos) {
      EXPECT_EQ(run.samples.back().z[0], 1.0) << end;
    }
  }
}

/// A timed event and a crossing at the same instant: the timed event happens first, and the crossing uses the state
/// after it.
TEST(Event, OfATimeAndOfACrossingBothHappen) {
  for (const char* timed : {"event tick: at 1 set m = m + 1\n", "event tick: every 0.5 set m = m + 1\n",
                            "state s every 0.25 = x\nevent tick: at 1 record\n"}) {
    const Trajectory run = run_of(std::string(kParticle) + "state n' = 0\nstate m' = 0\n" + timed +
                                  "event cross: x = 1 rising set n = n + 1\nstart x = 0, x' = 1\nrun 2 step 2\n");
    ASSERT_FALSE(run.stopped) << run.stopped->message;
    EXPECT_EQ(run.samples.back().z[0], 1.0) << timed;
  }
}

/// The last sample is the state after the events at the end of the run.
TEST(Event, OfTheEndIsInTheLastSample) {
  const char* speed = "event kick: at 0.5 set x' = 5\n";
  for (const char* end : {"event e: at 0.5 stop\nrun 2 step 0.25\n", "run 0.5 step 0.25\n"}) {
    const Trajectory run = run_of(std::string(kParticle) + speed + "start x = 0\n" + end);
    EXPECT_EQ(run.samples.back().t, 0.5);
    EXPECT_EQ(run.samples.back().u[0], 5.0) << end;
  }
}

/// A run that is continued has the same events as an uninterrupted run, each once, whatever instant it is interrupted
/// at.
TEST(Event, HappensOnceInAContinuedRun) {
  const std::string text =
      std::string(kParticle) +
      "state n' = 0\nstate m' = 0\nstate s every 0.25 = s + 1\nevent tick: every 0.5 set m = m + 1\n"
      "event cross: x = 1 set n = n + 1\nstart x = 0, x' = 1\nrun 2 step 0.1\n";
  const auto bound = test_support::compiled(test_support::model_of_text(text));
  Dynamics dynamics(bound);
  SimulateOptions options = options_of(*bound->compiled->model);
  const Trajectory whole = simulate(dynamics, options);
  for (const double half : {0.3, 0.5, 1.0, 1.1}) {
    options.duration = half;
    const Trajectory first = simulate(dynamics, options);
    const Sample& last = first.samples.back();
    options.duration = 2.0 - half;
    Start start{last.t, last.q, last.u, last.z};
    start.followed = last;
    const Trajectory second = simulate(dynamics, start, options);
    EXPECT_EQ(first.all<Mark>().size() + second.all<Mark>().size(), whole.all<Mark>().size()) << half;
    EXPECT_EQ(second.samples.back().z, whole.samples.back().z) << half;
  }
}

/// Friction stops a body: x' becomes 0 and stays 0.
TEST(Event, HappensWhereFrictionStopsABody) {
  for (const char* event :
       {"terminate when x' <= 0\n", "event rests: x' = 0 stop\n", "event rests: x' = 0 falling stop\n"}) {
    const Trajectory run =
        run_of(std::string(kParticle) + "friction on x = 2\n" + event + "start x = 0, x' = 3\nrun 4 step 0.25\n");
    ASSERT_TRUE(run.stopped) << event;
    EXPECT_NEAR(run.stopped->t, 1.5, 1e-9) << event;
  }
}

/// Two carts of mass 1 [kg] on a rail.
constexpr const char* kCarts =
    "model carts\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle A mass 1 at O + x*N.x\n"
    "particle B mass 1 at O + y*N.x\n";

/// An event sets values on which conditions of constraints depend. A constraint that no longer acts after the event
/// gives no impulse.
TEST(Event, ReleasesAConstraintWithoutAnImpulse) {
  const std::string on = "state on' = 0\nconstraint c: x' = 0\n    when on > 0.5\n";
  for (const std::string& text :
       {on + "event e: at 1 {\n    set x' = 5\n    set on = 0\n}\nstart on = 1\n",
        on + "event e: y = 1 rising {\n    set x' = 5\n    set on = 0\n}\nstart on = 1, y' = 1\n",
        std::string("constraint c: x' = 0\n    when t < 1\nevent e: at 1 set x' = 5\n"),
        std::string("constraint c: x' = 0\n    when x' < 3\nevent e: at 1 set x' = 5\n")}) {
    const Trajectory run = run_of(kCarts + text + "run 2 step 0.5\n");
    ASSERT_FALSE(run.stopped) << text << run.stopped->message;
    EXPECT_TRUE(run.all<Impulse>().empty()) << text;
    const auto changes = run.all<ActingChange>();
    ASSERT_EQ(changes.size(), 1u) << text;
    EXPECT_FALSE(changes[0].acts);
    EXPECT_NEAR(run.samples.back().q[0], 5.0, 1e-10) << text;
    EXPECT_NEAR(run.samples.back().u[0], 5.0, 1e-12) << text;
  }
}

TEST(Event, KeepsAConstraintWhoseConditionIncludesTheInstant) {
  const Trajectory run =
      run_of(std::string(kCarts) + "constraint c: x' = 0\n    when t <= 1\nevent e: at 1 set x' = 5\nrun 2 step 0.5\n");
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  ASSERT_EQ(run.all<Impulse>().size(), 1u);
  EXPECT_NEAR(run.all<Impulse>()[0].rows[0], -5.0, 1e-12);
  EXPECT_EQ(run.samples.back().u[0], 0.0);
}

/// A constraint that begins to act at the same event takes part in the impulse: 5 = 2 · 2.5.
TEST(Event, BeginsAConstraintOnTheSetValues) {
  const Trajectory run = run_of(std::string(kCarts) +
                                "state on' = 0\nconstraint c: x' = y'\n    when on > 0.5\n"
                                "event e: at 1 {\n    set x' = 5\n    set on = 1\n}\nrun 2 step 0.5\n");
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  ASSERT_EQ(run.all<Impulse>().size(), 1u);
  EXPECT_NEAR(run.all<Impulse>()[0].rows[0], -2.5, 1e-12);
  ASSERT_EQ(run.all<ActingChange>().size(), 1u);
  EXPECT_NEAR(run.samples.back().u[0], 2.5, 1e-12);
  EXPECT_NEAR(run.samples.back().u[1], 2.5, 1e-12);
}

/// A friction force is bounded, so it gives no impulse: carts that stick are set in motion by the event, and stop after
/// 2/4 s.
TEST(Event, KicksAContactThatSticks) {
  const Trajectory run = run_of(
      std::string(kCarts) + "friction on y = 4\nconstraint c: x' = y'\nevent e: at 1 set x' = 2\nrun 2 step 0.25\n");
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  ASSERT_EQ(run.all<Impulse>().size(), 1u);
  EXPECT_NEAR(run.all<Impulse>()[0].rows[0], -1.0, 1e-12);
  EXPECT_NEAR(run.samples.back().q[0], 0.25, 1e-9);
  EXPECT_EQ(run.samples.back().u[0], 0.0);
}

/// An event or a sample sets a state that occurs in a velocity constraint. An impulse restores the constraint.
TEST(Event, SetsAStateOfAVelocityConstraint) {
  const std::string rest = "constraint c: x' = w\n";
  const Trajectory set = run_of(kCarts + ("state w' = 0\n" + rest) + "event e: at 1 set w = 2\nrun 2 step 0.5\n");
  ASSERT_FALSE(set.stopped) << set.stopped->message;
  ASSERT_EQ(set.all<Impulse>().size(), 1u);
  EXPECT_NEAR(set.all<Impulse>()[0].rows[0], 2.0, 1e-12);
  EXPECT_NEAR(set.samples.back().q[0], 2.0, 1e-11);
  const Trajectory sampled = run_of(kCarts + ("state w every 0.5 = 2*t\n" + rest) + "run 1.75 step 0.25\n");
  ASSERT_FALSE(sampled.stopped) << sampled.stopped->message;
  EXPECT_EQ(sampled.all<Impulse>().size(), 3u);
  EXPECT_NEAR(sampled.samples.back().q[0], 0.5 * 1.0 + 0.5 * 2.0 + 0.25 * 3.0, 1e-11);
}

/// The guard is zero over an interval: at the start, or from the instant at which the motion reaches the interval.
TEST(Event, WhoseExpressionIsZeroOverAnIntervalIsAFailure) {
  for (const char* start : {"start x = 0, x' = 1", "start x = 3, x' = -1"}) {
    for (const char* event : {"max(x - 2, 0) = 0", "max(x - 2, 0)*(x - 5) = 0 falling", "abs(x - 2) + x - 2 = 0"}) {
      const Trajectory run =
          run_of(std::string(kParticle) + "event e: " + event + " record\n" + start + "\nrun 4 step 1\n");
      ASSERT_TRUE(run.stopped) << event << start;
      EXPECT_EQ(run.stopped->kind, FailureKind::kInconsistent) << event;
      EXPECT_NE(run.stopped->message.find("event `e` is 0 over an interval"), std::string::npos)
          << run.stopped->message;
      EXPECT_NEAR(run.stopped->t, start[6 + 4] == '0' ? 0.0 : 1.0, 1e-9) << event;
    }
  }
  const Trajectory ends =
      run_of(std::string(kParticle) + "terminate when max(x - 2, 0) > 0\nstart x = 0, x' = 1\nrun 4 step 1\n");
  ASSERT_TRUE(ends.stopped);
  EXPECT_EQ(ends.stopped->kind, FailureKind::kTerminated);
}

}  // namespace events_test
}  // namespace vinculum::sim
