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

/// The solvers for accelerations of a model (Route), and the formulation that chooses among them.
class Routes {
 public:
  explicit Routes(const CompiledModel& compiled);

  void set_formulation(equations::Formulation to);
  [[nodiscard]] equations::Formulation formulation() const { return formulation_; }
  [[nodiscard]] bool is_explicit() const { return formulation_ == equations::Formulation::kExplicit; }
  /// Whether generated code is tried before these solvers.
  [[nodiscard]] bool takes_generated(const Binding& bound) const {
    return bound.accelerations.kernel && is_explicit() && bound.trusts_generated;
  }

  /// Returns the solver of the present formulation.
  [[nodiscard]] Route& asked();
  /// Returns the solver that decides about rank and computes reports: `augmented` if M may be indefinite, else
  /// `directed` if there are servo constraints, else `pivoted`.
  [[nodiscard]] Route& truth();
  /// Returns the solver for the response to additional forces: `directed` if there are servo constraints, else
  /// `pivoted`.
  [[nodiscard]] Route& explicit_route() { return directed ? static_cast<Route&>(*directed) : pivoted; }

  /// Basis of the multipliers that exert no generalized force, one per column, with nc entries each.
  /// \pre `explicit_route` has factored the present matrices
  [[nodiscard]] Matrix free_multipliers();
  /// Whether the multiplier of each row is unique [nc].
  /// \pre `explicit_route` has factored the present matrices
  void read_unique_rows(std::vector<char>& unique);

  Pivoted pivoted;
  // Each is null if the model or the formulation does not need it.
  std::unique_ptr<Directed> directed;
  std::unique_ptr<Augmented> augmented;
  std::unique_ptr<Minimal> minimal;

 private:
  /// Whether `augmented` is used instead of solvers that factor M.
  [[nodiscard]] bool takes_augmented() const {
    return formulation_ == equations::Formulation::kAugmented || compiled_.system->has_indefinite_mass;
  }

  const CompiledModel& compiled_;
  equations::Formulation formulation_ = equations::Formulation::kExplicit;
};

}  // namespace vinculum::sim
