#include "vinculum/out/report/csv.hpp"

#include <fmt/format.h>

#include <ostream>

#include "vinculum/out/report/columns.hpp"

namespace vinculum::out {

namespace {

/// A name as a csv_field: `a[1,2]` stands in quotes.
std::string csv_field(const std::string& name) {
  return name.find(',') == std::string::npos ? name : "\"" + name + "\"";
}

}  // namespace

void write_csv(std::ostream& stream, const sim::CompiledModel& compiled, const sim::Trajectory& trajectory) {
  std::string line = "t";
  for (const std::string& name : state_names(compiled)) line += "," + csv_field(name);
  for (const std::string& name : output_column_names(compiled)) line += "," + csv_field(name);
  for (const auto& constraint : compiled.model->constraints)
    line += "," + csv_field("residual(" + constraint.name + ")");
  stream << line << '\n';
  const auto append = [&line](const Vector& values) {
    for (const double value : values) line += fmt::format(",{:.17g}", value);
  };
  for (const sim::Sample& sample : trajectory.samples) {
    line = fmt::format("{:.17g}", sample.t);
    append(sample.q);
    append(sample.u);
    append(sample.z);
    append(sample.outputs);
    append(sample.residual);
    stream << line << '\n';
  }
}

}  // namespace vinculum::out
