#pragma once

#include "support/mechanisms/bodies_at_random.hpp"

namespace vinculum::mechanisms {

/// Adds joints, relations, redundant copies and clauses to a mechanism of bodies, and moves the guessed start so that
/// they hold.
class ConstraintsAtRandom {
 public:
  ConstraintsAtRandom(Mechanism& m, Chance& chance, BodiesAtRandom& bodies) : m_(m), chance_(chance), bodies_(bodies) {}
  void add();

 private:
  struct Draft {
    Constraint constraint;
    std::vector<Action> natural;  ///< one force or torque per row, if each row exerts a single one
    bool fits_value = false;      ///< the right side is a number: the present value of the left side
  };
  Draft joint();
  Draft relation();
  /// q + c p of two coordinates, or of their rates; null if one belongs to a quaternion or both are the same.
  NodePtr two_coordinates(int order);
  Draft relation_of_positions(int template_number);
  Draft relation_of_velocities(int template_number);
  Draft relation_of_accelerations(int template_number);
  void complete_joint(Constraint& c);
  void add_copy();
  void add_clauses(Constraint& c, const std::vector<Action>& natural);
  bool accept(Draft draft);
  bool fit_value(Constraint& c) const;
  bool fit_attachment(Constraint& c);

  int body() { return chance_.below(static_cast<int>(m_.bodies.size())); }
  /// Index of a random body; −1: the ground.
  int body_or_ground() { return chance_.is(0.4) ? -1 : body(); }
  int other_than(int b);
  int point_of_side(const Side& side);
  int any_point();
  Side side_of(int body) const { return body < 0 ? Side{} : Side{SideKind::kBody, body}; }
  int class_of_side(const Side& side) const;
  /// A vector of any rigid class, as a node, sometimes written with the name of the body.
  NodePtr any_vector();
  NodePtr vector_of(int rigid_class);
  LinearVector axis_of(const Side& side);
  NodePtr value_of(double x) const;

  Mechanism& m_;
  Chance& chance_;
  BodiesAtRandom& bodies_;
  int named_ = 0;
};

}  // namespace vinculum::mechanisms
