#include "vinculum/integrate/method.hpp"

#include "vinculum/integrate/dop853.hpp"
#include "vinculum/integrate/dp5.hpp"
#include "vinculum/integrate/stepper.hpp"
#include "vinculum/integrate/tsit5.hpp"

namespace vinculum::integrate {
namespace {

constexpr int kEmbedded53[] = {5, 3};
constexpr int kEmbedded4[] = {4};

// Constants of step control: for DOP853 the values of dop853.f with beta 0.04; for the two methods of order 5
// Gustafsson's 0.7/5 and 0.4/5. Stability bounds: Hairer & Wanner II, IV.2; for tsit5, the point of the negative axis
// at which its stability function leaves [-1, 1].
constexpr Method kMethods[] = {
    {"dop853",
     "Dormand & Prince; Hairer, Nørsett & Wanner, Solving Ordinary Differential Equations I, II.5, II.6, II.10", 8, 7,
     &make_explicit_stepper, runge_kutta<kDop853>(kEmbedded53, 8, 1.0 / 8.0 - 0.2 * 0.04, 0.04, 6.1)},
    {"dp5", "Dormand & Prince, J. Comput. Appl. Math. 6 (1980) 19-26; dense output: Hairer, Nørsett & Wanner I, II.6",
     5, 4, &make_explicit_stepper, runge_kutta<kDp5>(kEmbedded4, 5, 0.7 / 5.0, 0.4 / 5.0, 3.25)},
    {"tsit5", "Tsitouras, Comput. Math. Appl. 62 (2011) 770-775", 5, 4, &make_explicit_stepper,
     runge_kutta<kTsit5>(kEmbedded4, 5, 0.7 / 5.0, 0.4 / 5.0, 3.5)},
    {"radau",
     "Radau IIA of order 5, for stiff motions; Hairer & Wanner, Solving Ordinary Differential Equations II, IV.8", 5, 3,
     &make_radau_stepper},
};

}  // namespace

MethodTable method_table() { return kMethods; }

const Method* find_method(std::string_view name, MethodTable table) {
  for (const Method& method : table) {
    if (name.empty() || method.name == name) return &method;
  }
  return nullptr;
}

std::vector<std::string> names_of(MethodTable table) {
  std::vector<std::string> names;
  for (const Method& method : table) names.emplace_back(method.name);
  return names;
}

}  // namespace vinculum::integrate
