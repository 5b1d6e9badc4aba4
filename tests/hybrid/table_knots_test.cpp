// Steps end at points of tables if the kink there matters, and at no other points.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <string>

#include "support/folder.hpp"
#include "support/models.hpp"
#include "vinculum/expr/spline.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/accounts/audit_accounts.hpp"

namespace vinculum::hybrid {
namespace table_knots_test {

struct Record {
  std::vector<double> x, y;
  Record(double from, double to, double step, const std::function<double(double)>& f) {
    const int n = static_cast<int>(std::lround((to - from) / step));
    for (int i = 0; i <= n; ++i) {
      x.push_back(from + i * step);
      y.push_back(f(x.back()));
    }
  }
  [[nodiscard]] std::string text() const {
    std::string lines;
    for (std::size_t i = 0; i < x.size(); ++i) lines += fmt::format("{:.17g},{:.17g}\n", x[i], y[i]);
    return lines;
  }
  /// Integral of the spline, segment by segment; a three-point Gauss rule is exact for a cubic.
  [[nodiscard]] double integral(double from, double to) const {
    const expr::Spline spline("r", x, y);
    const double r = std::sqrt(0.6);
    double sum = 0.0;
    for (std::size_t k = 0; k + 1 < x.size(); ++k) {
      const double a = std::max(from, x[k]), b = std::min(to, x[k + 1]), half = 0.5 * (b - a), middle = 0.5 * (a + b);
      if (b <= a) continue;
      sum += half / 9.0 *
             (5.0 * spline.evaluate(middle - r * half, 0) + 8.0 * spline.evaluate(middle, 0) +
              5.0 * spline.evaluate(middle + r * half, 0));
    }
    return sum;
  }
};

struct Ran {
  sim::Trajectory run;
  double rate_miss = 0.0;  ///< error found by the audit's own quadrature (theory.md §10.5), in units of its limit
};

Ran run_of(const Record& record, const std::string& rest, const std::string& method = "") {
  const test_support::Folder folder;
  folder.write("r.csv", record.text());
  const std::string text = "model m\nframe N newtonian\npoint O fixed in N\n" + rest;
  diag::SourceText source("m.vin", text);
  diag::Diagnostics diagnostics;
  const lang::ModelFile file = lang::parse(source, reaction_laws::laws().forms(), diagnostics);
  const auto model =
      elaborate::elaborate(file, source, {folder.path(), {}, names_of(integrate::method_table())}, diagnostics);
  if (!model || diagnostics.has_errors()) throw std::runtime_error(diag::render_text(source, diagnostics.all()));
  sim::Dynamics dynamics(test_support::compiled(model));
  sim::SimulateOptions options = sim::options_of(*model);
  options.accounts = sim::audit_accounts;
  options.method = method;
  Ran ran{sim::simulate(dynamics, options)};
  if (ran.run.rates)
    for (const auto& miss : ran.run.rates->motion)
      ran.rate_miss = std::max(ran.rate_miss, miss.residual / miss.allowed());
  return ran;
}

double hammer(double t) {
  const double s = (t - 50.0) / 0.005;
  return s > 0.0 && s < 1.0 ? 1000.0 * std::sin(std::numbers::pi * s) : 0.0;
}

/// An impact of 5 ms in a record of 100 s. The spline oscillates around the impact; the oscillation decreases by a
/// factor of 0.27 per point.
TEST(TableKnots, OfABlowInALongRecordAreMet) {
  const Record record(0.0, 100.0, 0.001, hammer);
  const double impulse = record.integral(0.0, 99.0);
  EXPECT_NEAR(impulse, 3.0776835, 1e-6);
  for (const char* method : {"dop853", "tsit5", "dp5"}) {
    const Ran ran = run_of(record,
                           "coord x\nparticle P mass 1 at O + x*N.x\nforce on P = table(\"r.csv\", t)*N.x\n"
                           "start x = 0, x' = 0\nrun 99 tolerance 1e-10\n",
                           method);
    ASSERT_FALSE(ran.run.stopped);
    EXPECT_NEAR(ran.run.end().u[0], impulse, 3e-9) << method;
    EXPECT_LE(ran.run.statistics.steps, std::string(method) == "dop853" ? 500 : 3000) << method;
    EXPECT_LE(ran.rate_miss, 1.0) << method;
  }
}

/// A smooth record needs as many steps as its formula, however dense it is. Its spline oscillates about the formula by
/// h^4/384 between points of spacing h. If stages are farther apart than the points, this oscillation acts as noise of
/// the force. For h = 0.02 the noise is 4e-10, below a tenth of the tolerance. For h = 0.05 it is 1.6e-8, more than the
/// tolerance: 130 steps instead of 48.
TEST(TableKnots, OfASmoothRecordCostNoSteps) {
  const auto text = [](const std::string& force) {
    return "coord x\nparticle P mass 1 at O + x*N.x\nforce on P = (" + force + " - x)*N.x\nrun 20 tolerance 1e-8\n";
  };
  for (const double spacing : {0.05, 0.02, 0.005, 0.0005}) {
    const Record record(0.0, 20.0, spacing, [](double t) { return std::sin(t); });
    const Ran formula = run_of(record, text("sin(t)")), table = run_of(record, text("table(\"r.csv\", t)"));
    const long steps = formula.run.statistics.steps;
    EXPECT_LE(table.run.statistics.steps, spacing > 0.03 ? 3 * steps : steps + 5) << spacing;
    EXPECT_NEAR(table.run.end().q[0], formula.run.end().q[0], spacing > 0.01 ? 1e-5 : 1e-6) << spacing;
  }
}

/// A corner in a coarse record: a single point among smooth ones matters.
TEST(TableKnots, OfACornerAreMetWhereTheyAre) {
  const Record record(0.0, 10.0, 0.5, [](double t) { return std::abs(t - 4.0); });
  const Ran ran = run_of(record,
                         "coord x\nparticle P mass 1 at O + x*N.x\nforce on P = table(\"r.csv\", t)*N.x\n"
                         "start x = 0, x' = 0\nrun 10 tolerance 1e-11\n");
  EXPECT_NEAR(ran.run.end().u[0], record.integral(0.0, 10.0), 1e-10 * 17.0);
  EXPECT_TRUE(std::ranges::any_of(ran.run.step_times, [](double t) { return std::abs(t - 4.0) < 1e-9; }));
  EXPECT_LE(ran.rate_miss, 1.0);
}

/// The argument of the table is a position that is passed in both directions. The force depends only on the position,
/// so energy is conserved.
TEST(TableKnots, OfAPlaceAreMetBothWays) {
  const Record record(-2.0, 2.0, 0.1,
                      [](double x) { return x > 0.3 && x < 0.7 ? -40.0 * std::sin(7.85398 * (x - 0.3)) : -x; });
  const expr::Spline spline("r", record.x, record.y);
  for (const double tolerance : {1e-8, 1e-10, 1e-12}) {
    const Ran ran =
        run_of(record, fmt::format("coord x\nparticle P mass 1 at O + x*N.x\nforce on P = table(\"r.csv\", x)*N.x\n"
                                   "start x = -1, x' = 1.5\nrun 6 tolerance {}\n",
                                   tolerance));
    ASSERT_FALSE(ran.run.stopped) << ran.run.stopped->message;
    const double x = ran.run.end().q[0], v = ran.run.end().u[0];
    EXPECT_NEAR(0.5 * v * v - record.integral(-1.0, std::max(x, -1.0)) + record.integral(std::min(x, -1.0), -1.0),
                1.125, 200.0 * tolerance);
    EXPECT_LE(ran.rate_miss, 1.0);
    EXPECT_LE(ran.run.statistics.steps, 1500);
  }
}

/// The argument is a nonlinear function of time that reverses within the table.
TEST(TableKnots, OfACurvedArgumentAreMet) {
  const Record record(-1.1, 1.1, 0.05, [](double s) { return std::abs(s) < 0.12 ? 10.0 : 0.0; });
  const Ran fine = run_of(record,
                          "coord x\nparticle P mass 1 at O + x*N.x\nforce on P = table(\"r.csv\", sin(2*t))*N.x\n"
                          "start x = 0, x' = 0\nrun 5 tolerance 1e-13 max step 0.002\n");
  const Ran ran = run_of(record,
                         "coord x\nparticle P mass 1 at O + x*N.x\nforce on P = table(\"r.csv\", sin(2*t))*N.x\n"
                         "start x = 0, x' = 0\nrun 5 tolerance 1e-10\n");
  EXPECT_NEAR(ran.run.end().u[0], fine.run.end().u[0], 3e-9);
  EXPECT_NEAR(ran.run.end().q[0], fine.run.end().q[0], 1e-8);
  EXPECT_LE(ran.rate_miss, 1.0);
}

/// A position prescribed by a record; the prescribed acceleration has corners at the points of the record.
TEST(TableKnots, OfAPrescribedPlaceAreMet) {
  const Record record(0.0, 10.0, 0.25, [](double t) { return std::abs(t - 5.0) < 0.6 ? 0.3 : 0.0; });
  const expr::Spline spline("r", record.x, record.y);
  const Ran ran = run_of(record,
                         "coord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\nconstraint c: x = table(\"r.csv\", t)\n"
                         "force on P = (-2*y + 3*x')*N.y\nstart y = 1, x ~ 0\nrun 10 tolerance 1e-10\n");
  ASSERT_FALSE(ran.run.stopped) << ran.run.stopped->message;
  EXPECT_NEAR(ran.run.end().q[0], spline.evaluate(10.0, 0), 1e-10);
  EXPECT_NEAR(ran.run.end().u[0], spline.evaluate(10.0, 1), 1e-9);
  EXPECT_LE(ran.rate_miss, 1.0);
}

/// The Radau method has order 5, and its stages are at other instants than those of the explicit methods.
TEST(TableKnots, AreMetByAnImplicitMethod) {
  const Record record(0.0, 10.0, 0.1, [](double t) { return t > 4.95 && t < 5.25 ? 5.0 : 0.0; });
  const Ran ran = run_of(record,
                         "coord x\nparticle P mass 1 at O + x*N.x\nforce on P = (table(\"r.csv\", t) - 1000*x')*N.x\n"
                         "start x = 0, x' = 0\nrun 10 tolerance 1e-8\n",
                         "radau");
  ASSERT_FALSE(ran.run.stopped);
  EXPECT_NEAR(1000.0 * ran.run.end().q[0] + ran.run.end().u[0], record.integral(0.0, 10.0), 1e-6);
}

}  // namespace table_knots_test
}  // namespace vinculum::hybrid
