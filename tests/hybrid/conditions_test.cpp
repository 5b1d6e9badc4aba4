// Along motions with random conditions, the regions in force must agree with the truth of the conditions. An
// independent program evaluates the conditions.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "hybrid/random_condition.hpp"
#include "support/folder.hpp"
#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum::hybrid {
namespace conditions_test {

constexpr double kDuration = 5.0, kPush = 0.5, kTolerance = 1e-9;
constexpr long kInstants = 1000, kFiner = 4;
constexpr double kError = 100.0 * kTolerance;  // error of a time, and of the dense output for a state of magnitude 1
// Largest distance, in s or m, of comparison states from a tangential contact. (1e-14)^(1/27) = 0.3 is the distance at
// which three nested smoothsteps equal 1 within rounding.
constexpr double kAside = 0.3;

/// Oscillator with the coordinates x and y. If `is_dynamic`, the condition exerts a force on x; otherwise the
/// oscillation is free. A force on w always depends on the condition c, so that the acceleration of w shows the region
/// in force.
std::string model_of(bool is_dynamic) {
  return fmt::format(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y, w\nparticle P mass 1 at O + x*N.x + y*N.y + w*N.z\n"
      "force on P = (-2*x{})*N.x - 5.3*y*N.y + (-w + {}*c)*N.z\n"
      "start x = 0.9, y = 0.31, x' = 0.4, y' = -1.7, w = 0.1\nrun {} tolerance {}\n",
      is_dynamic ? fmt::format(" + {}*c", kPush) : "", kPush, kDuration, kTolerance);
}

/// Evaluates the condition at many instants of each step, and compares its value with the region in force.
class Compared final : public sim::Sink {
 public:
  explicit Compared(Expression condition) : condition_(std::move(condition)) {}
  void passed(const sim::Stretch& stretch) override {
    const double from = stretch.step.t_begin();
    if (!(stretch.t_end > from)) return;
    const double between = kDuration / (kInstants * kFiner);
    for (auto i = static_cast<long>(std::ceil(from / between));; ++i) {
      const double t = static_cast<double>(i) * between;
      if (!(t < stretch.t_end)) break;
      count_changes(stretch, t);
      if (i % kFiner == 0) see(stretch, t);
    }
  }
  long instants = 0, doubtful = 0, undecidable = 0, wrong = 0;
  long changes = 0;  ///< changes of the results of comparisons, as far as the grid of instants resolves them
  double first_wrong = 0.0;

 private:
  void count_changes(const sim::Stretch& stretch, double t) {
    (void)stretch.step.interpolate(t, y_);
    Evaluation here(t, y_[0], y_[1]);
    (void)here.truth_of(condition_);
    const std::vector<long>& ways = here.ways();
    for (std::size_t i = 0; i < before_.size(); ++i) changes += std::min(std::abs(ways[i] - before_[i]), 4L);
    before_ = ways;
  }
  void see(const sim::Stretch& stretch, double t) {
    ++instants;
    (void)stretch.step.interpolate(t, y_);
    Evaluation here(t, y_[0], y_[1]);
    const bool truth = here.truth_of(condition_);
    if (is_beside_a_change(t, truth)) {
      ++doubtful;
      return;
    }
    if (is_undecidable(t, truth, here)) {
      ++undecidable;
      return;
    }
    Vector rate = Vector::Zero(y_.size());
    ASSERT_TRUE(stretch.dynamics.derivative(stretch.mode, t, y_.data(), rate.data()));
    const bool in_force = rate[5] + y_[2] > 0.5 * kPush;
    if (truth == in_force) return;
    if (wrong++ == 0) first_wrong = t;
  }
  [[nodiscard]] bool truth_at(double t, double x, double y) const { return Evaluation(t, x, y).truth_of(condition_); }
  /// Whether a state within a distance of a hundred tolerances has another truth value.
  [[nodiscard]] bool is_beside_a_change(double t, bool truth) const {
    if (truth_at(t - kError, y_[0], y_[1]) != truth || truth_at(t + kError, y_[0], y_[1]) != truth) return true;
    for (int k = 0; k < 9; ++k)
      if (truth_at(t, y_[0] + (k % 3 - 1) * kError, y_[1] + (k / 3 - 1) * kError) != truth) return true;
    return false;
  }
  /// For each comparison: whether its two numbers touch tangentially at this state and are equal within rounding, like
  /// smoothstep and its end values. If their difference is c τ^n at the distance τ, it is below the rounding ε for |τ|
  /// < (ε/c)^(1/n). Numbers that are identically equal remain equal at a distance, as long as the other comparisons
  /// keep their results; numbers that touch do not.
  [[nodiscard]] std::vector<char> touches(double t, const Evaluation& here) const {
    std::vector<char> touching(here.ties().size(), 0);
    for (const double by : {kAside, -kAside, 0.1 * kAside, -0.1 * kAside, 0.01 * kAside, -0.01 * kAside}) {
      for (int k = 0; k < 3; ++k) {
        Evaluation aside(t + (k == 0 ? by : 0.0), y_[0] + (k == 1 ? by : 0.0), y_[1] + (k == 2 ? by : 0.0));
        (void)aside.truth_of(condition_);
        bool is_of_region = true;
        for (std::size_t i = 0; i < touching.size(); ++i)
          is_of_region = is_of_region && (here.ties()[i] != 0 || aside.ways()[i] == here.ways()[i]);
        for (std::size_t i = 0; i < touching.size() && is_of_region; ++i)
          if (here.ties()[i] != 0 && aside.ties()[i] == 0) touching[i] = 1;
      }
    }
    return touching;
  }
  /// Whether the truth value depends on comparisons whose results are decided by rounding errors.
  [[nodiscard]] bool is_undecidable(double t, bool truth, const Evaluation& here) const {
    const auto decides = [&](const std::vector<char>& some) {
      for (const long result : {-1L, 0L, 1L})
        if (Evaluation(t, y_[0], y_[1], some, result).truth_of(condition_) != truth) return true;
      return false;
    };
    return decides(here.ties()) && decides(touches(t, here));
  }

  Expression condition_;
  Vector y_;
  std::vector<long> before_;
};

struct Outcome {
  long events = 0, doubtful = 0, undecidable = 0, instants = 0, steps = 0;
  std::vector<unsigned> not_proven, touching;  ///< seeds of the conditions that the enclosure check could not prove,
                                               ///< and of those that contain a touching comparison
};

/// Seeds whose runs take more steps. A flat table touches a value without crossing it, at a distance smaller than the
/// rounding of the table's coefficients. So the enclosure check proves nothing, and steps are shortened: 202, 353 and
/// 188 steps. The truth values are correct.
constexpr std::array kSlow = {1706U, 1786U, 1833U};

void compare(unsigned seed, bool is_dynamic, const std::filesystem::path& folder, Outcome& all) {
  RandomExpressions draw(seed);
  const Expression condition = draw.condition(2 + draw.below(3));
  std::string text = model_of(is_dynamic);
  const std::string definition = "let c = (1 if " + text_of(condition) + " else 0)\n";
  text.insert(text.find("force on"), definition);
  SCOPED_TRACE(fmt::format("VINCULUM_SEED={} {}\n{}", seed, is_dynamic ? "dynamic" : "prescribed", text));
  diag::SourceText source("m.vin", text);
  diag::Diagnostics diagnostics;
  const lang::ModelFile file = lang::parse(source, reaction_laws::laws().forms(), diagnostics);
  const auto model = elaborate::elaborate(file, source, {folder, {}, names_of(integrate::method_table())}, diagnostics);
  ASSERT_TRUE(model && !diagnostics.has_errors()) << diag::render_text(source, diagnostics.all());
  sim::Dynamics dynamics(test_support::compiled(model));
  sim::SimulateOptions options = sim::options_of(*model);
  options.most_steps = 3000;
  Compared compared(condition);
  options.sinks.push_back(&compared);
  const sim::Trajectory run = sim::simulate(dynamics, options);
  if (run.stopped) ADD_FAILURE() << "at t = " << run.stopped->t << ": " << run.stopped->message;
  EXPECT_EQ(compared.wrong, 0) << "first at t = " << compared.first_wrong;
  const long passages = static_cast<long>(run.all<sim::Passage>().size());
  EXPECT_LE(passages, compared.changes + 4) << "surfaces are met more often than they are there";
  const bool is_slow = run.statistics.steps > 80 + 12 * passages;
  EXPECT_EQ(is_slow, std::ranges::find(kSlow, seed) != kSlow.end()) << run.statistics.steps << " steps";
  if (run.looking.not_proven > 0) all.not_proven.push_back(seed);
  if (compared.undecidable > 0) all.touching.push_back(seed);
  all.events += passages, all.doubtful += compared.doubtful, all.undecidable += compared.undecidable;
  all.instants += compared.instants, all.steps += run.statistics.steps;
}

/// With the environment variable `VINCULUM_SEED=17`, only that seed runs.
void compare_all(unsigned count) {
  const test_support::Folder folder;
  std::string table;
  for (const double u : kKnots) table += fmt::format("{},{}\n", u, ramp(u));
  folder.write("ramp.csv", table);
  const char* const one = std::getenv("VINCULUM_SEED");
  Outcome all;
  for (unsigned i = 1; i <= count; ++i) {
    const unsigned seed = one != nullptr ? static_cast<unsigned>(std::stoul(one)) : i;
    compare(seed, seed % 2 == 0, folder.path(), all);
    if (one != nullptr || ::testing::Test::HasFatalFailure()) break;
  }
  fmt::print("seeds 1 to {}: {} events, {} steps, {} instants, {} of them beside a surface, {} at a touch\n", count,
             all.events, all.steps, all.instants, all.doubtful, all.undecidable);
  fmt::print("{} seeds not proven: {}\n{} seeds with a touch: {}\n", all.not_proven.size(),
             fmt::join(all.not_proven, " "), all.touching.size(), fmt::join(all.touching, " "));
  // Two nested flat functions that touch a third value without crossing it can be bounded only over short intervals.
  EXPECT_LE(all.not_proven.size(), std::max(count / 50, 1U));
}

TEST(RandomConditions, HoldWhereTheirRegionsSayShiftedALittle) { compare_all(100); }

TEST(RandomConditions, HoldWhereTheirRegionsSay) { compare_all(2000); }

}  // namespace conditions_test
}  // namespace vinculum::hybrid
