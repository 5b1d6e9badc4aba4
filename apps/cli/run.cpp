#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <optional>

#include "command.hpp"
#include "compile.hpp"
#include "load.hpp"
#include "progress.hpp"
#include "vinculum/out/report/csv.hpp"
#include "vinculum/out/report/energy_csv.hpp"
#include "vinculum/out/report/failure_report.hpp"
#include "vinculum/out/report/run_report.hpp"
#include "vinculum/sim/run/simulate.hpp"
#include "write_file.hpp"

namespace vinculum::cli {
namespace {

bool write_results(const std::filesystem::path& folder, const sim::CompiledModel& compiled,
                   const sim::Trajectory& trajectory, const std::string& json, const sim::EnergyAccount* account) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error) return false;
  return write_file(folder / "trajectory.csv", [&](std::ostream& s) { out::write_csv(s, compiled, trajectory); }) &&
         write_file(folder / "result.json", [&](std::ostream& s) { s << json; }) &&
         (account == nullptr ||
          write_file(folder / "energy.csv", [&](std::ostream& s) { out::write_energy_csv(s, *account, trajectory); }));
}

}  // namespace

int run(const RunOptions& options, const CommonOptions& common) {
  const auto loaded = load(options.model, common);
  if (!loaded) return kUsage;
  if (!loaded->model || !loaded->diagnostics.all().empty()) print_diagnostics(*loaded, common.json && !loaded->model);
  if (!loaded->model) return kWrong;

  sim::SimulateOptions simulate_options = sim::options_of(*loaded->model);
  if (options.until > 0.0) simulate_options.duration = options.until;
  if (options.tolerance > 0.0) simulate_options.tolerance = options.tolerance;
  if (!options.method.empty()) simulate_options.method = options.method;
  simulate_options.sample_times = options.at;
  if (simulate_options.duration <= 0.0) {
    fmt::print(stderr, "vinculum: `{}` has no `run` statement; say how long with `--until T`\n", options.model);
    return kUsage;
  }
  for (const double t : options.at) {
    if (t >= 0.0 && t <= simulate_options.duration) continue;
    fmt::print(stderr, "vinculum: `--at {}` lies outside the run, 0 to {} s\n", t, simulate_options.duration);
    return kUsage;
  }

  const auto compiled = compile(loaded->model, common);
  if (!compiled) return kWrong;
  sim::Dynamics dynamics(compiled);
  sim::Trajectory trajectory;
  std::optional<sim::EnergyAccount> account;
  if (options.energy) account.emplace(*compiled).follow(simulate_options);
  {
    Progress progress(simulate_options.duration);
    simulate_options.on_progress = [&progress](double t) { progress.show(t); };
    trajectory = sim::simulate(dynamics, simulate_options);
  }

  const out::StageSeconds seconds{loaded->seconds, compiled->seconds_derive, compiled->seconds_compile,
                                  trajectory.seconds};
  const std::string json = out::run_json(*compiled, trajectory, seconds, !options.at.empty());
  const std::filesystem::path folder = options.folder.empty() ? std::filesystem::path("results") / loaded->model->name
                                                              : std::filesystem::path(options.folder);
  if (!write_results(folder, *compiled, trajectory, json, account ? &*account : nullptr)) {
    fmt::print(stderr, "vinculum: the results cannot be written into `{}`\n", folder.string());
    return kUsage;
  }
  if (common.json) {
    fmt::print("{}", json);
  } else {
    fmt::print("{}{}wrote {}/trajectory.csv{} and result.json\n", out::run_table(*compiled, trajectory, seconds),
               account ? out::energy_line(*loaded->model, *account) : "", folder.string(),
               account ? ", energy.csv" : "");
  }
  if (!trajectory.stopped) return kRight;
  fmt::print(stderr, "{}", out::failure_text(*loaded->model, compiled->system.get(), *trajectory.stopped));
  return kWrong;
}

}  // namespace vinculum::cli
