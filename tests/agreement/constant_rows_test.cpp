#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

// Plane loops with points at heights above the plane that are sums of decimals: 0.1 + 0.2 along one path around the
// loop, 0.3 along the other. The row in the direction of the hinges is 0 = 0 except for the rounding of these sums. If
// the heights really differ, it is an error, whose message contains the difference.
namespace vinculum {
namespace constant_rows_test {

/// Heights of the points along the two paths around the loop, as decimals whose sums are equal.
struct Heights {
  std::string name;
  std::vector<double> first, second;
};

std::vector<Heights> all_heights() {
  return {{"two beside one", {0.1, 0.2}, {0.3}},
          {"three beside one", {0.65, 0.39, 1.53}, {2.57}},
          {"up and down", {1.53, -0.2, -0.65, -0.39, -1.53}, {0.96, -2.2}},
          {"ten beside one", std::vector<double>(10, 0.1), {1.0}},
          {"a large one beside small ones", {1000.1, 0.1, 0.1, -1000.0}, {0.3}},
          {"thirds", {1.0 / 3.0, 1.0 / 3.0}, {2.0 / 3.0}}};
}

/// A four-bar linkage in the xy plane with lengths of the order of `size`. The statement `closing` closes its last
/// joint.
/// \param gap  error of the height of the point on the rocker
std::string linkage(const Heights& heights, double size, double gap, const std::string& closing) {
  const auto steps = [&](std::string point, const std::string& name, const std::string& axis,
                         const std::vector<double>& all) {
    std::string text;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::string next = fmt::format("{}{}", name, k);
      text += fmt::format("point {} = {} + {}*{}\n", next, point, all[k] * size, axis);
      point = next;
    }
    return std::pair{text, point};
  };
  const auto [first, E] = steps("E_", "E", "L.z", heights.first);
  std::vector<double> other = heights.second;
  if (gap != 0.0) other.push_back(gap / size);
  const auto [second, F] = steps("F_", "F", "C.z", other);
  std::string text = fmt::format(R"(model plane_loop
frame N newtonian
point O fixed in N
param s = {}
coord a, b, c
frame A = N rotated a about z
frame L = A rotated b about z
frame C = N rotated c about z
point P = O + {}*N.x
body crank frame A mass 1 inertia (s^2, s^2, s^2) at O + 0.1*s*A.x
body rod frame L mass 1 inertia (s^2, s^2, s^2) at O + 0.3*s*A.x + 0.2*s*L.x
body rocker frame C mass 1 inertia (s^2, s^2, s^2) at P + 0.2*s*C.x
point E_ = rod + 0.3*s*L.x
point F_ = rocker + 0.3*s*C.x
gravity -9.81*s*N.y
)",
                                 size, 0.4 * size);
  text += first + second;
  text += fmt::format(fmt::runtime(closing), fmt::arg("E", E), fmt::arg("F", F)) + "\n";
  text += "start a = 1.2, b ~ -0.9, c ~ 1.9, a' = 1\nrun 0.5 tolerance 1e-10\noutput at_ = a\n";
  return text;
}

const std::vector<std::string>& closings() {
  static const std::vector<std::string> all = {
      "constraint close: pos({E}, {F}) = 0*N.x",
      "constraint close: pos({E}, {F}) = 0*N.x along N.x, N.y, N.z",
      "joint close: revolute between {E} of rod and {F} of rocker axis L.z",
      "joint close: spherical between {F} of rocker and {E} of rod",
      "joint close: cylindrical between {E} of rod and {F} of rocker axis L.z",
      "joint close: prescribed_position between {E} of rod and {F} of rocker prescribed 0*L.x",
      "joint close: planar between {E} of rod and {F} of rocker axis L.z\nconstraint rest: pos({E}, {F}) = 0*N.x along "
      "N.x, N.y",
  };
  return all;
}

double angle_at_end(const std::string& text) {
  const auto model = test_support::model_of_text(text);
  sim::Dynamics dynamics(test_support::compiled(model));
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*model));
  EXPECT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_EQ(run.end().rank, 2);
  return run.end().outputs[0];
}

TEST(ConstantRows, ThatHoldUpToTheLastPlacesOfTheirTermsAreTrivial) {
  const double expected = angle_at_end(linkage({"in the plane", {}, {}}, 1.0, 0.0, closings().front()));
  for (const Heights& heights : all_heights()) {
    for (const double size : {1e-6, 1e-3, 1.0, 1e3, 1e6}) {
      for (const std::string& closing : closings()) {
        SCOPED_TRACE(fmt::format("{}, size {}, {}", heights.name, size, closing));
        EXPECT_NEAR(angle_at_end(linkage(heights, size, 0.0, closing)), expected, 1e-8);
      }
    }
  }
}

TEST(ConstantRows, WithAGapAreErrorsThatSayItsSize) {
  for (const Heights& heights : all_heights()) {
    for (const double size : {1e-6, 1.0, 1e6}) {
      for (const double gap : {1e-6 * size, 1e-9 * size}) {
        for (const std::string& closing : closings()) {
          // A cylindrical joint can move along the hinge, so there is no error.
          if (closing.find("cylindrical") != std::string::npos) continue;
          SCOPED_TRACE(fmt::format("{}, size {}, gap {}, {}", heights.name, size, gap, closing));
          const std::string text = linkage(heights, size, gap, closing);
          try {
            const auto model = test_support::model_of_text(text);
            FAIL() << "no error";
          } catch (const std::runtime_error& error) {
            const std::string message = error.what();
            EXPECT_NE(message.find("can never be true"), std::string::npos) << message;
            const std::size_t at = message.find("it misses by ");
            ASSERT_NE(at, std::string::npos);
            // The sums of heights are accurate only to their last digits.
            EXPECT_NEAR(std::stod(message.substr(at + 13)), gap, 0.01 * gap + 1e-15 * 2000.0 * size) << message;
          }
        }
      }
    }
  }
}

TEST(ConstantRows, OfParametersFollowTheirValues) {
  const std::string text = R"(model shelf
frame N newtonian
point O fixed in N
param h = 0.1, k = 0.2, g = 0.3
coord x, y
particle p mass 1 at O + x*N.x + y*N.y + h*N.z + k*N.z
point Q = O + g*N.z
constraint at_height: dot(pos(p, Q), N.z) = 0
force on p = N.x
run 1
)";
  const auto model = test_support::model_of_text(text);
  sim::Dynamics dynamics(test_support::compiled(model));
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*model));
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_NEAR(run.end().q[0], 0.5, 1e-12);
  EXPECT_EQ(run.end().rank, 0);
}

TEST(ConstantRows, InOneStatementMeetInTheText) {
  const std::string text = R"(model one_statement
frame N newtonian
point O fixed in N
coord a
frame R = N rotated a about y
body b frame R mass 1 inertia (0.1, 0.2, 0.3) at O
point U = b - 0.65*R.y - 0.39*R.y - 1.53*R.y + 2.57*R.y
joint j: spherical between U of b and O of N
start a' = 1
run 1
)";
  const auto model = test_support::model_of_text(text);
  sim::Dynamics dynamics(test_support::compiled(model));
  const sim::Trajectory run = sim::simulate(dynamics, sim::options_of(*model));
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_NEAR(run.end().q[0], 1.0, 1e-12);
  EXPECT_EQ(run.end().rank, 0);
}

}  // namespace constant_rows_test
}  // namespace vinculum
