// Systems of the literature, compared at every time of every table with numbers that other programs computed
// (tests/reference/systems).
//
// A table begins with lines `# KEY VALUE`. Keys: `model`, a file in models/ (with .vin), or the name of a model text in
// the folder of the table; `set`, a parameter; `run`, the integration tolerance; `tolerance`, the permitted error of a
// column relative to its largest number; `source`. The heading of the table contains `t` and expressions of the model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "support/models.hpp"
#include "vinculum/run/simulate.hpp"

namespace vinculum {
namespace reference_systems_test {

namespace fs = std::filesystem;

struct Table {
  std::string name, model, end;  ///< end: the last time, as written in the table
  std::vector<elaborate::ParameterOverride> sets;
  double run_tolerance = 0.0, tolerance = 0.0;
  std::vector<std::string> columns;       ///< without t
  std::vector<std::vector<double>> rows;  ///< each row begins with t
};

/// Cells of a line, separated by commas. A cell that contains commas is quoted.
std::vector<std::string> cells(const std::string& line) {
  std::vector<std::string> all(1);
  bool is_quoted = false;
  for (const char c : line) {
    if (c == '"') {
      is_quoted = !is_quoted;
    } else if (c == ',' && !is_quoted) {
      all.emplace_back();
    } else {
      all.back() += c;
    }
  }
  return all;
}

Table read(const fs::path& path) {
  Table table;
  table.name = path.stem();
  std::istringstream lines(test_support::read_text(path));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# ")) {
      const std::size_t end = line.find(' ', 2);
      const std::string key = line.substr(2, end - 2), value = line.substr(end + 1);
      if (key == "model") table.model = value;
      if (key == "set") table.sets.push_back({value.substr(0, value.find(' ')), value.substr(value.find("= ") + 2)});
      if (key == "run") table.run_tolerance = std::stod(value);
      if (key == "tolerance") table.tolerance = std::stod(value);
    } else if (table.columns.empty()) {
      table.columns = cells(line);
      table.columns.erase(table.columns.begin());
    } else {
      std::vector<double>& row = table.rows.emplace_back();
      for (const std::string& cell : cells(line)) row.push_back(std::strtod(cell.c_str(), nullptr));
      table.end = cells(line).front();
    }
  }
  return table;
}

const fs::path kFolder = fs::path(VINCULUM_SOURCE) / "tests/reference/systems";

/// The model without its `expect` statements, with one output per column, run over the times of the table.
std::shared_ptr<const model::Model> model_of(const Table& table) {
  const fs::path path =
      table.model.ends_with(".vin") ? fs::path(VINCULUM_MODELS) / table.model : kFolder / (table.model + ".vin");
  std::string text;
  std::istringstream lines(test_support::read_text(path));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("run ")) line = "run " + table.end + line.substr(line.find(' ', 4));
    if (!line.starts_with("expect ")) text += line + "\n";
  }
  for (std::size_t i = 0; i < table.columns.size(); ++i)
    text += "output reference_" + std::to_string(i) + " = " + table.columns[i] + "\n";
  diag::SourceText source(table.name, text);
  diag::Diagnostics diagnostics;
  const lang::ModelFile file = lang::parse(source, reaction_laws::laws().forms(), diagnostics);
  const integrate::MethodTable methods = integrate::method_table();
  auto model =
      elaborate::elaborate(file, source, {fs::path(VINCULUM_MODELS), table.sets, names_of(methods)}, diagnostics);
  if (diagnostics.has_errors() || !model) throw std::runtime_error(diag::render_text(source, diagnostics.all()));
  return model;
}

class ReferenceSystems : public testing::TestWithParam<std::string> {};

TEST_P(ReferenceSystems, AgreeWithOtherPrograms) {
  const Table table = read(kFolder / (GetParam() + ".csv"));
  const auto bound = test_support::compiled(model_of(table), codegen::Backend::kTape);
  const std::size_t first = bound->compiled->model->outputs.size() - table.columns.size();
  sim::Dynamics dynamics(bound);
  sim::SimulateOptions options = sim::options_of(*bound->compiled->model);
  options.tolerance = table.run_tolerance;
  options.sample_times.clear();
  for (const auto& row : table.rows) options.sample_times.push_back(row[0]);
  const sim::Trajectory run = sim::simulate(dynamics, options);
  ASSERT_FALSE(run.stopped) << run.stopped->message;
  ASSERT_EQ(run.asked.size(), table.rows.size());
  double worst = 0.0;
  std::string where;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    double size = 0.0;
    for (const auto& row : table.rows) size = std::max(size, std::abs(row[i + 1]));
    if (size == 0.0) size = 1.0;
    for (std::size_t k = 0; k < table.rows.size(); ++k) {
      const std::vector<double>& row = table.rows[k];
      const double value = run.asked[k].outputs[bound->compiled->output_columns[first + i].first];
      EXPECT_NEAR(value, row[i + 1], table.tolerance * size) << table.columns[i] << " at " << row[0];
      if (std::abs(value - row[i + 1]) / size >= worst)
        worst = std::abs(value - row[i + 1]) / size, where = table.columns[i];
    }
  }
  std::cout << "worst deviation of " << table.name << ": " << worst << " in " << where << "\n";
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".csv") all.push_back(entry.path().stem());
  }
  std::ranges::sort(all);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Tables, ReferenceSystems, testing::ValuesIn(names()),
                         [](const auto& one) { return one.param; });

TEST(ReferenceSystem, HasATableForEachModelBesideIt) {
  std::vector<std::string> models;
  for (const std::string& name : names()) models.push_back(read(kFolder / (name + ".csv")).model);
  for (const auto& entry : fs::directory_iterator(kFolder)) {
    if (entry.path().extension() != ".vin") continue;
    EXPECT_TRUE(std::ranges::find(models, entry.path().stem().string()) != models.end()) << entry.path();
  }
}

}  // namespace reference_systems_test
}  // namespace vinculum
