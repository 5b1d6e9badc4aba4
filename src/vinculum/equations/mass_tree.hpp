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

/// A speed's share of a twist: angular velocity and velocity of the point of reference, in the mass' frame.
struct Column {
  std::size_t speed;
  ExprVector omega, v;
};

/// A particle or a body.
struct Mass {
  model::FrameId frame;
  model::PointId reference;  ///< at rest in the frame as far as the mass is concerned
  Inertia inertia;           ///< about the reference
  int parent = -1;
  ExprVector from_parent = {};  ///< reference − parent's reference, in the parent's frame
  std::vector<Column> columns = {};
};

/// Angular and linear: a twist, its rate, or a wrench, in the frame and about the point that its place says.
struct SpatialVector {
  ExprVector angular, linear;
};

/// The masses of a system, each moving relative to another one, its parent, with a few speeds of its own; parents come
/// first. Source: theory.md §1.
class MassTree {
 public:
  /// \pre kinematics of the system are written.  \pre system and motion outlive it.
  MassTree(const System& system, ChainMotion& motion);
  /// False when some mass has many speeds of its own, so that there is nothing to compose.
  [[nodiscard]] bool find_parents();
  [[nodiscard]] const std::vector<Mass>& masses() const { return masses_; }
  /// The shares of a mass without parent, each where it is shortest: angular velocities in the axes of its frame,
  /// velocities in the home of its reference (ChainMotion).
  [[nodiscard]] std::vector<Column> columns_apart(const Mass& mass);

  /// Where a point stands that is at rest in the frame of a mass.
  struct Place {
    std::size_t mass;
    ExprVector from_reference;  ///< in the frame of the mass
  };
  /// The mass in whose frame the point is at rest; nothing where there is none.
  [[nodiscard]] std::optional<Place> place_of(model::PointId point);
  /// The first mass of the frame.
  [[nodiscard]] std::optional<std::size_t> mass_in(model::FrameId frame) const;

  /// What a mass accelerates by while its parent does not and u' has the symbols of the system, in the frame of the
  /// parent; of a mass without one in its own:
  ///
  ///   (α, a) − S u' of the rates of the relative twist  +  (ω_p × ω_r, ω_p × (ω_p × r + 2 v_r))
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
  std::vector<expr::Expr> moving_;  ///< q and t
  std::vector<Mass> masses_;
  std::map<std::pair<model::FrameId, model::PointId>, std::size_t> references_;  ///< the mass of each
  std::unordered_map<model::PointId, std::optional<OffsetPart>> offsets_;
};

inline constexpr std::size_t kManySpeeds = 6;

}  // namespace vinculum::equations
