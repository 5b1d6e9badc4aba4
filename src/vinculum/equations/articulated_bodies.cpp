#include "vinculum/equations/articulated_bodies.hpp"

#include <algorithm>
#include <variant>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/equations/articulated_inertia.hpp"
#include "vinculum/equations/kane.hpp"
#include "vinculum/equations/mass_tree.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::equations {
namespace {

using expr::Expr;
using model::Model;

/// Upper bound of a mass's articulated inertia that is valid for all angles of the joints: mass, first moment and
/// trace.
struct Bound {
  Expr mass, h, trace;
};

Expr absolute_sum(const ExprVector& v) { return expr::absolute(v[0]) + expr::absolute(v[1]) + expr::absolute(v[2]); }

Bound bound_of(const Inertia& inertia) {
  return {inertia.mass, absolute_sum(inertia.h), absolute_sum(inertia.I.diagonal)};
}

/// Quantities of one mass during the recursion.
struct Body {
  ArticulatedInertia inertia;
  SpatialVector bias;  ///< the wrench p
  SpatialVector c;     ///< MassTree::relative_acceleration at u' = 0; for a mass without parent also minus gravity
  Bound bound;
};

class Recursion {
 public:
  Recursion(const System& system, std::span<const Expr> free)
      : system_(system),
        motion_(*system.lowering),
        lowering_(motion_.lowering()),
        tree_(system, motion_),
        free_(free.begin(), free.end()) {
    free_.resize(system.u.size());
    if (!free.empty()) result_.lock_force.resize(system.u.size());
  }

  std::optional<ArticulatedMotion> solve() {
    if (!tree_.find_parents() || !has_own_speeds()) return std::nullopt;
    factor_ = std::make_shared<ArticulatedFactor>(system_.lowering, tree_.masses(), system_.u.size());
    const ExprVector gravity = uniform_gravity(system_, lowering_);
    motion_.fall_freely(gravity);
    make_bodies();
    fall(gravity);
    apply_loads();
    for (std::size_t i = bodies_.size(); i-- > 0;) {
      if (!eliminate_speeds(i)) return std::nullopt;
      if (tree_.masses()[i].parent >= 0) join_parent(i);
    }
    outward();
    result_.factor = std::move(factor_);
    return std::move(result_);
  }

 private:
  [[nodiscard]] Expr zero() const { return system_.graph->constant(0.0); }

  /// Whether each speed moves exactly one mass relative to its parent.
  bool has_own_speeds() const {
    std::vector<int> count(system_.u.size(), 0);
    for (const Mass& mass : tree_.masses()) {
      for (const Column& column : mass.columns) ++count[column.speed];
    }
    return std::ranges::all_of(count, [](int k) { return k == 1; });
  }

  void make_bodies() {
    std::vector<Expr> rates;
    for (const Mass& mass : tree_.masses()) {
      const SpatialVector c = tree_.relative_acceleration(mass);
      rates.insert(rates.end(), c.angular.begin(), c.angular.end());
      rates.insert(rates.end(), c.linear.begin(), c.linear.end());
    }
    rates = expr::substitute(rates, system_.u_dot, std::vector<Expr>(system_.u.size(), zero()));
    for (std::size_t i = 0; i < tree_.masses().size(); ++i) {
      const Mass& mass = tree_.masses()[i];
      const ExprVector& w = lowering_.angular_velocity(mass.frame);
      const auto at = rates.begin() + static_cast<std::ptrdiff_t>(6 * i);
      bodies_.push_back({articulated(mass.inertia),
                         {torque_of_turning(mass.inertia.I, w), cross(w, cross(w, mass.inertia.h))},
                         {{at[0], at[1], at[2]}, {at[3], at[4], at[5]}},
                         bound_of(mass.inertia)});
    }
  }

  void fall(const ExprVector& gravity) {
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Mass& mass = tree_.masses()[i];
      if (mass.parent >= 0) continue;
      bodies_[i].c.linear = subtract(bodies_[i].c.linear, lowering_.express(gravity, Model::newtonian(), mass.frame));
    }
  }

  /// Adds loads on masses to the wrenches of the masses, and all other loads to the forces on speeds.
  void apply_loads() {
    Wrenches stated(motion_), others(motion_);
    add_loads(system_, motion_, stated);
    for (const auto& [point, force] : stated.forces()) {
      const auto place = tree_.place_of(point);
      if (!place) {
        others.add_force(point, force);
        continue;
      }
      const Mass& mass = tree_.masses()[place->mass];
      const ExprVector f = lowering_.express(force, motion_.home(point), mass.frame);
      SpatialVector& bias = bodies_[place->mass].bias;
      bias.linear = subtract(bias.linear, f);
      bias.angular = subtract(bias.angular, cross(place->from_reference, f));
    }
    for (const auto& [frame, torque] : stated.torques()) {
      if (const auto mass = tree_.mass_in(frame)) {
        const ExprVector here = lowering_.express(torque, motion_.axes(frame), frame);
        bodies_[*mass].bias.angular = subtract(bodies_[*mass].bias.angular, here);
      } else {
        others.add_torque(frame, torque);
      }
    }
    tau_ = others.generalized(system_);
    add_coordinate_loads(system_, tau_);
  }

  bool eliminate_speeds(std::size_t i) {
    Body& body = bodies_[i];
    ArticulatedFactor::Speeds& speeds = factor_->speeds(i);
    const Mass& mass = tree_.masses()[i];
    for (const Column& column : mass.columns) {
      const SpatialVector s{column.omega, column.v};
      // the pivot of this speed if no earlier speed of the mass had been eliminated
      const Expr before = speeds.empty() ? Expr() : dot(s, before_.times(s));
      if (speeds.empty()) before_ = body.inertia;
      EliminatedSpeed eliminated = eliminate(s, tau_[column.speed], body.inertia, body.bias, free_[column.speed]);
      if (!eliminated.pivot.is_valid() || eliminated.pivot.is_zero()) return false;
      guard(body.bound, s, eliminated.pivot, before);
      speeds.push_back(std::move(eliminated));
    }
    return true;
  }

  void guard(const Bound& bound, const SpatialVector& s, Expr pivot, Expr before) {
    const Expr turn = absolute_sum(s.angular), shift = absolute_sum(s.linear);
    const Expr most = turn * turn * bound.trace + 2.0 * (turn * shift * bound.h) + shift * shift * bound.mass;
    raise(tolerance::kLeast + tolerance::kRank * most - pivot);
    if (before.is_valid()) raise(tolerance::kWeakMass * before - pivot);
  }
  void raise(Expr value) {
    if (value.is_constant() && value.value() <= 0.0) return;
    Expr& largest = result_.contraction;
    largest = largest.is_valid() ? expr::maximum(largest, value) : value;
  }

  /// Adds the articulated inertia and the wrench of the mass, with its own speeds free, to those of its parent.
  void join_parent(std::size_t i) {
    const Mass& mass = tree_.masses()[i];
    const Mass& parent = tree_.masses()[static_cast<std::size_t>(mass.parent)];
    Body& to = bodies_[static_cast<std::size_t>(mass.parent)];
    const Body& body = bodies_[i];
    const ArticulatedInertia turned = turned_to(lowering_, mass.frame, parent.frame, body.inertia);
    const SpatialVector answer = turned.times(body.c);
    to.inertia += shifted(turned, mass.from_parent);
    const SpatialVector p = factor_->wrench_in_parent(i, body.bias, answer);
    to.bias = {add(to.bias.angular, p.angular), add(to.bias.linear, p.linear)};
    const Expr reach = absolute_sum(mass.from_parent);
    to.bound.mass += body.bound.mass;
    to.bound.h += body.bound.h + reach * body.bound.mass;
    to.bound.trace += body.bound.trace + 2.0 * (reach * body.bound.h) + reach * reach * body.bound.mass;
  }

  void outward() {
    result_.u_dot.assign(system_.u.size(), zero());
    if (!result_.contraction.is_valid()) result_.contraction = zero();
    std::vector<SpatialVector> motions;
    for (std::size_t i = 0; i < bodies_.size(); ++i) {
      const Mass& mass = tree_.masses()[i];
      SpatialVector a = bodies_[i].c;
      if (mass.parent >= 0) a = factor_->moved_by_parent(i, motions[static_cast<std::size_t>(mass.parent)], a);
      for (std::size_t k = mass.columns.size(); k-- > 0;) {
        const Column& column = mass.columns[k];
        const EliminatedSpeed& speed = factor_->speeds(i)[k];
        const Expr u_dot = speed.e - dot(speed.response, a);
        if (const Expr free = free_[column.speed]; free.is_valid())
          result_.lock_force[column.speed] = (1.0 - free) * (dot(speed.U, a) - speed.w);
        result_.u_dot[column.speed] = u_dot;
        a.angular = add(a.angular, scale(u_dot, column.omega));
        a.linear = add(a.linear, scale(u_dot, column.v));
      }
      motions.push_back(std::move(a));
    }
  }

  const System& system_;
  ChainMotion motion_;
  Lowering& lowering_;
  MassTree tree_;
  std::vector<Body> bodies_;  ///< [masses] quantities of each mass
  std::shared_ptr<ArticulatedFactor> factor_;
  /// inertia of the mass whose speeds are being eliminated, before the elimination of the first of them
  ArticulatedInertia before_;
  std::vector<Expr> free_;  ///< [nu] 1 free, 0 locked; not valid for a speed that is never locked
  std::vector<Expr> tau_;   ///< [nu] forces τ on speeds
  ArticulatedMotion result_;
};

}  // namespace

std::optional<ArticulatedMotion> articulated_motion(const System& system, std::span<const Expr> free) {
  const auto is_lagrangian = [](const model::Load& load) {
    return std::holds_alternative<model::LagrangianFunction>(load.what);
  };
  const bool is_changed = system.higher || system.has_nonideal || !system.changes.empty() ||
                          std::ranges::any_of(system.model->loads, is_lagrangian);
  if (is_changed || system.u.empty()) return std::nullopt;
  return Recursion(system, free).solve();
}

}  // namespace vinculum::equations
