#pragma once

#include <span>
#include <vector>

#include "vinculum/solve/generated/speed_blocks.hpp"
#include "vinculum/solve/generated/static_ldlt.hpp"

namespace vinculum::solve {

/// The one linear problem in minimal form, as straight-line expressions: block by block the speeds that rows give, by
/// cofactors or elimination, as functions of the independent ones I (Kane's equations with partial velocities V),
///
///   u = c + V u_I,   VᵀMV u_I = Vᵀ(f − M c),   A_SDᵀ λ_S = (M u − f − Σ A_Rᵀ λ_R)_D   R the rows of later blocks
///
/// so that a division a block (by cofactors) and one a free speed follow each other, and not one a speed and one a row
/// as in StaticLdlt, and M meets the free speeds alone. A u = b holds as each block is regular, which `contraction`
/// guards (kLeastOfBlock), with the pivots of VᵀMV; there is nothing to correct and no residual to ask. What it refuses
/// StaticLdlt may still solve: a choice of speeds fails at poses where rows do not. Source: [R] 5.1; theory.md §7.
class StaticReduction {
 public:
  /// \pre system.nu > 0; blocks of all rows of the system.
  StaticReduction(const SymbolicSystem& system, const SpeedBlocks& blocks);
  /// As of StaticLdlt.
  [[nodiscard]] StaticSolution solve(std::span<const expr::Expr> r_f, std::span<const expr::Expr> r_b) const;

 private:
  using Column = std::vector<expr::Expr>;  ///< [nu]
  using Table = std::vector<Column>;
  /// A_SD of a block.
  struct Factor {
    Table adjugate;                           ///< [speeds][rows] by cofactors; empty where it is eliminated
    expr::Expr over_determinant;              ///< with it
    Table LU;                                 ///< unit L below the diagonal, U on it and above
    std::vector<expr::Expr> over_pivot = {};  ///< 1/U_kk
    [[nodiscard]] std::vector<expr::Expr> solve(std::vector<expr::Expr> right) const;
    [[nodiscard]] std::vector<expr::Expr> solve_transposed(std::vector<expr::Expr> right) const;
    template <class Cofactor>
    [[nodiscard]] std::vector<expr::Expr> product(const std::vector<expr::Expr>& right, const Cofactor& cofactor) const;
  };
  [[nodiscard]] Factor by_cofactors(const SpeedBlocks::Block& block);
  [[nodiscard]] Factor by_elimination(const SpeedBlocks::Block& block);
  /// The guard gets |pivot| of these rows, in the size of these speeds, over the lengths of the rows.
  /// \param by_form  over the greatest lengths by their form, which cost nothing at run time
  void guard(expr::Expr pivot, std::span<const int> rows, std::span<const int> speeds, bool by_form);
  [[nodiscard]] expr::Expr squared_length(int row, bool by_form) const;
  /// u_D of all blocks for A u = b with the independent ones that `u` holds.
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
  std::vector<Factor> factors_;  ///< of each block
  std::vector<Column> V_;        ///< of each independent speed
  std::vector<Column> MV_;
  expr::Expr guard_;
};

}  // namespace vinculum::solve
