#include <iostream>
#include <vinculum/vinculum.hpp>

int main() {
  // A wrong model gives an Error with diagnostics: one by one, or as a text like a compiler's.
  const auto wrong = vinculum::Model::from_text("model m\nframe N newtonian\npoint O fixed in N\nforce on Q = 1*N.x\n");
  for (const vinculum::Diagnostic& one : wrong.error().diagnostics.all)
    std::cout << one.place << ": " << one.kind << ": " << one.message << "\n";
  std::cout << wrong.error().text();

  // A motion that stops early is a Trajectory that has the reason.
  const auto rising = vinculum::Model::load("appell_rising.vin").value().run().value();
  if (const vinculum::Error* why = rising.stopped())
    std::cout << why->kind << " at t = " << why->t << " s, " << why->place << "\n" << why->text();

  // An unknown name gives an Error that suggests a similar one.
  std::cout << rising.column("lamda").error().text();
  return wrong || !rising.stopped() ? 1 : 0;
}
