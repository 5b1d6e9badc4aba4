#include <algorithm>
#include <cmath>
#include <iostream>
#include <vinculum/vinculum.hpp>

int main() {
  const auto model = vinculum::Model::load("pendulum.vin");
  if (!model) {
    std::cerr << model.error().text();  // place, line, caret and hint, as the command prints them
    return 2;
  }
  const auto run = model->run({.until = 3.0, .tolerance = 1e-10}).value();
  const auto tension = run.column("tension").value();
  const double largest = *std::max_element(tension.values.begin(), tension.values.end());

  // At the lowest point: m g + m v²/l, with v² = 2 g (l − l cos a) from the height lost, sin a = 1/2.
  const double expected = 1.5 * 9.81 * (1.0 + 2.0 * (1.0 - std::sqrt(0.75)));
  std::cout << "largest tension " << largest << " " << tension.unit << ", closed form " << expected << " N\n";
  return expected - largest < 1e-3 && largest <= expected + 1e-7 ? 0 : 1;
}
