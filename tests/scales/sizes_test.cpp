#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

// Small motions together with large ones, against closed forms: each component has the requested accuracy.
namespace vinculum {
namespace sizes_test {

struct Flown {
  sim::Trajectory motion;
  double length = 0.0;
};

Flown run(const std::string& text) {
  const auto model = test_support::model_of_text(text);
  sim::Dynamics dynamics(test_support::compiled(model));
  sim::SimulateOptions options = sim::options_of(*model);
  return {sim::simulate(dynamics, options), options.duration};
}

/// Largest difference between a function of the sample and a function of time.
template <class Value, class Wanted>
double worst(const Flown& run, const Value& value, const Wanted& wanted) {
  double most = 0.0;
  for (const sim::Sample& sample : run.motion.samples)
    most = std::max(most, std::abs(value(sample) - wanted(sample.t)));
  return most;
}

std::string satellite(double tolerance) {
  return fmt::format(R"(model satellite "A vibration aboard"
frame N newtonian
point O fixed in N
coord X, s [m]
particle hull mass 1000 [kg] at O + X*N.x
particle load mass 1 [kg] at hull + s*N.x
param k = 1000/1001 [N/m]
generalized force on s = -k*s
start X = 7e6, X' = 7500, s = 0.01, s' = 0
run 60 [s] tolerance {}
)",
                     tolerance);
}

TEST(Sizes, OfAVibrationAboardASatelliteAreItsOwn) {
  for (const double tolerance : {1e-6, 1e-8, 1e-10}) {
    const Flown flight = run(satellite(tolerance));
    ASSERT_FALSE(flight.motion.stopped);
    const double error =
        worst(flight, [](const auto& sample) { return sample.q[1]; }, [](double t) { return 0.01 * std::cos(t); });
    EXPECT_LT(error, 100.0 * tolerance * 0.01) << tolerance;
  }
}

TEST(Sizes, OfASmallAngleBesideAFastSpinAreItsOwn) {
  const Flown spin = run(R"(model spin "A fast spin, and a small angle"
coord phi, theta [rad]
param J = 2 [kg*m^2], c = 8 [N*m/rad]
lagrangian J/2*phi'^2 + J/2*theta'^2 - c/2*theta^2
start phi = 0, phi' = 1e5, theta = 1e-5, theta' = 0
run 50 [s]
)");
  ASSERT_FALSE(spin.motion.stopped);
  const double error =
      worst(spin, [](const auto& sample) { return sample.q[1]; }, [](double t) { return 1e-5 * std::cos(2.0 * t); });
  EXPECT_LT(error, 1e-11);
}

TEST(Sizes, AreThoseOfTheTextWithoutUnitsToo) {
  const Flown both = run(R"(model both "Slow and large, fast and small"
coord x, y
lagrangian x'^2/2 - x^2/2 + y'^2/2 - 50*y^2
start x = 1e8, x' = 0, y = 1e-6, y' = 0
run 20
)");
  ASSERT_FALSE(both.motion.stopped);
  const double error =
      worst(both, [](const auto& sample) { return sample.q[1]; }, [](double t) { return 1e-6 * std::cos(10.0 * t); });
  EXPECT_LT(error, 1e-12);
}

TEST(Sizes, ThatAreStatedHoldForPlacesFarAway) {
  const auto text = [](const std::string& scale) {
    return fmt::format(R"(model far "Two masses on a spring, far from where places are counted"
frame N newtonian
point O fixed in N
coord x, y [m] {}
particle P mass 2 [kg] at O + x*N.x
particle Q mass 2 [kg] at O + y*N.x
spring P Q stiffness 1 [N/m] length 1 [m]
start x = 7e6, y = 7000001.01, x' = 0, y' = 0
run 30 [s] tolerance 1e-6
)",
                       scale);
  };
  const auto stretch = [](const sim::Sample& sample) { return sample.q[1] - sample.q[0] - 1.0; };
  const double start = 7000001.01 - 7e6 - 1.0;
  const auto wanted = [start](double t) { return start * std::cos(t); };
  const Flown stated = run(text("scale 1e-2 [m]"));
  ASSERT_FALSE(stated.motion.stopped);
  EXPECT_LT(worst(stated, stretch, wanted), 1e-6);
  EXPECT_GT(worst(run(text("")), stretch, wanted), 1e-4) << "of 7000 km the tolerance leaves metres";
}

TEST(Sizes, OfWhatIsNothingButRoundingAskForNoSteps) {
  const auto text = [](const std::string& turned) {
    return R"(model plane "A pendulum in a plane of space"
frame N newtonian
frame B = N rotated 0.3 about z
point O fixed in N
coord x, y, z [m]
param l = 1 [m], g = 9.81 [m/s^2]
particle P mass 1 [kg] at O + x*)" +
           turned + R"(.x + y*)" + turned + R"(.y + z*N.z
gravity -g*N.z
constraint rod: x^2 + y^2 + z^2 = l^2
start x = 0.6, y = 0, z ~ -0.8, x' = 0, y' = 0
run 10 [s] tolerance 1e-9
)";
  };
  const Flown straight = run(text("N")), turned = run(text("B"));
  ASSERT_FALSE(turned.motion.stopped);
  EXPECT_LE(turned.motion.statistics.steps, straight.motion.statistics.steps + 2);
  EXPECT_LE(turned.motion.statistics.rejected, straight.motion.statistics.rejected + 2);
}

}  // namespace sizes_test
}  // namespace vinculum
