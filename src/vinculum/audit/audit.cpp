#include "vinculum/audit/audit.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/audit/lines.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::audit {
namespace {

Vector floored(Vector v) {
  const double largest = v.size() > 0 ? v.maxCoeff() : 0.0;
  for (double& x : v) x = std::max(x, largest > 0.0 ? tolerance::kFloor * largest : 0.0);
  return v;
}

RunScales scales_of(const CompiledModel& compiled, const std::vector<const Sample*>& samples) {
  RunScales scales{Vector::Zero(compiled.nq()), Vector::Zero(compiled.nu()), Vector::Zero(compiled.nu())};
  for (const Sample* sample : samples) {
    scales.q = scales.q.cwiseMax(sample->q.cwiseAbs());
    scales.u = scales.u.cwiseMax(sample->u.cwiseAbs());
    scales.u_dot = scales.u_dot.cwiseMax(sample->reaction.u_dot().cwiseAbs());
  }
  scales.q = floored(scales.q);
  scales.u = floored(scales.u);
  scales.u_dot = floored(scales.u_dot);
  const double duration = samples.empty() ? 0.0 : samples.back()->t - samples.front()->t;
  scales.duration = duration > 0.0 ? duration : 1.0;
  return scales;
}

/// Start, end and others evenly between; not the last one before a stop, where the equations may cease to have a
/// solution.
std::vector<const Sample*> chosen(const Trajectory& trajectory, int count) {
  std::size_t available = trajectory.samples.size();
  if (trajectory.stopped && available > 1) --available;
  std::vector<const Sample*> samples;
  const std::size_t wanted = std::min(available, static_cast<std::size_t>(std::max(count, 1)));
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::size_t at = wanted == 1 ? 0 : i * (available - 1) / (wanted - 1);
    samples.push_back(&trajectory.samples[at]);
  }
  return samples;
}

}  // namespace

bool Audit::holds() const {
  return std::ranges::none_of(lines, [](const AuditLine& line) { return line.verdict == AuditLine::Verdict::kBroken; });
}

Audit audit(const CompiledModel& compiled, const Trajectory& trajectory, const AuditOptions& options) {
  const std::vector<const Sample*> samples = chosen(trajectory, options.samples);
  Case of{compiled, {}, scales_of(compiled, samples), trajectory, options.seed};
  for (const Sample* sample : samples) of.evidence.push_back(std::make_unique<Evidence>(compiled, *sample));
  Audit result;
  result.samples = static_cast<int>(samples.size());
  if (samples.empty()) return result;
  result.lines = {audit_speeds(of), audit_residuals(of),        audit_rows(of),
                  audit_motion(of), audit_ideal_work(of),       audit_nonideal_work(of),
                  audit_gauss(of),  audit_inspection(of),       audit_reciprocity(of),
                  audit_energy(of), audit_effective_energy(of), audit_formulations(of)};
  if (!compiled.model->slides.empty()) result.lines.push_back(audit_friction(of));
  if (compiled.system->higher) {
    result.lines.push_back(audit_higher_residuals(of));
    result.lines.push_back(audit_higher_energy(of));
  }
  for (AuditLine& line : audit_balance(of)) result.lines.push_back(std::move(line));
  result.lines.push_back(audit_revealed(of));
  for (AuditLine& line : audit_invariants(of)) result.lines.push_back(std::move(line));
  for (AuditLine& line : result.lines) {
    line.allowed *= options.factor.value;
    if (line.verdict == AuditLine::Verdict::kDoesNotApply) continue;
    line.verdict = line.worst <= line.allowed ? AuditLine::Verdict::kHolds : AuditLine::Verdict::kBroken;
  }
  return result;
}

}  // namespace vinculum::audit
