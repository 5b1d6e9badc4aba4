#include "vinculum/api/inverse_dynamics.hpp"

#include <fmt/format.h>

#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum {

namespace {

/// Reason why added forces would change other forces; null if they do not.
const char* reason_against(const sim::CompiledModel& compiled) {
  const equations::System& system = *compiled.system;
  if (system.has_nonideal) return "has constraints that are not ideal";
  if (!system.slides.empty()) return "has friction";
  if (!system.directed.empty()) return "has reactions along stated directions";
  if (!system.changes.empty()) return "has constraints whose laws add to its inertia or forces";
  if (system.higher) return "has constraints of higher order";
  if (compiled.is_implicit()) return "has relations that are not linear in the accelerations";
  return nullptr;
}

}  // namespace

Result<void> can_invert(const sim::CompiledModel& compiled) {
  if (const char* reason = reason_against(compiled))
    return wrong_call(fmt::format("the model {}: they would change with the forces that are asked for", reason));
  return {};
}

Result<void> invert(const sim::CompiledModel& compiled, const sim::Matrices& at, ConstVector own,
                    std::span<const double> wanted, std::span<double> forces) {
  const Eigen::Map<const Vector> u_dot(wanted.data(), static_cast<Eigen::Index>(wanted.size()));
  for (Eigen::Index row = 0; row < at.b.size(); ++row) {
    const double missed = at.A.row(row).dot(u_dot) - at.b[row];
    const double size = std::abs(at.b[row]) + at.A.row(row).cwiseAbs().dot(u_dot.cwiseAbs());
    if (!(std::abs(missed) <= tolerance::kConsistency * size))
      return wrong_call(fmt::format("constraint `{}` does not allow these accelerations: they miss it by {:.3g}{}",
                                    compiled.row_name(static_cast<int>(row)), missed,
                                    compiled.row_unit(static_cast<int>(row), model::Level::kAcceleration)));
  }
  for (Eigen::Index i = 0; i < at.M.rows(); ++i) {
    double force = 0.0;
    for (Eigen::Index j = 0; j < at.M.cols(); ++j) force += at.M(i, j) * (u_dot[j] - own[j]);
    forces[static_cast<std::size_t>(i)] = force;
  }
  return {};
}

}  // namespace vinculum
