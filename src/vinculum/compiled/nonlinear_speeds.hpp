#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"
#include "vinculum/expr/evaluation.hpp"

namespace vinculum::sim {

/// Speeds U(q, q', t) that are not affine in q' (model::NonlinearSpeed), evaluated at states (q, u), where u are the
/// speeds of `Model::speeds`. Created only for models with such speeds; one object per thread.
class NonlinearSpeeds {
 public:
  explicit NonlinearSpeeds(const Binding& bound);
  [[nodiscard]] static bool are_in(const CompiledModel& compiled);

  /// The speeds U at a state, and their rates U' = by_u u' + rest.
  struct At {
    Vector value;  ///< [m] U, with m the number of such speeds
    Matrix by_u;   ///< [m×nu] ∂U/∂u
    Vector rest;   ///< [m] U' for u' = 0
  };
  /// \param y [q, u, …]
  [[nodiscard]] At at(double t, const double* y) const;
  /// Determinant of ∂U/∂u for the speeds u that the U replace. If it vanishes, the U do not determine these speeds.
  [[nodiscard]] double determinant(const At& at) const;
  /// Failure for a state at which the U do not determine the speeds that they replace; message: "`v`, `psi` do not
  /// determine `x'`, `y'`".
  [[nodiscard]] Failure singular(double t) const;

  /// Transformation from `Model::speeds` to the speeds that texts show (model::shown_speeds): u̇_shown = J u̇ + rest.
  struct Change {
    Matrix J, inverse;  ///< [nu×nu] J and J⁻¹
    Vector rest;        ///< [nu] u̇_shown for u̇ = 0
  };
  /// \returns nothing if the determinant vanishes.
  [[nodiscard]] std::optional<Change> change(double t, const double* y) const;

 private:
  const Binding& compiled_;
  expr::Evaluation program_;  ///< evaluates `value`, `rest`, then `by_u` row by row
};

}  // namespace vinculum::sim
