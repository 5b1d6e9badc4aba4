#pragma once

#include <string>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// The `start` statements of a model, sorted by the variables that they concern.
struct StartConditions {
  struct Condition {
    int start = -1;  ///< index into Model::starts
    /// Coordinate; speed; or, for `rates`, coordinate whose q' is stated.
    int target = -1;
    bool is_held = false;
    bool uses_q = false;  ///< the right-hand side depends on coordinates
  };
  std::vector<Condition> coordinates;
  std::vector<Condition> speeds;     ///< on u, and on q' that equals one of the u
  std::vector<Condition> rates;      ///< on q' that is a combination of speeds
  std::vector<Condition> nonlinear;  ///< on speeds that are not affine in q'; targets are their indices
  /// On q'', q''', … that are states (theory.md §6.5); targets are coordinates.
  std::vector<Condition> higher;
};
[[nodiscard]] StartConditions sort_start_conditions(const Binding& bound);

/// [starts] Right-hand sides of all start conditions at (t, q).
[[nodiscard]] Vector evaluate_start_values(const Binding& bound, double t, const Vector& q);
/// [nz] Start values of the states at (t, q); 0 for derivatives that are states.
[[nodiscard]] Vector evaluate_state_starts(const Binding& bound, double t, const Vector& q);
/// [starts × nq] Derivatives of the right-hand sides by q.
[[nodiscard]] Matrix evaluate_start_gradient(const Binding& bound, double t, const Vector& q);

/// Text of a condition for messages: "q1 = 0.3", "q1' ~ 2".
[[nodiscard]] std::string condition_text(const Binding& bound, int start, double value);

}  // namespace vinculum::sim
