#include "vinculum/motion/accelerations/routes.hpp"

namespace vinculum::sim {

Routes::Routes(const CompiledModel& compiled) : pivoted(compiled.nu(), compiled.nc()), compiled_(compiled) {
  if (!compiled.system->directed.empty()) directed = std::make_unique<Directed>(*compiled.system);
  if (takes_augmented()) augmented = std::make_unique<Augmented>(*compiled.system);
}

void Routes::set_formulation(equations::Formulation to) {
  formulation_ = to;
  augmented.reset();
  minimal.reset();
  if (takes_augmented()) augmented = std::make_unique<Augmented>(*compiled_.system);
  if (to == equations::Formulation::kMinimal) minimal = std::make_unique<Minimal>(compiled_, explicit_route());
}

Route& Routes::truth() {
  return compiled_.system->has_indefinite_mass ? static_cast<Route&>(*augmented) : explicit_route();
}

Route& Routes::asked() {
  return takes_augmented() ? static_cast<Route&>(*augmented) : minimal ? static_cast<Route&>(*minimal) : truth();
}

Matrix Routes::free_multipliers() {
  const int nc = compiled_.nc();
  if (nc == 0) return Matrix(0, 0);
  if (directed) return directed->indeterminate_multipliers(nc);
  return pivoted.rows().rank() == nc ? Matrix(nc, 0) : pivoted.rows().left_null_space();
}

void Routes::read_unique_rows(std::vector<char>& unique) {
  const int nc = compiled_.nc();
  if (nc == 0) {
    unique.clear();
  } else if (directed) {
    unique = directed->unique(nc);
  } else {
    unique = pivoted.rows().unique();
  }
}

}  // namespace vinculum::sim
