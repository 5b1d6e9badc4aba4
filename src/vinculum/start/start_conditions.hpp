#pragma once

#include <string>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// The `start` statements of a model sorted by what they do to q or to u.
struct StartConditions {
  struct Condition {
    int start = -1;   ///< index into Model::starts
    int target = -1;  ///< coordinate; speed; or, for `rates`, coordinate whose q' is stated
    bool is_held = false;
    bool uses_q = false;  ///< the right side depends on coordinates
  };
  std::vector<Condition> coordinates;
  std::vector<Condition> speeds;     ///< on u, and on q' where q' is one of the u
  std::vector<Condition> rates;      ///< on q' where it is a combination of speeds
  std::vector<Condition> nonlinear;  ///< on speeds that are not affine in q'; targets are their numbers
  std::vector<Condition>
      higher;  ///< on q'', q''' where these are of the state (theory.md §6.5); targets are coordinates
};
[[nodiscard]] StartConditions sort_start_conditions(const Binding& bound);

/// Right sides of all start conditions at (t, q). [starts]
[[nodiscard]] Vector evaluate_start_values(const Binding& bound, double t, const Vector& q);
/// Starts of the states at (t, q); 0 for derivatives that are states. [nz]
[[nodiscard]] Vector evaluate_state_starts(const Binding& bound, double t, const Vector& q);
/// ∂/∂q of the start conditions. [starts × nq]
[[nodiscard]] Matrix evaluate_start_gradient(const Binding& bound, double t, const Vector& q);

/// "q1 = 0.3", "q1' ~ 2": a condition as messages show it.
[[nodiscard]] std::string condition_text(const Binding& bound, int start, double value);

}  // namespace vinculum::sim
