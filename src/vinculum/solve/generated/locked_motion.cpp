#include "vinculum/solve/generated/locked_motion.hpp"

#include <string>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/equations/articulated_bodies.hpp"
#include "vinculum/expr/derivative.hpp"

namespace vinculum::solve {
namespace {

using expr::Expr;

/// Sliding velocity v = factor · u_speed.
struct SlideOfSpeed {
  std::size_t speed;
  double factor;
};

std::optional<SlideOfSpeed> of_one_speed(const equations::System& system, const equations::Slide& slide) {
  if (slide.count != 1 || !slide.bound.is_valid()) return std::nullopt;
  const std::vector<expr::Entry> gradient = expr::sparse_jacobian(slide.velocity, system.u);
  if (gradient.size() != 1 || !gradient.front().value.is_constant()) return std::nullopt;
  const auto speed = static_cast<std::size_t>(gradient.front().column);
  const std::vector<Expr> u{system.u[speed]}, zero{system.graph->constant(0.0)};
  if (!expr::substitute(slide.velocity, u, zero).front().is_zero()) return std::nullopt;
  std::vector<Expr> forces = system.f;
  for (std::size_t r = 0; r < forces.size(); ++r) forces[r] += system.C[r];
  const std::vector<Expr> direction{nth(system.slide_direction, slide.first)};
  for (const expr::Entry& entry : expr::sparse_jacobian(forces, direction))
    if (static_cast<std::size_t>(entry.row) != speed) return std::nullopt;
  return SlideOfSpeed{speed, gradient.front().value.value()};
}

}  // namespace

std::optional<LockedMotion> locked_motion(const equations::System& system) {
  if (!system.rows.empty() || system.slides.empty()) return std::nullopt;
  // There is no such code if rates of extra states depend on the friction directions.
  for (const Expr rate : system.z_dot)
    if (expr::depends_on(rate, system.slide_direction)) return std::nullopt;
  LockedMotion motion;
  std::vector<SlideOfSpeed> slides;
  std::vector<Expr> free(system.u.size());
  for (const equations::Slide& slide : system.slides) {
    const auto one = of_one_speed(system, slide);
    if (!one || free[one->speed].is_valid()) return std::nullopt;
    motion.free.push_back(system.graph->symbol("free " + std::to_string(slides.size() + 1)));
    free[one->speed] = motion.free.back();
    slides.push_back(*one);
  }
  auto tree = equations::articulated_motion(system, free);
  if (!tree) return std::nullopt;
  motion.u_dot = std::move(tree->u_dot);
  motion.contraction = tree->contraction;
  for (const SlideOfSpeed& slide : slides) motion.force.push_back(tree->lock_force[slide.speed] / slide.factor);
  return motion;
}

}  // namespace vinculum::solve
