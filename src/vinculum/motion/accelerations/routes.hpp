#pragma once

#include <memory>
#include <vector>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/equations/formulation.hpp"
#include "vinculum/motion/accelerations/augmented.hpp"
#include "vinculum/motion/accelerations/directed.hpp"
#include "vinculum/motion/accelerations/minimal.hpp"
#include "vinculum/motion/accelerations/pivoted.hpp"

namespace vinculum::sim {

/// The routes to accelerations with a factor that a model has, and the formulation that chooses among them.
class Routes {
 public:
  explicit Routes(const CompiledModel& compiled);

  void set_formulation(equations::Formulation to);
  [[nodiscard]] equations::Formulation formulation() const { return formulation_; }
  [[nodiscard]] bool is_explicit() const { return formulation_ == equations::Formulation::kExplicit; }
  /// Whether generated code comes before all routes.
  [[nodiscard]] bool takes_generated(const Binding& bound) const {
    return bound.accelerations.kernel && is_explicit() && bound.trusts_generated;
  }

  /// What the formulation in force asks for.
  [[nodiscard]] Route& asked();
  /// The truth, for reports.
  [[nodiscard]] Route& truth();
  /// Where rows are kept along their own gradients or by efforts: what responds to forces beside them.
  [[nodiscard]] Route& explicit_route() { return directed ? static_cast<Route&>(*directed) : pivoted; }

  /// Basis of the multipliers that exert no generalized force. [nc × …]   \pre a factor of the explicit route
  [[nodiscard]] Matrix free_multipliers();
  /// Whether the multiplier of each row is unique. [nc]   \pre as above
  void read_unique_rows(std::vector<char>& unique);

  Pivoted pivoted;
  // Those that only some models or formulations have.
  std::unique_ptr<Directed> directed;
  std::unique_ptr<Augmented> augmented;
  std::unique_ptr<Minimal> minimal;

 private:
  /// Whether the augmented system takes the place of factors of M.
  [[nodiscard]] bool takes_augmented() const {
    return formulation_ == equations::Formulation::kAugmented || compiled_.system->has_indefinite_mass;
  }

  const CompiledModel& compiled_;
  equations::Formulation formulation_ = equations::Formulation::kExplicit;
};

}  // namespace vinculum::sim
