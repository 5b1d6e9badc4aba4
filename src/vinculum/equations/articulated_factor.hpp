#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vinculum/equations/articulated_inertia.hpp"
#include "vinculum/expr/sparse_row.hpp"

namespace vinculum::equations {

/// M = L D Lᵀ of a tree of masses, as articulated bodies leave it: D the pivots of the speeds in the order in which
/// these were made free, and L what a force on a speed does to the wrenches on the way to the root. Any number of
/// right-hand sides without inertias again, each by a sweep over the masses that it meets.
///
/// From the leaves to the root, for each column s of speed s (force r_s on it):   w = r_s − s·p,  p += U w/D,
/// from the root to the leaves:   x_s = e − U·a/D,  a += s x_s.
/// Source: Featherstone 1983; theory.md §1.
class ArticulatedFactor {
 public:
  using Speeds = std::vector<EliminatedSpeed>;

  /// \param masses  of a tree in which each speed moves one mass relative to its parent.
  /// \param lowering  of the graph that they are of: shared with the System.
  ArticulatedFactor(std::shared_ptr<Lowering> lowering, std::vector<Mass> masses, std::size_t speed_count);

  [[nodiscard]] const std::vector<Mass>& masses() const { return masses_; }
  /// What has been eliminated of a mass, in the order of its columns: to be filled from the leaves to the root.
  [[nodiscard]] Speeds& speeds(std::size_t mass) { return speeds_[mass]; }
  [[nodiscard]] const Speeds& speeds(std::size_t mass) const { return speeds_[mass]; }

  /// A wrench on a mass in its frame and about its reference: the same in the frame and about the reference of the
  /// parent.   \param more  added to it, in the frame of the parent already.   \pre the mass has a parent
  [[nodiscard]] SpatialVector wrench_in_parent(std::size_t mass, const SpatialVector& wrench,
                                               const SpatialVector& more) const;
  /// What a mass accelerates by with its parent, its own speeds at rest.   \param of_parent  plus what it gets by
  /// without, in the frame of the parent.   \pre the mass has a parent
  [[nodiscard]] SpatialVector moved_by_parent(std::size_t mass, const SpatialVector& of_parent,
                                              const SpatialVector& more) const;

  /// D: what the speeds move, all beyond them free. [nu]
  [[nodiscard]] std::vector<expr::Expr> pivots() const;

  struct Reduced {
    std::vector<expr::Expr> w;  ///< [nu] L⁻¹ r
    std::vector<expr::Expr> e;  ///< [nu] D⁻¹ L⁻¹ r
  };
  [[nodiscard]] Reduced reduce(const expr::SparseRow& r) const;
  /// L⁻ᵀ e. [nu]
  [[nodiscard]] std::vector<expr::Expr> expand(std::span<const expr::Expr> e) const;

 private:
  std::shared_ptr<Lowering> lowering_;
  std::vector<Mass> masses_;
  std::size_t speed_count_;
  std::vector<Speeds> speeds_;  ///< [masses]
};

}  // namespace vinculum::equations
