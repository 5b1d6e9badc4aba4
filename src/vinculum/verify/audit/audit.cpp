#include "vinculum/verify/audit/audit.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/run/expectations.hpp"
#include "vinculum/verify/audit/lines.hpp"

namespace vinculum::audit {
namespace {

/// Returns typical magnitudes from the largest values over the run. A value that is a rounding error relative to
/// `reach`, the plausible range of its component, becomes 0, so that it defines no scale.
Vector beyond_rounding(const Vector& largest, const Vector& reach) {
  return (largest.array() <= tolerance::kRounded * reach.array()).select(0.0, largest);
}

RunScales scales_of(const Binding& bound, const std::vector<const Sample*>& samples) {
  Vector q = Vector::Zero(bound->nq()), u = Vector::Zero(bound->nu()), u_dot = u;
  Vector z = Vector::Zero(bound->system->nz()), z_dot = z;
  for (const Sample* sample : samples) {
    q = q.cwiseMax(sample->q.cwiseAbs());
    u = u.cwiseMax(sample->u.cwiseAbs());
    u_dot = u_dot.cwiseMax(sample->reaction.u_dot().cwiseAbs());
    z = z.cwiseMax(sample->z.cwiseAbs());
    z_dot = z_dot.cwiseMax(sample->z_dot.cwiseAbs());
  }
  const Vector reach = sim::coordinate_reach(bound, Vector::Zero(q.size()));
  q = beyond_rounding(q, reach);
  u = beyond_rounding(u, sim::speed_reach(bound, Vector::Zero(u.size()), reach));
  const Vector q_scale = sim::coordinate_scale(bound, q), u_scale = sim::speed_scale(bound, u, u_dot, q_scale);
  return {q_scale, u_scale, sim::state_scale(bound, z, z_dot, q_scale, u_scale)};
}

/// [surfaces] The distance |x − y| of a sample from each switching surface x = y, as stated; for `floor` from the
/// nearest integer. Empty without surfaces.
std::vector<double> distances_from_surfaces(const Binding& bound, const Sample& sample) {
  if (!bound->watches || !bound->watches->as_stated) return {};
  const codegen::Kernel& kernel = *bound->watches->as_stated;
  std::vector<double> input{sample.t}, output(kernel.output_count()), workspace(kernel.workspace_size());
  for (const Vector* part : {&sample.q, &sample.u, &sample.z}) input.insert(input.end(), part->begin(), part->end());
  input.resize(kernel.input_count());
  kernel.evaluate(input.data(), kernel.prepare(bound.parameters).data(), output.data(), workspace.data());
  std::vector<double> distances;
  for (std::size_t k = 0; k < output.size() / 2; ++k) {
    const double x = output[2 * k], y = output[2 * k + 1];
    const bool is_floor = bound->watches->switches.surfaces()[k].is_floor();
    distances.push_back(std::abs(is_floor ? x - std::round(x) : x - y));
  }
  return distances;
}

/// Whether a run begins or ends on a switching surface. No event of the run says so, since it does not cross it there.
/// Distances are relative to the largest ones along the run.
bool begins_or_ends_on_surface(const Binding& bound, const Trajectory& trajectory, const Sample& sample) {
  std::vector<double> own = distances_from_surfaces(bound, sample), largest(own.size(), 0.0);
  if (own.empty()) return false;
  for (const Sample& other : trajectory.samples) {
    const std::vector<double> distances = distances_from_surfaces(bound, other);
    for (std::size_t k = 0; k < own.size(); ++k) largest[k] = std::max(largest[k], distances[k]);
  }
  const double known = trajectory.tolerance * static_cast<double>(trajectory.step_times.size() + 1);
  for (std::size_t k = 0; k < own.size(); ++k) {
    if (largest[k] > 0.0 && own[k] <= std::max(known, tolerance::kSameTime) * largest[k]) return true;
  }
  return false;
}

/// Selects start, end and samples evenly spaced between them. After an early stop the last sample is left out, because
/// the equations may have no solution there. Samples on a switching surface are left out, because the equations as
/// written may have the value of neither adjacent region there.
std::vector<const Sample*> chosen(const Binding& bound, const Trajectory& trajectory, int count) {
  std::size_t available = trajectory.samples.size();
  if (trajectory.stopped && available > 1) --available;
  std::vector<const Sample*> samples;
  const std::size_t wanted = std::min(available, static_cast<std::size_t>(std::max(count, 1)));
  for (std::size_t i = 0; i < wanted; ++i) {
    const std::size_t at = wanted == 1 ? 0 : i * (available - 1) / (wanted - 1);
    if (!trajectory.is_on_surface(trajectory.samples[at].t)) samples.push_back(&trajectory.samples[at]);
  }
  if (samples.size() > 2) {
    if (begins_or_ends_on_surface(bound, trajectory, *samples.back())) samples.pop_back();
    if (begins_or_ends_on_surface(bound, trajectory, *samples.front())) samples.erase(samples.begin());
  }
  return samples;
}

/// Lines that are judged at single instants, or by comparison with the first instant.
std::vector<AuditLine> lines_of_instants(const Case& of) {
  std::vector<AuditLine> lines = {audit_speeds(of),      audit_residuals(of),  audit_rows(of),
                                  audit_motion(of),      audit_ideal_work(of), audit_nonideal_work(of),
                                  audit_gauss(of),       audit_inspection(of), audit_reciprocity(of),
                                  audit_uniqueness(of),  audit_energy(of),     audit_effective_energy(of),
                                  audit_formulations(of)};
  if (!of.bound->model->slides.empty()) lines.push_back(audit_friction(of));
  if (std::ranges::any_of(of.bound->model->constraints,
                          [](const model::Constraint& one) { return one.unilateral.has_value(); })) {
    lines.push_back(audit_gaps(of));
    lines.push_back(audit_contact_forces(of));
    for (AuditLine& line : audit_impacts(of)) lines.push_back(std::move(line));
  }
  if (of.bound->system->higher) {
    lines.push_back(audit_higher_residuals(of));
    lines.push_back(audit_higher_energy(of));
  }
  for (AuditLine& line : audit_balance(of)) lines.push_back(std::move(line));
  lines.push_back(audit_revealed(of));
  for (AuditLine& line : audit_invariants(of)) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

bool Audit::holds() const {
  return std::ranges::none_of(lines, [](const AuditLine& line) { return line.verdict == AuditLine::Verdict::kBroken; });
}

bool Audit::is_success() const {
  return holds() && !stopped &&
         std::ranges::any_of(lines, [](const AuditLine& line) { return line.verdict == AuditLine::Verdict::kHolds; });
}

double Case::missed_by_steps(double t) const {
  const auto steps = std::ranges::count_if(trajectory.step_times, [t](double end) { return end <= t; });
  return trajectory.tolerance * static_cast<double>(steps + 1);
}

Case case_of(const Binding& bound, const Trajectory& trajectory, const AuditOptions& options) {
  const std::vector<const Sample*> samples = chosen(bound, trajectory, options.samples);
  Case of{bound, {}, scales_of(bound, samples), trajectory, options.seed};
  for (const Sample* sample : samples) of.evidence.push_back(std::make_unique<Evidence>(bound, *sample));
  return of;
}

Audit audit(const Binding& bound, const Trajectory& trajectory, const AuditOptions& options) {
  const Case of = case_of(bound, trajectory, options);
  Audit result;
  result.samples = static_cast<int>(of.evidence.size());
  if (trajectory.stopped && !is_stated_end(trajectory.stopped->kind) &&
      !sim::is_stop_expected(*bound->model, *trajectory.stopped))
    result.stopped = trajectory.stopped;
  if (!of.evidence.empty()) result.lines = lines_of_instants(of);
  if (trajectory.samples.empty()) return result;
  result.lines.push_back(audit_integrals(of));
  result.lines.push_back(audit_sides(of));
  for (AuditLine& line : result.lines) {
    line.allowed *= options.factor.value;
    if (line.verdict == AuditLine::Verdict::kDoesNotApply) continue;
    line.verdict = line.worst <= line.allowed ? AuditLine::Verdict::kHolds : AuditLine::Verdict::kBroken;
  }
  return result;
}

}  // namespace vinculum::audit
