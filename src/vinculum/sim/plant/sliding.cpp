#include "vinculum/sim/plant/sliding.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "vinculum/dynamics/derive.hpp"
#include "vinculum/mechanics/sliding.hpp"
#include "vinculum/mechanics/traversal.hpp"

namespace vinculum::sim {
namespace {

using mechanics::Term;

constexpr int kBisectionsOfSliding = 60;

Term force_of(const mechanics::Nonideal& nonideal) {
  if (const auto* force = std::get_if<mechanics::ForceOn>(&nonideal.what)) return force->force;
  if (const auto* torque = std::get_if<mechanics::TorqueOn>(&nonideal.what)) return torque->torque;
  return std::get<mechanics::GeneralizedForceOn>(nonideal.what).force;
}

}  // namespace

std::vector<expr::Expr> sliding_velocities(dynamics::System& system, CompiledModel& compiled) {
  const mechanics::Model& model = *system.model;
  std::vector<expr::Expr> all;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    std::vector<Term> seen;
    for (const mechanics::Nonideal& nonideal : model.constraints[c].nonideal) {
      for (const Term node : mechanics::in_order(force_of(nonideal))) {
        const Term v = mechanics::direction_taken(node);
        if (!v.is_valid() || std::ranges::find(seen, v) != seen.end() || !mechanics::is_sliding_velocity(model, v))
          continue;
        seen.push_back(v);
        const std::vector<expr::Expr> values = dynamics::lower(system, v);
        compiled.sliding.push_back(
            {mechanics::ConstraintId(c), static_cast<int>(all.size()), static_cast<int>(values.size())});
        all.insert(all.end(), values.begin(), values.end());
      }
    }
  }
  return all;
}

SlidingMonitor::SlidingMonitor(const CompiledModel& compiled) : compiled_(compiled) {
  if (!compiled.sliding_velocity.kernel) return;
  const codegen::Kernel& kernel = *compiled.sliding_velocity.kernel;
  before_ = after_ = inside_ = Vector::Zero(static_cast<Eigen::Index>(kernel.output_count()));
  input_.resize(kernel.input_count());
  workspace_.resize(kernel.workspace_size());
}

void SlidingMonitor::read(double t, const Vector& y, Vector& velocities) {
  input_[0] = t;
  std::copy_n(y.data(), input_.size() - 1, input_.data() + 1);
  const BoundKernel& bound = compiled_.sliding_velocity;
  bound.kernel->evaluate(input_.data(), bound.constants.data(), velocities.data(), workspace_.data());
}

std::optional<Failure> SlidingMonitor::check(const integrate::Step& step) {
  if (compiled_.sliding.empty()) return std::nullopt;
  read(step.t_begin(), step.y_begin(), before_);
  read(step.t_end(), step.y_end(), after_);
  for (const CompiledModel::Sliding& sliding : compiled_.sliding) {
    const auto v = before_.segment(sliding.first, sliding.count);
    if (!(v.dot(after_.segment(sliding.first, sliding.count)) < 0.0)) continue;
    double begin = step.t_begin(), end = step.t_end();
    for (int i = 0; i < kBisectionsOfSliding && begin < end; ++i) {
      const double middle = 0.5 * (begin + end);
      if (!step.interpolate(middle, y_)) break;
      read(middle, y_, inside_);
      (v.dot(inside_.segment(sliding.first, sliding.count)) > 0.0 ? begin : end) = middle;
    }
    Failure failure;
    failure.kind = FailureKind::kFrictionNoSolution;
    failure.t = end;
    for (int row = 0; row < compiled_.nc(); ++row) {
      if (compiled_.system->rows[static_cast<std::size_t>(row)].constraint == sliding.constraint)
        failure.rows.push_back(row);
    }
    failure.message = fmt::format(
        "sliding at constraint `{}` comes to rest: friction stated along the direction of sliding states "
        "no force there",
        compiled_.model->constraint(sliding.constraint).name);
    return failure;
  }
  return std::nullopt;
}

}  // namespace vinculum::sim
