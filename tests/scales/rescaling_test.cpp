#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "support/lang/rescaled.hpp"
#include "support/models.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/model/sizes.hpp"
#include "vinculum/report/explain.hpp"
#include "vinculum/run/simulate.hpp"
#include "vinculum/verify/audit/audit.hpp"

// Every model in other units of mass, length and time (powers of two): the same steps, numbers and texts.
namespace vinculum {
namespace rescaling_test {

using test_support::Rescaling;

/// How much of each rescaled copy is compared.
struct Depth {
  double part_of_run;
  int instants;  ///< number of audited instants
};
constexpr Depth kFull{1.0, 40}, kPart{0.25, 40}, kQuick{0.05, 2};
// Rounding of operations in another order, amplified along the motion; relative.
constexpr double kRoundingOfARun = 1e-9;
// Rounding of terms of typical size that cancel; relative.
constexpr double kRoundingOfZero = 1e-12;
// Allowed difference between residuals of the audit, which are rounding, as a fraction of their limit.
constexpr double kRoundingOfAudits = 0.1;
// If a run has more steps than this, only a part of it is compared.
constexpr long kMostSteps = 400;

struct Twin {
  std::shared_ptr<const model::Model> model;
  std::shared_ptr<const sim::Binding> bound;
  sim::Trajectory motion;
  report::Node words;
  audit::Audit audit;
};

std::shared_ptr<const model::Model> restated(const std::filesystem::path& path, const model::Model* original,
                                             const Rescaling& by) {
  diag::SourceText source(path.filename().string(), test_support::read_text(path));
  diag::Diagnostics diagnostics;
  const std::vector<std::string> methods = names_of(integrate::method_table());
  const elaborate::Options options{path.parent_path(), {}, methods};
  lang::ModelFile file = lang::parse(source, reaction_laws::laws().forms(), diagnostics), written_out;
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

Twin twin_of(const std::filesystem::path& path, const model::Model* original, const Rescaling& by, const Depth& depth) {
  Twin twin;
  twin.model = restated(path, original, by);
  twin.bound = test_support::compiled(twin.model);
  sim::SimulateOptions options = sim::options_of(*twin.model);
  options.duration *= depth.part_of_run;
  sim::Dynamics dynamics(twin.bound);
  twin.motion = sim::simulate(dynamics, options);
  twin.words = report::explain(twin.bound);
  twin.audit = audit::audit(*twin.bound, twin.motion, {.samples = depth.instants});
  return twin;
}

/// Replaces each number (digits, with fraction and exponent) by #.
std::string without_numbers(const std::string& text) {
  const auto is_digit = [&text](std::size_t at) { return at < text.size() && text[at] >= '0' && text[at] <= '9'; };
  const auto behind_digits = [&](std::size_t at) {
    while (is_digit(at)) ++at;
    return at;
  };
  std::string plain;
  for (std::size_t i = 0; i < text.size();) {
    if (!is_digit(i)) {
      plain += text[i++];
      continue;
    }
    plain += '#';
    i = behind_digits(i);
    if (i < text.size() && text[i] == '.' && is_digit(i + 1)) i = behind_digits(i + 1);
    if (i >= text.size() || text[i] != 'e') continue;
    const bool has_sign = i + 1 < text.size() && (text[i + 1] == '-' || text[i + 1] == '+');
    const std::size_t first = i + (has_sign ? 2 : 1);
    if (is_digit(first)) i = behind_digits(first);
  }
  return plain;
}

/// Collects all texts of a report, without numbers.
void words_of(const report::Node& node, const std::string& path, std::vector<std::string>& words) {
  if (node.name == "units") return;  // units as declared
  const std::string here = path + "/" + node.name;
  std::string value;
  if (const auto* text = std::get_if<std::string>(&node.value)) value = without_numbers(*text);
  if (const auto* truth = std::get_if<bool>(&node.value)) value = *truth ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&node.value)) value = std::to_string(*integer);
  words.push_back(fmt::format("{}: {} unique {}", here, value, node.not_unique.empty()));
  for (const report::Node& part : node.parts) words_of(part, here, words);
}

class Differences {
 public:
  Differences(const Twin& a, const Twin& b, const Rescaling& by) : a_(a), b_(b), by_(by) {}
  std::string of_motions() {
    compare_steps();
    compare_numbers(kRoundingOfARun);
    return std::move(text_);
  }
  /// For runs whose steps differ, and so their integration errors: a component that is zero throughout has the errors
  /// of others of the same dimension.
  std::string of_numbers(double most) {
    beside_its_kind_ = true;
    compare_numbers(most);
    return std::move(text_);
  }
  std::string of_words() {
    compare_words();
    return std::move(text_);
  }
  std::string of_audits() {
    compare_audits();
    return std::move(text_);
  }

 private:
  void say(const std::string& line) { text_ += line + "\n"; }
  /// Compares each component relative to its own largest magnitude over the run (with `beside_its_kind_`: the largest
  /// magnitude of its dimension) plus the rounding error that a zero of its dimension may have.
  /// \param least  [count] minimum magnitude of a component that is zero up to rounding
  template <class Read>
  void worst_of(const std::string& what, const std::vector<Dimension>& dimensions, const Vector& least,
                const Read& read) {
    double& worst = worst_[what];
    std::vector<double> sizes(dimensions.size()), distances(dimensions.size());
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      const auto at = static_cast<Eigen::Index>(i);
      const double factor = by_.of(dimensions[i]);
      double& size = sizes[i];
      double& distance = distances[i];
      for (std::size_t k = 0; k < compared_samples(); ++k) {
        const Vector a = read(a_.motion.samples[k]), b = read(b_.motion.samples[k]);
        if (std::isnan(a[at]) && std::isnan(b[at])) continue;
        size = std::max(size, std::abs(a[at]));
        distance = std::max(distance, std::abs(b[at] / factor - a[at]));
        if (std::isnan(b[at] / factor - a[at])) distance = std::numeric_limits<double>::infinity();
      }
    }
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      double size = sizes[i];
      for (std::size_t j = 0; beside_its_kind_ && j < dimensions.size(); ++j) {
        if (dimensions[j] == dimensions[i]) size = std::max(size, sizes[j]);
      }
      const double beside = size + kRoundingOfZero / kRoundingOfARun * least[static_cast<Eigen::Index>(i)];
      if (distances[i] > 0.0) worst = std::max(worst, distances[i] / std::max(beside, tolerance::kLeast));
    }
  }
  /// Number of samples to compare. The last instant of a run that ended early is excluded, because reactions may be
  /// unbounded there (as in the audit).
  [[nodiscard]] std::size_t compared_samples() const {
    const std::size_t count = std::min(a_.motion.samples.size(), b_.motion.samples.size());
    return a_.motion.stopped && count > 0 ? count - 1 : count;
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

  /// Both audits have the same verdicts, and none is broken.
  void compare_audits() {
    for (std::size_t i = 0; i < a_.audit.lines.size(); ++i) {
      const audit::AuditLine &a = a_.audit.lines[i], &b = b_.audit.lines[i];
      const auto text = [](const audit::AuditLine& line) {
        return fmt::format("{} ({} of {} allowed, at {} t = {})", static_cast<int>(line.verdict), line.worst,
                           line.allowed, line.where, line.t);
      };
      const bool differs = std::abs(a.worst - b.worst) > kRoundingOfAudits * std::max(a.allowed, b.allowed);
      if (a.verdict != b.verdict || b.verdict == audit::AuditLine::Verdict::kBroken || differs)
        say(fmt::format("audit, {}: {} instead of {}", a.identity, text(b), text(a)));
    }
  }

  const Twin &a_, &b_;
  Rescaling by_;
  std::map<std::string, double> worst_;
  std::string text_;
  bool beside_its_kind_ = false;
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
  count("rank drops", a.all<sim::RankDrop>().size(), b.all<sim::RankDrop>().size());
  count("friction changes", a.all<sim::FrictionChange>().size(), b.all<sim::FrictionChange>().size());
  count("passages", a.all<sim::Passage>().size(), b.all<sim::Passage>().size());
  count("changes of sides", a.all<sim::SurfaceChange>().size(), b.all<sim::SurfaceChange>().size());
  count("pivoted", a.counts.fallbacks, b.counts.fallbacks);
  for (std::size_t k = 0; k < std::min(a.samples.size(), b.samples.size()); ++k) {
    count("rank", a.samples[k].rank, b.samples[k].rank);
    const sim::Sample &x = a.samples[k], &y = b.samples[k];
    if (x.row_unique != y.row_unique) say("row_unique differs");
    if (x.point_force_unique != y.point_force_unique) say("point_force_unique differs");
    if (x.output_unique != y.output_unique) say("output_unique differs");
    // Only computed if the model has outputs of such vectors; an `expect` about them is left out of the copy.
    if (x.vectors.size() == y.vectors.size() && x.is_free_motion_unique != y.is_free_motion_unique)
      say("is_free_motion_unique differs");
    if (x.friction.sticks != y.friction.sticks) say("what sticks differs");
  }
}

void Differences::compare_numbers(double most) {
  const model::Model& model = *a_.model;
  const sim::Binding& bound = *a_.bound;
  const model::ModelUnits units(model, bound.parameters, model::stated_places(model, bound.parameters));
  std::vector<Dimension> q, u, z = bound->system->z_dimensions, u_dot, lambda, forces, outputs;
  for (const auto& one : model.coordinates) q.push_back(one.dimension);
  for (const auto& one : model.speeds) {
    u.push_back(one.dimension);
    u_dot.push_back(one.dimension * make_dimension(0, 0, -1));
    forces.push_back(make_dimension(1, 2, -3) * power(one.dimension, make_rational(-1, 1)));
  }
  for (const equations::Row& row : bound->system->rows) {
    lambda.push_back(model::dimension_of_multiplier(model, row.constraint, static_cast<std::size_t>(row.index)));
  }
  for (std::size_t i = 0; i < model.outputs.size(); ++i) {
    const model::Output& output = model.outputs[i];
    for (int k = 0; k < bound->output_columns[i].count; ++k) {
      const bool differ = !output.component_dimensions.empty();
      outputs.push_back(differ ? output.component_dimensions[static_cast<std::size_t>(k)] : output.dimension);
    }
  }
  const auto sizes = [&units](const std::vector<Dimension>& dimensions) {
    Vector all(static_cast<Eigen::Index>(dimensions.size()));
    for (std::size_t i = 0; i < dimensions.size(); ++i) all[static_cast<Eigen::Index>(i)] = units.of(dimensions[i]);
    return all;
  };
  const Vector reach = sim::stated_scale(bound);
  worst_of("q", q, reach.head(bound->nq()), [](const sim::Sample& at) { return at.q; });
  worst_of("u", u, reach.segment(bound->nq(), bound->nu()), [](const sim::Sample& at) { return at.u; });
  worst_of("z", z, reach.tail(bound->nz()), [](const sim::Sample& at) { return at.z; });
  worst_of("u'", u_dot, sizes(u_dot), [](const sim::Sample& at) { return Vector(at.reaction.u_dot()); });
  worst_of("lambda", lambda, sizes(lambda), [](const sim::Sample& at) { return Vector(at.reaction.lambda()); });
  worst_of("Qi", forces, sizes(forces), [](const sim::Sample& at) { return at.reaction.ideal.Q; });
  worst_of("Qni", forces, sizes(forces), [](const sim::Sample& at) { return at.reaction.Q_nonideal; });
  worst_of("Qc", forces, sizes(forces), [](const sim::Sample& at) { return at.reaction.Q_c; });
  worst_of("outputs", outputs, sizes(outputs), [](const sim::Sample& at) { return at.outputs; });
  for (const auto& [what, worst] : worst_) {
    if (!(worst <= most)) say(fmt::format("{}: {:.2g}", what, worst));
  }
}

/// Compares a model with copies in other units, one per rescaling.
class Rescaled : public testing::TestWithParam<std::filesystem::path> {
 protected:
  void compare(const std::vector<Rescaling>& rescalings, Depth depth) {
    Twin original = twin_of(GetParam(), nullptr, {}, depth);
    if (original.motion.statistics.steps > kMostSteps && depth.part_of_run > kPart.part_of_run) {
      depth = kPart;
      original = twin_of(GetParam(), nullptr, {}, depth);
    }
    if (!original.model->has_units) GTEST_SKIP() << "without units";
    for (const Rescaling& by : rescalings) {
      SCOPED_TRACE(fmt::format("mass 2^{}, length 2^{}, time 2^{}", by.mass, by.length, by.time));
      const Twin twin = twin_of(GetParam(), original.model.get(), by, depth);
      EXPECT_EQ(Differences(original, twin, by).of_motions(), "");
      EXPECT_EQ(Differences(original, twin, by).of_words(), "");
      EXPECT_EQ(Differences(original, twin, by).of_audits(), "");
    }
  }
};
class RescaledTwice : public Rescaled {};
class RescaledTwelveTimes : public Rescaled {};
class WithoutUnits : public Rescaled {};

TEST_P(RescaledTwice, IsTheSame) { compare({{20, -20, 10}, {-20, 20, -10}}, kQuick); }

TEST_P(RescaledTwelveTimes, IsTheSame) {
  std::vector<Rescaling> all{{20, 0, 0}, {0, 20, 0}, {0, -20, 0}, {0, 0, 10}};
  for (const int mass : {20, -20}) {
    for (const int length : {20, -20}) {
      for (const int time : {10, -10}) all.push_back({mass, length, time});
    }
  }
  compare(all, kFull);
}

TEST_P(WithoutUnits, IsAsAccurate) {
  const Twin original = twin_of(GetParam(), nullptr, {}, kFull);
  if (!original.model->has_units) GTEST_SKIP() << "without units";
  const Rescaling without{0, 0, 0, false};
  const double most = 1e4 * original.motion.tolerance + kRoundingOfARun;
  const Twin twin = twin_of(GetParam(), original.model.get(), without, kFull);
  EXPECT_EQ(Differences(original, twin, without).of_numbers(most), "");
}

const auto name_of_model = [](const auto& instance) { return instance.param.stem().string(); };
INSTANTIATE_TEST_SUITE_P(Models, RescaledTwice, testing::ValuesIn(test_support::model_files()), name_of_model);
INSTANTIATE_TEST_SUITE_P(Models, RescaledTwelveTimes, testing::ValuesIn(test_support::model_files()), name_of_model);
INSTANTIATE_TEST_SUITE_P(Models, WithoutUnits, testing::ValuesIn(test_support::model_files()), name_of_model);

}  // namespace rescaling_test
}  // namespace vinculum
