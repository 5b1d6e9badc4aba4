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

/// Outputs of each kernel as a list of expressions, in the order documented in `Kernels`.
namespace vinculum::sim {

/// Appends ∂values/∂by to `all`, dense, by rows.
void append_jacobian(std::vector<expr::Expr>& all, const equations::System& system, std::span<const expr::Expr> values,
                     std::span<const expr::Expr> by);

/// Places of the matrices and vectors in the output of the `matrices` kernel. φ and ψ have places for every row; they
/// are 0 for rows whose level does not have them. For matrices the kernel computes only the entries that are not
/// identically zero.
struct MatricesLayout {
  struct Entries {
    int first = 0;
    numeric::SparsePattern pattern;  ///< entries by rows

    /// Reads all entries into a matrix, including the identically zero ones if it had other dimensions before.   \param
    /// value  the first entry.
    void read(const double* value, Matrix& matrix) const;
    [[nodiscard]] numeric::SparseMatrix sparse(const double* outputs) const;
  };
  int q_dot = 0, f = 0, C = 0, b = 0, phi = 0, psi = 0, size = 0;
  Entries G, A, phi_q, Gamma;
  std::optional<Entries> M, metric;  ///< empty if the layout has no M
};

/// Outputs of the generated motion: q', u' and z' with the values of the guards.
struct MotionOutputs {
  std::vector<expr::Expr> values;
  /// Some rows are left out of the solution although they are not multiples of others by structure; they are compared
  /// instead.
  bool compares_rows = false;
  /// λ of all rows if no row depends on others or exists only at acceleration level; else empty. Steps do not need it.
  std::vector<expr::Expr> lambda;
};
/// Generated accelerations in the order in which they are tried. The first set accepts fewer configurations.
struct WrittenMotion {
  std::optional<MotionOutputs> reduced;  ///< by independent speeds, if that takes much fewer operations
  /// By all rows; empty if they cannot be written as generated code, and the pivoted solver is used instead.
  std::optional<MotionOutputs> whole;
};
[[nodiscard]] WrittenMotion motion_outputs(const Structure& structure, int refinements);
[[nodiscard]] std::vector<expr::Expr> projection_outputs(const solve::Projection& projection);
[[nodiscard]] numeric::SparsePattern gradient_pattern(const equations::System& system);
[[nodiscard]] std::vector<expr::Expr> gradient_outputs(const equations::System& system);
/// Row::conditions of all rows [h], then their gradient by w, where q changes by G w, and by z [h × (nu + nz)], by
/// rows.
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
/// v of all friction contacts, ∂v/∂u, and the part of v' other than ∂v/∂u u'.
[[nodiscard]] std::vector<expr::Expr> slide_motion_outputs(const equations::System& system);
/// ∂(C + f)/∂s, the static ratios, and for each contact the coefficient or bound that must not be negative.
[[nodiscard]] std::vector<expr::Expr> slide_bound_outputs(const equations::System& system);
/// K of all components (lower triangle), bounds and static ratios of all contacts, contraction.
[[nodiscard]] std::vector<expr::Expr> stick_outputs(const equations::System& system,
                                                    const solve::StickResponse& response);
/// q' [nq], u' [nu], z' [nz], residual, contraction, then for all contacts: sticking forces, bounds, static ratios.
[[nodiscard]] std::vector<expr::Expr> locked_outputs(const equations::System& system,
                                                     const solve::LockedMotion& motion);
/// Rows that are not linear in u', linearized at u', and their curvature weighted by the multipliers.
[[nodiscard]] std::vector<expr::Expr> nonlinear_row_outputs(const equations::System& system,
                                                            const std::vector<int>& rows);
/// For models with constraints of higher order.
[[nodiscard]] std::vector<expr::Expr> top_outputs(const equations::System& system);
[[nodiscard]] std::vector<expr::Expr> hidden_outputs(const equations::System& system);
/// ∂outputs/∂(λ, λ_ideal), dense.
[[nodiscard]] std::vector<expr::Expr> gradient_by_multipliers(const equations::System& system,
                                                              std::span<const expr::Expr> outputs);

}  // namespace vinculum::sim
