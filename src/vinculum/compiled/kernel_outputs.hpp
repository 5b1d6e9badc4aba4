#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vinculum/compiled/structure.hpp"
#include "vinculum/numeric/sparse_matrix.hpp"
#include "vinculum/numeric/sparse_rows.hpp"
#include "vinculum/solve/generated/locked_motion.hpp"
#include "vinculum/solve/generated/motion.hpp"
#include "vinculum/solve/generated/stick_response.hpp"

/// What each kernel computes, as expressions one after the other, in the order that the compiled model's members
/// document.
namespace vinculum::sim {

/// ∂values/∂by after `all`, dense, row by row.
void append_jacobian(std::vector<expr::Expr>& all, const equations::System& system, std::span<const expr::Expr> values,
                     std::span<const expr::Expr> by);

/// Where the pieces are in the output of the `matrices` kernel. φ and ψ have places for every row, 0 where the row's
/// level does not have them. Of matrices the kernel gives the entries that are not zero everywhere.
struct MatricesLayout {
  struct Entries {
    int first = 0;
    numeric::SparsePattern pattern;  ///< row by row

    /// All entries of a matrix, those that are zero everywhere too where it had none yet.   \param value  of the first
    void read(const double* value, Matrix& matrix) const;
    [[nodiscard]] numeric::SparseMatrix sparse(const double* outputs) const;
  };
  int q_dot = 0, f = 0, C = 0, b = 0, phi = 0, psi = 0, size = 0;
  Entries G, A, phi_q, Gamma;
  std::optional<Entries> M, metric;  ///< none without M
};

/// The generated motion: q', u' and z' with the numbers they are accepted by.
struct MotionOutputs {
  std::vector<expr::Expr> values;
  bool compares_rows = false;  ///< rows are left out of the static solve that are no multiples by their form
  /// λ of all rows where none depends on others or is of accelerations alone; else empty. Steps do without.
  std::vector<expr::Expr> lambda;
};
/// The ways in which accelerations are written out, in the order in which they are tried: the first accepts fewer
/// poses.
struct WrittenMotion {
  std::optional<MotionOutputs> reduced;  ///< by independent speeds, where that is much cheaper
  std::optional<MotionOutputs>
      whole;  ///< by all rows; none where they cannot be written out: then the pivoted solver has them
};
[[nodiscard]] WrittenMotion motion_outputs(const Structure& structure, int refinements);
[[nodiscard]] std::vector<expr::Expr> projection_outputs(const solve::Projection& projection);
[[nodiscard]] numeric::SparsePattern gradient_pattern(const equations::System& system);
[[nodiscard]] std::vector<expr::Expr> gradient_outputs(const equations::System& system);
/// Row::conditions of all rows [h]; then their gradient by w, which changes q by G w, and by z [h × (nu + nz)],
/// row by row.
[[nodiscard]] std::vector<expr::Expr> condition_outputs(const equations::System& system);
/// Row::acts, φ, ψ, A [nu] and ∂φ/∂q [nq] of each of these rows, whether it acts or not; 0 where it has none.
[[nodiscard]] std::vector<expr::Expr> switched_row_outputs(const equations::System& system,
                                                           const std::vector<int>& rows);
enum class WithMass { kYes, kNo };
[[nodiscard]] std::vector<expr::Expr> matrices_outputs(const equations::System& system, WithMass with_mass,
                                                       MatricesLayout& layout);
/// C and its derivatives by the multipliers that it depends on.
[[nodiscard]] std::vector<expr::Expr> reaction_force_outputs(const equations::System& system,
                                                             const solve::ReactionDependence& dependence);
/// v of all slides, ∂v/∂u, and what v' holds beside ∂v/∂u u'.
[[nodiscard]] std::vector<expr::Expr> slide_motion_outputs(const equations::System& system);
/// C + f by the directions of friction, the static ratios, and what must not be negative of each slide.
[[nodiscard]] std::vector<expr::Expr> slide_bound_outputs(const equations::System& system);
/// K of all components, lower triangle, bounds and static ratios of all slides, contraction.
[[nodiscard]] std::vector<expr::Expr> stick_outputs(const equations::System& system,
                                                    const solve::StickResponse& response);
/// q' [nq], u' [nu], z' [nz], residual, contraction, then of all slides: held forces, bounds, static ratios.
[[nodiscard]] std::vector<expr::Expr> locked_outputs(const equations::System& system,
                                                     const solve::LockedMotion& motion);
/// Rows not linear in u', linearised at u', and the curvature of them weighed by their multipliers.
[[nodiscard]] std::vector<expr::Expr> nonlinear_row_outputs(const equations::System& system,
                                                            const std::vector<int>& rows);
/// Of models with constraints of higher order.
[[nodiscard]] std::vector<expr::Expr> top_outputs(const equations::System& system);
[[nodiscard]] std::vector<expr::Expr> hidden_outputs(const equations::System& system);
/// ∂outputs/∂(λ, λ_ideal), dense.
[[nodiscard]] std::vector<expr::Expr> gradient_by_multipliers(const equations::System& system,
                                                              std::span<const expr::Expr> outputs);

}  // namespace vinculum::sim
