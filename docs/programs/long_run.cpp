#include <iostream>
#include <vinculum/vinculum.hpp>

int main() {
  const auto model = vinculum::Model::load("pucks_parallel.vin").value();
  auto results = vinculum::Results::open("long").value();
  const auto run = model.run({.step = 1e-4, .into = &results}).value();
  const auto files = run.write(results).value();  // completes trajectory.csv, adds the others
  std::cout << run.t().size() << " samples kept, " << files.size() << " files\n";
  return run.stopped() == nullptr ? 0 : 1;
}
