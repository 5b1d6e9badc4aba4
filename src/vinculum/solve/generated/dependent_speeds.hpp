#pragma once

#include <span>
#include <vector>

#include "vinculum/solve/generated/static_ldlt.hpp"

namespace vinculum::solve {

/// Eliminates speeds that rows determine with constant coefficients (the dependent speeds of Kane's method). For rows S
/// and as many speeds D, the matrix N = A_SD A_SDᵀ must be diagonal and the same at every state, as for a rolling
/// contact. M must not couple the speeds D with other speeds. With P = A_SDᵀ N⁻¹ and W = Pᵀ M_DD P
///
///   u_D = P t,   t = b_S − A_SI u_I,   λ_S = W t − Pᵀ f_D − (A_RD P)ᵀ λ_R
///
/// The remaining problem has the same form, for the other speeds I and rows R:
///
///   M' = M_II + A_SIᵀ W A_SI,      f' = f_I − A_SIᵀ (Pᵀ f_D − W b_S)
///   A' = A_RI − (A_RD P) A_SI,     b' = b_R − A_RD P b_S
///
/// The pivots of these rows are constant and never small, and the rows are satisfied within rounding errors, so no
/// guard or correction is needed. Groups of three rows, pairs and single rows are eliminated one after the other as
/// long as there are any. Source: theory.md §3.
class DependentSpeeds {
 public:
  /// \pre the rows of `system` are independent.
  explicit DependentSpeeds(const SymbolicSystem& system);
  [[nodiscard]] bool is_empty() const { return blocks_.empty(); }

  /// The remaining problem, for the other speeds and rows.
  [[nodiscard]] SymbolicSystem rest() const;
  /// Solves the problem as `StaticLdlt::solve` does. StaticLdlt solves the remaining problem; its guards apply to the
  /// whole solution.
  [[nodiscard]] StaticSolution solve(std::span<const expr::Expr> r_f, std::span<const expr::Expr> r_b,
                                     int refinements) const;

 private:
  /// Right-hand sides of all speeds and rows before each block is eliminated, and at the end.
  struct Right {
    std::vector<std::vector<expr::Expr>> f, b;  ///< [blocks + 1][nu], [blocks + 1][nc]
  };
  [[nodiscard]] Right reduce(std::span<const expr::Expr> r_f, std::span<const expr::Expr> r_b) const;
  [[nodiscard]] StaticSolution solve_rest(const Right& right, int refinements) const;
  using Table = std::vector<std::vector<expr::Expr>>;
  struct Block {
    std::vector<int> rows, speeds;
    Table A;   ///< [rows][nu] A_SI, 0 at the speeds of this and earlier blocks
    Table P;   ///< [speeds][rows]
    Table W;   ///< [rows][rows]
    Table AP;  ///< [nc][rows] A_RD P for the remaining rows
  };

  [[nodiscard]] bool takes_rows(std::span<const int> rows);
  [[nodiscard]] bool takes(std::span<const int> rows, std::span<const int> speeds);
  void eliminate(Block block);
  void give_speeds(std::size_t block, const Right& right, StaticSolution& solution) const;
  [[nodiscard]] expr::Expr& M(int i, int j) { return M_[static_cast<std::size_t>(i * nu_ + j)]; }

  int nu_;
  expr::Graph* graph_;
  std::vector<expr::Expr> M_;       ///< [nu × nu] remaining mass matrix
  Table A_;                         ///< [nc][nu] remaining rows
  std::vector<int> speeds_, rows_;  ///< remaining speeds and rows
  std::vector<Block> blocks_;
};

}  // namespace vinculum::solve
