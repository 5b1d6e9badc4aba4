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

/// Writes the outputs of each kernel as a list of expressions, in the order documented in `Kernels`.
namespace vinculum::sim {

/// Appends the matrix ∂values/∂by to `all`, with its zeros, row by row.
void append_jacobian(std::vector<expr::Expr>& all, const equations::System& system, std::span<const expr::Expr> values,
                     std::span<const expr::Expr> by);

/// First indices of the matrices and vectors in the output of the kernel `matrices`. φ and ψ have an entry for every
/// row, which is 0 for rows whose level has no φ or ψ. For each matrix, the output contains only the entries that are
/// not identically zero.
struct MatricesLayout {
  struct Entries {
    int first = 0;
    numeric::SparsePattern pattern;  ///< positions of the entries, row by row

    /// Reads the entries into a matrix. Identically zero entries are written only if the matrix had other dimensions.
    /// \param value  the first entry.
    void read(const double* value, Matrix& matrix) const;
    /// \param outputs  the output of the kernel from its beginning
    [[nodiscard]] numeric::SparseMatrix sparse(const double* outputs) const;
  };
  int q_dot = 0, f = 0, C = 0, b = 0, phi = 0, psi = 0, size = 0;
  Entries G, A, phi_q, Gamma;
  std::optional<Entries> M, metric;  ///< empty if the layout has no M
};

/// Outputs of the generated code for accelerations: q', u' and z' with the guards, see `Kernels::accelerations`.
struct MotionOutputs {
  std::vector<expr::Expr> values;
  /// True if rows are left out of the solution that are not multiples of other rows by structure. `values` then
  /// contains a residual that shows whether these rows contradict the other rows.
  bool compares_rows = false;
  /// λ of all rows if the rows are independent, none is of acceleration level, and there are no servo constraints; else
  /// empty. Only reports use it.
  std::vector<expr::Expr> lambda;
};
/// Generated accelerations in the order in which they are tried. The guards of `reduced` refuse more states than those
/// of `whole`.
struct WrittenMotion {
  std::optional<MotionOutputs> reduced;  ///< solve::reduced_acceleration; empty if it saves few operations
  /// Solution with all rows; empty if there is no generated code, so that the pivoted solver is used.
  std::optional<MotionOutputs> whole;
};
[[nodiscard]] WrittenMotion motion_outputs(const Structure& structure, int refinements);
[[nodiscard]] std::vector<expr::Expr> projection_outputs(const solve::Projection& projection);
[[nodiscard]] numeric::SparsePattern gradient_pattern(const equations::System& system);
[[nodiscard]] std::vector<expr::Expr> gradient_outputs(const equations::System& system);
/// Returns the conditions on extra states (Row::conditions) of all rows [h], then their gradient with respect to (w,
/// z), where q changes by G w [h × (nu + nz)], row by row.
[[nodiscard]] std::vector<expr::Expr> condition_outputs(const equations::System& system);
/// Returns for each of these rows the condition Row::acts, then φ, ψ, A [nu] and ∂φ/∂q [nq] as if the row acted. φ or ψ
/// is 0 if the row has none.
[[nodiscard]] std::vector<expr::Expr> switched_row_outputs(const equations::System& system,
                                                           const std::vector<int>& rows);
/// Returns for each event its condition (1 or 0; 0 for an event at a stated time), its stated time [s] (0 if it has
/// none), and the value of each of its actions (0 if the action sets nothing).
[[nodiscard]] std::vector<expr::Expr> event_outputs(const equations::System& system);
enum class WithMass { kYes, kNo };
[[nodiscard]] std::vector<expr::Expr> matrices_outputs(const equations::System& system, WithMass with_mass,
                                                       MatricesLayout& layout);
/// Returns C and its derivatives with respect to the multipliers on which it depends.
[[nodiscard]] std::vector<expr::Expr> reaction_force_outputs(const equations::System& system,
                                                             const solve::ReactionDependence& dependence);
/// Returns the sliding velocities v of all friction contacts, ∂v/∂u, and v' − ∂v/∂u u'.
[[nodiscard]] std::vector<expr::Expr> slide_motion_outputs(const equations::System& system);
/// Returns ∂(C + f)/∂s (s the friction directions), the ratios of static to sliding coefficient, and for each contact
/// the stated coefficient or bound, which must not be negative.
[[nodiscard]] std::vector<expr::Expr> slide_bound_outputs(const equations::System& system);
/// Returns K of solve::StickResponse (lower triangle), friction bounds and static ratios of all contacts, and the
/// contraction factor that the guard of the solution checks.
[[nodiscard]] std::vector<expr::Expr> stick_outputs(const equations::System& system,
                                                    const solve::StickResponse& response);
/// Returns q' [nq], u' [nu], z' [nz], the guards residual and contraction, then for all contacts: sticking forces,
/// bounds, static ratios.
[[nodiscard]] std::vector<expr::Expr> locked_outputs(const equations::System& system,
                                                     const solve::LockedMotion& motion);
/// Returns A and b of the given rows, which are not linear in u', linearized at u'; their curvature Σ λ ∂²χ/∂u'², with
/// the rows χ = 0; then the conditions of `branch` clauses.
[[nodiscard]] std::vector<expr::Expr> nonlinear_row_outputs(const equations::System& system,
                                                            const std::vector<int>& rows);
/// Outputs of the kernels `top` and `hidden`, for models with constraints of higher order.
[[nodiscard]] std::vector<expr::Expr> top_outputs(const equations::System& system);
[[nodiscard]] std::vector<expr::Expr> hidden_outputs(const equations::System& system);
/// The matrix ∂outputs/∂(λ, λ_ideal, s), with its zeros, row by row.
[[nodiscard]] std::vector<expr::Expr> gradient_by_multipliers(const equations::System& system,
                                                              std::span<const expr::Expr> outputs);

}  // namespace vinculum::sim
