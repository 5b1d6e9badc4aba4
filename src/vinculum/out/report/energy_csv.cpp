#include "vinculum/out/report/energy_csv.hpp"

#include <fmt/format.h>

#include <ostream>

namespace vinculum::out {

void write_energy_csv(std::ostream& stream, const sim::EnergyAccount& account, const sim::Trajectory& trajectory) {
  std::string line = "t";
  for (const std::string& name : account.columns())
    line += name.find(',') == std::string::npos ? "," + name : ",\"" + name + "\"";
  stream << line << '\n';
  for (const sim::EnergyAccount::Row& row : account.rows(trajectory)) {
    line = fmt::format("{:.17g}", row.t);
    for (const double value : row.values) line += fmt::format(",{:.17g}", value);
    stream << line << '\n';
  }
}

std::string energy_line(const mechanics::Model& model, const sim::EnergyAccount& account) {
  const sim::EnergyAccount::Worst worst = account.worst();
  return fmt::format("energy balance: worst {:.1e}{} ({:.1e} of what there is) at t = {:.6g} s\n", worst.error,
                     model.has_units ? " J" : "", worst.relative, worst.t);
}

}  // namespace vinculum::out
