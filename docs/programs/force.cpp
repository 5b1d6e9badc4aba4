#include <iostream>
#include <vinculum/vinculum.hpp>

int main() {
  const auto model = vinculum::Model::load("pendulum.vin").value();
  const auto run = model.run({.until = 2.0, .at = {0.5}}).value();
  const auto force = run.force("rod", "P").value();  // [N], three components per sample
  std::cout << force.name << " in " << force.unit << ", frame " << force.frame << ", at the end "
            << force(force.size() - 1, 0) << "\nat the bottom " << run.at(0.5).value().forces.on_points[0].value[1]
            << " N\n";
  std::cout << "equations by " << to_string(run.statistics().backend) << " code " << run.statistics().backend_note
            << "\n";
}
