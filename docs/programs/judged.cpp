#include <iostream>
#include <vinculum/vinculum.hpp>

int main() {
  const auto model = vinculum::Model::load("knife_edge_viscous.vin").value();
  const auto run = model.run({.record = {.energy = true}}).value();
  const auto audit = run.audit();
  for (const auto& line : audit.lines)
    std::cout << line.section << " " << line.identity << ": " << line.verdict << "\n";
  const auto energy = run.energy().value();
  std::cout << "energy balance: worst " << energy.worst << " J at " << energy.t << " s\n";

  const auto compared = model.compare({.laws = "ideal,viscous(kappa=1e1..1e3)"}).value();
  for (const auto& variant : compared.variants())
    std::cout << variant.name << ": coordinates differ by " << variant.coordinates << " of their size\n";

  const auto files = run.write("results").value();  // trajectory.csv, energy.csv, events.csv, result.json
  std::cout << run.provenance().json() << files.size() << " files\n";
  return audit.holds() ? 0 : 1;
}
