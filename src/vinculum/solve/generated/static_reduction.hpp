#pragma once

#include <span>
#include <vector>

#include "vinculum/solve/generated/speed_blocks.hpp"
#include "vinculum/solve/generated/static_ldlt.hpp"

namespace vinculum::solve {

/// Generated code for the linear problem in minimal form, as straight-line expressions. A block is a set S of rows with
/// as many dependent speeds D as rows. Block by block, by cofactors or elimination, the dependent speeds become
/// functions of the independent speeds I (Kane's equations with partial velocities V),
///
///   u = c + V u_I,   VᵀMV u_I = Vᵀ(f − M c),   A_SDᵀ λ_S = (M u − f − Σ A_Rᵀ λ_R)_D   with R the rows of later blocks
///
/// Divisions that depend on each other cannot overlap in time. Their longest chain has one division per block (if it is
/// solved by cofactors) and one per independent speed; in StaticLdlt it has one per speed and one per row. Only the
/// reduced matrix VᵀMV is factored. A u = b is satisfied if each block is regular. The guard `contraction` checks this
/// (kLeastOfBlock), and the pivots of VᵀMV. So no correction and no residual are needed. If `contraction` refuses a
/// state, StaticLdlt may still solve it, because a choice of independent speeds can be singular although the rows are
/// independent. Source: [R] 5.1; theory.md §7.
class StaticReduction {
 public:
  /// \pre system.nu > 0; blocks contain all rows of the system.
  StaticReduction(const SymbolicSystem& system, const SpeedBlocks& blocks);
  /// Solves [M −Aᵀ; A 0] [u; λ] = [r_f; r_b], like `StaticLdlt::solve`.
  [[nodiscard]] StaticSolution solve(std::span<const expr::Expr> r_f, std::span<const expr::Expr> r_b) const;

 private:
  using Column = std::vector<expr::Expr>;  ///< [nu] one entry per speed
  using Table = std::vector<Column>;
  /// Factor of A_SD of a block.
  struct Factor {
    Table adjugate;                           ///< [speeds][rows] adjugate; empty if the block is eliminated
    expr::Expr over_determinant;              ///< 1/determinant; used together with `adjugate`
    Table LU;                                 ///< unit L below the diagonal, U on and above it
    std::vector<expr::Expr> over_pivot = {};  ///< 1/U_kk
    [[nodiscard]] std::vector<expr::Expr> solve(std::vector<expr::Expr> right) const;
    [[nodiscard]] std::vector<expr::Expr> solve_transposed(std::vector<expr::Expr> right) const;
    template <class Cofactor>
    [[nodiscard]] std::vector<expr::Expr> product(const std::vector<expr::Expr>& right, const Cofactor& cofactor) const;
  };
  [[nodiscard]] Factor by_cofactors(const SpeedBlocks::Block& block);
  [[nodiscard]] Factor by_elimination(const SpeedBlocks::Block& block);
  /// Adds a condition to the guard: |pivot| divided by the lengths of the rows, with speeds in their units, is at least
  /// kLeastOfBlock.
  /// \param by_form  use upper bounds of the lengths, which need no operations at run time.
  void guard(expr::Expr pivot, std::span<const int> rows, std::span<const int> speeds, bool by_form);
  [[nodiscard]] expr::Expr squared_length(int row, bool by_form) const;
  /// Computes u_D of all blocks from A u = b and the independent speeds in `u`.
  void give_speeds(Column& u, std::span<const expr::Expr> b) const;
  [[nodiscard]] Column times_M(const Column& u) const;
  [[nodiscard]] Column multipliers(const Column& left) const;
  [[nodiscard]] expr::Expr A(int row, int speed) const {
    return system_.A[static_cast<std::size_t>(row)][static_cast<std::size_t>(speed)];
  }
  [[nodiscard]] expr::Expr zero() const { return graph_->constant(0.0); }

  SymbolicSystem system_;
  SpeedBlocks blocks_;
  expr::Graph* graph_;
  std::vector<Factor> factors_;  ///< [blocks]
  std::vector<Column> V_;        ///< [independent speeds] columns of V
  std::vector<Column> MV_;
  expr::Expr guard_;
};

}  // namespace vinculum::solve
