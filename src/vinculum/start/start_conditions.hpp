#pragma once

#include <string>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// The `start` statements of a model, sorted by the variables that they determine.
struct StartConditions {
  struct Condition {
    int start = -1;  ///< index into Model::starts
    /// Index of a coordinate or speed; in `rates`, of the coordinate whose q' is stated.
    int target = -1;
    bool is_held = false;
    bool uses_q = false;  ///< the right-hand side depends on coordinates
  };
  std::vector<Condition> coordinates;
  std::vector<Condition> speeds;     ///< conditions on u, and on those q' that equal one of the u
  std::vector<Condition> rates;      ///< conditions on those q' that are combinations of speeds
  std::vector<Condition> nonlinear;  ///< conditions on speeds that are not affine in q'; `target` is their index
  /// Conditions on those q'', q''', … that are states (theory.md §6.5); `target` is the coordinate.
  std::vector<Condition> higher;
};
[[nodiscard]] StartConditions sort_start_conditions(const Binding& bound);

/// [starts] Right-hand sides of all start conditions at (t, q).
[[nodiscard]] Vector evaluate_start_values(const Binding& bound, double t, const Vector& q);
/// [nz] Start values of the states at (t, q); 0 for derivatives that are states.
[[nodiscard]] Vector evaluate_state_starts(const Binding& bound, double t, const Vector& q);
/// Computes the derivatives of the right-hand sides with respect to q. [starts × nq]
[[nodiscard]] Matrix evaluate_start_gradient(const Binding& bound, double t, const Vector& q);

/// Writes a condition for messages: "q1 = 0.3", "q1' ~ 2".
[[nodiscard]] std::string condition_text(const Binding& bound, int start, double value);

}  // namespace vinculum::sim
