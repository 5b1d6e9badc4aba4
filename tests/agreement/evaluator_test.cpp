#include <gtest/gtest.h>

#include <cmath>
#include <thread>

#include "support/base/count_allocations.hpp"
#include "support/models.hpp"
#include "vinculum/vinculum.hpp"

// The evaluator of the public API, for all models: its results are compared with those of `Model` at a state and with
// differences of positions, and it must not allocate.
namespace vinculum {
namespace evaluator_test {

using Numbers = std::vector<double>;

double largest(std::span<const double> values) {
  double most = 0.0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

void expect_near(std::span<const double> is, std::span<const double> expected, double relative, const char* name) {
  ASSERT_EQ(is.size(), expected.size()) << name;
  const double tolerance = relative * std::max(1.0, largest(expected));
  for (std::size_t i = 0; i < is.size(); ++i) EXPECT_NEAR(is[i], expected[i], tolerance) << name << " " << i;
}

State unpacked(const Evaluator& of, double t, const Numbers& y) {
  const auto nq = of.coordinate_count(), nu = of.speed_count();
  return {t, {y.begin(), y.begin() + nq}, {y.begin() + nq, y.begin() + nq + nu}, {y.begin() + nq + nu, y.end()}};
}

/// Results of all functions of the evaluator at a state.
struct Round {
  explicit Round(const Evaluator& of)
      : y_dot(static_cast<std::size_t>(of.size())),
        M(static_cast<std::size_t>(of.speed_count() * of.speed_count())),
        bias(static_cast<std::size_t>(of.speed_count())),
        A(static_cast<std::size_t>(of.row_count() * of.speed_count())),
        b(static_cast<std::size_t>(of.row_count())),
        position(b),
        velocity(b),
        lambda(b) {}

  /// Calls all functions at a state.   \returns whether a motion can start at this state.
  bool evaluate(Evaluator& of, double t, const Numbers& y) {
    moves = of.derivative(t, y, y_dot).has_value();
    has_pieces =
        of.mass_matrix(t, y, M) && of.bias(t, y, bias) && of.rows(t, y, A, b) && of.misses(t, y, position, velocity);
    moves = of.multipliers(t, y, lambda).has_value() && moves;
    if (const auto all = of.energies(t, y)) energies = *all;
    return moves;
  }

  Numbers y_dot, M, bias, A, b, position, velocity, lambda;
  Evaluator::Energies energies;
  bool moves = false, has_pieces = false;
};

class Evaluations : public testing::TestWithParam<std::filesystem::path> {
 protected:
  /// Compares the velocities of points and frames with differences of positions along y', and the Jacobians with
  /// differences of velocities.
  static void compare_places(Evaluator& of, const model::Model& model, double t, const Numbers& y,
                             const Numbers& y_dot) {
    for (const model::Point& point : model.points) {
      if (point.name.find('.') != std::string::npos) continue;
      const auto place = of.point(point.name);
      ASSERT_TRUE(place) << place.error().text();
      compare_jacobian(of, *place, t, y, point.name);
      if (point.on.is_valid()) continue;  // velocity of the material point, which is not the derivative of the position
      Numbers velocity(3), ahead(3), behind(3);
      ASSERT_TRUE(of.velocity(*place, t, y, velocity));
      differences(of, *place, t, y, y_dot, ahead, behind);
      expect_near(ahead, velocity, 1e-6, point.name.c_str());
    }
    for (const model::Frame& frame : model.frames) {
      if (frame.name.find('.') != std::string::npos) continue;
      const auto place = of.frame(frame.name);
      ASSERT_TRUE(place) << place.error().text();
      compare_jacobian(of, *place, t, y, frame.name);
      Numbers w(3), e(9), rate(9), behind(9);
      ASSERT_TRUE(of.velocity(*place, t, y, w));
      ASSERT_TRUE(of.position(*place, t, y, e));
      differences(of, *place, t, y, y_dot, rate, behind);
      Numbers turned(9);
      for (std::size_t k = 0; k < 9; k += 3) {
        turned[k] = w[1] * e[k + 2] - w[2] * e[k + 1];
        turned[k + 1] = w[2] * e[k] - w[0] * e[k + 2];
        turned[k + 2] = w[0] * e[k + 1] - w[1] * e[k];
      }
      expect_near(rate, turned, 1e-6, frame.name.c_str());
    }
  }

  static void differences(Evaluator& of, Evaluator::Place place, double t, const Numbers& y, const Numbers& y_dot,
                          Numbers& rate, Numbers& behind) {
    const double h = 1e-5 / std::max(1.0, largest(y_dot));
    Numbers there = y;
    for (std::size_t i = 0; i < y.size(); ++i) there[i] = y[i] + h * y_dot[i];
    ASSERT_TRUE(of.position(place, t + h, there, rate));
    for (std::size_t i = 0; i < y.size(); ++i) there[i] = y[i] - h * y_dot[i];
    ASSERT_TRUE(of.position(place, t - h, there, behind));
    for (std::size_t i = 0; i < rate.size(); ++i) rate[i] = (rate[i] - behind[i]) / (2.0 * h);
  }

  static void compare_jacobian(Evaluator& of, Evaluator::Place place, double t, const Numbers& y,
                               const std::string& name) {
    const auto nq = static_cast<std::size_t>(of.coordinate_count()), nu = static_cast<std::size_t>(of.speed_count());
    Numbers J(3 * nu), velocity(3), other(3);
    ASSERT_TRUE(of.jacobian(place, t, y, J));
    ASSERT_TRUE(of.velocity(place, t, y, velocity));
    for (std::size_t j = 0; j < nu; ++j) {
      Numbers there = y;
      there[nq + j] += 1.0;
      ASSERT_TRUE(of.velocity(place, t, there, other));
      const double size = 1e-10 * std::max({1.0, largest(J), largest(velocity)});
      for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(other[k] - velocity[k], J[k * nu + j], size) << name;
    }
  }
};

TEST_P(Evaluations, AgreeWithTheModelAndWithDifferences) {
  const Model model = Model::load(GetParam(), {.backend = Backend::kTape, .cache = ""}).value();
  auto made = model.evaluator();
  if (!made) GTEST_SKIP() << made.error().text();
  Evaluator of = *std::move(made);
  const auto inner = test_support::model_of_file(GetParam());
  std::vector<std::pair<double, Numbers>> states{{of.start_time(), {of.start().begin(), of.start().end()}}};
  if (auto simulation = model.simulation(); simulation && simulation->advance(of.start_time() + 0.1)) {
    const State& state = simulation->state();
    Numbers y = state.q;
    y.insert(y.end(), state.u.begin(), state.u.end());
    y.insert(y.end(), state.z.begin(), state.z.end());
    states.emplace_back(state.t, std::move(y));
  }
  for (const auto& [t, y] : states) {
    SCOPED_TRACE("t = " + std::to_string(t));
    Round round(of);
    const bool moves = round.evaluate(of, t, y);
    const State state = unpacked(of, t, y);
    const auto stated = model.matrices(state);
    ASSERT_EQ(round.has_pieces, stated.has_value());
    if (!stated) continue;
    const Matrices& m = *stated;
    expect_near(round.M, m.M.values, 1e-12, "M");
    Numbers bias = m.f;
    for (std::size_t i = 0; i < bias.size(); ++i) bias[i] += m.C[i];
    if (moves) expect_near(round.bias, bias, 1e-9, "f + C");
    expect_near(round.A, m.A.values, 1e-12, "A");
    expect_near(round.b, m.b, 1e-12, "b");
    expect_near(round.position, m.phi, 1e-12, "phi");
    expect_near(round.velocity, m.psi, 1e-12, "psi");
    if (!moves) continue;
    const auto forces = model.forces(state);
    ASSERT_TRUE(forces) << forces.error().text();
    const auto nq = static_cast<std::size_t>(of.coordinate_count());
    expect_near(std::span(round.y_dot).subspan(nq, forces->u_dot.size()), forces->u_dot, 1e-8, "u'");
    expect_near(round.lambda, forces->lambda, 1e-8, "lambda");
    compare_places(of, *inner, t, y, round.y_dot);
  }
}

TEST_P(Evaluations, AllocateNothing) {
#ifndef VINCULUM_COUNTS_ALLOCATIONS
  GTEST_SKIP() << "malloc cannot be replaced here";
#endif
  const Model model = Model::load(GetParam(), {.backend = Backend::kTape, .cache = ""}).value();
  auto made = model.evaluator();
  if (!made) GTEST_SKIP() << made.error().text();
  const auto inner = test_support::model_of_file(GetParam());
  const auto bound = test_support::compiled(inner);
  if (!bound->compiled->system->slides.empty()) GTEST_SKIP() << "friction is settled at each state";
  if (!bound->compiled->nonlinear.empty()) GTEST_SKIP() << "accelerations that satisfy the rows are sought";
  Evaluator of = *std::move(made);
  const Numbers y(of.start().begin(), of.start().end());
  Round round(of);
  if (!round.evaluate(of, of.start_time(), y)) GTEST_SKIP() << "no motion from the start";
  (void)round.evaluate(of, of.start_time(), y);
  const long before = allocations;
  (void)round.evaluate(of, of.start_time(), y);
  EXPECT_EQ(allocations - before, 0);
}

INSTANTIATE_TEST_SUITE_P(Models, Evaluations, testing::ValuesIn(test_support::model_files()),
                         [](const auto& instance) { return instance.param.stem().string(); });

TEST(EvaluatorCalls, NameWhatIsWrong) {
  const Model model = Model::load(VINCULUM_MODELS "/pendulum.vin", {.backend = Backend::kTape, .cache = ""}).value();
  Evaluator of = model.evaluator().value();
  const Numbers y(of.start().begin(), of.start().end());
  Numbers short_one(1), three(3);
  const auto derivative = of.derivative(0.0, y, short_one);
  ASSERT_FALSE(derivative);
  EXPECT_NE(derivative.error().message.find("`y_dot` has 1 numbers and must have"), std::string::npos);
  const auto point = of.point("Pp");
  ASSERT_FALSE(point);
  EXPECT_NE(point.error().message.find("did you mean `P`"), std::string::npos) << point.error().message;
  EXPECT_FALSE(of.velocity({}, 0.0, y, three));
  EXPECT_FALSE(of.frame("P"));
}

TEST(EvaluatorCalls, OneEachOfEightThreads) {
  const Model model = Model::load(VINCULUM_MODELS "/pendulum.vin", {.backend = Backend::kTape, .cache = ""}).value();
  std::vector<Numbers> results(8);
  std::vector<std::thread> threads;
  for (Numbers& result : results) {
    threads.emplace_back([&model, &result] {
      Evaluator of = model.evaluator().value();
      const auto place = of.point("P").value();
      Numbers y(of.start().begin(), of.start().end()), y_dot(y.size()), velocity(3);
      for (int k = 0; k < 200; ++k) {
        if (!of.derivative(0.01 * k, y, y_dot) || !of.velocity(place, 0.01 * k, y, velocity)) return;
        for (std::size_t i = 0; i < y.size(); ++i) y[i] += 0.01 * y_dot[i];
        if (!of.project(0.01 * k, y)) return;
      }
      result = y;
      result.insert(result.end(), velocity.begin(), velocity.end());
    });
  }
  for (std::thread& thread : threads) thread.join();
  ASSERT_FALSE(results[0].empty());
  for (const Numbers& result : results) EXPECT_EQ(result, results[0]);
}

}  // namespace evaluator_test
}  // namespace vinculum
