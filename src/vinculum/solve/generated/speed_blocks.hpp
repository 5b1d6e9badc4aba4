#pragma once

#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/expr/sparse_row.hpp"

namespace vinculum::solve {

/// Blocks of independent rows that determine speeds one block after the other. The rows S of a block contain as many
/// speeds D that earlier blocks do not determine, and A_SD is regular. Example: in a linkage driven by a crank, each
/// loop is a block.
struct SpeedBlocks {
  struct Block {
    std::vector<int> rows, speeds;  ///< in a block of more than kMostByCofactors rows, in the order of pivots
    /// Whether, at the analyzed states, the distance from singularity is at least kLeastOfBlock even if upper bounds
    /// replace the lengths of the rows. The guard then uses these bounds.
    bool is_far_by_form = false;
  };
  std::vector<Block> blocks;     ///< each block follows the blocks whose speeds its rows contain
  std::vector<int> independent;  ///< speeds that no block determines
  std::vector<double> size;      ///< [nu] units of the speeds, 1/√M_jj at the analyzed states

  [[nodiscard]] bool is_empty() const { return blocks.empty(); }
};

/// A block is used if its distance from singularity is at least this. The distance is |det A_SD| divided by the product
/// of the lengths of the complete rows, with speeds in their units (`SpeedBlocks::size`). For a block of more than
/// kMostByCofactors rows it is the smallest pivot divided by the length of its row. An error of the independent speeds
/// causes an error of the block's speeds that is larger by 1/distance.
inline constexpr double kLeastOfBlock = 1.0 / 32.0;
/// Number of rows of the largest block that is inverted by cofactors; larger blocks are inverted by
/// Gaussian elimination.
inline constexpr std::size_t kMostByCofactors = 3;

/// The blocks with the fewest operations; among equals, those whose smallest distance from singularity is greatest.
/// Empty if no choice has a distance of at least 2 × kLeastOfBlock at all states, or if there are too many rows or
/// speeds.
/// \param rows  the independent rows of A [rows][nu].
/// \param M  [nu×nu] and \param A [rows×nu]: their values at states.
[[nodiscard]] SpeedBlocks find_speed_blocks(std::span<const expr::SparseRow> rows, std::span<const Matrix> M,
                                            std::span<const Matrix> A);

/// Sets `is_far_by_form` of each block.
/// \param greatest  [rows×nu] upper bounds of the entries of A at every state (expr::greatest_sizes); infinite if no
///   bound is known.
void judge_by_form(SpeedBlocks& blocks, std::span<const Matrix> A, const Matrix& greatest);

}  // namespace vinculum::solve
