#pragma once

#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/expr/sparse_row.hpp"

namespace vinculum::solve {

/// Speeds that independent rows give by the others, a few at a time: the rows S of a block hold as many speeds D that
/// no block before it has given, and A_SD is regular. A linkage is a block a loop, once the crank is known.
struct SpeedBlocks {
  struct Block {
    std::vector<int> rows, speeds;  ///< of more than kMostByCofactors in the order of pivots
    /// It reaches kLeastOfBlock at the states by the greatest lengths of its rows by form too: its guard takes those.
    bool is_far_by_form = false;
  };
  std::vector<Block> blocks;     ///< each after those whose speeds it holds
  std::vector<int> independent;  ///< speeds that no block gives
  std::vector<double> size;      ///< [nu] 1/√M_jj at the states at which they were found: unlike speeds compare by it

  [[nodiscard]] bool is_empty() const { return blocks.empty(); }
};

/// How far a block is from one whose rows give no speeds: |det A_SD| over the lengths of its whole rows, speeds in
/// their sizes; of a larger block each pivot over the length of its row. Errors of the speeds that it gives are those
/// of the others over it. Blocks are used where it is as much as this.
inline constexpr double kLeastOfBlock = 1.0 / 32.0;
inline constexpr std::size_t kMostByCofactors = 3;  ///< rows; larger blocks are eliminated

/// The blocks with the fewest operations; of those alike the choice that stays furthest from the least of its blocks.
/// Nothing where there is none with twice kLeastOfBlock at all states, or rows and speeds are so many that there is
/// nothing to gain.
/// \param rows  the independent rows of A [rows][nu].   \param M  [nu×nu] and \param A [rows×nu] their values at states
[[nodiscard]] SpeedBlocks find_speed_blocks(std::span<const expr::SparseRow> rows, std::span<const Matrix> M,
                                            std::span<const Matrix> A);

/// Finds `is_far_by_form` of each block.
/// \param greatest  [rows×nu] sizes that entries reach at no state (expr::greatest_sizes), infinite where there is none
void judge_by_form(SpeedBlocks& blocks, std::span<const Matrix> A, const Matrix& greatest);

}  // namespace vinculum::solve
