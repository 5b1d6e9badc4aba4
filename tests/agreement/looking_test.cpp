// Evaluating outputs has no side effects: no bit of a motion depends on the samples and results that are recorded.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/models.hpp"
#include "vinculum/vinculum.hpp"

namespace vinculum {
namespace looking_test {

/// Data of a run that must not depend on the samples and results that are recorded.
struct Motion {
  double t = 0.0;
  std::vector<double> y;
  long steps = 0, rejected = 0;
  std::string stopped;
  double t_stopped = 0.0;
  bool operator==(const Motion&) const = default;
};

Motion motion_of(const Trajectory& run) {
  Motion motion;
  const auto last = static_cast<int>(run.t().size()) - 1;
  if (last >= 0) {
    motion.t = run.t().back();
    for (const Array* array : {&run.q(), &run.u(), &run.z()})
      motion.y.insert(motion.y.end(), array->row(last).begin(), array->row(last).end());
  }
  motion.steps = run.statistics().steps;
  motion.rejected = run.statistics().rejected;
  if (const Error* why = run.stopped()) {
    motion.stopped = why->kind;
    motion.t_stopped = why->t;
  }
  return motion;
}

TEST(Looking, ChangesNoBitOfAnyModel) {
  int looked_at = 0;
  for (const auto& file : test_support::model_files()) {
    const auto model = Model::load(file, {.cache = ""});
    ASSERT_TRUE(model) << file;
    const auto own = model->run();
    if (!own) continue;  // the model has no `run`
    const double until = own->provenance().until;
    if (!(until > 0.0)) continue;
    const double stated = own->provenance().step;
    const double step = stated > 0.0 ? stated : until / 200.0;
    const Motion motion = motion_of(*own);
    EXPECT_EQ(motion_of(model->run({.step = step / 7.0}).value()), motion) << file << ": a seventh of its step";
    EXPECT_EQ(motion_of(model->run({.step = until}).value()), motion) << file << ": no samples between its ends";
    const auto asked = model->run({.step = until, .at = {until / 3.0, 0.777 * until}, .record = {.energy = true}});
    EXPECT_EQ(motion_of(asked.value()), motion) << file << ": times asked for, and energies";
    ++looked_at;
  }
  EXPECT_GT(looked_at, 100);
}

// The motion that `test` checks is the motion that `run` writes.
TEST(Looking, AtExpectationsChangesNothing) {
  const std::string text =
      "model loop\nframe N newtonian\npoint O fixed in N\ncoord x1, y1, x2, y2\n"
      "particle P1 mass 1 at O + x1*N.x + y1*N.y\nparticle P2 mass 1 at O + x2*N.x + y2*N.y\ngravity -10*N.y\n"
      "constraint crank1: norm(pos(P1, O)) = 1\nconstraint coupler: norm(pos(P2, P1)) = 1\n"
      "start x1 = 1, y1 = 0, x2 = 2, y2 = 0\nrun 5 tolerance 1e-6\n";
  const double x = Model::from_text(text)->run().value().column("x2").value().values.back();
  std::string expectations = fmt::format("expect at end: x2 = {:.17g} ± 0\n", x);
  for (int k = 1; k < 30; ++k) expectations += fmt::format("expect at {:.3f}: x1^2 + y1^2 = 1 ± 1e-12\n", 0.163 * k);
  const Verdict verdict = Model::from_text(text + expectations)->test();
  EXPECT_EQ(verdict.passed, 30) << verdict.text;
}

/// Largest error of a column over all samples, relative to a run at the same times with 1e-5 times the tolerance.
double largest_error(const Model& model, double tolerance, double step, const std::string& column) {
  const auto rough = model.run({.tolerance = tolerance, .step = step}).value().column(column).value();
  const auto fine = model.run({.tolerance = 1e-5 * tolerance, .step = step}).value().column(column).value();
  double worst = 0.0;
  for (std::size_t i = 0; i < rough.size(); ++i) worst = std::max(worst, std::abs(rough(i) - fine(i)));
  return worst;
}

// Interpolated samples must not have larger errors than ends of steps. (Samples coincide with ends of steps only by
// chance.)
TEST(Looking, ShowsAsMuchAsTheStepsKnow) {
  for (const char* name : {"kepler", "heavy_top", "pendulum", "charge_in_magnetic_field"}) {
    const auto model = Model::load(std::string(VINCULUM_MODELS) + "/" + name + ".vin", {.cache = ""}).value();
    const std::string column = model.coordinates().front().name;
    const auto run = model.run({.tolerance = 1e-8}).value();
    const double until = run.provenance().until;
    // The end of a run is the end of a step, so runs of various lengths give ends of steps.
    double at_ends = 0.0;
    for (int k = 1; k <= 20; ++k) {
      const double end = until * k / 20.0;
      const auto value = [&](double tolerance) {
        return model.run({.until = end, .tolerance = tolerance, .step = end})
            .value()
            .column(column)
            .value()
            .values.back();
      };
      at_ends = std::max(at_ends, std::abs(value(1e-8) - value(1e-13)));
    }
    const double everywhere = largest_error(model, 1e-8, until / 1000.0, column);
    EXPECT_LE(everywhere, 3.0 * at_ends) << name << ": " << at_ends;
    RecordProperty(name, std::to_string(everywhere / at_ends));
  }
}

}  // namespace looking_test
}  // namespace vinculum
