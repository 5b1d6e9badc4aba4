#include <cmath>
#include <iostream>
#include <vinculum/builder.hpp>

int main() {
  vinculum::Builder b("pendulum");
  const auto N = b.newtonian();
  const auto m = b.parameter("m", 2.0, "kg");
  const auto x = b.coordinate("x", "m"), y = b.coordinate("y", "m");
  const auto O = b.fixed_point("O", N);
  const auto P = b.particle("P", m, O, x * b.axis(N, 0) + y * b.axis(N, 1));
  b.gravity(-9.81 * b.axis(N, 1));
  const auto rod = b.constraint("rod", norm(b.pos(P, O)) - 0.5, {}, "m");
  b.output("tension", -b.multiplier(rod), "N");
  b.start(x, 0.0);
  b.guess(y, -1.0);
  b.view().shape(P, {"sphere", {b.number(0.05)}});
  b.view().trace(P, "orange");

  const auto model = vinculum::Model::from_builder(std::move(b)).value();
  const auto run = model.run({.until = 1.0}).value();
  const double tension = run.column("tension").value().values.back();
  std::cout << "y = " << run.column("y").value().values.back() << " m, tension = " << tension << " N\n";
  return std::abs(tension - 2.0 * 9.81) < 1e-9 ? 0 : 1;
}
