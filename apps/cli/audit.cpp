#include "vinculum/audit/audit.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "command.hpp"
#include "compile.hpp"
#include "load.hpp"
#include "vinculum/out/report/audit_report.hpp"
#include "vinculum/out/report/failure_report.hpp"

namespace vinculum::cli {

int audit(const std::string& path, const CommonOptions& common) {
  const auto loaded = load(path, common);
  if (!loaded) return kUsage;
  if (!loaded->model || !loaded->diagnostics.all().empty()) print_diagnostics(*loaded, common.json && !loaded->model);
  if (!loaded->model) return kWrong;
  const sim::SimulateOptions options = sim::options_of(*loaded->model);
  if (options.duration <= 0.0) {
    fmt::print(stderr, "vinculum: `{}` has no `run` statement, so that there is no motion to audit\n", path);
    return kUsage;
  }
  const auto compiled = compile(loaded->model, common);
  if (!compiled) return kWrong;
  sim::Dynamics dynamics(compiled);
  const sim::Trajectory trajectory = sim::simulate(dynamics, options);
  const audit::Audit audit = audit::audit(*compiled, trajectory);
  fmt::print("{}",
             common.json ? out::audit_json(loaded->model->name, audit) : out::audit_text(loaded->model->name, audit));
  // A run that stops is no breach by itself: the identities hold up to there.
  if (trajectory.stopped)
    fmt::print(stderr, "{}", out::failure_text(*loaded->model, compiled->system.get(), *trajectory.stopped));
  return audit.holds() && audit.samples > 0 ? kRight : kWrong;
}

}  // namespace vinculum::cli
