#pragma once

#include <span>
#include <vector>

#include "vinculum/solve/generated/static_ldlt.hpp"

namespace vinculum::solve {

/// Speeds that rows give by the others, with constants alone (the dependent speeds of Kane's method): rows S whose
/// entries at as many speeds D have A_SD A_SDᵀ = N, diagonal and of constants whatever the state, as those of a contact
/// that rolls. The inertia along each of D meets no other speed. With P = A_SDᵀ N⁻¹ and W = Pᵀ M_DD P
///
///   u_D = P t,   t = b_S − A_SI u_I,   λ_S = W t − Pᵀ f_D − (A_RD P)ᵀ λ_R
///
/// and what is left is the same problem of the other speeds I and rows R:
///
///   M' = M_II + A_SIᵀ W A_SI,      f' = f_I − A_SIᵀ (Pᵀ f_D − W b_S)
///   A' = A_RI − (A_RD P) A_SI,     b' = b_R − A_RD P b_S
///
/// No pivot of these rows is ever small, and they hold to rounding: nothing is to be guarded or corrected. Rows are
/// taken one after the other, by threes, pairs and alone, as long as there are any. Source: theory.md §3.
class DependentSpeeds {
 public:
  /// \pre the rows of `system` are independent.
  explicit DependentSpeeds(const SymbolicSystem& system);
  [[nodiscard]] bool is_empty() const { return blocks_.empty(); }

  /// Of the other speeds and rows.
  [[nodiscard]] SymbolicSystem rest() const;
  /// As of StaticLdlt, which solves the rest; its guards are those of the whole.
  [[nodiscard]] StaticSolution solve(std::span<const expr::Expr> r_f, std::span<const expr::Expr> r_b,
                                     int refinements) const;

 private:
  /// Right-hand sides of all speeds and rows when the rows of each block are taken, and in the end.
  struct Right {
    std::vector<std::vector<expr::Expr>> f, b;  ///< [blocks + 1]
  };
  [[nodiscard]] Right reduce(std::span<const expr::Expr> r_f, std::span<const expr::Expr> r_b) const;
  [[nodiscard]] StaticSolution solve_rest(const Right& right, int refinements) const;
  using Table = std::vector<std::vector<expr::Expr>>;
  struct Block {
    std::vector<int> rows, speeds;
    Table A;   ///< [rows][nu] A_SI, 0 at the speeds of the block and those before
    Table P;   ///< [speeds][rows]
    Table W;   ///< [rows][rows]
    Table AP;  ///< [nc][rows] A_RD P, of rows that are left
  };

  [[nodiscard]] bool takes_rows(std::span<const int> rows);
  [[nodiscard]] bool takes(std::span<const int> rows, std::span<const int> speeds);
  void eliminate(Block block);
  void give_speeds(std::size_t block, const Right& right, StaticSolution& solution) const;
  [[nodiscard]] expr::Expr& M(int i, int j) { return M_[static_cast<std::size_t>(i * nu_ + j)]; }

  int nu_;
  expr::Graph* graph_;
  std::vector<expr::Expr> M_;       ///< [nu × nu] of what is left
  Table A_;                         ///< [nc][nu] the same
  std::vector<int> speeds_, rows_;  ///< what is left
  std::vector<Block> blocks_;
};

}  // namespace vinculum::solve
