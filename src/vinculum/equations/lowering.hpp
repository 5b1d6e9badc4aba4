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

/// Expressions for the leaves of terms: time, parameters, coordinates, speeds, multipliers and others.
struct LeafSymbols {
  expr::Expr t;
  std::vector<expr::Expr> parameters, q;
  /// Empty while only the definitions of the speeds exist; a speed is then replaced by its definition
  std::vector<expr::Expr> u, u_dot;
  std::vector<expr::Expr> q_dot;  ///< [nq] q' as expressions of q, u, t
  /// One per row of the whole model; invalid for constraints with a penalty realization
  std::vector<expr::Expr> lambda, lambda_ideal;
  std::vector<expr::Expr> effort = {};  ///< efforts of all servo constraints, one after the other
  /// ω of a quaternion's frame relative to its parent, measure numbers in the frame
  std::map<model::FrameId, ExprVector> quaternion_rates = {};
  std::vector<std::vector<expr::Expr>> u_by_q_dot = {};  ///< [nu][nq] ∂u/∂q'; empty if u = q'
  std::vector<expr::Expr> z = {};                        ///< [states] symbols of the extra states
  std::vector<std::vector<expr::Expr>> slide = {};       ///< [contacts][components] friction directions s
  std::vector<expr::Expr> vectors = {};  ///< [SystemVector][nu] vectors of the whole model, one after another
  /// [k][nu] u'', u''', … if constraints of higher order determine them; else empty
  std::vector<std::vector<expr::Expr>> u_higher = {};
};

/// Converts terms to expressions ("lowers" them). One instance serves all terms of a system and stores every result.
///
/// Vectors stay in the frames in which they are written: an offset in the frame of its basis vectors, an angular
/// velocity or acceleration in the rotated frame. Angular velocities and accelerations are computed from those of the
/// parent frame. Measure numbers are converted, joint by joint, only to the frame that a caller requests.
class Lowering {
 public:
  /// \pre model and graph outlive the Lowering. Terms that are added to the model's pool later can be lowered too.
  Lowering(const model::Model& model, expr::Graph& graph, LeafSymbols symbols);

  [[nodiscard]] expr::Expr scalar(model::Term term);
  /// After this call, the scalar is converted to `symbol`, which becomes an unknown of the equations.   \returns the
  /// scalar's previous expression
  /// \pre no term that contains the scalar has been lowered yet
  expr::Expr hold(model::Term term, expr::Expr symbol);
  /// Symbol that `hold` assigned to the term; invalid if there is none.
  [[nodiscard]] expr::Expr held(model::Term term) const;
  /// Measure numbers of a vector term in `frame`.
  [[nodiscard]] ExprVector vector(model::Term term, model::FrameId frame = model::Model::newtonian());

  /// Converts measure numbers of a vector from one frame to another.
  [[nodiscard]] ExprVector express(const ExprVector& v, model::FrameId from, model::FrameId to);
  /// R_AB: columns are the basis vectors of `to` in `from`.
  [[nodiscard]] const ExprRotation& rotation(model::FrameId from, model::FrameId to);

  /// Angular velocity of `frame` relative to an ancestor, measure numbers in `frame`.
  [[nodiscard]] const ExprVector& angular_velocity(model::FrameId frame,
                                                   model::FrameId ancestor = model::Model::newtonian());
  /// Rate of that angular velocity as seen in the ancestor. The rate as seen in the frame itself is the same.
  [[nodiscard]] const ExprVector& angular_acceleration(model::FrameId frame,
                                                       model::FrameId ancestor = model::Model::newtonian());
  /// The nearest common ancestor of the frames of all offsets between two points. Invalid if there are no offsets.
  [[nodiscard]] model::FrameId frame_of_way(model::PointId to, model::PointId from);
  /// Angular velocity and acceleration of any frame relative to any other, measure numbers in `components`.
  [[nodiscard]] ExprVector angular_velocity(model::FrameId frame, model::FrameId seen_in, model::FrameId components);
  [[nodiscard]] ExprVector angular_acceleration(model::FrameId frame, model::FrameId seen_in,
                                                model::FrameId components);

  /// Derivative of order `order` of the position of `point` relative to `base`, as seen in `seen_in`; measure numbers
  /// in `components`.
  /// \param base  a point on the chain of bases of `point`; invalid: the origin
  [[nodiscard]] ExprVector motion_from_base(model::PointId point, model::PointId base, int order,
                                            model::FrameId seen_in, model::FrameId components);
  /// Velocity (order 1) or acceleration (order 2) of the material point at `point`.
  [[nodiscard]] ExprVector point_motion(model::PointId point, int order, model::FrameId seen_in,
                                        model::FrameId components);
  [[nodiscard]] ExprVector position_between(model::PointId to, model::PointId from, model::FrameId components);

  /// Removes rounding errors of constant offsets that cancel each other. The constant offsets within one rigid frame
  /// add up to one vector, whose rounding error is relative to its longest summand. If a component of the sum is
  /// nonzero but within that error of 0, the offsets are replaced by their sum, in which the component is exactly 0.
  /// Otherwise nothing changes.
  [[nodiscard]] std::vector<OffsetPart> without_rounding(std::vector<OffsetPart> parts);
  [[nodiscard]] const std::vector<OffsetPart>& offset_parts(model::PointId point);
  /// Derivative of order `order` of an offset as seen in `seen_in`; measure numbers in the frame of the offset.
  [[nodiscard]] ExprVector offset_motion(const OffsetPart& part, int order, model::FrameId seen_in);

  /// A vector whose three measure numbers in one frame are generalized speeds.
  struct StatedVector {
    model::FrameId components;
    std::array<std::size_t, 3> speeds;
  };
  /// The velocity of the point in the newtonian frame, if three speeds define it; else null.
  [[nodiscard]] const StatedVector* stated_velocity(model::PointId point) const;
  /// Derivative of order 0 or 1 of such a vector, as seen in an ancestor of its frame `components`; measure numbers in
  /// `components`.
  [[nodiscard]] ExprVector stated_value(const StatedVector& stated, int order, model::FrameId seen_in);

  /// Total time derivatives of expressions along q' = q_dot, u' = u_dot.
  [[nodiscard]] std::vector<expr::Expr> rates(std::span<const expr::Expr> values) const;
  [[nodiscard]] const LeafSymbols& symbols() const { return symbols_; }
  [[nodiscard]] model::KinematicTree& tree() { return tree_; }
  [[nodiscard]] expr::Graph& graph() { return graph_; }
  [[nodiscard]] const model::Model& model() const { return model_; }
  /// Sets the rates z' of the states, [states]. A term that contains a state can be differentiated only after this
  /// call.
  void know_state_rates(std::vector<expr::Expr> rates) { z_dot_ = std::move(rates); }
  /// Sets u'', u''', … [k][nu], the expressions of `law_energy` of the constraints, and λ_ideal. It is called when the
  /// structure of the constraints of higher order is known (theory.md §6.5).
  void know_higher_order(std::vector<std::vector<expr::Expr>> u_higher, std::vector<expr::Expr> energies,
                         std::vector<expr::Expr> lambda_ideal) {
    symbols_.u_higher = std::move(u_higher);
    law_energies_ = std::move(energies);
    symbols_.lambda_ideal = std::move(lambda_ideal);
  }
  [[nodiscard]] const std::vector<std::vector<expr::Expr>>& generalized_forces() const { return generalized_forces_; }
  /// Sets the generalized forces of the constraints, [constraint][nu]. It is called when the rows are written.
  void know_generalized_forces(std::vector<std::vector<expr::Expr>> forces) { generalized_forces_ = std::move(forces); }
  /// Sets the ideal parts of the generalized forces, and the residuals b − A a of each constraint. It is called when
  /// the rows are written.
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
  /// Frames between `ancestor` and `frame` that are missing in `known`, from the top down. Empty if there are few. The
  /// caller fills `known` for them one by one, because recursion from the end of a long chain would be too deep for the
  /// stack.
  [[nodiscard]] std::vector<model::FrameId> not_known_above(model::FrameId frame, model::FrameId ancestor,
                                                            const Motions& known) const;

  const model::Model& model_;
  expr::Graph& graph_;
  LeafSymbols symbols_;
  model::KinematicTree tree_;
  std::vector<std::size_t> first_row_;  ///< [constraints] index of the constraint's first row in `LeafSymbols::lambda`
  /// [constraints] index of the constraint's first effort in `LeafSymbols::effort`
  std::vector<std::size_t> first_effort_;
  std::vector<std::vector<expr::Expr>> q_rates_;  ///< [k][nq] q', q'', …, computed on demand
  std::vector<expr::Expr> z_dot_;
  std::vector<std::vector<expr::Expr>> generalized_forces_, ideal_forces_, departures_;
  std::vector<expr::Expr> law_energies_;  ///< [constraints] contribution of each constraint to the effective energy
  std::unordered_map<model::TermId, expr::Expr> scalars_, held_;
  std::map<std::pair<model::FrameId, model::TermId>, ExprVector> vectors_;
  std::map<FramePair, StatedVector> stated_rotations_;
  std::map<model::PointId, StatedVector> stated_velocities_;
  /// Cache of rotations. Key: angle, sense of rotation, two measure numbers before the rotation. Value: these two after
  /// the rotation.
  std::map<std::tuple<expr::NodeId, bool, expr::NodeId, expr::NodeId>, std::array<expr::Expr, 2>> turned_;
  /// Cache of rotations about an oblique direction. Key: parent frame, oblique direction, angle, sense of rotation,
  /// three measure numbers before the rotation. Value: these three after the rotation.
  std::map<std::tuple<model::FrameId, model::TermId, expr::NodeId, bool, std::array<expr::NodeId, 3>>, ExprVector>
      turned_obliquely_;
  std::map<FramePair, ExprRotation> rotations_, rotations_down_;
  std::map<model::FrameId, ExprRotation> rotations_in_parent_;
  Motions angular_velocities_, angular_accelerations_;
  std::map<model::PointId, std::vector<OffsetPart>> offsets_;
  std::map<std::uint32_t, expr::TableId> tables_;
};

}  // namespace vinculum::equations
