#pragma once

#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"
#include "vinculum/expr/sparse_row.hpp"
#include "vinculum/solve/generated/speed_blocks.hpp"

namespace vinculum::solve {

/// Mass matrix and constraint Jacobian as expressions.
struct SymbolicSystem {
  int nu = 0;
  std::vector<expr::Expr> M;       ///< [nu×nu] mass matrix row by row, symmetric
  std::vector<expr::SparseRow> A;  ///< [nc][nu] constraint Jacobian
  /// [nu] An index of the physical dimension of each speed. Empty if dimensions are not known; all speeds then count as
  /// of different dimension.
  std::vector<int> kind = {};
  /// Symbols that are known to stay constant during a motion.
  std::vector<expr::Expr> parameters = {};
  /// [nc, or empty: all rows always act] `equations::Row::acts`, 1 or 0. If it is 0, the row of A and b is 0, and so is
  /// λ.
  std::vector<expr::Expr> acts = {};
};

/// Structure on which code generation relies, found numerically when a model is compiled (`analyze_structure`).
struct StaticStructure {
  /// `representative` of a row that depends on several rows, or on one row by a factor that varies. The row is left out
  /// of the factorization; at run time its residual is checked.
  static constexpr int kDependent = -1;
  /// `representative` of a row that is 0 = 0 at every state, so that nothing needs to be checked.
  static constexpr int kNothing = -2;

  /// Row i is `factor[i]` times row `representative[i]`; `representative[i] == i` for rows that are kept.
  std::vector<int> representative;
  std::vector<double> factor;
  bool is_mass_singular = false;  ///< M is singular at all states, so H = M + AᵀWA is used instead
  std::vector<double> weights;    ///< [nc] weights W of the kept rows if M is singular; otherwise empty
  int generic_rank = 0;           ///< rank of A at random states
  /// Whether rows determine speeds with constant coefficients (DependentSpeeds), and the mass matrix of the remaining
  /// speeds is well enough conditioned.
  bool gives_speeds = false;
  SpeedBlocks blocks;  ///< blocks of the kept rows in their order, for StaticReduction; empty if M is singular
};

/// Solution by generated code, as expressions, with two guards that tell whether it may be used.
struct StaticSolution {
  std::vector<expr::Expr> u;  ///< [nu] accelerations or changes of u
  /// [nc] Rows that are multiples of one row share its force so that the multipliers have the least norm. 0 for rows of
  /// kind kDependent and kNothing.
  std::vector<expr::Expr> lambda;
  /// Guard: largest |r_i| − tolerance × scale_i over the rows; accepted if ≤ 0, refused if NaN. In this form it needs
  /// no division, and rows of different units can be combined. For the rows that the factorization uses, r is the
  /// residual of A u = b before the correction, and the scale contains |b_i|, the terms of A_i M⁻¹ r_f and,
  /// if M couples coordinates, those of A_i u. For the other rows, which depend on these, r is their disagreement with
  /// them (tolerance `tolerance::kConsistency`). If M is diagonal, a row that shares no speed with other rows is not
  /// checked, because its λ is a single quotient.
  expr::Expr residual;
  /// Guard: largest threshold × (diagonal entry before elimination) − pivot over all pivots; accepted if ≤ 0. The
  /// smallest pivot decreases as the square of s = σ_min/σ_max of the scaled rows. This guard detects losses of rank
  /// that the residual does not show.
  expr::Expr contraction;
};

/// Generated code for the linear problem: sparse LDLᵀ of K = [M Aᵀ; A 0] over the kept rows, in a fixed order, as
/// straight-line expressions. A row is eliminated after the coordinates on which it acts; apart from that, the order
/// has the least fill-in (elimination_order.hpp). So the pivot of a row is a pivot of A M⁻¹ Aᵀ, where M is the whole
/// matrix or the block of the coordinates eliminated before. For independent rows the pivot is positive, without
/// regularization. Rows that are independent at no state are left out, and their residuals are checked.
/// A row that acts only under a condition (`SymbolicSystem::acts`) has the diagonal entry 1 − acts. While the row does
/// not act, its equation is 0 = λ.
///
/// One correction u ← u + M⁻¹Aᵀ(A M⁻¹Aᵀ)⁻¹ (b − A u) with the same factor satisfies A u = b within rounding errors. It
/// reduces the error of u from ε/s² to ε/s (s = σ_min/σ_max), the error of the pivoted solver. A row needs no
/// correction if M is diagonal, the row shares no speed with other rows, and it acts on coordinates of equal inertia:
/// its residual is then the rounding error of M⁻¹ f. A solution is accepted if `residual` ≤ kTolResidual and
/// `contraction` ≤ kTolContraction; otherwise ConstrainedSolve is used (theory.md §3, docs/numerics.md). A kept row
/// without effect gives NaN, which is refused. Intended for up to a few hundred unknowns.
class StaticLdlt {
 public:
  /// \pre system.nu > 0; structure belongs to this system.
  StaticLdlt(const SymbolicSystem& system, const StaticStructure& structure);
  /// Solves [M −Aᵀ; A 0] [u; λ] = [r_f; r_b].
  /// \param refinements  0: no correction, and the guard refuses a residual above rounding error. Otherwise one
  ///   correction (a second correction does not improve the result).
  [[nodiscard]] StaticSolution solve(std::span<const expr::Expr> r_f, std::span<const expr::Expr> r_b,
                                     int refinements) const;
  /// Guard for a solution without corrections, used in addition to `contraction`. It is ≤ 0 if the inertias on which
  /// each row acts agree within a factor of kAlike, so that the residual is at most the rounding error of M⁻¹ f. The
  /// returned expression is valid only if no rows share a speed, M is diagonal, each row acts on speeds of one
  /// dimension, and some row needs a correction.
  [[nodiscard]] expr::Expr uncorrected_guard() const;

  static constexpr double kAlike = 10.0;
  static constexpr double kTolResidual = 0.0;
  static constexpr double kTolContraction = 0.0;

 private:
  struct Coefficient {
    int node;
    expr::Expr value;
  };
  struct Column {  // one pivot: node, 1/D and the entries of L below it
    int node;
    expr::Expr inverse_pivot;
    std::vector<Coefficient> L;
  };
  struct Reduced {  // result of the forward elimination
    // [nodes] D⁻¹ L⁻¹ r; the entries of the rows come from the residual r_b − A M⁻¹ r_f.
    std::vector<expr::Expr> z;
    // [nodes] sum of the absolute values of all terms that were added up for the node.
    std::vector<expr::Expr> scale;
  };

  struct Remainder;
  [[nodiscard]] Remainder assemble() const;
  [[nodiscard]] double weight_of(std::size_t k) const;
  [[nodiscard]] expr::Expr acts_at(int row) const;  ///< not a valid expression if the row always acts
  void eliminate();
  [[nodiscard]] expr::Expr inverse_pivot(Remainder& left, int node);
  void reduce_by(const Column& column, Remainder& left);
  [[nodiscard]] bool is_row(int node) const { return node >= system_.nu; }
  [[nodiscard]] expr::Expr zero() const { return graph_->constant(0.0); }
  [[nodiscard]] Reduced reduce(std::vector<expr::Expr> right) const;
  [[nodiscard]] std::vector<expr::Expr> substitute_back(std::vector<expr::Expr> z) const;
  /// True if the row and its right-hand side are written as the stated multiple of another row, so that they agree for
  /// all values.
  [[nodiscard]] bool is_multiple_in_form(std::size_t row, std::span<const expr::Expr> r_b) const;
  /// True if row `kept_[k]` shares no speed with others and M is diagonal, so that its λ is a single quotient.
  [[nodiscard]] bool is_quotient(std::size_t k) const { return is_alone_[k] != 0 && !couples_coordinates_; }
  /// M_jj of the coordinates on which row `kept_[k]` acts, without repetition.   \pre is_quotient(k)
  [[nodiscard]] std::vector<expr::Expr> inertias_of(std::size_t k) const;
  /// True if the structure of its inertias shows that the residual of row `kept_[k]` is only the rounding error of M⁻¹
  /// f.
  [[nodiscard]] bool takes_no_correction(std::size_t k) const;
  void share_multipliers(std::span<const expr::Expr> of_kept, std::vector<expr::Expr>& lambda) const;

  SymbolicSystem system_;
  StaticStructure structure_;
  expr::Graph* graph_;
  std::vector<int> kept_;             ///< kept rows; node nu + k belongs to row `kept_[k]`
  std::vector<double> unit_;          ///< constant by which each kept row is divided
  std::vector<expr::SparseRow> A_;    ///< the kept rows after this division
  bool couples_coordinates_ = false;  ///< M or H is not diagonal
  std::vector<char> is_alone_;        ///< [kept rows] 1 if the row shares no speed with another row
  std::vector<expr::Expr> pivots_;    ///< [kept rows] pivot of each row that is coupled with later rows, else not valid
  std::vector<Column> columns_;       ///< in the order of elimination
  expr::Expr pivot_guard_;
};

/// Evaluates M, A and b at the given states ([states][inputs], a value for each of `inputs`) and finds the structure on
/// which StaticLdlt may rely. A row counts as a multiple of another only if A and b are multiples by the same factor at
/// every state. A row counts as dependent if it does not increase the rank at any state. States with values that are
/// not finite are ignored. Different expressions may be multiples only for the present parameter values, so code
/// generated by StaticLdlt checks such rows at run time.
[[nodiscard]] StaticStructure analyze_structure(const SymbolicSystem& system, std::span<const expr::Expr> b,
                                                std::span<const expr::Expr> inputs,
                                                std::span<const std::vector<double>> states);

}  // namespace vinculum::solve
