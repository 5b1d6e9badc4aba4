#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vinculum/equations/integrability.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

enum class Linearity { kLinear, kAffine, kNonlinear };

/// Classification of a row. Each property is decided by a test of theory.md §2.
struct RowClass {
  bool is_holonomic = false;  ///< the relation is stated at position level
  /// For velocity-level rows: whether integrable by itself, or together with other rows (find_semiholonomic_rows).
  Integrability integrability = Integrability::kNone;
  bool is_rheonomic = false;                 ///< the relation depends on t explicitly
  bool is_acatastatic = false;               ///< rest does not satisfy the relation: ψ(q, 0, t) ≠ 0
  Linearity linearity = Linearity::kLinear;  ///< linearity of ψ in u
  bool is_dynamical =
      false;  ///< the directions of virtual displacements depend on velocities or accelerations: ∂A/∂u ≠ 0
  /// the class in words: "holonomic, scleronomic", "nonholonomic, linear in velocity, catastatic", …
  std::string text;
};
[[nodiscard]] std::vector<RowClass> classify(System& system);

}  // namespace vinculum::equations
