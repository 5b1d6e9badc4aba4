#include "vinculum/compiled/motion_gradient.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>

#include "support/models.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/implicit_equations.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/start/assembly.hpp"

namespace vinculum::sim {
namespace motion_gradient_test {

/// Largest difference between the exact ∂F/∂y and central differences, relative to the largest entry in the same row
/// and column.
double miss(Dynamics& dynamics, MotionGradient& gradient, double t, const Vector& y) {
  const auto rate = [&](const Vector& at) {
    Vector y_dot(at.size());
    EXPECT_TRUE(dynamics.derivative(dynamics.mode(), t, at.data(), y_dot.data()));
    return y_dot;
  };
  const CompiledModel& compiled = dynamics.binding();
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

/// The result of `miss` at the start of a model; empty if there is no start, or no gradient at the start.
std::optional<double> miss_at_start(const std::shared_ptr<const model::Model>& model) {
  const auto compiled = test_support::compiled(model);
  Dynamics dynamics(compiled);
  const auto start = assemble(dynamics);
  const auto equations = motion_equations(compiled->compiled->model, compiled->embedding());
  if (!start || !equations) return std::nullopt;
  Vector y(compiled->compiled->nq() + compiled->compiled->nu() + compiled->compiled->nz());
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

/// Largest difference between the generated derivatives and the derivatives of the original equations, relative to the
/// largest derivative.
double miss_of_generated(const std::string& text, bool is_lifted) {
  const auto compiled = test_support::compiled(test_support::model_of_text(text));
  Dynamics dynamics(compiled);
  const auto start = assemble(dynamics);
  const ImplicitEquations& implicit = *compiled->implicit_equations;
  const GeneratedRates& generated = is_lifted ? implicit.lifted()->generated : implicit.plain();
  const auto equations = is_lifted ? implicit.lifted()->equations.motion
                                   : *motion_equations(compiled->compiled->model, compiled->embedding());
  const Eigen::Index size = static_cast<Eigen::Index>(equations.state.size()) - 1;
  Vector x = Vector::Zero(size), F = x, F_there = x;
  x.head(start->q.size() + start->u.size()) << start->q, start->u;
  RatesAt rates(generated, compiled->parameters);
  MotionGradient there(equations, compiled->parameters);
  const std::span<const double> at(x.data(), static_cast<std::size_t>(size));
  if (is_lifted) {
    rates.forces(0.0, at.first(static_cast<std::size_t>(start->q.size() + start->u.size())),
                 x.data() + start->q.size() + start->u.size());
    x.tail(1) *= 1.01;
    EXPECT_TRUE(rates.rates(0.0, at, F.data()));
    EXPECT_TRUE(there.rates_at(0.0, x.data(), start->u, F_there));
    EXPECT_LT((F - F_there).cwiseAbs().maxCoeff(), tolerance::kIdentity * F.cwiseAbs().maxCoeff());
  }
  Matrix F_x = Matrix::Zero(size, size);
  EXPECT_TRUE(rates.gradient(0.0, at, F_x));
  EXPECT_TRUE(there.at(0.0, x.data(), Vector::Zero(start->u.size())));
  return (F_x - there.F_y()).cwiseAbs().maxCoeff() / F_x.cwiseAbs().maxCoeff();
}

TEST(MotionGradient, IsThatOfGeneratedCodeWithForcesAsUnknownsToo) {
  std::string plain = kBlade, viscous = kBlade;
  plain.replace(plain.find("LAW"), 3, "");
  viscous.replace(viscous.find("LAW"), 3, "    law viscous kappa = 50");
  EXPECT_LT(miss_of_generated(plain, false), tolerance::kIdentity);
  EXPECT_LT(miss_of_generated(viscous, true), tolerance::kIdentity);
  const std::string hook = R"(model hook
frame N newtonian
point O fixed in N
coord x[1..2], y[1..2]
for i in 1..2 { particle P[i] mass 0.5 at O + x[i]*N.x + y[i]*N.y }
gravity -9.81*N.y
constraint hook: norm(pos(P[1], O)) = 0.2
spring P[2] P[1] stiffness 2e3 length 0.3 damping 40
start x[1] ~ 0.2, y[1] = 0, x[2] = 0.5, y[2] = 0.1, x[2]' = 0.3
run 1
)";
  EXPECT_LT(miss_of_generated(hook, false), tolerance::kIdentity);
  EXPECT_LT(miss_of_generated(hook, true), tolerance::kIdentity);
}

}  // namespace motion_gradient_test
}  // namespace vinculum::sim
