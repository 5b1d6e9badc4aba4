// Constraints on a massless point: a force on the point acts on the point or body to which it is attached.
#include <gtest/gtest.h>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum {
namespace passed_on_test {

/// Outputs along a run, read by their names.
class Outputs {
 public:
  explicit Outputs(const std::string& text)
      : bound_(test_support::compiled(test_support::model_of_text(text))), run_([&] {
          sim::Dynamics dynamics(bound_);
          sim::SimulateOptions options = sim::options_of(*bound_->compiled->model);
          options.output_step = 0.1;
          return sim::simulate(dynamics, options);
        }()) {}

  [[nodiscard]] Vector at(const sim::Sample& sample, const std::string& name) const {
    const auto& outputs = bound_->compiled->model->outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].name == name)
        return sample.outputs.segment(bound_->compiled->output_columns[i].first,
                                      bound_->compiled->output_columns[i].count);
    }
    ADD_FAILURE() << name;
    return {};
  }
  [[nodiscard]] const sim::Trajectory& run() const { return run_; }

 private:
  std::shared_ptr<const sim::Binding> bound_;
  sim::Trajectory run_;
};

TEST(PassedOn, TheRodsForceActsOnTheParticleThatStandsAtTheNamedPointAndOnTheGround) {
  const Outputs of(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y\npoint A = O + x*N.x + y*N.y\n"
      "particle bob mass 2 at A\ngravity -9.81*N.y\nconstraint rod: norm(pos(A, O)) = 1\n"
      "output on_bob = force(rod, bob)\noutput on_A = force(rod, A)\noutput on_O = force(rod, O)\n"
      "output v2 = dot(vel(bob), vel(bob))\nstart x = 0.6, y ~ -0.8\nrun 2 tolerance 1e-12\n");
  ASSERT_FALSE(of.run().stopped);
  for (const sim::Sample& sample : of.run().samples) {
    const double x = sample.q[0], y = sample.q[1];
    const double tension = 2.0 * (of.at(sample, "v2")[0] - 9.81 * y);  // m (v²/L − g·r/L)
    const Eigen::Vector3d wanted(-tension * x, -tension * y, 0.0);
    EXPECT_LT((of.at(sample, "on_bob") - wanted).norm(), 1e-9);
    EXPECT_LT((of.at(sample, "on_A") - wanted).norm(), 1e-9);
    EXPECT_LT((of.at(sample, "on_O") + wanted).norm(), 1e-9);
  }
}

TEST(PassedOn, AnElbowWithoutMassIsInEquilibriumUnderItsTwoRodsAndItsLoad) {
  const Outputs of(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord a, b, x, y\npoint E = O + a*N.x + b*N.y\n"
      "particle Q mass 1 at O + x*N.x + y*N.y\ngravity -9.81*N.y\nforce on E = 3*N.x - 1*N.y\n"
      "constraint upper: norm(pos(E, O)) = 1\nconstraint lower: norm(pos(Q, E)) = 1\n"
      "output up = force(upper, E)\noutput down = force(lower, E)\noutput on_Q = force(lower, Q)\n"
      "start a = 0.8, b ~ -0.6, x = 0.9, y ~ -1.5\nrun 0.02 tolerance 1e-10\n");
  ASSERT_FALSE(of.run().stopped) << of.run().stopped->message;
  for (const sim::Sample& sample : of.run().samples) {
    const Vector up = of.at(sample, "up"), down = of.at(sample, "down");
    EXPECT_LT((up + down + Eigen::Vector3d(3.0, -1.0, 0.0)).norm(), 1e-9);
    EXPECT_LT((down + of.at(sample, "on_Q")).norm(), 1e-12);
    EXPECT_GT(up.norm(), 0.1);
  }
}

}  // namespace passed_on_test
}  // namespace vinculum
