#include "vinculum/solve/generated/speed_blocks.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/solve/generated/choices.hpp"

namespace vinculum::solve {
namespace {

constexpr std::size_t kMostRows = 12, kMostChoices = 500;
constexpr double kAtStates = 2.0;  // at the analyzed states, the distance of blocks must be this × kLeastOfBlock

using Pattern = std::vector<std::vector<int>>;  // speeds on which each row acts

/// The smallest subset of the rows `open` that contains as many unknown speeds as rows. Subsets of up to
/// kMostByCofactors rows are tried, and then the set of all rows.
std::optional<SpeedBlocks::Block> next_block(const Pattern& pattern, const std::vector<int>& open,
                                             const std::vector<char>& is_known) {
  for (std::size_t count = 1; count <= open.size(); ++count) {
    if (count > kMostByCofactors) count = open.size();
    SpeedBlocks::Block block;
    const bool is_found = choose(open, count, [&](const std::vector<int>& rows) {
      block = {rows, {}};
      for (const int row : rows) {
        for (const int j : nth(pattern, row))
          if (nth(is_known, j) == 0 && std::ranges::find(block.speeds, j) == block.speeds.end())
            block.speeds.push_back(j);
      }
      return block.speeds.size() == count;
    });
    if (is_found) return block;
  }
  return std::nullopt;
}

std::optional<SpeedBlocks> blocks_of(const Pattern& pattern, const std::vector<int>& independent, int nu) {
  SpeedBlocks found;
  found.independent = independent;
  std::vector<char> is_known(static_cast<std::size_t>(nu), 0);
  for (const int j : independent) nth(is_known, j) = 1;
  std::vector<int> open;
  for (int row = 0; row < static_cast<int>(pattern.size()); ++row) open.push_back(row);
  while (!open.empty()) {
    auto block = next_block(pattern, open, is_known);
    if (!block) return std::nullopt;
    for (const int j : block->speeds) nth(is_known, j) = 1;
    std::erase_if(open, [&](int row) { return std::ranges::find(block->rows, row) != block->rows.end(); });
    found.blocks.push_back(std::move(*block));
  }
  return found;
}

bool is_eliminated(const SpeedBlocks::Block& block) { return block.rows.size() > kMostByCofactors; }

/// Orders the rows and speeds of a block by complete pivoting (largest pivot next), with rows scaled to unit length.
/// \param A  in the units of speeds `SpeedBlocks::size`.
void order_by_pivots(SpeedBlocks::Block& block, const Matrix& A) {
  Matrix left = A(block.rows, block.speeds);
  for (Eigen::Index i = 0; i < left.rows(); ++i) left.row(i) /= A.row(nth(block.rows, i)).norm();
  if (!left.allFinite()) return;
  for (Eigen::Index k = 0; k + 1 < left.rows(); ++k) {
    Eigen::Index i = 0, j = 0;
    const auto size = left.rows() - k;
    if (!(left.bottomRightCorner(size, size).cwiseAbs().maxCoeff(&i, &j) > 0.0)) return;
    left.row(k).swap(left.row(k + i));
    left.col(k).swap(left.col(k + j));
    std::swap(nth(block.rows, k), nth(block.rows, k + i));
    std::swap(nth(block.speeds, k), nth(block.speeds, k + j));
    const Matrix part = left.col(k).tail(size - 1) / left(k, k) * left.row(k).tail(size - 1);
    left.bottomRightCorner(size - 1, size - 1) -= part;
  }
}

/// Smallest ratio of a pivot to the length of its row, in the order of the block.
double least_pivot(const SpeedBlocks::Block& block, const Matrix& A, const Vector& lengths) {
  Matrix left = A(block.rows, block.speeds);
  double least = 1.0;
  for (Eigen::Index k = 0; k < left.rows(); ++k) {
    const double length = lengths[nth(block.rows, k)], pivot = left(k, k);
    least = std::min(least, length > 0.0 ? std::abs(pivot) / length : 0.0);
    if (!(least > 0.0)) return 0.0;
    const auto behind = left.rows() - k - 1;
    const Matrix part = left.col(k).tail(behind) / pivot * left.row(k).tail(behind);
    left.bottomRightCorner(behind, behind) -= part;
  }
  return least;
}

/// Distance of a block from singularity, see kLeastOfBlock.   \param A  in the units `SpeedBlocks::size`.
/// \param lengths  lengths of the rows of A.
double distance_of(const SpeedBlocks::Block& block, const Matrix& A, const Vector& lengths) {
  if (is_eliminated(block)) return least_pivot(block, A, lengths);
  double product = 1.0;
  for (const int row : block.rows) product *= lengths[row];
  const double determinant = A(block.rows, block.speeds).determinant();
  return product > 0.0 ? std::abs(determinant) / product : 0.0;
}

/// Smallest distance from singularity of any block at any state.   \param A  in the units `SpeedBlocks::size`.
double least_of(const SpeedBlocks& blocks, std::span<const Matrix> A) {
  double least = 1.0;
  for (const Matrix& at : A) {
    const Vector lengths = at.rowwise().norm();
    for (const SpeedBlocks::Block& block : blocks.blocks) least = std::min(least, distance_of(block, at, lengths));
  }
  return least;
}

std::size_t operations(const SpeedBlocks& blocks) {
  std::size_t sum = 0;
  for (const SpeedBlocks::Block& block : blocks.blocks) sum += block.rows.size() * block.rows.size();
  return sum;
}

/// Binomial coefficient, but at most kMostChoices + 1.
std::size_t number_of_choices(std::size_t from, std::size_t count) {
  std::size_t choices = 1;
  for (std::size_t i = 1; i <= std::min(count, from - count); ++i) {
    choices = choices * (from - i + 1) / i;
    if (choices > kMostChoices) return kMostChoices + 1;
  }
  return choices;
}

}  // namespace

SpeedBlocks find_speed_blocks(std::span<const expr::SparseRow> rows, std::span<const Matrix> M,
                              std::span<const Matrix> A) {
  if (rows.empty() || rows.size() > kMostRows || A.empty()) return {};
  const int nu = static_cast<int>(rows.front().size());
  if (rows.size() > static_cast<std::size_t>(nu)) return {};
  const std::size_t free = static_cast<std::size_t>(nu) - rows.size();
  if (number_of_choices(static_cast<std::size_t>(nu), free) > kMostChoices) return {};
  const Vector inertia = M.front().diagonal();
  if (!(inertia.minCoeff() > 0.0)) return {};
  const Vector size = inertia.cwiseSqrt().cwiseInverse();
  std::vector<Matrix> in_sizes;
  for (const Matrix& at : A) in_sizes.emplace_back(at * size.asDiagonal());

  Pattern pattern;
  for (const expr::SparseRow& row : rows) {
    pattern.emplace_back();
    for (const auto& [j, entry] : row) pattern.back().push_back(static_cast<int>(j));
  }
  std::vector<int> speeds;
  for (int j = 0; j < nu; ++j) speeds.push_back(j);
  SpeedBlocks best;
  double least_of_best = 0.0;
  choose(speeds, free, [&](const std::vector<int>& independent) {
    auto found = blocks_of(pattern, independent, nu);
    if (!found) return false;
    for (SpeedBlocks::Block& block : found->blocks)
      if (is_eliminated(block)) order_by_pivots(block, in_sizes.front());
    const double least = least_of(*found, in_sizes);
    if (!(least >= kAtStates * kLeastOfBlock)) return false;
    const bool is_better = best.is_empty() || operations(*found) < operations(best) ||
                           (operations(*found) == operations(best) && least > least_of_best);
    if (is_better) {
      best = *found;
      least_of_best = least;
    }
    return false;
  });
  best.size.assign(size.begin(), size.end());
  return best;
}

void judge_by_form(SpeedBlocks& blocks, std::span<const Matrix> A, const Matrix& greatest) {
  const Eigen::Map<const Vector> size(blocks.size.data(), static_cast<Eigen::Index>(blocks.size.size()));
  for (SpeedBlocks::Block& block : blocks.blocks) {
    block.is_far_by_form = std::ranges::all_of(A, [&](const Matrix& at) {
      const Matrix most = greatest.array().isFinite().select(greatest, at);
      const Vector lengths = (most * size.asDiagonal()).rowwise().norm();
      return distance_of(block, at * size.asDiagonal(), lengths) >= kLeastOfBlock;
    });
  }
}

}  // namespace vinculum::solve
