#include "vinculum/equations/articulated_factor.hpp"

#include <utility>

#include "vinculum/base/contract.hpp"

namespace vinculum::equations {

using expr::Expr;

ArticulatedFactor::ArticulatedFactor(std::shared_ptr<Lowering> lowering, std::vector<Mass> masses,
                                     std::size_t speed_count)
    : lowering_(std::move(lowering)), masses_(std::move(masses)), speed_count_(speed_count), speeds_(masses_.size()) {}

SpatialVector ArticulatedFactor::wrench_in_parent(std::size_t mass, const SpatialVector& wrench,
                                                  const SpatialVector& more) const {
  const Mass& own = masses_[mass];
  const model::FrameId parent = masses_[static_cast<std::size_t>(own.parent)].frame;
  const auto in_parent = [&](const ExprVector& v) { return lowering_->express(v, own.frame, parent); };
  const ExprVector angular = add(in_parent(wrench.angular), more.angular),
                   linear = add(in_parent(wrench.linear), more.linear);
  return {add(angular, cross(own.from_parent, linear)), linear};
}

SpatialVector ArticulatedFactor::moved_by_parent(std::size_t mass, const SpatialVector& of_parent,
                                                 const SpatialVector& more) const {
  const Mass& own = masses_[mass];
  const model::FrameId parent = masses_[static_cast<std::size_t>(own.parent)].frame;
  const auto here = [&](const ExprVector& v) { return lowering_->express(v, parent, own.frame); };
  return {here(add(of_parent.angular, more.angular)),
          here(add(of_parent.linear, add(cross(of_parent.angular, own.from_parent), more.linear)))};
}

std::vector<Expr> ArticulatedFactor::pivots() const {
  std::vector<Expr> all(speed_count_);
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    for (std::size_t k = 0; k < masses_[i].columns.size(); ++k) all[masses_[i].columns[k].speed] = speeds_[i][k].pivot;
  }
  return all;
}

ArticulatedFactor::Reduced ArticulatedFactor::reduce(const expr::SparseRow& r) const {
  VINCULUM_EXPECTS(r.size() == speed_count_);
  expr::Graph& graph = lowering_->graph();
  const Expr zero = graph.constant(0.0);
  const ExprVector nothing = zero_vector(graph);
  Reduced reduced{std::vector<Expr>(speed_count_, zero), std::vector<Expr>(speed_count_, zero)};
  std::vector<SpatialVector> p(masses_.size(), {nothing, nothing});
  for (std::size_t i = masses_.size(); i-- > 0;) {
    const Mass& mass = masses_[i];
    for (std::size_t k = 0; k < mass.columns.size(); ++k) {
      const Column& column = mass.columns[k];
      const SpatialVector s{column.omega, column.v};
      const EliminatedSpeed& speed = speeds_[i][k];
      const Expr force = r[column.speed], w = force - dot(s, p[i]);
      if (w.is_zero()) continue;
      const Expr e = w * speed.inverse;
      add_response(s, force, speed, e, p[i]);
      reduced.w[column.speed] = w;
      reduced.e[column.speed] = e;
    }
    if (mass.parent < 0 || (is_zero(p[i].angular) && is_zero(p[i].linear))) continue;
    SpatialVector& to = p[static_cast<std::size_t>(mass.parent)];
    const SpatialVector carried = wrench_in_parent(i, p[i], {nothing, nothing});
    to = {add(to.angular, carried.angular), add(to.linear, carried.linear)};
  }
  return reduced;
}

std::vector<Expr> ArticulatedFactor::expand(std::span<const Expr> e) const {
  VINCULUM_EXPECTS(e.size() == speed_count_);
  const ExprVector nothing = zero_vector(lowering_->graph());
  std::vector<Expr> x(speed_count_, lowering_->graph().constant(0.0));
  std::vector<SpatialVector> motions;
  for (std::size_t i = 0; i < masses_.size(); ++i) {
    const Mass& mass = masses_[i];
    SpatialVector a{nothing, nothing};
    if (mass.parent >= 0) a = moved_by_parent(i, motions[static_cast<std::size_t>(mass.parent)], a);
    for (std::size_t k = mass.columns.size(); k-- > 0;) {
      const Column& column = mass.columns[k];
      x[column.speed] = e[column.speed] - dot(speeds_[i][k].response, a);
      a.angular = add(a.angular, scale(x[column.speed], column.omega));
      a.linear = add(a.linear, scale(x[column.speed], column.v));
    }
    motions.push_back(std::move(a));
  }
  return x;
}

}  // namespace vinculum::equations
