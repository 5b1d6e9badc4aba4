#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vinculum/equations/articulated_inertia.hpp"
#include "vinculum/expr/sparse_row.hpp"

namespace vinculum::equations {

/// Factorization M = L D Lᵀ of a tree of masses, as the articulated-body recursion produces it. D contains the pivots
/// of the speeds in the order of their elimination. L⁻¹ maps a force on a speed to forces on the speeds of all masses
/// on the path to the root. Each right-hand side costs one sweep over the masses that it reaches; inertias are not
/// computed again.
///
/// From the leaves to the root, for each speed with twist s and force r_s:   w = r_s − s·p,  e = w/D,  p += U e.
/// From the root to the leaves:   x_s = e − U·a/D,  a += s x_s.
/// Source: Featherstone 1983; theory.md §1.
class ArticulatedFactor {
 public:
  using Speeds = std::vector<EliminatedSpeed>;

  /// \param lowering  builds the expressions; shared with the System.
  /// \param masses  tree in which each speed moves exactly one mass relative to its parent.
  ArticulatedFactor(std::shared_ptr<Lowering> lowering, std::vector<Mass> masses, std::size_t speed_count);

  [[nodiscard]] const std::vector<Mass>& masses() const { return masses_; }
  /// Eliminated speeds of a mass, in the order of its columns. The caller fills them from the leaves to the root.
  [[nodiscard]] Speeds& speeds(std::size_t mass) { return speeds_[mass]; }
  [[nodiscard]] const Speeds& speeds(std::size_t mass) const { return speeds_[mass]; }

  /// Transforms a wrench on a mass, given in its frame and about its reference point, to the frame and reference point
  /// of the parent.
  /// \param more  wrench that is added, in the frame of the parent and about the reference point of the mass
  /// \pre the mass has a parent.
  [[nodiscard]] SpatialVector wrench_in_parent(std::size_t mass, const SpatialVector& wrench,
                                               const SpatialVector& more) const;
  /// Acceleration that a mass would have if its own speeds were constant, so that it moved with its parent. The result
  /// is in the frame of the mass.
  /// \param of_parent  acceleration of the parent, in the frame of the parent.
  /// \param more  relative acceleration that is added, in the frame of the parent.
  /// \pre the mass has a parent.
  [[nodiscard]] SpatialVector moved_by_parent(std::size_t mass, const SpatialVector& of_parent,
                                              const SpatialVector& more) const;

  /// [nu] D: the inertia that each speed moves while all joints outboard of it are free.
  [[nodiscard]] std::vector<expr::Expr> pivots() const;

  struct Reduced {
    std::vector<expr::Expr> w;  ///< [nu] w = L⁻¹ r
    std::vector<expr::Expr> e;  ///< [nu] e = D⁻¹ L⁻¹ r
  };
  [[nodiscard]] Reduced reduce(const expr::SparseRow& r) const;
  /// [nu] L⁻ᵀ e, the solution of M x = r.
  [[nodiscard]] std::vector<expr::Expr> expand(std::span<const expr::Expr> e) const;

 private:
  std::shared_ptr<Lowering> lowering_;
  std::vector<Mass> masses_;
  std::size_t speed_count_;
  std::vector<Speeds> speeds_;  ///< [masses] the eliminated speeds of each mass
};

}  // namespace vinculum::equations
