#include "vinculum/model/inspect/hamiltonian.hpp"

#include <unordered_map>
#include <vector>

#include "vinculum/model/calculus.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/kinematic_tree.hpp"
#include "vinculum/model/traversal.hpp"

namespace vinculum::model {

/// Computes time derivatives of position-level terms with every q' set to zero.
class HeldVelocities::Motion {
 public:
  explicit Motion(const Model& model) : model_(model), pool_(*model.terms), tree_(model) {}

  /// Velocity of the material point. For `point P on B` it is the velocity of the point of B that coincides with P.
  Term velocity(PointId point) {
    const FrameId on = model_.point(point).on;
    return on.is_valid() ? carried(point, on) : place_velocity(point);
  }

  Term angular_velocity(FrameId frame) {
    while (angular_velocities_.size() <= frame.index()) {
      const Frame& next = model_.frames[angular_velocities_.size()];
      Term w = next.parent.is_valid() ? angular_velocities_[next.parent.index()] : pool_.zero_vector();
      if (next.parent.is_valid() && !next.rotations.empty()) w = w + turning(next);
      angular_velocities_.push_back(w);
    }
    return angular_velocities_[frame.index()];
  }

  /// A term with every q' set to zero.
  Term held(Term term) {
    std::unordered_map<TermId, Term> replaced;
    std::vector<Term> operands;
    for (const Term node : in_order(term)) {
      if (node.operand_count() == 0 || node.kind() == TermKind::kPartial || node.kind() == TermKind::kRate) {
        replaced[node.id()] = held_leaf(node);
        continue;
      }
      operands.clear();
      for (int i = 0; i < node.operand_count(); ++i) operands.push_back(replaced.at(node.operand(i).id()));
      replaced[node.id()] = with_operands(node, operands);
    }
    return replaced.at(term.id());
  }

 private:
  // Bases precede the points defined from them, so filling the table in order needs no deep recursion.
  Term place_velocity(PointId point) {
    while (velocities_.size() <= point.index()) {
      const Point& next = model_.points[velocities_.size()];
      Term v = pool_.zero_vector();
      if (next.base.is_valid()) v = velocities_[next.base.index()] + held(time_derivative(model_, next.offset));
      velocities_.push_back(v);
    }
    return velocities_[point.index()];
  }

  /// Velocity of the material point of the frame that coincides with `point` at present.
  Term carried(PointId point, FrameId frame) {
    const PointId anchor = tree_.anchor_of(frame).value_or(tree_.origin_of(point));
    const Term v = place_velocity(anchor), w = angular_velocity(frame);
    return w.is_zero() ? v : v + pool_.cross(w, pool_.position(point, anchor));
  }

  /// ω of a frame relative to its parent at q' = 0. With one rotation, the axis is fixed in both frames, and ω is the
  /// rate of the angle about it. With several rotations, each turns about its axis as rotated by the earlier ones.
  Term turning(const Frame& frame) {
    Term sum = pool_.zero_vector();
    std::vector<Term> basis;
    for (int axis = 0; axis < 3; ++axis) basis.push_back(pool_.basis_vector(frame.parent, axis));
    for (const SimpleRotation& rotation : frame.rotations) {
      const Term about = rotation.axis >= 0 ? basis[static_cast<std::size_t>(rotation.axis)] : rotation.direction;
      sum = sum + held(time_derivative(model_, rotation.angle)) * about;
      const Term c = pool_.function(expr::Op::kCosine, rotation.angle),
                 s = pool_.function(expr::Op::kSine, rotation.angle);
      for (Term& b : basis) b = c * b + s * pool_.cross(about, b) + ((1.0 - c) * pool_.dot(about, b)) * about;
    }
    return sum;
  }

  Term held_leaf(Term leaf) {
    const auto first = std::size_t{leaf.index()}, second = std::size_t{leaf.second()};
    switch (leaf.kind()) {
      case TermKind::kCoordinate: return leaf.order() == 0 ? leaf : pool_.number(0.0);
      case TermKind::kVelocity: return velocity(PointId(first)) - carried(PointId(first), FrameId(second));
      case TermKind::kAngularVelocity: return angular_velocity(FrameId(first)) - angular_velocity(FrameId(second));
      default: return leaf;
    }
  }

  const Model& model_;
  TermPool& pool_;
  KinematicTree tree_;
  std::vector<Term> velocities_, angular_velocities_;
};

HeldVelocities::HeldVelocities(const Model& model) : motion_(std::make_unique<Motion>(model)) {}
HeldVelocities::~HeldVelocities() = default;
Term HeldVelocities::velocity(PointId point) { return motion_->velocity(point); }
Term HeldVelocities::angular_velocity(FrameId frame) { return motion_->angular_velocity(frame); }
Term HeldVelocities::held(Term term) { return motion_->held(term); }

Term velocity_of_time_alone(const Model& model, PointId point) { return HeldVelocities(model).velocity(point); }

Term at_held_coordinates(const Model& model, Term term) { return HeldVelocities(model).held(term); }

Term hamiltonian(const Model& model) {
  TermPool& pool = *model.terms;
  HeldVelocities held(model);
  Term sum = potential_energy(model) + lagrangian_energy(model);
  for (const Particle& particle : model.particles) {
    const Term v = pool.velocity(particle.point, Model::newtonian());
    sum = sum + particle.mass * (pool.dot(v, v) / 2.0 - pool.dot(held.velocity(particle.point), v));
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Body& body = model.bodies[b];
    const Term v = pool.velocity(body.center, Model::newtonian()),
               omega = pool.angular_velocity(body.frame, Model::newtonian());
    const Term turned = times_inertia(model, BodyId(b), omega);
    sum = sum + body.mass * (pool.dot(v, v) / 2.0 - pool.dot(held.velocity(body.center), v)) +
          (pool.dot(omega, turned) / 2.0 - pool.dot(held.angular_velocity(body.frame), turned));
  }
  return sum;
}

}  // namespace vinculum::model
