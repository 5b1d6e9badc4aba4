#include "vinculum/sim/plant/motion_gradient.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "support/models.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/sim/plant/dynamics.hpp"
#include "vinculum/sim/start/assembly.hpp"

namespace vinculum::sim {
namespace {

/// Largest difference between the exact ∂F/∂y and central differences, beside the largest of its row and column.
double miss(Dynamics& dynamics, MotionGradient& gradient, double t, const Vector& y) {
  const auto rate = [&](const Vector& at) {
    Vector y_dot(at.size());
    EXPECT_TRUE(dynamics.look_at_derivative(t, at.data(), y_dot.data()));
    return y_dot;
  };
  const CompiledModel& compiled = dynamics.compiled();
  EXPECT_TRUE(gradient.at(t, y.data(), rate(y).segment(compiled.nq(), compiled.nu())));
  const Matrix& exact = gradient.F_y();
  double worst = 0.0;
  for (Eigen::Index j = 0; j < y.size(); ++j) {
    const double step = 1e-6 * std::max(1.0, std::abs(y[j]));
    Vector up = y, down = y;
    up[j] += step, down[j] -= step;
    const Vector difference = (rate(up) - rate(down)) / (up[j] - down[j]);
    const double size = std::max(1.0, exact.cwiseAbs().maxCoeff());
    worst = std::max(worst, (difference - exact.col(j)).cwiseAbs().maxCoeff() / size);
  }
  return worst;
}

constexpr const char* kBlade = R"(model blade
coord x, y, th
lagrangian (x'^2 + y'^2)/2 + th'^2/4 + 2*x
constraint blade: sin(th)*x' - cos(th)*y' = 0
LAW
start th = 0.3, x' = 0.3, y' ~ 0.1, th' = 0.8
run 1
)";

/// At the start of a model; nothing where it has no start or the gradient none there.
std::optional<double> miss_at_start(const std::shared_ptr<const mechanics::Model>& model) {
  const auto compiled = test_support::compiled(model);
  Dynamics dynamics(compiled);
  const auto start = assemble(dynamics);
  const auto equations = motion_equations(compiled->model, compiled->embedding);
  if (!start || !equations) return std::nullopt;
  Vector y(compiled->nq() + compiled->nu() + compiled->nz());
  y << start->q, start->u, start->z;
  MotionGradient gradient(*equations, compiled->parameters);
  return miss(dynamics, gradient, 0.0, y);
}

TEST(MotionGradient, IsWhatDifferencesApproachWhateverTheLaw) {
  for (const std::string law : {"", "    law viscous kappa = 50", "    law vakonomic"}) {
    std::string text = kBlade;
    text.replace(text.find("LAW"), 3, law);
    const auto found = miss_at_start(test_support::model_of_text(text));
    ASSERT_TRUE(found) << law;
    EXPECT_LT(*found, tolerance::kBeside) << law;
  }
}

}  // namespace
}  // namespace vinculum::sim
