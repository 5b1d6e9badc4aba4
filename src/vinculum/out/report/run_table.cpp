#include <fmt/format.h>

#include <algorithm>

#include "vinculum/out/report/columns.hpp"
#include "vinculum/out/report/run_report.hpp"

namespace vinculum::out {
namespace {

std::string milliseconds(double seconds) { return fmt::format("{:.3g} ms", seconds * 1e3); }

// −0 and 0 are one to the reader.
double shown(double value) { return value == 0.0 ? 0.0 : value; }

std::string state_lines(const sim::CompiledModel& compiled, const sim::Sample& sample) {
  const mechanics::Model& model = *compiled.model;
  std::size_t width = 0;
  for (const std::string& name : state_names(compiled)) width = std::max(width, name.size());
  const auto cell = [&](const std::string& name, double value, const Dimension& dimension) {
    return fmt::format("{:<{}} = {:>22.15g}{:<8}", name, width, shown(value), unit_suffix(model, dimension));
  };
  std::string text;
  const int lines = std::max(compiled.nq(), compiled.nu());
  for (int i = 0; i < lines; ++i) {
    const auto index = static_cast<std::size_t>(i);
    std::string line = "  ";
    line += i < compiled.nq() ? cell(model.coordinates[index].name, sample.q[i], model.coordinates[index].dimension)
                              : std::string(width + 33, ' ');
    if (i < compiled.nu()) line += "  " + cell(model.speeds[index].name, sample.u[i], model.speeds[index].dimension);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  for (int i = 0; i < compiled.nz(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    std::string line = "  " + cell(compiled.system->z_names[at], sample.z[i], compiled.system->z_dimensions[at]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string output_lines(const sim::CompiledModel& compiled, const sim::Sample& sample) {
  const mechanics::Model& model = *compiled.model;
  if (model.outputs.empty() || sample.outputs.size() < compiled.output_size) return "";
  std::size_t width = 0;
  for (const auto& output : model.outputs) width = std::max(width, output.name.size());
  std::string text = "\noutputs\n";
  for (std::size_t i = 0; i < model.outputs.size(); ++i) {
    const mechanics::Output& output = model.outputs[i];
    const auto [first, count] = compiled.output_columns[i];
    std::string value;
    for (int k = 0; k < count; ++k)
      value += fmt::format("{}{:.15g}", k == 0 ? "" : ", ", shown(sample.outputs[first + k]));
    const bool is_vector = output.value.is_valid() && output.value.is_vector();
    if (count > 1) value = "[" + value + "]";
    text += fmt::format("  {:<{}} = {}{}", output.name, width, value, unit_suffix(model, output.dimension));
    if (is_vector) text += " in " + model.frame(output.frame.value_or(mechanics::Model::newtonian())).name;
    if (i < sample.output_unique.size() && !sample.output_unique[i]) text += "   (not unique: redundant constraints)";
    text += "\n";
  }
  return text;
}

std::string constraint_lines(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory) {
  const mechanics::Model& model = *compiled.model;
  if (model.constraints.empty()) return "";
  std::size_t width = 0;
  for (const auto& constraint : model.constraints) width = std::max(width, constraint.name.size());
  std::string text = "\nconstraints, worst residual along the run\n";
  for (std::size_t i = 0; i < model.constraints.size(); ++i) {
    const auto index = static_cast<Eigen::Index>(i);
    if (index >= trajectory.worst_residual.size()) break;
    text += fmt::format("  {:<{}}   {:.2g}{} at t = {:.6g} s\n", model.constraints[i].name, width,
                        trajectory.worst_residual[index], residual_unit(model, model.constraints[i]),
                        trajectory.worst_residual_t[index]);
  }
  return text;
}

// "at t = 0.549006366 s `slope` sticks"
std::string friction_line(const sim::CompiledModel& compiled, const sim::FrictionChange& change) {
  using To = sim::FrictionChange::To;
  const char* what = change.to == To::kSticks   ? "comes to rest and sticks"
                     : change.to == To::kSlides ? "begins to slide"
                                                : "passes through rest and slides on";
  return fmt::format("at t = {:.9g} s `{}` {}\n", change.t, compiled.model->constraint(change.constraint).name, what);
}

}  // namespace

std::string run_table(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory,
                      const StageSeconds& seconds) {
  const mechanics::Model& model = *compiled.model;
  std::string text = model.name;
  if (!model.title.empty()) text += "  " + model.title;
  text += "\n";
  if (!trajectory.samples.empty()) {
    text += fmt::format("\nstate at t = {:.15g} s\n", trajectory.end().t);
    text += state_lines(compiled, trajectory.end());
    text += output_lines(compiled, trajectory.end());
    text += constraint_lines(compiled, trajectory);
  }
  for (const sim::RankDrop& drop : trajectory.rank_drops) {
    text += fmt::format("\nat t = {:.9g} s the constraints had rank {} in place of {}; the motion went on\n", drop.t,
                        drop.rank, drop.generic_rank);
  }
  if (!trajectory.friction_changes.empty()) text += "\n";
  for (const sim::FrictionChange& change : trajectory.friction_changes) text += friction_line(compiled, change);
  text += fmt::format("\n{} steps, {} rejected, {} evaluations", trajectory.statistics.steps,
                      trajectory.statistics.rejected, trajectory.statistics.evaluations);
  if (trajectory.counts.fallbacks > 0)
    text += fmt::format(", {} solves by the pivoted method", trajectory.counts.fallbacks);
  text += fmt::format("\nparse {}, derive {}, compile {} ({}{}), simulate {}\n", milliseconds(seconds.parse),
                      milliseconds(seconds.derive), milliseconds(seconds.compile),
                      codegen::to_string(compiled.report.backend), compiled.report.from_cache ? ", from the cache" : "",
                      milliseconds(seconds.simulate));
  if (!compiled.report.note.empty()) text += "note: " + compiled.report.note + "\n";
  return text;
}

}  // namespace vinculum::out
