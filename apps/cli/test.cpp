#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

#include "command.hpp"
#include "load.hpp"
#include "vinculum/diag/render.hpp"
#include "vinculum/out/report/failure_report.hpp"
#include "vinculum/out/report/test_report.hpp"

namespace vinculum::cli {
namespace {

// Instants of each run that are audited: enough for every phase of a motion, and a fraction of the time of a run.
constexpr int kAuditedInstants = 12;

// Model files named or below the folders named, each once, in the order of their names.
std::vector<std::string> model_files(const std::vector<std::string>& paths, std::vector<std::string>& missing) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) {
      std::vector<std::string> found;
      for (const auto& entry : std::filesystem::recursive_directory_iterator(path, error)) {
        if (entry.is_regular_file() && entry.path().extension() == ".vin") found.push_back(entry.path().string());
      }
      std::ranges::sort(found);
      files.insert(files.end(), found.begin(), found.end());
    } else if (std::filesystem::is_regular_file(path, error)) {
      files.push_back(path);
    } else {
      missing.push_back(path);
    }
  }
  return files;
}

out::ModelVerdict judge(const std::string& file, const CommonOptions& common) {
  const auto begin = std::chrono::steady_clock::now();
  out::ModelVerdict verdict;
  verdict.file = file;
  const auto loaded = load(file, common);
  if (!loaded) {
    verdict.problem = fmt::format("`{}` cannot be read\n", file);
    return verdict;
  }
  if (!loaded->model) {
    verdict.problem = diag::render_text(loaded->source, loaded->diagnostics.all());
    return verdict;
  }
  verdict.model = loaded->model->name;
  sim::CompileSettings settings;
  settings.codegen.backend = common.backend;
  if (common.cache) settings.codegen.cache_folder = codegen::default_cache_folder();
  const auto compiled = sim::compile_model(loaded->model, settings);
  if (!compiled) {
    verdict.problem = out::failure_text(*loaded->model, nullptr, compiled.error());
    return verdict;
  }
  sim::SimulateOptions options = sim::options_of(*loaded->model);
  if (options.duration <= 0.0 && !loaded->model->expectations.empty()) {
    verdict.problem = fmt::format("{}: the model has expectations but no `run` statement\n", file);
    return verdict;
  }
  if (options.duration > 0.0) {
    sim::Dynamics dynamics(*compiled);
    sim::CheckedRun run = sim::run_with_expectations(dynamics, options);
    verdict.results = std::move(run.results);
    const auto expects_stop = std::ranges::any_of(loaded->model->expectations, [](const mechanics::Expectation& e) {
      return e.when == mechanics::Expectation::When::kStop;
    });
    if (run.trajectory.stopped && !expects_stop) {
      verdict.problem = out::failure_text(*loaded->model, (*compiled)->system.get(), *run.trajectory.stopped);
    }
    out::render_failures(*loaded->model, verdict);
    verdict.audit = audit::audit(**compiled, run.trajectory, {.samples = kAuditedInstants});
  }
  verdict.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return verdict;
}

}  // namespace

int test(const std::vector<std::string>& paths, const CommonOptions& common) {
  std::vector<std::string> missing;
  const std::vector<std::string> files = model_files(paths, missing);
  for (const std::string& path : missing) fmt::print(stderr, "vinculum: there is no file or folder `{}`\n", path);
  if (!missing.empty()) return kUsage;
  if (files.empty()) {
    fmt::print(stderr, "vinculum: no model (*.vin) found in {}\n", fmt::join(paths, ", "));
    return kUsage;
  }
  std::vector<out::ModelVerdict> verdicts;
  for (const std::string& file : files) {
    verdicts.push_back(judge(file, common));
    if (!common.json) fmt::print("{}", out::test_text(verdicts.back()));
  }
  fmt::print("{}", common.json ? out::test_json(verdicts) : out::test_totals(verdicts));
  const bool all_passed = std::ranges::all_of(verdicts, [](const out::ModelVerdict& v) { return v.failed() == 0; });
  return all_passed ? kRight : kWrong;
}

}  // namespace vinculum::cli
