#pragma once

#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "vinculum/equations/chain_motion.hpp"
#include "vinculum/equations/rigid_inertia.hpp"
#include "vinculum/equations/system.hpp"

namespace vinculum::equations {

/// Contribution of one speed to a twist, in the frame of the mass: angular velocity, and velocity of the reference
/// point.
struct Column {
  std::size_t speed;
  ExprVector omega, v;
};

/// A particle or a rigid body of the tree.
struct Mass {
  model::FrameId frame;
  model::PointId reference;  ///< point fixed in the frame of the mass
  Inertia inertia;           ///< mass, first moment and inertia tensor about the reference point
  int parent = -1;
  ExprVector from_parent = {};  ///< vector from the parent's reference point to this one, in the parent's frame
  std::vector<Column> columns = {};
};

/// Six-dimensional vector: a twist, the rate of a twist, or a wrench. Each use states its frame and reference point.
struct SpatialVector {
  ExprVector angular, linear;
};

/// Tree of the masses of a system. Each mass moves relative to its parent with a few speeds of its own; parents come
/// before their children. Source: theory.md §1.
class MassTree {
 public:
  /// \pre the kinematics of the system are written.  \pre system and motion outlive the tree.
  MassTree(const System& system, ChainMotion& motion);
  /// Determines the parents. False if some mass has more than `kManySpeeds` speeds of its own; the tree must then not
  /// be used.
  [[nodiscard]] bool find_parents();
  [[nodiscard]] const std::vector<Mass>& masses() const { return masses_; }
  /// Columns of a mass without parent. Each is in the frame in which its expression is shortest: angular velocities in
  /// the axes of the mass's frame, velocities in the home frame of the reference point (ChainMotion).
  [[nodiscard]] std::vector<Column> columns_apart(const Mass& mass);

  /// Position of a point that is fixed in the frame of a mass.
  struct Place {
    std::size_t mass;
    ExprVector from_reference;  ///< vector from the mass's reference point, in the frame of the mass
  };
  /// The mass in whose frame the point is fixed, and the point's position there; nothing if there is none.
  [[nodiscard]] std::optional<Place> place_of(model::PointId point);
  /// First mass with this frame; nothing if there is none.
  [[nodiscard]] std::optional<std::size_t> mass_in(model::FrameId frame) const;

  /// Relative acceleration of a mass: its acceleration if its parent did not accelerate, with u' as symbols. It is in
  /// the frame of the parent, or in the mass's own frame if there is no parent:
  ///
  ///   (rate of the relative twist, which contains u')  +  (ω_p × ω_r, ω_p × (ω_p × r + 2 v_r))
  [[nodiscard]] SpatialVector relative_acceleration(const Mass& mass);

 private:
  void add_mass(model::FrameId frame, model::PointId center, expr::Expr m, const Tensor& I);
  [[nodiscard]] const std::optional<OffsetPart>& constant_offset(model::PointId point);
  [[nodiscard]] std::optional<ExprVector> rigid_offset(model::PointId point, model::FrameId frame);
  [[nodiscard]] std::optional<Place> place_in(model::PointId point, model::FrameId frame);
  [[nodiscard]] bool moves_with(const Mass& mass, const Mass& parent);
  [[nodiscard]] ExprVector motion_in_parent(const Mass& mass, const Mass& parent, int order, model::FrameId components);
  [[nodiscard]] std::vector<Column> columns_of(const Mass& mass, int parent);
  [[nodiscard]] std::vector<Column> columns_of(const ExprVector& omega, const ExprVector& v) const;

  const System& system_;
  ChainMotion& motion_;
  Lowering& lowering_;
  std::vector<expr::Expr> moving_;  ///< symbols q and t; a constant offset does not depend on them
  std::vector<Mass> masses_;
  /// Index of the mass with this frame and reference point
  std::map<std::pair<model::FrameId, model::PointId>, std::size_t> references_;
  std::unordered_map<model::PointId, std::optional<OffsetPart>> offsets_;
};

inline constexpr std::size_t kManySpeeds = 6;

}  // namespace vinculum::equations
