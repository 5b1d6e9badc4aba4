#include "vinculum/motion/friction/reaction_forces.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/expr/derivative.hpp"

namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

ReactionForces::ReactionForces(const StateKernels& at)
    : lambda_ideal(Vector::Zero(at.nc)),
      C_s(Matrix::Zero(at.nu, at.compiled->slide_size())),
      ratios(Vector::Ones(static_cast<Eigen::Index>(at.compiled->system->slides.size()))),
      coefficients(ratios),
      at_(at),
      input_(at.bound->reaction_force.kernel->input_count(), 0.0) {
  const std::vector<expr::Expr> symbols = motion_symbols(*at.compiled->system);
  has_varying_bounds = std::ranges::any_of(at.compiled->system->slides, [&](const equations::Slide& slide) {
    const expr::Expr stated = slide.coefficient.is_valid() ? slide.coefficient : slide.bound;
    return stated.is_valid() && expr::depends_on(stated, symbols);
  });
  for (const BoundKernel* one : {&at.bound->reaction_force, &at.bound->slide_bound}) {
    if (!one->kernel) continue;
    result_.resize(std::max(result_.size(), one->kernel->output_count()));
    workspace_.resize(std::max(workspace_.size(), one->kernel->workspace_size()));
  }
}

void ReactionForces::take_state() { std::copy_n(at_.input.begin(), 1 + at_.ny, input_.begin()); }

void ReactionForces::set_directions(const Vector& s) {
  // The input is t, q, u, z, u', λ, λ_ideal, efforts, s.
  std::copy_n(s.data(), s.size(), input_.data() + 1 + at_.ny + at_.nu + 2 * at_.nc + at_.compiled->effort_count());
}

void ReactionForces::set_reactions(const Vector& actual, const Vector& ideal) {
  double* const multipliers = input_.data() + 1 + at_.ny + at_.nu;
  std::copy_n(actual.data(), at_.nc, multipliers);
  std::copy_n(ideal.data(), at_.nc, multipliers + at_.nc);
}

void ReactionForces::evaluate(const Vector& actual, const Vector& ideal, Vector& C, Matrix& C_lambda) {
  set_reactions(actual, ideal);
  at_.bound->reaction_force.evaluate(input_.data(), result_.data(), workspace_.data());
  C = Eigen::Map<const Vector>(result_.data(), at_.nu);
  C_lambda = Eigen::Map<const RowMajor>(result_.data() + at_.nu, at_.nu,
                                        static_cast<Eigen::Index>(at_.compiled->dependence.rows.size()));
}

void ReactionForces::evaluate_bounds(const Vector& lambda) {
  set_reactions(lambda, lambda_ideal);
  at_.bound->slide_bound.evaluate(input_.data(), result_.data(), workspace_.data());
  const double* place = result_.data();
  C_s = Eigen::Map<const RowMajor>(place, at_.nu, C_s.cols());
  for (Eigen::Index i = 0; i < C_s.size(); ++i)
    if (!std::isfinite(C_s.data()[i])) C_s.data()[i] = 0.0;  // the derivative may be NaN if a reaction is zero
  place += C_s.size();
  ratios = Eigen::Map<const Vector>(place, ratios.size());
  coefficients = Eigen::Map<const Vector>(place + ratios.size(), ratios.size());
  for (double& ratio : ratios)
    if (!std::isfinite(ratio)) ratio = 1.0;  // static and sliding coefficient are both 0
}

}  // namespace vinculum::sim
