// A run that stops ends with the state at the stop as its last sample, and has no later samples, whatever the sample
// times.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"
#include "vinculum/base/failure.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/invariants/invariants.hpp"

namespace vinculum {
namespace stop_state_test {

namespace fs = std::filesystem;

struct Stopping {
  std::string name, text;
  bool stops_on_samples = false;  ///< the failure occurs only if a sample is taken there; steps do not reach it
};
void PrintTo(const Stopping& model, std::ostream* out) { *out << model.name; }

std::vector<Stopping> stopping_models() {
  std::vector<Stopping> all;
  for (const FailureInfo& kind : failure_table()) {
    if (kind.kind == FailureKind::kRegionContradiction) continue;  // no run is known that ends in this way
    const fs::path file = fs::path(VINCULUM_SOURCE) / "tests/golden/failures" / (std::string(kind.name) + ".vin");
    all.push_back({std::string(kind.name), test_support::read_text(file)});
  }
  all.push_back({"gimbal-lock",
                 "model m\nframe N newtonian\npoint O fixed in N\ncoord a, b, c [deg]\nframe A = N rotated c about z\n"
                 "frame C = A rotated b about y\nframe B = C rotated a about x\n"
                 "body plane frame B mass 1 [kg] inertia (1, 2, 3) [kg*m^2] at O\n"
                 "start a = 0, b = 80, c = 0, b' = 20\nrun 1 [s]\n",
                 true});
  all.push_back({"end-of-table",
                 "model m\nframe N newtonian\npoint O fixed in N\ncoord x\nparticle P mass 1 at O + x*N.x\n"
                 "force on P = sqrt(0.5 - t)*N.x\nstart x' = 1\nrun 1\n"});
  all.push_back({"output-without-value",
                 "model m\nframe N newtonian\npoint O fixed in N\ncoord x\nparticle P mass 1 at O + x*N.x\n"
                 "output r = sqrt(0.5 - 1e-9 - x)\nstart x' = 1\nrun 1\n",
                 true});
  all.push_back({"fold",
                 "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\n"
                 "gravity -10*N.y\nconstraint c: y = |x - 0.5|\nstart x = 0, y ~ 0.5, x' = 4\nrun 1\n"});
  all.push_back({"jump-of-a-place",
                 "model m\nframe N newtonian\npoint O fixed in N\ncoord x\nparticle P mass 1 at O + x*N.x\n"
                 "constraint c: x = (1 if t > 0.5 else 0)\nstart x ~ 0\nrun 1\n"});
  all.push_back({"sliding-comes-to-rest",
                 "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\n"
                 "gravity -10*N.y\nconstraint c: dot(pos(P, O), N.y) = 0\n"
                 "    nonideal on P = -0.5*norm(reaction(c, P))*dot(unit(vel(P)), N.x)^2*unit(vel(P))\n"
                 "start x' = 2\nrun 1\n"});
  return all;
}

class StopState : public testing::TestWithParam<Stopping> {
 protected:
  [[nodiscard]] sim::Trajectory run(double output_step) const {
    const auto model = test_support::model_of_text(GetParam().text);
    sim::CompileSettings settings;
    settings.conserved_judge = sim::judge_conserved;
    settings.codegen.backend = codegen::Backend::kTape;
    const auto bound = sim::compile_model(model, settings);
    if (!bound) {
      sim::Trajectory none;
      none.stopped = bound.error();
      return none;
    }
    sim::Dynamics dynamics(*bound);
    sim::SimulateOptions options = sim::options_of(*model);
    if (output_step > 0.0) options.output_step = output_step;
    return sim::simulate(dynamics, options);
  }
};

TEST_P(StopState, IsTheLastSampleAndNothingLiesBehindIt) {
  const sim::Trajectory whole = run(0.0);
  ASSERT_TRUE(whole.stopped);
  const double stop = whole.stopped->t;
  if (whole.samples.size() < 2) {
    EXPECT_TRUE(whole.samples.empty() || whole.end().t == 0.0);
    EXPECT_NEAR(stop, 0.0, 1e-6);
    return;
  }
  for (const double step : {stop / 3.0, stop / 8.0, stop / 2.5, 0.9 * stop, 2.0 * stop}) {
    const bool is_on_sample = std::abs(std::remainder(stop, step)) < 1e-9 * stop;
    if (GetParam().stops_on_samples && !is_on_sample) continue;
    const sim::Trajectory one = run(step);
    SCOPED_TRACE(fmt::format("samples every {} s, stop at {} s", step, stop));
    ASSERT_TRUE(one.stopped);
    EXPECT_EQ(one.stopped->kind, whole.stopped->kind);
    EXPECT_NEAR(one.stopped->t, stop, 1e-6 * stop);
    ASSERT_GE(one.samples.size(), 2U);
    EXPECT_LE(one.end().t, one.stopped->t);
    EXPECT_NEAR(one.end().t, stop, 5e-6 * stop);
    for (std::size_t i = 1; i < one.samples.size(); ++i) EXPECT_LT(one.samples[i - 1].t, one.samples[i].t);
    const std::size_t whole_steps = static_cast<std::size_t>(stop / step * (1.0 - 1e-9));
    EXPECT_NEAR(static_cast<double>(one.samples.size()), static_cast<double>(whole_steps) + 2.0, 1.0);
    const double size = 1.0 + whole.end().q.norm();
    EXPECT_LE((one.end().q - whole.end().q).norm(), 1e-4 * size) << one.end().q << "\n" << whole.end().q;
    for (const double t : one.step_times) EXPECT_LE(t, one.stopped->t + 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, StopState, testing::ValuesIn(stopping_models()), [](const auto& instance) {
  std::string name(instance.param.name);
  std::erase(name, '-');
  return name;
});

}  // namespace stop_state_test
}  // namespace vinculum
