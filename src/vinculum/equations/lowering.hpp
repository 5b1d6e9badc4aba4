#pragma once

#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "vinculum/equations/expr_vector.hpp"
#include "vinculum/equations/offset_parts.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::equations {

/// What the leaves of terms stand for.
struct LeafSymbols {
  expr::Expr t;
  std::vector<expr::Expr> parameters, q;
  std::vector<expr::Expr> u, u_dot;              ///< empty while the speeds are only defined: then by their definitions
  std::vector<expr::Expr> q_dot;                 ///< [nq] q' as expressions of q, u, t
  std::vector<expr::Expr> lambda, lambda_ideal;  ///< by rows of the whole model; not valid for realised ones
  std::vector<expr::Expr> effort = {};           ///< of all directed reactions, one after the other
  std::map<model::FrameId, ExprVector> quaternion_rates = {};  ///< ω of a quaternion's frame in its parent, in itself
  std::vector<std::vector<expr::Expr>> u_by_q_dot = {};        ///< [nu][nq] ∂u/∂q'; empty where u = q'
  std::vector<expr::Expr> z = {};                              ///< [states]
  std::vector<std::vector<expr::Expr>> slide = {};             ///< [slides][components] directions of friction
  std::vector<expr::Expr> vectors = {};                        ///< [SystemVector][nu], one after the other
  std::vector<std::vector<expr::Expr>> u_higher =
      {};  ///< [k][nu] u'', u''', … where constraints of higher order make them known; else empty
};

/// Terms to expressions, with one memory for all terms of a system.
///
/// Vectors are kept in the frames they are made of: an offset in the frame its basis vectors belong to, angular
/// velocities and accelerations in the turned frame itself, each from its parent's. They meet in the frame they are
/// asked for, joint by joint.
class Lowering {
 public:
  /// \pre model and graph outlive it; everything added to the model's pool later can be lowered too.
  Lowering(const model::Model& model, expr::Graph& graph, LeafSymbols symbols);

  [[nodiscard]] expr::Expr scalar(model::Term term);
  /// From here on the scalar stands for a symbol, an unknown of its own; \returns what it has been.
  /// \pre nothing that holds it was lowered.
  expr::Expr hold(model::Term term, expr::Expr symbol);
  /// The symbol that it stands for; not valid: none.
  [[nodiscard]] expr::Expr held(model::Term term) const;
  /// Measure numbers in `frame`.
  [[nodiscard]] ExprVector vector(model::Term term, model::FrameId frame = model::Model::newtonian());

  /// Measure numbers of a vector in another frame.
  [[nodiscard]] ExprVector express(const ExprVector& v, model::FrameId from, model::FrameId to);
  /// R_AB: columns are the basis vectors of `to` in `from`.
  [[nodiscard]] const ExprRotation& rotation(model::FrameId from, model::FrameId to);

  /// ω of `frame` in an ancestor of it, measure numbers in `frame`.
  [[nodiscard]] const ExprVector& angular_velocity(model::FrameId frame,
                                                   model::FrameId ancestor = model::Model::newtonian());
  /// Its rate as seen in the ancestor (or in the frame, which is the same).
  [[nodiscard]] const ExprVector& angular_acceleration(model::FrameId frame,
                                                       model::FrameId ancestor = model::Model::newtonian());
  /// The frame that all parts of the way from one point to another are turned from, as far from the root as there is
  /// one; not valid where there are none.
  [[nodiscard]] model::FrameId frame_of_way(model::PointId to, model::PointId from);
  /// Between any two frames, measure numbers in `components`.
  [[nodiscard]] ExprVector angular_velocity(model::FrameId frame, model::FrameId seen_in, model::FrameId components);
  [[nodiscard]] ExprVector angular_acceleration(model::FrameId frame, model::FrameId seen_in,
                                                model::FrameId components);

  /// Derivative number `order` of the place of the point relative to that of `base`, an ancestor among its bases (not
  /// valid: from the origin), as seen in `seen_in`; measure numbers in `components`.
  [[nodiscard]] ExprVector motion_from_base(model::PointId point, model::PointId base, int order,
                                            model::FrameId seen_in, model::FrameId components);
  /// Velocity (order 1) or acceleration (2) of the point as matter.
  [[nodiscard]] ExprVector point_motion(model::PointId point, int order, model::FrameId seen_in,
                                        model::FrameId components);
  [[nodiscard]] ExprVector position_between(model::PointId to, model::PointId from, model::FrameId components);

  /// The offset of a point from its base by frames; parts that are zero are left out.
  /// The same way. The constant parts that lie in one rigid frame are one vector of it, and its measure numbers are
  /// known to the rounding of its length. If one of them is 0 but for that rounding, the parts are summed and it is 0.
  /// Otherwise nothing changes.
  [[nodiscard]] std::vector<OffsetPart> without_rounding(std::vector<OffsetPart> parts);
  [[nodiscard]] const std::vector<OffsetPart>& offset_parts(model::PointId point);
  /// Derivative number `order` of an offset as seen in `seen_in`, measure numbers in the part's frame.
  [[nodiscard]] ExprVector offset_motion(const OffsetPart& part, int order, model::FrameId seen_in);

  /// A vector whose three measure numbers in a frame are stated as speeds.
  struct StatedVector {
    model::FrameId components;
    std::array<std::size_t, 3> speeds;
  };
  /// The velocity of the point in the newtonian frame, where stated.
  [[nodiscard]] const StatedVector* stated_velocity(model::PointId point) const;
  /// Its derivative number `order` (0 or 1) as seen in an ancestor of its frame of components, measure numbers in that
  /// frame.
  [[nodiscard]] ExprVector stated_value(const StatedVector& stated, int order, model::FrameId seen_in);

  /// Total time derivatives along q' = q_dot, u' = u_dot.
  [[nodiscard]] std::vector<expr::Expr> rates(std::span<const expr::Expr> values) const;
  [[nodiscard]] const LeafSymbols& symbols() const { return symbols_; }
  [[nodiscard]] model::KinematicTree& tree() { return tree_; }
  [[nodiscard]] expr::Graph& graph() { return graph_; }
  [[nodiscard]] const model::Model& model() const { return model_; }
  /// z' of the states, [states]: until it is known nothing that holds a state has a rate.
  void know_state_rates(std::vector<expr::Expr> rates) { z_dot_ = std::move(rates); }
  /// u'', u''', … [k][nu] and what `law_energy` of the constraints stands for: known when their structure is (theory.md
  /// §6.5).
  void know_higher_order(std::vector<std::vector<expr::Expr>> u_higher, std::vector<expr::Expr> energies,
                         std::vector<expr::Expr> lambda_ideal) {
    symbols_.u_higher = std::move(u_higher);
    law_energies_ = std::move(energies);
    symbols_.lambda_ideal = std::move(lambda_ideal);
  }
  [[nodiscard]] const std::vector<std::vector<expr::Expr>>& generalized_forces() const { return generalized_forces_; }
  /// What generalized forces of constraints stand for, [constraint][nu]: known when the rows are.
  void know_generalized_forces(std::vector<std::vector<expr::Expr>> forces) { generalized_forces_ = std::move(forces); }
  /// Their ideal parts, and b − A a of the rows of each constraint: likewise.
  void know_ideal_parts(std::vector<std::vector<expr::Expr>> forces, std::vector<std::vector<expr::Expr>> departures) {
    ideal_forces_ = std::move(forces);
    departures_ = std::move(departures);
  }

 private:
  void read_stated_vectors();
  void lower_scalars_below(model::Term root);
  expr::Expr scalar_node(model::Term node);
  expr::Expr partial(expr::Expr of, model::Term by);
  expr::Expr multiplier(const std::vector<expr::Expr>& of_rows, model::Term leaf);
  const ExprVector& vector_below(model::Term root, model::FrameId frame);
  ExprVector vector_node(model::Term node, model::FrameId frame);
  ExprVector vector_leaf(model::Term node, model::FrameId frame);
  model::FrameId frame_for_dot(model::Term a, model::Term b);
  model::FrameId natural_frame(model::Term term, model::FrameId known);

  ExprVector turned_about(int axis, expr::Expr angle, bool is_back, const ExprVector& v);
  ExprVector turned_by(const model::Frame& frame, const model::SimpleRotation& turn, bool is_back, const ExprVector& v);
  ExprVector to_parent(model::FrameId frame, const ExprVector& v);
  ExprVector from_parent(model::FrameId frame, const ExprVector& v);
  const ExprRotation& rotation_in_parent(model::FrameId frame);
  const ExprRotation& rotation_down(model::FrameId ancestor, model::FrameId frame);
  ExprVector velocity_in_parent(model::FrameId frame);
  ExprVector rates_of(const ExprVector& v) const;
  void read_offset(model::Term term, expr::Expr factor, std::vector<OffsetPart>& parts, model::Term& rest);
  [[nodiscard]] bool is_constant_in_time(const ExprVector& v) const;

  using FramePair = std::pair<model::FrameId, model::FrameId>;
  using Motions = std::map<FramePair, ExprVector>;
  /// The frames between the two, the upper ones first, where `known` lacks many of them: the end of a long chain lies
  /// too deep to come back to by recursion.
  [[nodiscard]] std::vector<model::FrameId> not_known_above(model::FrameId frame, model::FrameId ancestor,
                                                            const Motions& known) const;

  const model::Model& model_;
  expr::Graph& graph_;
  LeafSymbols symbols_;
  model::KinematicTree tree_;
  std::vector<std::size_t> first_row_;            ///< [constraints] into lambda
  std::vector<std::size_t> first_effort_;         ///< [constraints] into effort
  std::vector<std::vector<expr::Expr>> q_rates_;  ///< [k][nq] q', q'', … as they are asked for
  std::vector<expr::Expr> z_dot_;
  std::vector<std::vector<expr::Expr>> generalized_forces_, ideal_forces_, departures_;
  std::vector<expr::Expr> law_energies_;  ///< [constraints]
  std::unordered_map<model::TermId, expr::Expr> scalars_, held_;
  std::map<std::pair<model::FrameId, model::TermId>, ExprVector> vectors_;
  std::map<FramePair, StatedVector> stated_rotations_;
  std::map<model::PointId, StatedVector> stated_velocities_;
  /// What has been turned: by angle, whether back, and two measure numbers, the two that these were before.
  std::map<std::tuple<expr::NodeId, bool, expr::NodeId, expr::NodeId>, std::array<expr::Expr, 2>> turned_;
  /// The same about an oblique direction in a parent: by that, angle, whether back, and all three measure numbers.
  std::map<std::tuple<model::FrameId, model::TermId, expr::NodeId, bool, std::array<expr::NodeId, 3>>, ExprVector>
      turned_obliquely_;
  std::map<FramePair, ExprRotation> rotations_, rotations_down_;
  std::map<model::FrameId, ExprRotation> rotations_in_parent_;
  Motions angular_velocities_, angular_accelerations_;
  std::map<model::PointId, std::vector<OffsetPart>> offsets_;
  std::map<std::uint32_t, expr::TableId> tables_;
};

}  // namespace vinculum::equations
