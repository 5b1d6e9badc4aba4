#include "vinculum/exports/derive_nonlinear.hpp"

#include "vinculum/equations/nonlinear_speeds.hpp"

namespace vinculum::report {

NonlinearValues nonlinear_values(const Derivation& derivation) {
  NonlinearValues all;
  for (const equations::NonlinearSpeed& one : equations::nonlinear_speeds(*derivation.system)) {
    all.values.push_back(one.value);
    all.rates.push_back(one.rate);
  }
  return all;
}

void list_nonlinear_speeds(Lines& lines, const Derivation& derivation) {
  const auto& stated = derivation.system->model->nonlinear_speeds;
  if (stated.empty()) return;
  lines.note("Not affine in the derivatives of the coordinates, by the speeds that the equations are written in:");
  const NonlinearValues all = nonlinear_values(derivation);
  for (std::size_t k = 0; k < stated.size(); ++k) {
    lines.result(stated[k].speed.name, all.values[k]);
    lines.result(stated[k].speed.name + "'", all.rates[k]);
  }
}

}  // namespace vinculum::report
