#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "support/tape_model.hpp"
#include "vinculum/vinculum.hpp"

/// Derivatives across events, compared with closed forms.
namespace vinculum {
namespace transitions_test {

/// Derivative of a quantity at the end of a run.
double at_end(const Trajectory& run, const std::string& of, const std::string& by) {
  const auto found = run.sensitivity(by);
  if (!found) throw std::runtime_error(found.error().text());
  if (found->ended) throw std::runtime_error(found->ended->text());
  return found->column(of).value().values.back();
}

std::string reason(const Model& model, const RunOptions& options) {
  const auto run = model.run(options).value();
  const auto found = run.sensitivity(options.sensitivity.front());
  const Error* why = !found ? &found.error() : found->ended ? &*found->ended : nullptr;
  return why == nullptr ? "" : why->kind + ": " + why->message;
}

// A ball that falls from h: impacts at t_k = t_1 (1 + 2 (e + … + e^(k−1))), t_1 = √(2h/g), with the speeds g t_1 e^k.
std::string ball(double end) {
  return "model ball\nparam g = 10, e = 0.8, h = 5, m = 2\ncoord z\nlagrangian m*z'^2/2 - m*g*z\n"
         "constraint ground: z >= 0\n    restitution e\nstart z = h\nrun " +
         std::to_string(end) + " tolerance 1e-12\n";
}

struct Ball {
  double g = 10.0, e = 0.8, h = 5.0;

  [[nodiscard]] double fall() const { return std::sqrt(2.0 * h / g); }
  /// Height and speed at t after `n` impacts, by the formula for the flight after them.
  [[nodiscard]] double impact(int n) const {
    double sum = 1.0;
    for (int k = 1; k < n; ++k) sum += 2.0 * std::pow(e, k);
    return fall() * sum;
  }
  [[nodiscard]] double speed(double t, int n) const { return g * fall() * std::pow(e, n) - g * (t - impact(n)); }
  [[nodiscard]] double height(double t, int n) const {
    const double since = t - impact(n);
    return g * fall() * std::pow(e, n) * since - 0.5 * g * since * since;
  }
};

/// Derivative of a smooth function by central differences, extrapolated twice.
template <class Function>
double derivative(const Function& f, double x) {
  const auto by = [&](double h) { return (f(x + h) - f(x - h)) / (2.0 * h); };
  const double h = x / 64.0;
  const double first = (4.0 * by(h / 2) - by(h)) / 3.0, second = (4.0 * by(h / 4) - by(h / 2)) / 3.0;
  return (16.0 * second - first) / 15.0;
}

TEST(Transitions, OfABouncingBallHaveTheClosedForm) {
  for (const auto& [end, impacts] : {std::pair(0.7, 0), std::pair(1.8, 1), std::pair(3.0, 2), std::pair(5.7, 4)}) {
    const auto run = test_support::tape_model(ball(end)).run({.sensitivity = {"g", "e", "h", "m", "z"}}).value();
    const auto height = [end = end, n = impacts](Ball of) {
      return n == 0 ? of.h - 0.5 * of.g * end * end : of.height(end, n);
    };
    const auto speed = [end = end, n = impacts](Ball of) { return n == 0 ? -of.g * end : of.speed(end, n); };
    for (const auto& [name, member] :
         {std::pair("g", &Ball::g), std::pair("e", &Ball::e), std::pair("h", &Ball::h), std::pair("z", &Ball::h)}) {
      const auto with = [member = member](double value) {
        Ball of;
        of.*member = value;
        return of;
      };
      const double at = Ball().*member;
      EXPECT_NEAR(at_end(run, "z", name), derivative([&](double x) { return height(with(x)); }, at), 1e-8)
          << name << " after " << impacts;
      EXPECT_NEAR(at_end(run, "z'", name), derivative([&](double x) { return speed(with(x)); }, at), 1e-8)
          << name << " after " << impacts;
    }
    EXPECT_NEAR(at_end(run, "z", "m"), 0.0, 1e-12);
  }
}

TEST(Transitions, ThatAccumulateAreRefusedByName) {
  EXPECT_NE(reason(test_support::tape_model(ball(9.5)), {.sensitivity = {"g"}})
                .find("not-smooth: the impacts of constraint `ground` "
                      "accumulate"),
            std::string::npos);
}

TEST(Transitions, KeepTheDerivativesBeforeTheInstantWhereTheyEnd) {
  // The impacts accumulate at 9 s. Before the first one, at 1 s, z = h - g*t^2/2.
  const auto run = test_support::tape_model(ball(9.5)).run({.at = {0.5, 9.2}, .sensitivity = {"g"}}).value();
  const Sensitivity by = run.sensitivity("g").value();
  ASSERT_TRUE(by.ended);
  EXPECT_EQ(by.ended->kind, "not-smooth");
  EXPECT_GT(by.t.back(), 8.0);
  EXPECT_LT(by.t.back(), 9.0);
  ASSERT_EQ(by.column("z").value().values.size(), by.t.size());
  for (std::size_t i = 0; i < by.t.size() && by.t[i] < 1.0; ++i)
    EXPECT_NEAR(by.column("z")->values[i], -by.t[i] * by.t[i] / 2, 1e-9);
  const Sensitivity asked = run.sensitivity("g", SensitivityAt::kAsked).value();
  EXPECT_EQ(asked.t, (std::vector<double>{0.5, 9.2}));
  EXPECT_NEAR(asked.column("z")->values[0], -0.125, 1e-9);
  EXPECT_TRUE(std::isnan(asked.column("z")->values[1]));
}

TEST(Transitions, OfSlidingDoNotDependOnAStopThatStaysOpen) {
  const std::string puck =
      "model puck\nframe N newtonian\npoint O fixed in N\nparam slope = 0.3, mu = 0.5, g = 9.81\ncoord x, y, z\n"
      "particle P mass 1 at O + x*N.x + y*N.y + z*N.z\ngravity g*sin(slope)*N.x - g*cos(slope)*N.z\n"
      "constraint plane: dot(pos(P, O), N.z) >= 0\n    friction on P mu = mu\n";
  const std::string motion = "start x = 0, y = 0, x' = 0, y' = 2\nrun 0.5 tolerance 1e-11\n";
  const RunOptions options{.sensitivity = {"mu"}};
  const auto free = test_support::tape_model(puck + motion).run(options).value();
  const auto with_stop =
      test_support::tape_model(puck + "constraint wall: dot(pos(P, O), N.x) <= 5\n" + motion).run(options).value();
  for (const char* const name : {"x", "y", "x'", "y'"})
    EXPECT_NEAR(at_end(with_stop, name, "mu"), at_end(free, name, "mu"), 1e-8) << name;
  const auto end = [&](double mu, const char* name) {
    RunOptions plain;
    const auto run = test_support::tape_model(puck + motion).with({{"mu", mu}}).value().run(plain).value();
    return run.column(name).value().values.back();
  };
  const double difference = (end(0.501, "x") - end(0.499, "x")) / 0.002;
  EXPECT_NEAR(at_end(free, "x", "mu"), difference, 1e-5);
}

// A mass on a belt with the speed b: it sticks until k x = μ_s m g, then slips under μ m g.
constexpr const char* kBelt = R"(model belt
frame N newtonian
point O fixed in N
param m = 1.5, k = 40, mu = 0.25, mus = 0.4, b = 0.3, g = 9.81
coord x, y
particle P mass m at O + x*N.x + y*N.y
gravity -g*N.y
force on P = -k*x*N.x
constraint contact: dot(pos(P, O), N.y) = 0
    friction on P mu = mu static mus sliding vel(P) - b*N.x
output F = force(contact, P)
start x = 0, x' = b
run END tolerance 1e-12
)";

std::string belt(double end) {
  std::string text = kBelt;
  return text.replace(text.find("END"), 3, std::to_string(end));
}

/// The slip: x − x_m = (x_s − x_m) cos ω s + b/ω sin ω s with x_s = μ_s m g/k, x_m = μ m g/k, s = t − x_s/b.
struct Belt {
  double m = 1.5, k = 40.0, mu = 0.25, mus = 0.4, b = 0.3, g = 9.81;

  [[nodiscard]] double slip(double t) const {
    const double omega = std::sqrt(k / m), begin = mus * m * g / k, mean = mu * m * g / k;
    const double since = omega * (t - begin / b);
    return mean + (begin - mean) * std::cos(since) + b / omega * std::sin(since);
  }
  /// Time at which the mass has the speed of the belt again, and sticks.
  [[nodiscard]] double stick() const {
    const double omega = std::sqrt(k / m), a = (mus - mu) * m * g / k;
    return mus * m * g / k / b + (2.0 * std::acos(-1.0) - 2.0 * std::atan2(a * omega, b)) / omega;
  }
  [[nodiscard]] double after(double t) const { return slip(stick()) + b * (t - stick()); }
};

TEST(Transitions, BetweenStickAndSlipHaveTheClosedForm) {
  for (const double end : {0.3, 0.9, 1.6}) {
    const auto run =
        test_support::tape_model(belt(end)).run({.sensitivity = {"m", "k", "mu", "mus", "b", "g"}}).value();
    const auto x = [end](const Belt& of) { return end < 0.4 ? of.b * end : end < 1.2 ? of.slip(end) : of.after(end); };
    for (const auto& [name, member] :
         {std::pair("m", &Belt::m), std::pair("k", &Belt::k), std::pair("mu", &Belt::mu), std::pair("mus", &Belt::mus),
          std::pair("b", &Belt::b), std::pair("g", &Belt::g)}) {
      const auto of = [&, member = member](double value) {
        Belt other;
        other.*member = value;
        return x(other);
      };
      EXPECT_NEAR(at_end(run, "x", name), derivative(of, Belt().*member), 1e-8) << name << " at " << end;
    }
  }
}

TEST(Transitions, OfASwitchOfForcesHaveTheClosedForm) {
  // x = −a until x passes −b, then it is 0: with x' = −√(2a(1 − …)) there
  const std::string text =
      "model relay\nparam a = 2, b = 0.3\ncoord x\nlagrangian x'^2/2\n"
      "generalized force on x = -a if x > b else 0\nstart x = 1\nrun 1.5 tolerance 1e-12\n";
  const auto run = test_support::tape_model(text).run({.sensitivity = {"a", "b", "x"}}).value();
  const auto x = [](double a, double b, double start) {
    const double tau = std::sqrt(2.0 * (start - b) / a);
    return b - a * tau * (1.5 - tau);
  };
  EXPECT_NEAR(at_end(run, "x", "a"), derivative([&](double a) { return x(a, 0.3, 1.0); }, 2.0), 1e-9);
  EXPECT_NEAR(at_end(run, "x", "b"), derivative([&](double b) { return x(2.0, b, 1.0); }, 0.3), 1e-9);
  EXPECT_NEAR(at_end(run, "x", "x"), derivative([&](double s) { return x(2.0, 0.3, s); }, 1.0), 1e-9);
}

TEST(Transitions, AtStatedTimesAndByEventsThatSetSpeedsHaveTheClosedForm) {
  const std::string text =
      "model kick\nparam T = 0.4, c = 0.7, a = 1.5\ncoord x\nlagrangian x'^2/2 + a*x\n"
      "event kick: at T set x' = c*x' + a\nstart x' = 1\nrun 1 tolerance 1e-12\n";
  const auto run = test_support::tape_model(text).run({.sensitivity = {"T", "c", "a"}}).value();
  const auto x = [](double T, double c, double a) {
    const double place = T + 0.5 * a * T * T, speed = c * (1.0 + a * T) + a, rest = 1.0 - T;
    return place + speed * rest + 0.5 * a * rest * rest;
  };
  EXPECT_NEAR(at_end(run, "x", "T"), derivative([&](double T) { return x(T, 0.7, 1.5); }, 0.4), 1e-9);
  EXPECT_NEAR(at_end(run, "x", "c"), derivative([&](double c) { return x(0.4, c, 1.5); }, 0.7), 1e-9);
  EXPECT_NEAR(at_end(run, "x", "a"), derivative([&](double a) { return x(0.4, 0.7, a); }, 1.5), 1e-9);
}

TEST(Transitions, ToASlidingModeHaveTheClosedForm) {
  // x = x0 - t²/2 until x + c x' = 0 at t1 = √(c² + 2 x0) - c, then x' = -x/c; the force is x'/c.
  const std::string text =
      "model relay\nparam c = 1, x0 = 1\ncoord x\nlagrangian x'^2/2\ngeneralized force on x = -sign(x + c*x')\n"
      "output u = sign(x + c*x')\nstart x = x0\nrun 2 tolerance 1e-12\n";
  const auto run = test_support::tape_model(text).run({.sensitivity = {"c", "x0"}}).value();
  const auto x = [](double c, double start) {
    const double reached = std::sqrt(c * c + 2.0 * start) - c;
    return (start - 0.5 * reached * reached) * std::exp(-(2.0 - reached) / c);
  };
  const auto of_c = [&](double c) { return x(c, 1.0); };
  const auto of_start = [&](double start) { return x(1.0, start); };
  EXPECT_NEAR(at_end(run, "x", "c"), derivative(of_c, 1.0), 1e-9);
  EXPECT_NEAR(at_end(run, "x", "x0"), derivative(of_start, 1.0), 1e-9);
  EXPECT_NEAR(at_end(run, "x'", "c"), derivative([&](double c) { return -of_c(c) / c; }, 1.0), 1e-9);
  EXPECT_NEAR(at_end(run, "u", "c"), derivative([&](double c) { return -of_c(c) / (c * c); }, 1.0), 1e-9);
}

TEST(Quantities, AreCheckedBeforeTheRun) {
  const Model model = test_support::tape_model("model m\nparam g = 9.8\ncoord x\nlagrangian x'^2/2 - g*x\nrun 1\n");
  EXPECT_NE(model.run({.sensitivity = {"h"}}).error().message.find("no parameter, coordinate, speed or state `h`"),
            std::string::npos);
  EXPECT_NE(model.run({.sensitivity = {"x"}}).error().message.find("no `start` statement gives `x`"),
            std::string::npos);
  EXPECT_EQ(model.run().value().sensitivity("g").error().kind, "call");
  EXPECT_NE(model.run({.sensitivity = {"g", "g"}}).error().message.find("`g` stands twice"), std::string::npos);
  EXPECT_EQ(model.run({.sensitivity = {"g"}}).value().sensitivity("m").error().kind, "call");
}

TEST(Quantities, OfARunFromAGivenStateAreItsComponents) {
  const Model model = test_support::tape_model("model m\nparam g = 9.8\ncoord x\nlagrangian x'^2/2 - g*x\nrun 1\n");
  const State start{0.0, {1.0}, {2.0}};
  const auto run = model.run({.start = start, .until = 0.5, .sensitivity = {"x", "x'", "g"}}).value();
  EXPECT_NEAR(at_end(run, "x", "x"), 1.0, 1e-12);
  EXPECT_NEAR(at_end(run, "x", "x'"), 0.5, 1e-12);
  EXPECT_NEAR(at_end(run, "x", "g"), -0.125, 1e-12);
}

TEST(Quantities, AreGivenAtAskedTimesInTheirOrder) {
  const Model model = test_support::tape_model("model m\nparam g = 9.8\ncoord x\nlagrangian x'^2/2 - g*x\nrun 1\n");
  const auto run = model.run({.at = {0.9, 0.123}, .sensitivity = {"g"}}).value();
  const auto asked = run.sensitivity("g", SensitivityAt::kAsked).value();
  EXPECT_EQ(asked.t, (std::vector{0.9, 0.123}));
  EXPECT_NEAR(asked.column("x").value()(0), -0.405, 1e-12);
  EXPECT_NEAR(asked.column("x'").value()(1), -0.123, 1e-12);
  EXPECT_EQ(run.sensitivity("g")->t.size(), run.t().size());
}

}  // namespace transitions_test
}  // namespace vinculum
