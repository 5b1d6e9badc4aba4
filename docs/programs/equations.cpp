#include <cmath>
#include <iostream>
#include <utility>
#include <vinculum/builder.hpp>

int main() {
  // Udwadia & Kalaba 2002, Sec. 5: M q'' = Q, x'^2 + y'^2 - z'^2 = 2 alpha g, and the virtual work of friction.
  vinculum::Builder b("cone");
  const auto alpha = b.parameter("alpha", 0.3), a0 = b.parameter("a0", 0.2), one = b.number(1.0), none = b.number(0.0);
  const auto x = b.coordinate("x"), y = b.coordinate("y"), z = b.coordinate("z");
  const auto p = b.rate(x), r = b.rate(y), s = b.rate(z);
  b.equations({x, y, z}, {{one}, {none, one}, {none, none, one}}, {none, none, b.number(-9.81)});
  const auto g = 0.1 * z + x;
  const auto cone = b.constraint("cone", p * p + r * r - s * s - 2.0 * (alpha * g));
  const auto speed = sqrt(p * p + r * r + s * s);
  for (const auto& [q, rate] : {std::pair(x, p), std::pair(y, r), std::pair(z, s)})
    b.nonideal(cone, q, -(a0 * (speed * rate)));
  b.output("Qi_x", b.Q_ideal(0));
  b.start(x, 0.4);
  b.start(y, -0.3);
  b.start(z, 0.5);
  b.start(p, 1.0);
  b.start(r, 0.7);
  b.guess(s, -1.2);

  const auto model = vinculum::Model::from_builder(std::move(b)).value();
  const auto run = model.run({.until = 1.0, .tolerance = 1e-10}).value();
  const auto end = run.at(1.0).value().state;
  const auto at = model.matrices(end).value();
  std::cout << model.explain({.geometry = true}).value().text();

  // Qi and Qni by eq. 42 of the paper; u is the speed and g' = 0.1 z' + x'
  const double u2 = end.u[0] * end.u[0] + end.u[1] * end.u[1] + end.u[2] * end.u[2];
  const double share = (0.3 * (0.1 * end.u[2] + end.u[0]) - end.u[2] * 9.81) / u2;
  const double nonideal = -0.2 / std::sqrt(u2) * 2.0 * end.u[0] * end.u[2] * end.u[2];
  std::cout << "Qi on x " << at.Q_ideal[0] << ", by the formula " << share * end.u[0] << "\nQni on x "
            << at.Q_nonideal[0] << ", by the formula " << nonideal << "\n";
  const bool agree = std::abs(at.Q_ideal[0] - share * end.u[0]) + std::abs(at.Q_nonideal[0] - nonideal) < 1e-10;
  return agree && run.audit().holds() ? 0 : 1;
}
