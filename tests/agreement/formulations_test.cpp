#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/models.hpp"
#include "vinculum/equations/formulation.hpp"
#include "vinculum/motion/equations_of.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum {
namespace formulations_test {

using equations::Formulation;

sim::Trajectory run_by(const std::shared_ptr<const sim::Binding>& bound, Formulation formulation, double tolerance,
                       double output_step = 0.0) {
  sim::Dynamics dynamics(bound);
  sim::SimulateOptions options = sim::options_of(*bound->compiled->model);
  options.formulation = formulation;
  options.tolerance = tolerance;
  options.output_step = output_step;
  return sim::simulate(dynamics, options);
}

/// Largest difference between the final states of two runs, relative to the largest magnitude among coordinates or
/// among speeds.
double difference(const sim::Trajectory& a, const sim::Trajectory& b) {
  double q_size = 1e-3, u_size = 1e-3;
  for (const sim::Sample& sample : a.samples) {
    if (sample.q.size() > 0) q_size = std::max(q_size, sample.q.cwiseAbs().maxCoeff());
    if (sample.u.size() > 0) u_size = std::max(u_size, sample.u.cwiseAbs().maxCoeff());
  }
  u_size = std::max(u_size, 1e-3 * q_size);  // speeds of a body at rest are only rounding errors
  const double of_q = a.end().q.size() > 0 ? (a.end().q - b.end().q).cwiseAbs().maxCoeff() / q_size : 0.0;
  const double of_u = a.end().u.size() > 0 ? (a.end().u - b.end().u).cwiseAbs().maxCoeff() / u_size : 0.0;
  return std::max(of_q, of_u);
}

/// Largest |ψ| of a row along a run, relative to the largest |A_j| of the row times the largest speed in the run. If
/// the row almost vanishes, ψ is a rounding error of the coordinates.
double worst_velocity_residual(const std::shared_ptr<const sim::Binding>& bound, const sim::Trajectory& run) {
  sim::Dynamics dynamics(bound);
  sim::Matrices m;
  Vector residual = Vector::Zero(bound->compiled->nc()), gradient = residual;
  double fastest = 0.0, worst = 0.0;
  for (const sim::Sample& sample : run.samples) {
    Vector y(sample.q.size() + sample.u.size() + sample.z.size());
    y << sample.q, sample.u, sample.z;
    sim::EquationsOf(dynamics).matrices_as_they_are(dynamics.mode(), sample.t, y.data(), m);
    residual = residual.cwiseMax(m.psi.cwiseAbs());
    gradient = gradient.cwiseMax(m.A.cwiseAbs().rowwise().maxCoeff());
    fastest = std::max(fastest, sample.u.cwiseAbs().maxCoeff());
  }
  for (const int row : bound->compiled->velocity_rows) {
    const double size = gradient[row] * fastest;
    if (size > 0.0) worst = std::max(worst, residual[row] / size);
  }
  return worst;
}

/// Rounding error of angles after many revolutions. It is relative to the angle, which is larger than the sines that
/// rows contain.
double rounding_of_angles(const std::shared_ptr<const sim::Binding>& bound, const sim::Trajectory& run) {
  double largest = 0.0;
  for (const sim::Sample& sample : run.samples) {
    for (std::size_t i = 0; i < bound->compiled->model->coordinates.size(); ++i) {
      if (bound->compiled->model->coordinates[i].dimension == Dimension())
        largest = std::max(largest, std::abs(sample.q[static_cast<Eigen::Index>(i)]));
    }
  }
  return std::numeric_limits<double>::epsilon() * largest;
}

class Formulations : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Formulations, GiveOneMotion) {
  const auto model = test_support::model_of_file(GetParam());
  if (!model->run) GTEST_SKIP() << "without a run";
  const auto bound = test_support::compiled(model);
  if (!model->run->independent.empty()) GTEST_SKIP() << "the minimal form ends where the speeds it is asked for do";
  if (bound->compiled->system->higher) GTEST_SKIP() << "constraints of higher order have one formulation";
  constexpr double kTolerance = 1e-13;
  const sim::Trajectory explicit_run = run_by(bound, Formulation::kExplicit, kTolerance);
  // Motions may diverge fast (a rattleback). So the permitted difference is the difference from a run with ten times
  // the tolerance.
  const sim::Trajectory coarser = run_by(bound, Formulation::kExplicit, 10.0 * kTolerance);
  const bool both_end = !coarser.stopped && !explicit_run.stopped;
  const double allowed = std::max(1e-10, both_end ? difference(explicit_run, coarser) : 0.0);
  for (const Formulation formulation : {Formulation::kAugmented, Formulation::kMinimal}) {
    const sim::Trajectory run = run_by(bound, formulation, kTolerance);
    ASSERT_EQ(run.stopped.has_value(), explicit_run.stopped.has_value())
        << to_string(formulation) << ": " << (run.stopped ? run.stopped->message : "goes on");
    if (run.stopped) {
      // At a singularity the steps collapse because of rounding errors, which differ between formulations. So a
      // collapse may be reported in place of its cause.
      const bool is_collapse = run.stopped->kind == FailureKind::kStepTooSmall;
      if (!is_collapse) {
        EXPECT_EQ(run.stopped->kind, explicit_run.stopped->kind) << run.stopped->message;
      }
      EXPECT_NEAR(run.stopped->t, explicit_run.stopped->t, 1e-4 * model->run->duration)
          << explicit_run.stopped->message;
      continue;
    }
    EXPECT_LT(difference(explicit_run, run), allowed) << to_string(formulation);
    if (formulation == Formulation::kMinimal) {
      EXPECT_LT(worst_velocity_residual(bound, run), std::max(4e-15, rounding_of_angles(bound, run)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OfModels, Formulations, testing::ValuesIn(test_support::model_files()),
                         [](const auto& instance) { return instance.param.stem().string(); });

// [R] eq. 230 divides by u1 to compute the other speeds. In this motion u1 passes through zero: the first puck turns
// back along x while the velocities stay parallel.
std::shared_ptr<const sim::Binding> pucks_with_u1_through_zero() {
  return test_support::compiled(test_support::model_of_text(
      "model pucks\nframe N newtonian\npoint O fixed in N\ncoord q1, q2, q3, q4\n"
      "particle P1 mass 1 at O + q1*N.x + q2*N.y\nparticle P2 mass 2 at O + q3*N.x + q4*N.y\n"
      "force on P1 = -0.8*N.x\nforce on P2 = -0.9*N.x\n"
      "constraint parallel: dot(vel(P2), cross(N.z, vel(P1))) = 0\n"
      "start q2 = 1, q3 = 1, q1' = 0.6, q2' = 1, q3' = 1.2, q4' ~ 2\nrun 4\n"));
}

TEST(MinimalFormulation, PassesWhereASpeedThatAFixedChoiceDividesByIsZero) {
  const auto bound = pucks_with_u1_through_zero();
  const sim::Trajectory explicit_run = run_by(bound, Formulation::kExplicit, 1e-12, 0.01);
  ASSERT_FALSE(explicit_run.stopped);
  double lowest = 1.0, highest = -1.0;
  for (const sim::Sample& sample : explicit_run.samples) {
    lowest = std::min(lowest, sample.u[0]);
    highest = std::max(highest, sample.u[0]);
  }
  ASSERT_LT(lowest, -0.1);
  ASSERT_GT(highest, 0.1);

  const sim::Trajectory run = run_by(bound, Formulation::kMinimal, 1e-12, 0.01);
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  EXPECT_LT(difference(explicit_run, run), 1e-10);
  EXPECT_LT(worst_velocity_residual(bound, run), 4e-15);
}

TEST(MinimalFormulation, ChoosesOtherSpeedsWhereThePivotDegrades) {
  // A turning blade: at first the transverse speed is small, later the longitudinal speed.
  const auto bound = test_support::compiled(test_support::model_of_text(
      "model blade\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\n"
      "constraint blade: y'*cos(t) = x'*sin(t)\nforce on P = 0.3*N.x\nstart x' = 1, y' ~ 0\nrun 7\n"));
  sim::Dynamics dynamics(bound);
  sim::SimulateOptions options = sim::options_of(*bound->compiled->model);
  options.tolerance = 1e-12;
  const sim::Trajectory explicit_run = sim::simulate(dynamics, options);
  options.formulation = Formulation::kMinimal;
  const sim::Trajectory run = sim::simulate(dynamics, options);
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  // One choice of independent speeds at the start for speeds and one for accelerations, then at least two more of each.
  EXPECT_GE(run.counts.choices, 2 + 4);
  EXPECT_LT(difference(explicit_run, run), 1e-11);
}

TEST(OneMotion, AgreeOnNonlinearRowsThatAreRedundantAndNonideal) {
  const auto bound = test_support::compiled(test_support::model_of_text(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y, z\nparticle P mass 2 at O + x*N.x + y*N.y + z*N.z\n"
      "gravity -9.81*N.z\nlet v = vel(P)\n"
      "constraint cone: dot(v,N.x)^2 + dot(v,N.y)^2 = dot(v,N.z)^2\n    nonideal on P = -0.2*norm(v)*v\n"
      "constraint again: 3*x'^2 + 3*y'^2 = 3*z'^2\n"
      "start x' = 1, y' = 0.5, z' ~ -1\nrun 2\n"));
  const sim::Trajectory a = run_by(bound, Formulation::kExplicit, 1e-12);
  const sim::Trajectory b = run_by(bound, Formulation::kAugmented, 1e-12);
  const sim::Trajectory c = run_by(bound, Formulation::kMinimal, 1e-12);
  ASSERT_FALSE(a.stopped || b.stopped || c.stopped);
  EXPECT_LT(difference(a, b), 1e-11);
  EXPECT_LT(difference(a, c), 1e-11);
}

TEST(OneMotion, NameConstraintsThatContradictEachOther) {
  const auto bound = test_support::compiled(test_support::model_of_text(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 2 at O + x*N.x + y*N.y\n"
      "constraint one: x'' = 1\nconstraint two: 2*x'' = 3*t + 2\nrun 1\n"));
  for (const Formulation formulation : equations::kFormulations) {
    const sim::Trajectory run = run_by(bound, formulation, 1e-10);
    ASSERT_TRUE(run.stopped) << to_string(formulation);
    EXPECT_EQ(run.stopped->kind, FailureKind::kInconsistent);
    EXPECT_FALSE(run.stopped->rows.empty());
  }
}

}  // namespace formulations_test
}  // namespace vinculum
