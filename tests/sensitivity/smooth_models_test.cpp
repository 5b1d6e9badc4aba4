#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/vinculum.hpp"

/// Derivatives of all models whose motion is smooth, compared with extrapolated differences of neighboring runs.
namespace vinculum {
namespace smooth_models_test {

constexpr double kTolerance = 1e-12;          // of the runs: differences have this error, divided by the change
constexpr double kChange = 1.0 / 128.0;       // of a parameter, relative to its value
constexpr double kAllowed = 1e-7;             // error of a derivative, relative to the size of its column
constexpr double kErrorsOfDifference = 10.0;  // their estimate is the difference of two extrapolations
constexpr double kSteps = 400;                // longer runs are left out

Settings interpreted() {
  Settings settings;
  settings.backend = Backend::kTape;
  settings.cache = "";
  return settings;
}

/// The values of a column of a run; nothing if the run has other samples.
std::optional<std::vector<double>> values(const Trajectory& run, const Column& like) {
  const bool is_multiplier = like.name.starts_with("multiplier(");
  const auto found =
      is_multiplier ? run.multiplier(like.name.substr(11, like.name.size() - 12)) : run.column(like.name);
  if (found && std::ranges::find(found->is_unique, char{0}) != found->is_unique.end()) return std::nullopt;
  if (!found || found->values.size() != like.values.size()) return std::nullopt;
  return found->values;
}

/// A derivative by differences.
struct Difference {
  double value = 0.0, error = 0.0;
};
/// \param at  values at p + h, p − h, p + h/2, p − h/2, p + h/4, p − h/4
Difference extrapolated(const std::array<double, 6>& at, double h) {
  std::array<double, 3> by;
  for (std::size_t k = 0; k < 3; ++k) by[k] = (at[2 * k] - at[2 * k + 1]) / (2.0 * h / std::pow(2.0, k));
  const double first = (4.0 * by[1] - by[0]) / 3.0, second = (4.0 * by[2] - by[1]) / 3.0;
  const double best = (16.0 * second - first) / 15.0;
  return {best, std::abs(best - second)};
}

/// A run with its derivatives by one parameter, and neighboring runs.
struct Family {
  Trajectory run;
  Sensitivity derivatives;
  std::vector<Trajectory> near;
  double change;
};

std::optional<Family> family_of(const Model& model, const Parameter& parameter) {
  if (parameter.value == 0.0) return std::nullopt;
  RunOptions options;
  options.tolerance = kTolerance;
  options.most_steps = kSteps;
  const double change = kChange * std::abs(parameter.value);
  std::vector<Trajectory> near;
  for (const double part : {1.0, -1.0, 0.5, -0.5, 0.25, -0.25}) {
    const auto other = model.with({{parameter.name, parameter.value + part * change}});
    if (!other) return std::nullopt;
    const auto run = other->run(options);
    if (!run || run->stopped() != nullptr || !run->events().empty()) return std::nullopt;
    near.push_back(*run);
  }
  options.sensitivity = {parameter.name};
  const auto run = model.run(options);
  if (!run || run->stopped() != nullptr || !run->events().empty()) return std::nullopt;
  const auto derivatives = run->sensitivity(parameter.name);
  if (!derivatives) return std::nullopt;
  return Family{*run, *derivatives, std::move(near), change};
}

/// Largest values of the columns, by unit, and of all columns.
std::map<std::string, double> sizes_of(const Family& family) {
  std::map<std::string, double> sizes;
  for (const Column& column : family.derivatives.columns) {
    const auto own = values(family.run, column);
    for (const double value : own.value_or(std::vector<double>())) {
      if (!std::isfinite(value)) continue;
      for (const std::string& key : {column.unit, std::string("all")})
        sizes[key] = std::max(sizes[key], std::abs(value));
    }
  }
  return sizes;
}

int check(const Family& family, double parameter, const std::string& name) {
  const auto sizes = sizes_of(family);
  int columns = 0;
  for (const Column& column : family.derivatives.columns) {
    std::vector<std::vector<double>> near;
    for (const Trajectory& run : family.near) near.push_back(values(run, column).value_or(std::vector<double>()));
    if (std::ranges::any_of(near, [&](const auto& one) { return one.size() != column.values.size(); })) continue;
    std::vector<Difference> differences;
    double size = std::max(sizes.at(column.unit), 1e-6 * sizes.at("all")) / std::abs(parameter);
    for (std::size_t i = 0; i < column.values.size(); ++i) {
      differences.push_back(
          extrapolated({near[0][i], near[1][i], near[2][i], near[3][i], near[4][i], near[5][i]}, family.change));
      if (std::isfinite(differences[i].value)) size = std::max(size, std::abs(differences[i].value));
    }
    ++columns;
    double worst = 0.0;
    for (std::size_t i = 0; i < column.values.size(); ++i) {
      const double miss = std::abs(differences[i].value - column.values[i]);
      if (std::isfinite(miss)) worst = std::max(worst, miss - kErrorsOfDifference * differences[i].error);
    }
    EXPECT_LE(worst, kAllowed * size) << name << ": derivative of " << column.name;
  }
  return columns;
}

/// Whether the text has an expression whose value or slope jumps, or samples. Near such an instant differences of runs
/// are no approximation of derivatives; transitions_test.cpp has closed forms for these models.
bool has_jumps(const std::filesystem::path& path) {
  std::ifstream stream(path);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  constexpr std::array kWords{" if ", "floor(", " every ", "sign(", "abs(", "min(", "max(", " when ", " friction "};
  return std::ranges::any_of(kWords, [&](const char* word) { return text.find(word) != std::string::npos; });
}

TEST(SmoothModels, HaveTheDerivativesOfNeighboringRuns) {
  int models = 0, columns = 0;
  for (const auto& entry : std::filesystem::directory_iterator(VINCULUM_MODELS)) {
    if (entry.path().extension() != ".vin" || has_jumps(entry.path())) continue;
    const auto model = Model::load(entry.path(), interpreted());
    if (!model) continue;
    for (const Parameter& parameter : model->parameters()) {
      const auto family = family_of(*model, parameter);
      if (!family) continue;
      ++models;
      columns += check(*family, parameter.value, entry.path().stem().string() + ", " + parameter.name);
      break;  // one parameter of each model; other tests vary several
    }
  }
  RecordProperty("models", models);
  RecordProperty("columns", columns);
  EXPECT_GE(models, 60);
  EXPECT_GE(columns, 400);
}

}  // namespace smooth_models_test
}  // namespace vinculum
