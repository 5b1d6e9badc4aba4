#include <iostream>
#include <vector>
#include <vinculum/vinculum.hpp>

int main() {
  const auto model = vinculum::Model::load("pendulum.vin").value();
  auto equations = model.evaluator().value();
  std::vector<double> y(equations.start().begin(), equations.start().end()), y_dot(y.size());
  const auto P = equations.point("P").value();
  std::vector<double> v(3), J(3 * static_cast<std::size_t>(equations.speed_count()));

  const double h = 1e-3;  // Euler's method, each step projected onto the constraints
  for (double t = equations.start_time(); t < 0.5; t += h) {
    if (const auto done = equations.derivative(t, y, y_dot); !done) std::cerr << done.error().text();
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += h * y_dot[i];
    if (const auto done = equations.project(t + h, y); !done) std::cerr << done.error().text();
  }
  if (!equations.velocity(P, 0.5, y, v) || !equations.jacobian(P, 0.5, y, J)) return 1;
  std::cout << "P at " << y[0] << ", " << y[1] << " m moves at " << v[0] << ", " << v[1] << " m/s\n";
}
