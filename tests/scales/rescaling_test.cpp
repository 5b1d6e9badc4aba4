#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <regex>
#include <set>

#include "support/lang/rescaled.hpp"
#include "support/models.hpp"
#include "vinculum/out/report/explain.hpp"
#include "vinculum/sim/run/simulate.hpp"

// Every model in other units of mass, length and time, powers of two: the same steps, the same numbers, the same words.
namespace vinculum {
namespace {

using test_support::Rescaling;

constexpr double kPartOfRun = 0.25;
constexpr double kRoundingOfARun = 1e-9;  // of an operation in another order, grown along the motion

struct Twin {
  std::shared_ptr<const mechanics::Model> model;
  std::shared_ptr<const sim::CompiledModel> plant;
  sim::Trajectory motion;
  out::Node words;
};

std::shared_ptr<const mechanics::Model> restated(const std::filesystem::path& path, const mechanics::Model* original,
                                                 const Rescaling& by) {
  diag::SourceText source(path.filename().string(), test_support::read_text(path));
  diag::Diagnostics diagnostics;
  const std::vector<std::string> methods = names_of(integrate::method_table());
  const elaborate::Options options{path.parent_path(), {}, methods};
  lang::ModelFile file = lang::parse(source, law::laws().forms(), diagnostics), written_out;
  elaborate::Changes changes;
  changes.statements = [&](lang::ModelFile& statements) { written_out = statements; };
  auto model = elaborate::elaborate(file, source, options, changes, diagnostics);
  if (original != nullptr) {
    test_support::Restated(*original, by).file(written_out);
    model = elaborate::elaborate(written_out, source, options, diagnostics);
  }
  if (diagnostics.has_errors() || !model) throw std::runtime_error(diag::render_text(source, diagnostics.all()));
  return model;
}

Twin twin_of(const std::filesystem::path& path, const mechanics::Model* original, const Rescaling& by) {
  Twin twin;
  twin.model = restated(path, original, by);
  twin.plant = test_support::compiled(twin.model);
  sim::SimulateOptions options = sim::options_of(*twin.model);
  options.duration *= kPartOfRun;
  sim::Dynamics dynamics(twin.plant);
  twin.motion = sim::simulate(dynamics, options);
  twin.words = out::explain(twin.plant);
  return twin;
}

/// What is told, without its numbers.
void words_of(const out::Node& node, const std::string& path, std::vector<std::string>& words) {
  static const std::regex number(R"([0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?)");
  if (node.name == "units") return;  // as they were declared
  const std::string here = path + "/" + node.name;
  const auto plain = [](const std::string& text) { return std::regex_replace(text, number, "#"); };
  std::string value;
  if (const auto* text = std::get_if<std::string>(&node.value)) value = plain(*text);
  if (const auto* truth = std::get_if<bool>(&node.value)) value = *truth ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&node.value)) value = std::to_string(*integer);
  words.push_back(fmt::format("{}: {} unique {}", here, value, node.is_unique));
  for (const out::Node& part : node.parts) words_of(part, here, words);
}

class Differences {
 public:
  Differences(const Twin& a, const Twin& b, const Rescaling& by) : a_(a), b_(b), by_(by) {}
  std::string of_motions() {
    compare_steps();
    compare_numbers(kRoundingOfARun);
    return std::move(text_);
  }
  std::string of_numbers(double most) {
    compare_numbers(most);
    return std::move(text_);
  }
  std::string of_words() {
    compare_words();
    return std::move(text_);
  }

 private:
  void say(const std::string& line) { text_ += line + "\n"; }
  void worst_of(const char* what, const Vector& a, const Vector& b, const std::vector<Dimension>& dimensions) {
    double& worst = worst_[what];
    for (Eigen::Index i = 0; i < a.size(); ++i) {
      if (std::isnan(a[i]) && std::isnan(b[i])) continue;
      const double factor = by_.of(dimensions[static_cast<std::size_t>(i)]);
      const double size = std::max(a.cwiseAbs().maxCoeff(), 1e-300);
      worst = std::max(worst, std::abs(b[i] / factor - a[i]) / size);
    }
  }
  void compare_steps();
  void compare_numbers(double most);
  void compare_words() {
    std::vector<std::string> a, b;
    words_of(a_.words, "", a);
    words_of(b_.words, "", b);
    if (a.size() != b.size()) say(fmt::format("explain tells {} things instead of {}", b.size(), a.size()));
    int shown = 0;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
      if (a[i] == b[i] || ++shown > 5) continue;
      say(fmt::format("explain: `{}` instead of `{}`", b[i], a[i]));
    }
  }

  const Twin &a_, &b_;
  Rescaling by_;
  std::map<std::string, double> worst_;
  std::string text_;
};

void Differences::compare_steps() {
  const sim::Trajectory &a = a_.motion, &b = b_.motion;
  if (a.stopped.has_value() != b.stopped.has_value()) {
    say(fmt::format("stopped: {} instead of {}", b.stopped ? b.stopped->message : "no",
                    a.stopped ? a.stopped->message : "no"));
  }
  const auto count = [&](const char* what, auto x, auto y) {
    if (x != y) say(fmt::format("{}: {} instead of {}", what, y, x));
  };
  count("steps", a.statistics.steps, b.statistics.steps);
  count("rejected", a.statistics.rejected, b.statistics.rejected);
  count("samples", a.samples.size(), b.samples.size());
  count("rank drops", a.rank_drops.size(), b.rank_drops.size());
  count("friction changes", a.friction_changes.size(), b.friction_changes.size());
  count("pivoted", a.counts.fallbacks, b.counts.fallbacks);
  for (std::size_t k = 0; k < std::min(a.samples.size(), b.samples.size()); ++k) {
    count("rank", a.samples[k].rank, b.samples[k].rank);
    if (a.samples[k].row_unique != b.samples[k].row_unique) say("row_unique differs");
  }
}

void Differences::compare_numbers(double most) {
  const sim::Trajectory &a = a_.motion, &b = b_.motion;
  const mechanics::Model& model = *a_.model;
  std::vector<Dimension> q, u, z = a_.plant->system->z_dimensions, lambda;
  for (const auto& one : model.coordinates) q.push_back(one.dimension);
  for (const auto& one : model.speeds) u.push_back(one.dimension);
  for (const dynamics::Row& row : a_.plant->system->rows) {
    lambda.push_back(mechanics::dimension_of_multiplier(model, row.constraint, static_cast<std::size_t>(row.index)));
  }
  for (std::size_t k = 0; k < std::min(a.samples.size(), b.samples.size()); ++k) {
    worst_of("q", a.samples[k].q, b.samples[k].q, q);
    worst_of("u", a.samples[k].u, b.samples[k].u, u);
    worst_of("z", a.samples[k].z, b.samples[k].z, z);
    worst_of("lambda", a.samples[k].reaction.lambda(), b.samples[k].reaction.lambda(), lambda);
  }
  for (const auto& [what, worst] : worst_) {
    if (!(worst <= most)) say(fmt::format("{}: {:.2g}", what, worst));
  }
}

/// What is not yet the same: where lengths stand beside angles, thresholds of a few places (which speeds are
/// independent, which combinations of rows are integrable, answers of Gauss' principle) still see the unit of length.
const std::set<std::string> kOpenMotions{"ball_at_constant_speed",
                                         "constant_acceleration_vakonomic",
                                         "constant_jerk_vakonomic",
                                         "friction_hoop_vertical",
                                         "joint_rolling_ball",
                                         "joint_universal",
                                         "manipulator",
                                         "manipulator_by_seven_motors",
                                         "parallel_bodies",
                                         "prescribed_acceleration",
                                         "prescribed_acceleration_pendulum",
                                         "rattleback",
                                         "rolling_disk"};
const std::set<std::string> kOpenWords{"affine_virtual_displacements",
                                       "appell_hamel",
                                       "arm_closed",
                                       "ball_at_constant_speed",
                                       "ball_on_turntable",
                                       "blades_fork",
                                       "constant_acceleration_vakonomic",
                                       "constant_jerk_vakonomic",
                                       "energy_as_constraint",
                                       "joint_ball_on_ball",
                                       "joint_disk_falls_flat",
                                       "joint_gear",
                                       "joint_prescribed_velocity",
                                       "joint_revolute",
                                       "joint_rolling_ball",
                                       "joint_rolling_disk",
                                       "joint_screw",
                                       "joint_universal",
                                       "kepler",
                                       "manipulator_by_seven_motors",
                                       "nonideal_cone",
                                       "one_constraint_at_three_levels",
                                       "panes_and_blade",
                                       "parallel_bodies",
                                       "particle_in_body",
                                       "prescribed_acceleration",
                                       "prescribed_acceleration_pendulum",
                                       "rattleback",
                                       "rolling_disk",
                                       "rolling_disk_critical_speed",
                                       "rolling_disk_steady",
                                       "sliding_rod_massless",
                                       "sliding_rod_vakonomic",
                                       "sliding_rod_vakonomic_from_ideal",
                                       "sliding_rod_vakonomic_started",
                                       "two_wheeled_cart"};
const std::set<std::string> kOpenWithoutUnits{"appell_rising", "friction_pushed_to_and_fro", "words_as_names"};

class Rescaled : public testing::TestWithParam<std::filesystem::path> {
 protected:
  void SetUp() override {
    original = twin_of(GetParam(), nullptr, {});
    if (!original.model->has_units) GTEST_SKIP() << "without units";
  }
  template <class Compare>
  void compare(const Compare& differences) {
    for (const Rescaling& by : {Rescaling{20, 0, 0}, {0, 20, 0}, {0, 0, 10}, {-20, 20, -10}}) {
      const Twin twin = twin_of(GetParam(), original.model.get(), by);
      EXPECT_EQ(differences(Differences(original, twin, by)), "") << by.mass << " " << by.length << " " << by.time;
    }
  }
  Twin original;
};

TEST_P(Rescaled, IsTheSameMotion) {
  if (kOpenMotions.contains(GetParam().stem().string())) GTEST_SKIP() << "not yet";
  compare([](Differences twins) { return twins.of_motions(); });
}

TEST_P(Rescaled, IsToldInTheSameWords) {
  if (kOpenWords.contains(GetParam().stem().string())) GTEST_SKIP() << "not yet";
  compare([](Differences twins) { return twins.of_words(); });
}

TEST_P(Rescaled, IsAsAccurateWithoutUnits) {
  if (kOpenWithoutUnits.contains(GetParam().stem().string())) GTEST_SKIP() << "not yet";
  const Rescaling without{0, 0, 0, false};
  const double most = 1e4 * original.motion.tolerance + kRoundingOfARun;
  const Twin twin = twin_of(GetParam(), original.model.get(), without);
  EXPECT_EQ(Differences(original, twin, without).of_numbers(most), "");
}

INSTANTIATE_TEST_SUITE_P(Models, Rescaled, testing::ValuesIn(test_support::model_files()),
                         [](const auto& instance) { return instance.param.stem().string(); });

}  // namespace
}  // namespace vinculum
