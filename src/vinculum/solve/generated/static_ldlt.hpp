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
  std::vector<expr::Expr> M;       ///< [nu×nu] row by row, symmetric
  std::vector<expr::SparseRow> A;  ///< [nc][nu]
  /// [nu] alike where speeds are of one physical dimension; empty where that is not known: no two are then.
  std::vector<int> kind = {};
  std::vector<expr::Expr> parameters = {};  ///< symbols that no motion changes; others may be as well
  /// [nc, or empty: all rows always act] `equations::Row::acts`. Where it is 0 the row of A and b is 0, and so is λ.
  std::vector<expr::Expr> acts = {};
};

/// What generation may rely on, found numerically at build time (`analyze_structure`).
struct StaticStructure {
  /// `representative` of a row that depends on several others, or by a factor that varies: it is left out of the
  /// factorization, and that it is met is checked at run time.
  static constexpr int kDependent = -1;
  /// `representative` of a row that is 0 = 0 at every state: there is nothing to check.
  static constexpr int kNothing = -2;

  /// Row i is `factor[i]` times row `representative[i]`; representative[i] == i for those that are kept.
  std::vector<int> representative;
  std::vector<double> factor;
  bool is_mass_singular = false;  ///< M is singular everywhere: H = M + AᵀWA takes its place
  std::vector<double> weights;    ///< [nc] W of the kept rows, where M is singular; empty otherwise
  int generic_rank = 0;           ///< rank of A at random states
  /// Rows give speeds by constants (DependentSpeeds), and what is left of M then is as well determined as M is.
  bool gives_speeds = false;
  SpeedBlocks blocks;  ///< of the kept rows in their order, for StaticReduction; empty where M is singular
};

/// Answer of the static solve as expressions, with the two numbers that tell whether it may be trusted.
struct StaticSolution {
  std::vector<expr::Expr> u;  ///< [nu]
  /// [nc] Multiples share with their representative at minimum norm; 0 for kDependent rows (a basic solution) and
  /// kNothing.
  std::vector<expr::Expr> lambda;
  /// Largest |r_i| − tolerance × scale_i over the rows; ≤ 0 is good, NaN is not. No division, no common unit needed.
  /// Kept rows: miss of A u = b before the correction, against |b_i| and the parts of A_i a (and A_i u). Other rows:
  /// the disagreement with those kept, at the tolerance of consistency. A row that meets no other, over an M that is
  /// diagonal, is not asked: its λ is one quotient.
  expr::Expr residual;
  /// Largest threshold × (diagonal entry before elimination) − pivot over all pivots; ≤ 0 is good. Pivots shrink as the
  /// square of s = σ_min/σ_max: the guard against losses of rank that the residual does not see.
  expr::Expr contraction;
};

/// Generated code for the one linear problem: static-order sparse LDLᵀ of K = [M Aᵀ; A 0] over the kept rows as
/// straight-line expressions. A row is eliminated after the coordinates that it acts on, otherwise in the order of
/// least fill (elimination_order.hpp), so that a pivot of a row is a pivot of A M⁻¹ Aᵀ, M the whole or the block of the
/// coordinates that are eliminated before it: positive, without ε and without bias for rows that are independent. Rows
/// that are not independent anywhere are left out beforehand and checked.
/// A row that acts only at times (`SymbolicSystem::acts`) has 1 − acts on its diagonal: 0 = λ while it does not act.
///
/// One correction u ← u + M⁻¹Aᵀ(A M⁻¹Aᵀ)⁻¹ (b − A u) with the factor at hand makes A u = b hold to rounding and takes
/// the error from ε/s² to ε/s, as of the pivoted solver. A row that meets no other over a diagonal M and acts on
/// coordinates of one inertia takes none: what it misses is the rounding of M⁻¹ f there. A solution is accepted where
/// `residual` ≤ kTolResidual and `contraction` ≤ kTolContraction; otherwise ConstrainedSolve decides (theory.md §3,
/// docs/numerics.md). A kept row that nothing affects gives NaN, which is not accepted. Sizes: meant for up to a few
/// hundred unknowns.
class StaticLdlt {
 public:
  /// \pre system.nu > 0; structure of this system.
  StaticLdlt(const SymbolicSystem& system, const StaticStructure& structure);
  /// For the right-hand side (r_f, r_b) of  [M −Aᵀ; A 0] [u; λ] = [r_f; r_b].
  /// \param refinements  0: without the correction, and a residual above rounding is refused; else with it (a second
  /// one
  ///                     brings nothing).
  [[nodiscard]] StaticSolution solve(std::span<const expr::Expr> r_f, std::span<const expr::Expr> r_b,
                                     int refinements) const;
  /// What tells whether a solution without corrections misses no more than the rounding of M⁻¹ f although inertias
  /// differ: ≤ 0 where those of each row are alike within a factor of kAlike. As `contraction`, beside it. Not valid
  /// unless all rows meet no other over a diagonal M and act on speeds of one kind, or where none takes a correction.
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
  struct Reduced {                  // after forward elimination
    std::vector<expr::Expr> z;      // [nodes] D⁻¹ L⁻¹ r; the part of rows holds what M⁻¹ r_f misses of r_b
    std::vector<expr::Expr> scale;  // [nodes] sum of absolute values of what met in a row
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
  /// Whether row and right-hand side are the multiple that they are said to be by their form, whatever the values.
  [[nodiscard]] bool is_multiple_in_form(std::size_t row, std::span<const expr::Expr> r_b) const;
  /// Whether row kept_[k] meets no other over a diagonal M: its λ is one quotient.
  [[nodiscard]] bool is_quotient(std::size_t k) const { return is_alone_[k] != 0 && !couples_coordinates_; }
  /// M_jj of the coordinates that row kept_[k] acts on, each once.   \pre is_quotient(k)
  [[nodiscard]] std::vector<expr::Expr> inertias_of(std::size_t k) const;
  /// Whether what row kept_[k] misses is no more than rounding of M⁻¹ f by the form of its inertias.
  [[nodiscard]] bool takes_no_correction(std::size_t k) const;
  void share_multipliers(std::span<const expr::Expr> of_kept, std::vector<expr::Expr>& lambda) const;

  SymbolicSystem system_;
  StaticStructure structure_;
  expr::Graph* graph_;
  std::vector<int> kept_;             ///< rows; node nu + k stands for row kept_[k]
  std::vector<double> unit_;          ///< constant that the kept rows are divided by
  std::vector<expr::SparseRow> A_;    ///< the kept rows, divided by it
  bool couples_coordinates_ = false;  ///< M or H is not diagonal
  std::vector<char> is_alone_;        ///< of the kept rows: its pivot meets no other row
  std::vector<expr::Expr> pivots_;    ///< of the kept rows that meet rows behind them
  std::vector<Column> columns_;       ///< in the order of elimination
  expr::Expr pivot_guard_;
};

/// Evaluates M, A, b at the given states ([states][inputs], a value for each of `inputs`) and finds the structure that
/// StaticLdlt may rely on. Rows count as multiples only if A and b are, at every state, by one factor; as dependent if
/// they add nothing to the rank at any state. States where something is not finite do not count.
/// Expressions that differ although their values are multiples (by a coincidence of parameters) are checked at run
/// time.
[[nodiscard]] StaticStructure analyze_structure(const SymbolicSystem& system, std::span<const expr::Expr> b,
                                                std::span<const expr::Expr> inputs,
                                                std::span<const std::vector<double>> states);

}  // namespace vinculum::solve
