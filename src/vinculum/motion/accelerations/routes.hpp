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

/// The routes to accelerations of a model, and the formulation that chooses among them.
class Routes {
 public:
  explicit Routes(const CompiledModel& compiled);

  void set_formulation(equations::Formulation to);
  [[nodiscard]] equations::Formulation formulation() const { return formulation_; }
  [[nodiscard]] bool is_explicit() const { return formulation_ == equations::Formulation::kExplicit; }
  /// Whether generated code is tried before the routes.
  [[nodiscard]] bool takes_generated(const Binding& bound) const {
    return bound.accelerations.kernel && is_explicit() && bound.trusts_generated;
  }

  /// The route of the formulation in force.
  [[nodiscard]] Route& asked();
  /// The route that decides about rank and computes reports: pivoted, servo or augmented.
  [[nodiscard]] Route& truth();
  /// The route for the response to further forces: `directed` if actuator efforts keep rows, else `pivoted`.
  [[nodiscard]] Route& explicit_route() { return directed ? static_cast<Route&>(*directed) : pivoted; }

  /// Basis of the multipliers that exert no generalized force [nc × …].
  /// \pre a factor of the explicit route
  [[nodiscard]] Matrix free_multipliers();
  /// Whether the multiplier of each row is unique [nc].
  /// \pre a factor of the explicit route
  void read_unique_rows(std::vector<char>& unique);

  Pivoted pivoted;
  // Null if the model or the formulation does not need them.
  std::unique_ptr<Directed> directed;
  std::unique_ptr<Augmented> augmented;
  std::unique_ptr<Minimal> minimal;

 private:
  /// Whether the augmented system is solved instead of systems with a factor of M.
  [[nodiscard]] bool takes_augmented() const {
    return formulation_ == equations::Formulation::kAugmented || compiled_.system->has_indefinite_mass;
  }

  const CompiledModel& compiled_;
  equations::Formulation formulation_ = equations::Formulation::kExplicit;
};

}  // namespace vinculum::sim
