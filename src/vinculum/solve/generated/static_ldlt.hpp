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
  std::vector<expr::Expr> M;       ///< [nu×nu] by rows, symmetric
  std::vector<expr::SparseRow> A;  ///< [nc][nu]
  /// [nu] equal for speeds with the same physical dimension; empty if dimensions are not known: then no two speeds
  /// count as alike.
  std::vector<int> kind = {};
  /// Symbols that stay constant during a motion; others may be constant as well.
  std::vector<expr::Expr> parameters = {};
  /// [nc, or empty: all rows always act] `equations::Row::acts`. Where it is 0 the row of A and b is 0, and so is λ.
  std::vector<expr::Expr> acts = {};
};

/// Structure on which code generation relies, found numerically when a model is compiled (`analyze_structure`).
struct StaticStructure {
  /// `representative` of a row that depends on several others, or on one by a varying factor. It is left out of the
  /// factorization; at run time its residual is checked.
  static constexpr int kDependent = -1;
  /// `representative` of a row that is 0 = 0 at every state, so that nothing needs to be checked.
  static constexpr int kNothing = -2;

  /// Row i is `factor[i]` times row `representative[i]`; representative[i] == i for rows that are kept.
  std::vector<int> representative;
  std::vector<double> factor;
  bool is_mass_singular = false;  ///< M is singular everywhere: H = M + AᵀWA is used instead
  std::vector<double> weights;    ///< [nc] weights W of the kept rows if M is singular; otherwise empty
  int generic_rank = 0;           ///< rank of A at random states
  /// Rows determine speeds with constant coefficients (DependentSpeeds), and the remaining M is as well conditioned as
  /// M.
  bool gives_speeds = false;
  SpeedBlocks blocks;  ///< blocks of the kept rows in their order, for StaticReduction; empty if M is singular
};

/// Solution by generated code, as expressions, with two guards that tell whether it may be used.
struct StaticSolution {
  std::vector<expr::Expr> u;  ///< [nu]
  /// [nc] Multiples of one row share the multiplier with minimum norm; 0 for kDependent rows (a basic solution) and
  /// kNothing.
  std::vector<expr::Expr> lambda;
  /// Guard: largest |r_i| − tolerance × scale_i over the rows; accepted if ≤ 0, refused if NaN. It needs neither a
  /// division nor a common unit. For kept rows r is the residual of A u = b before the correction, and the scale
  /// contains |b_i| and the terms of A_i a (and A_i u). For other rows r is the disagreement with the kept rows, with
  /// the tolerance of consistency. A row that shares no speed with others, with a diagonal M, is not checked: its λ is
  /// a single quotient.
  expr::Expr residual;
  /// Guard: largest threshold × (diagonal entry before elimination) − pivot over all pivots; accepted if ≤ 0. Pivots
  /// decrease as the square of s = σ_min/σ_max. This guard detects losses of rank that the residual does not show.
  expr::Expr contraction;
};

/// Generated code for the linear problem: sparse LDLᵀ of K = [M Aᵀ; A 0] over the kept rows, in a fixed order, as
/// straight-line expressions. A row is eliminated after the coordinates on which it acts, otherwise in the order of
/// least fill-in (elimination_order.hpp). So the pivot of a row is a pivot of A M⁻¹ Aᵀ, where M is the whole matrix or
/// the block of the coordinates eliminated before. For independent rows it is positive, without regularization. Rows
/// that are nowhere independent are left out and checked.
/// A row that acts only at times (`SymbolicSystem::acts`) has 1 − acts on its diagonal: 0 = λ while it does not act.
///
/// One correction u ← u + M⁻¹Aᵀ(A M⁻¹Aᵀ)⁻¹ (b − A u) with the same factor makes A u = b hold within rounding errors,
/// and reduces the error from ε/s² to ε/s, the error of the pivoted solver. A row that shares no speed with others,
/// over a diagonal M and on coordinates of equal inertia, needs no correction: its residual is the rounding error of
/// M⁻¹ f. A solution is accepted if `residual` ≤ kTolResidual and `contraction` ≤ kTolContraction; otherwise
/// ConstrainedSolve is used (theory.md §3, docs/numerics.md). A kept row without effect gives NaN, which is refused.
/// Intended for up to a few hundred unknowns.
class StaticLdlt {
 public:
  /// \pre system.nu > 0; structure belongs to this system.
  StaticLdlt(const SymbolicSystem& system, const StaticStructure& structure);
  /// Solves [M −Aᵀ; A 0] [u; λ] = [r_f; r_b].
  /// \param refinements  0: without the correction; a residual above rounding error is then refused. Otherwise one
  ///   correction (a second one does not improve the result).
  [[nodiscard]] StaticSolution solve(std::span<const expr::Expr> r_f, std::span<const expr::Expr> r_b,
                                     int refinements) const;
  /// Guard for a solution without corrections if inertias differ: ≤ 0 if the inertias of each row agree within a factor
  /// of kAlike, so that the residual is at most the rounding error of M⁻¹ f. Used in addition to `contraction`. Valid
  /// only if no rows share a speed, M is diagonal, each row acts on speeds of one dimension, and some row needs a
  /// correction.
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
    // [nodes] D⁻¹ L⁻¹ r; the part of the rows contains the residual of r_b after M⁻¹ r_f.
    std::vector<expr::Expr> z;
    // [nodes] sum of the magnitudes of all terms of a row.
    std::vector<expr::Expr> scale;
  };

  struct Remainder;
  [[nodiscard]] Remainder assemble() const;
  [[nodiscard]] double weight_of(std::size_t k) const;
  [[nodiscard]] expr::Expr acts_at(int row) const;  ///< not valid: always
  void eliminate();
  [[nodiscard]] expr::Expr inverse_pivot(Remainder& left, int node);
  void reduce_by(const Column& column, Remainder& left);
  [[nodiscard]] bool is_row(int node) const { return node >= system_.nu; }
  [[nodiscard]] expr::Expr zero() const { return graph_->constant(0.0); }
  [[nodiscard]] Reduced reduce(std::vector<expr::Expr> right) const;
  [[nodiscard]] std::vector<expr::Expr> substitute_back(std::vector<expr::Expr> z) const;
  /// True if row and right-hand side are by structure the stated multiple, whatever their values.
  [[nodiscard]] bool is_multiple_in_form(std::size_t row, std::span<const expr::Expr> r_b) const;
  /// True if row kept_[k] shares no speed with others and M is diagonal: its λ is a single quotient.
  [[nodiscard]] bool is_quotient(std::size_t k) const { return is_alone_[k] != 0 && !couples_coordinates_; }
  /// M_jj of the coordinates on which row kept_[k] acts, without repetition.   \pre is_quotient(k)
  [[nodiscard]] std::vector<expr::Expr> inertias_of(std::size_t k) const;
  /// True if the structure of its inertias shows that the residual of row kept_[k] is only the rounding error of M⁻¹ f.
  [[nodiscard]] bool takes_no_correction(std::size_t k) const;
  void share_multipliers(std::span<const expr::Expr> of_kept, std::vector<expr::Expr>& lambda) const;

  SymbolicSystem system_;
  StaticStructure structure_;
  expr::Graph* graph_;
  std::vector<int> kept_;             ///< kept rows; node nu + k belongs to row kept_[k]
  std::vector<double> unit_;          ///< constant by which each kept row is divided
  std::vector<expr::SparseRow> A_;    ///< the kept rows after this division
  bool couples_coordinates_ = false;  ///< M or H is not diagonal
  std::vector<char> is_alone_;        ///< of the kept rows: 1 if it shares no speed with another row
  std::vector<expr::Expr> pivots_;    ///< pivots of the kept rows that are coupled with later rows
  std::vector<Column> columns_;       ///< in the order of elimination
  expr::Expr pivot_guard_;
};

/// Evaluates M, A and b at the given states ([states][inputs], a value for each of `inputs`) and finds the structure on
/// which StaticLdlt may rely. Rows count as multiples only if A and b are multiples by one factor at every state. They
/// count as dependent if they do not increase the rank at any state. States with values that are not finite are
/// ignored. If different expressions are multiples only for the present parameter values, this is checked at run time.
[[nodiscard]] StaticStructure analyze_structure(const SymbolicSystem& system, std::span<const expr::Expr> b,
                                                std::span<const expr::Expr> inputs,
                                                std::span<const std::vector<double>> states);

}  // namespace vinculum::solve
