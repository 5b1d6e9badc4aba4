#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <sstream>

#include "support/models.hpp"
#include "vinculum/compiled/random_states.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/equations/sampling.hpp"
#include "vinculum/exports/derive_additional.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/motion/report_numbers.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum {
namespace additional_test {

namespace fs = std::filesystem;
using report::Additional;

constexpr double kTolForce = 1e-10;

// Reports of the engine at random states on the constraints.
std::vector<sim::Sample> samples_of(const std::shared_ptr<const sim::Binding>& bound) {
  std::vector<sim::Sample> samples;
  sim::Dynamics dynamics(bound);
  const auto states = sim::random_states(*bound, bound->embedding(), 3, bound->parameters);
  if (!states) return samples;
  for (const std::vector<double>& values : states->values) {
    const std::vector<double> y(
        values.begin() + 1, values.begin() + 1 + bound->compiled->nq() + bound->compiled->nu() + bound->compiled->nz());
    sim::Sample sample;
    if (dynamics.report(values[0], y.data(), sample)) samples.push_back(std::move(sample));
  }
  return samples;
}

// λ from Eᵀ λ = R at the engine's u', by Kane's equations of the additional motion variables; multipliers of other rows
// are 0. Empty if, at this state, the choice of speeds made at the start would divide by zero, as every fixed choice
// does at some states ([R] 230).
std::optional<std::vector<double>> multipliers(const report::Derivation& derivation,
                                               const report::AdditionalVariables& variables, const sim::Sample& sample,
                                               const std::vector<double>& parameters) {
  const equations::System& system = *derivation.system;
  std::vector<expr::Expr> symbols = sim::report_symbols(system), roots;
  std::vector<double> numbers;
  sim::read_report_numbers(sample, numbers);
  symbols.insert(symbols.end(), system.parameters.begin(), system.parameters.end());
  numbers.insert(numbers.end(), parameters.begin(), parameters.end());
  const auto m = static_cast<Eigen::Index>(variables.R.size());
  for (const int row : derivation.pivot_rows) {
    const auto place = std::ranges::find(derivation.ideal_rows, row) - derivation.ideal_rows.begin();
    const auto& E = variables.E[static_cast<std::size_t>(place)];
    roots.insert(roots.end(), E.begin(), E.end());
  }
  roots.insert(roots.end(), variables.R.begin(), variables.R.end());
  const std::vector<double> found = expr::interpret(roots, symbols, numbers);
  const Matrix Et = Eigen::Map<const Matrix>(found.data(), m, m);  // transposed: column s of Et is row s of E
  if (!Et.allFinite() || !Et.fullPivLu().isInvertible()) return std::nullopt;
  const Vector lambda = Et.fullPivLu().solve(Eigen::Map<const Vector>(found.data() + m * m, m));
  if (!lambda.allFinite()) return std::nullopt;
  std::vector<double> all(static_cast<std::size_t>(system.nc()), 0.0);
  for (Eigen::Index k = 0; k < m; ++k)
    all[static_cast<std::size_t>(derivation.pivot_rows[static_cast<std::size_t>(k)])] = lambda[k];
  return all;
}

class AdditionalVariablesOf : public testing::TestWithParam<fs::path> {};

// [R] 2.5.2: vanishing variables, velocities in the newtonian frame and the model's own speeds as additional variables
// all give the same constraint force. It equals the multiplier that inspection gives.
TEST_P(AdditionalVariablesOf, BringOneForceIntoEvidence) {
  const auto bound = test_support::compiled(test_support::model_of_file(GetParam()), codegen::Backend::kInterpreter);
  if (bound->compiled->system->higher || bound->compiled->system->has_implicit_nonideal ||
      bound->compiled->system->rows.empty())
    GTEST_SKIP() << "no minimal form with multipliers";
  const std::vector<sim::Sample> samples = samples_of(bound);
  if (samples.empty()) GTEST_SKIP() << "nothing is determined at any state";
  for (const Additional additional : {Additional::kSpeeds, Additional::kVanishing, Additional::kAbsolute}) {
    SCOPED_TRACE(static_cast<int>(additional));
    const auto derivation = report::derive(bound->compiled->model, equations::Formulation::kMinimal, additional);
    if (!derivation && additional == Additional::kAbsolute) continue;  // rows in coordinates contain no point
    ASSERT_TRUE(derivation.has_value()) << derivation.error().message;
    const report::AdditionalVariables variables = report::additional_variables(*derivation);
    int judged = 0;
    for (const sim::Sample& sample : samples) {
      const auto lambda = multipliers(*derivation, variables, sample, bound->parameters);
      if (!lambda) continue;
      ++judged;
      const std::vector<double>& found = *lambda;
      const Vector& wanted = sample.reaction.lambda();
      const double size = std::max(wanted.lpNorm<Eigen::Infinity>(), sample.reaction.u_dot().lpNorm<Eigen::Infinity>());
      for (const int row : derivation->ideal_rows) {
        const auto i = static_cast<std::size_t>(row);
        if (sample.row_unique[i] == 0) continue;
        EXPECT_NEAR(found[i], wanted[row], kTolForce * (1.0 + size)) << "row " << row << " at t = " << sample.t;
      }
    }
    EXPECT_GT(judged, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(Models, AdditionalVariablesOf, testing::ValuesIn(test_support::model_files()),
                         [](const auto& instance) { return instance.param.stem().string(); });

std::string altered(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::runtime_error("the text holds no " + what);
  return text.replace(at, what.size(), by);
}
std::string model_text(const char* model) {
  return test_support::read_text(fs::path(VINCULUM_MODELS) / (std::string(model) + ".vin"));
}

/// A motion and its reported forces.
class ShownForces {
 public:
  explicit ShownForces(const std::string& text)
      : bound_(test_support::compiled(test_support::model_of_text(without_expectations(text)))) {
    sim::Dynamics dynamics(bound_);
    motion_ = sim::simulate(dynamics, sim::options_of(*bound_->compiled->model));
    EXPECT_FALSE(motion_.stopped);
  }
  [[nodiscard]] const std::vector<sim::Sample>& samples() const { return motion_.samples; }
  [[nodiscard]] Vector output(const std::string& name, const sim::Sample& sample) const {
    const auto& all = bound_->compiled->model->outputs;
    const auto found = std::ranges::find(all, name, &model::Output::name);
    const auto& columns = bound_->compiled->output_columns[static_cast<std::size_t>(found - all.begin())];
    return sample.outputs.segment(columns.first, columns.count);
  }
  /// Largest difference between a reported force and the multipliers found with one choice of additional variables, at
  /// a few instants, relative to the largest force. The rows of the force must have directions of unit length.
  /// \param first  row of the System that belongs to the first measure number of the force.
  [[nodiscard]] double worst_by(Additional additional, const std::string& force, int first) const {
    const auto derivation = report::derive(bound_->compiled->model, equations::Formulation::kMinimal, additional);
    if (!derivation) throw std::runtime_error(derivation.error().message);
    const report::AdditionalVariables variables = report::additional_variables(*derivation);
    constexpr std::size_t kInstants = 3;
    double worst = 0.0, largest = 0.0;
    for (std::size_t i = 1; i <= kInstants; ++i) {
      const sim::Sample& sample = samples()[i * (samples().size() - 1) / kInstants];
      const auto lambda = multipliers(*derivation, variables, sample, bound_->parameters);
      if (!lambda) return std::numeric_limits<double>::infinity();
      const Vector wanted = output(force, sample);
      largest = std::max(largest, wanted.lpNorm<Eigen::Infinity>());
      for (Eigen::Index k = 0; k < wanted.size(); ++k)
        worst = std::max(worst, std::abs((*lambda)[static_cast<std::size_t>(first + k)] - wanted[k]));
    }
    return worst / largest;
  }

 private:
  static std::string without_expectations(const std::string& text) {
    std::istringstream lines(text);
    std::string kept;
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with("expect")) kept += line + "\n";
    return kept;
  }
  std::shared_ptr<const sim::Binding> bound_;
  sim::Trajectory motion_;
};

/// Largest difference between two outputs, relative to the largest value of the first.
double distance_of_forces(const ShownForces& a, const std::string& of_a, const ShownForces& b,
                          const std::string& of_b) {
  if (a.samples().size() != b.samples().size()) return std::numeric_limits<double>::infinity();
  double worst = 0.0, largest = 0.0;
  for (std::size_t i = 0; i < a.samples().size(); ++i) {
    const Vector one = a.output(of_a, a.samples()[i]), other = b.output(of_b, b.samples()[i]);
    worst = std::max(worst, (one - other).lpNorm<Eigen::Infinity>());
    largest = std::max(largest, one.lpNorm<Eigen::Infinity>());
  }
  return worst / largest;
}
constexpr Additional kChoices[] = {Additional::kSpeeds, Additional::kVanishing, Additional::kAbsolute};

// [R] 2.5, Examples 1 and 2: the force on the proof mass by inspection, by `reveal`, and by each choice of additional
// variables.
TEST(OneForce, OnAParticleInABody) {
  const ShownForces both(altered(model_text("particle_in_body"), "\nstart px", "\noutput held = hold\nstart px"));
  EXPECT_LT(distance_of_forces(both, "C", both, "held"), kTolForce);
  for (const Additional additional : kChoices)
    EXPECT_LT(both.worst_by(additional, "C", 0), kTolForce) << static_cast<int>(additional);
}

// [R] 4: torques of the motors, and the force in the shoulder yaw joint. The joint is embedded in the coordinates, or
// stated by three rows.
TEST(OneForce, InTheManipulatorOfTheThesis) {
  const std::string text = altered(model_text("manipulator"), "run 30 [s]", "run 3 [s]");
  const ShownForces revealed(text);
  std::string stated = altered(text, "point P2 = center(shoulder_roll) + 0.6795 [m] * B1.x",
                               "coord gap[1..3] [m]\npoint tip = center(shoulder_roll) + 0.6795 [m] * B1.x\n"
                               "point P2 = tip + gap[1]*B2.x + gap[2]*B2.y + gap[3]*B2.z");
  stated = altered(stated, "reveal shoulder: force on P2 along", "constraint shoulder: pos(P2, tip) = 0 along");
  stated = altered(stated, "= shoulder ", "= force(shoulder, P2) in B2 ");
  stated = altered(stated, "start x = 0", "start gap[1] = 0, gap[2] = 0, gap[3] = 0\nstart x = 0");
  const ShownForces by_rows(stated);
  EXPECT_LT(distance_of_forces(revealed, "shoulder_force", by_rows, "shoulder_force"), kTolForce);
  EXPECT_LT(distance_of_forces(revealed, "motor_torque", by_rows, "motor_torque"), kTolForce);
  for (const Additional additional : kChoices) {
    EXPECT_LT(by_rows.worst_by(additional, "shoulder_force", 7), kTolForce) << static_cast<int>(additional);
  }
}

/// Additional variables, with the derivation that owns their graph.
struct OfDerivation {
  report::Derivation derivation;
  report::AdditionalVariables variables;
};

OfDerivation variables_of(const char* model, Additional additional) {
  auto derivation =
      report::derive(test_support::model_of_file(fs::path(VINCULUM_MODELS) / (std::string(model) + ".vin")),
                     equations::Formulation::kMinimal, additional);
  EXPECT_TRUE(derivation.has_value());
  auto variables = report::additional_variables(*derivation);
  return {*std::move(derivation), std::move(variables)};
}

// [R] eqs. 105, 106: each equation of a vanishing variable contains one multiplier.
TEST(VanishingVariables, HaveOneMultiplierInEachEquation) {
  const auto [derivation, variables] = variables_of("accelerometer", Additional::kVanishing);
  ASSERT_EQ(variables.E.size(), 3U);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t k = 0; k < 3; ++k) EXPECT_EQ(variables.E[row][k].value(), row == k ? 1.0 : 0.0);
  }
}

// [R] eq. 83: if u7, u8, u9 are speeds of the model, the absolute variables are equal to these speeds.
TEST(AbsoluteVariables, AreTheSpeedsOfTheThesisExample) {
  const auto derivation = report::derive(test_support::model_of_file(fs::path(VINCULUM_MODELS) / "accelerometer.vin"),
                                         equations::Formulation::kMinimal, Additional::kAbsolute);
  ASSERT_TRUE(derivation);
  const equations::System& system = *derivation->system;
  std::vector<expr::Expr> symbols{system.t};
  for (const auto* more : {&system.q, &system.u, &system.z, &system.u_dot, &system.parameters})
    symbols.insert(symbols.end(), more->begin(), more->end());
  const equations::Sampler sampler(symbols, 1);
  const report::AdditionalVariables absolute = report::additional_variables(*derivation);
  for (std::size_t d = 0; d < 3; ++d) {
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_TRUE(sampler.is_generically_zero(absolute.G[d][k] - (d == k ? 1.0 : 0.0))) << d << k;
  }
}

TEST(AbsoluteVariables, AreRefusedWhereARowNamesNoPlace) {
  const auto model = test_support::model_of_text(
      "model m\nframe N newtonian\npoint O fixed in N\ncoord x, y\nparticle P mass 1 at O + x*N.x + y*N.y\n"
      "constraint c: x + y = 1\nstart x = 1\nrun 1\n");
  const auto derivation = report::derive(model, equations::Formulation::kMinimal, Additional::kAbsolute);
  ASSERT_FALSE(derivation.has_value());
  EXPECT_NE(derivation.error().message.find("`c` names no point or body"), std::string::npos)
      << derivation.error().message;
}

}  // namespace additional_test
}  // namespace vinculum
