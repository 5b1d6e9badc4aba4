#pragma once

#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "vinculum/dynamics/expr_vector.hpp"
#include "vinculum/mechanics/kinematic_tree.hpp"
#include "vinculum/mechanics/model.hpp"

namespace vinculum::dynamics {

/// What the leaves of terms stand for.
struct LeafSymbols {
  expr::Expr t;
  std::vector<expr::Expr> parameters, q;
  std::vector<expr::Expr> u, u_dot;                 ///< empty while the speeds are only defined: then by their definitions
  std::vector<expr::Expr> q_dot;                    ///< [nq] q' as expressions of q, u, t
  std::vector<expr::Expr> lambda, lambda_ideal;     ///< by rows of the whole model
};

/// Terms to expressions, with one memory for all terms of a system.
///
/// Positions, velocities and accelerations of points are kept as measure numbers in the newtonian frame (`position`,
/// `velocity`, `acceleration` are the only places that know); angular velocities are summed along the kinematic tree in
/// whatever frame they are asked for.
class Lowering {
 public:
  /// \pre model and graph outlive it; everything added to the model's pool later can be lowered too.
  Lowering(const mechanics::Model& model, expr::Graph& graph, LeafSymbols symbols);

  [[nodiscard]] expr::Expr scalar(mechanics::Term term);
  /// Measure numbers in `frame`.
  [[nodiscard]] ExprVector vector(mechanics::Term term, mechanics::FrameId frame = mechanics::Model::newtonian());

  /// From the newtonian origin, seen in the newtonian frame; newtonian measure numbers.
  [[nodiscard]] const ExprVector& position(mechanics::PointId point);
  [[nodiscard]] const ExprVector& velocity(mechanics::PointId point);
  [[nodiscard]] const ExprVector& acceleration(mechanics::PointId point);
  /// ω of `frame` seen in `seen_in`, measure numbers in `components`.
  [[nodiscard]] ExprVector angular_velocity(mechanics::FrameId frame, mechanics::FrameId seen_in,
                                            mechanics::FrameId components);
  /// R_AB: columns are the basis vectors of `to` in `from`.
  [[nodiscard]] const ExprRotation& rotation(mechanics::FrameId from, mechanics::FrameId to);

  /// Total time derivatives along q' = q_dot, u' = u_dot.
  [[nodiscard]] std::vector<expr::Expr> rates(std::span<const expr::Expr> values) const;
  [[nodiscard]] const LeafSymbols& symbols() const { return symbols_; }
  /// What generalized forces of constraints stand for, [constraint][nu]: known when the rows are.
  void know_generalized_forces(std::vector<std::vector<expr::Expr>> forces) { generalized_forces_ = std::move(forces); }

 private:
  void lower_scalars_below(mechanics::Term root);
  expr::Expr scalar_node(mechanics::Term node);
  const ExprVector& vector_below(mechanics::Term root, mechanics::FrameId frame);
  ExprVector vector_node(mechanics::Term node, mechanics::FrameId frame);
  ExprVector vector_leaf(mechanics::Term node, mechanics::FrameId frame);
  ExprVector position_between(mechanics::PointId to, mechanics::PointId from);
  ExprVector point_motion(mechanics::Term node);
  mechanics::FrameId frame_for_dot(mechanics::Term a, mechanics::Term b) const;
  const ExprRotation& rotation_down(mechanics::FrameId ancestor, mechanics::FrameId frame);
  ExprVector velocity_in_parent(mechanics::FrameId frame);

  using PointVectors = std::unordered_map<mechanics::PointId, ExprVector>;
  using FramePair = std::pair<mechanics::FrameId, mechanics::FrameId>;
  /// base + what `of_offset` makes of the offset, remembered along the chain of bases.
  const ExprVector& along_bases(PointVectors& known, mechanics::PointId point, int derivatives);

  const mechanics::Model& model_;
  expr::Graph& graph_;
  LeafSymbols symbols_;
  mechanics::KinematicTree tree_;
  std::vector<std::size_t> first_row_;              ///< [constraints] into lambda
  std::vector<expr::Expr> q_ddot_;
  std::vector<std::vector<expr::Expr>> generalized_forces_;
  std::unordered_map<mechanics::TermId, expr::Expr> scalars_;
  std::map<std::pair<mechanics::FrameId, mechanics::TermId>, ExprVector> vectors_;
  PointVectors positions_, velocities_, accelerations_;
  std::map<FramePair, ExprRotation> rotations_, rotations_down_;
  std::map<std::uint32_t, expr::TableId> tables_;
};

}  // namespace vinculum::dynamics
