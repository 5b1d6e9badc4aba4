#include <iostream>
#include <vinculum/vinculum.hpp>

int main() {
  const auto model = vinculum::Model::load("pendulum.vin", {.set = {{"m", 2.0}}}).value();
  for (const auto& parameter : model.parameters())
    std::cout << parameter.name << " = " << parameter.value << " " << parameter.unit << ", " << parameter.place << "\n";
  for (const double mass : {1.0, 2.0, 4.0}) {
    const auto heavy = model.with({{"m", mass}}).value();  // in SI units; "500 [g]" works too
    std::cout << mass << " kg: " << heavy.run({.until = 0.5}).value().column("tension").value().values.back() << " N\n";
  }
  const auto refused = model.with({{"mass", 3.0}});
  std::cout << refused.error().text();
  return refused ? 1 : 0;
}
