#pragma once

#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/expr/sparse_row.hpp"

namespace vinculum::solve {

/// Speeds that independent rows determine, a few at a time. The rows S of a block contain as many speeds D that earlier
/// blocks do not determine, and A_SD is regular. In a linkage each loop is a block once the crank speed is known.
struct SpeedBlocks {
  struct Block {
    std::vector<int> rows, speeds;  ///< blocks larger than kMostByCofactors are in the order of their pivots
    /// At the analyzed states the distance reaches kLeastOfBlock even with the upper bounds of the row lengths; the
    /// guard then uses these bounds.
    bool is_far_by_form = false;
  };
  std::vector<Block> blocks;     ///< each after the blocks whose speeds it contains
  std::vector<int> independent;  ///< speeds that no block determines
  std::vector<double> size;      ///< [nu] 1/√M_jj at the analyzed states, which makes unlike speeds comparable

  [[nodiscard]] bool is_empty() const { return blocks.empty(); }
};

/// Least distance of a block from singularity for which it is used: |det A_SD| over the product of the lengths of its
/// complete rows, with speeds in their sizes; for a larger block each pivot over the length of its row. Errors of the
/// independent speeds appear in the block's speeds divided by this distance.
inline constexpr double kLeastOfBlock = 1.0 / 32.0;
inline constexpr std::size_t kMostByCofactors = 3;  ///< number of rows; larger blocks are eliminated

/// The blocks with the fewest operations; among equals, the choice whose least distance is greatest. Empty if no choice
/// has twice kLeastOfBlock at all states, or if there are so many rows and speeds that nothing is gained.
/// \param rows  the independent rows of A [rows][nu].
/// \param M  [nu×nu] and \param A [rows×nu]: their values at states.
[[nodiscard]] SpeedBlocks find_speed_blocks(std::span<const expr::SparseRow> rows, std::span<const Matrix> M,
                                            std::span<const Matrix> A);

/// Sets `is_far_by_form` of each block.
/// \param greatest  [rows×nu] upper bounds of the entries at every state (expr::greatest_sizes); infinite if there is
///   none.
void judge_by_form(SpeedBlocks& blocks, std::span<const Matrix> A, const Matrix& greatest);

}  // namespace vinculum::solve
