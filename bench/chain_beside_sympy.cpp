// Planar chain of n links (point masses on rods, absolute angles) from its text: times of derivation and of native
// compilation, compared with the time that SymPy's KanesMethod takes to form its equations. Goals for 20 links: derived
// in 20 ms, compiled in 300 ms. Times are medians of five.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "support/models.hpp"
#include "vinculum/compiled/binding.hpp"

namespace {

using namespace vinculum;

std::string chain(int n) {
  return fmt::format(R"(model chain
frame N newtonian
point O fixed in N
param l = 1, m = 1, g = 9.81
coord q[1..{0}]
gravity -g*N.y
frame B[1] = N rotated q[1] about z
particle P[1] mass m at O + l*B[1].x
for k in 2..{0} {{
    frame B[k] = N rotated q[k] about z
    particle P[k] mass m at P[k - 1] + l*B[k].x
}}
)",
                     n);
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

double sympy_seconds(int n) {
  const std::string command = fmt::format("{} {} {} 2>/dev/null", VINCULUM_SYMPY_PYTHON, VINCULUM_SYMPY_CHAIN, n);
  std::FILE* pipe = popen(command.c_str(), "r");
  double seconds = 0.0;
  int links = 0;
  const bool is_read = pipe != nullptr && std::fscanf(pipe, "%d %lf", &links, &seconds) == 2;
  if (pipe != nullptr) pclose(pipe);
  return is_read ? seconds : 0.0;
}

}  // namespace

int main() {
  fmt::print("{:>6} {:>12} {:>12} {:>12} {:>12}\n", "links", "derive, ms", "compile, ms", "operations", "SymPy, ms");
  for (const int n : {1, 2, 5, 10, 15, 20}) {
    std::vector<double> derive, compile;
    std::size_t operations = 0;
    for (int i = 0; i < 5; ++i) {
      const auto model = test_support::model_of_text(chain(n));
      const auto bound = test_support::compiled(model, codegen::Backend::kNative);
      derive.push_back(bound->seconds_derive * 1e3);
      compile.push_back(bound->seconds_compile * 1e3);
      operations = static_cast<std::size_t>(bound->accelerations.kernel->operation_count());
    }
    fmt::print("{:>6} {:>12.2f} {:>12.1f} {:>12} {:>12.0f}\n", n, median(derive), median(compile), operations,
               sympy_seconds(n) * 1e3);
  }
}
