#include "vinculum/motion/friction/contact_bounds.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/friction/failures.hpp"

namespace vinculum::sim {
namespace {

/// Computes the friction bound g from ∂C/∂s = −g Jᵀ, restricted to the directions T and to the motion that the response
/// W allows. C is the generalized friction force, s the friction direction, and J = ∂v/∂u.
/// \returns NaN if ∂C/∂s is not a multiple of Jᵀ in this sense.
double bound_along(const equations::Slide& at, const Matrix& J, const Matrix& C_s, const Matrix& T, const Matrix& W) {
  const Matrix JW = T.transpose() * J.middleRows(at.first, at.count) * W;
  const Matrix K = JW * J.middleRows(at.first, at.count).transpose() * T;
  const Matrix law = JW * C_s.middleCols(at.first, at.count) * T;
  const double size = K.squaredNorm();
  if (!(size > 0.0)) return 0.0;
  const double bound = -law.cwiseProduct(K).sum() / size;
  const bool is_along = (law + bound * K).norm() <= tolerance::kRoot * (std::abs(bound) * K.norm() + tolerance::kLeast);
  return is_along ? bound : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

bool is_of_unilateral(const CompiledModel& compiled, int slide) {
  const model::ConstraintId constraint = nth(compiled.system->slides, slide).constraint;
  return constraint.is_valid() && compiled.model->constraint(constraint).unilateral.has_value();
}

Outcome<ContactBound> bound_of_contact(const StateKernels& at, ReactionForces& forces, int slide, const Matrix& T,
                                       const Matrix& W, const Vector& guess) {
  const bool pushes = is_of_unilateral(*at.compiled, slide);
  const std::vector<int>& places = nth(at.compiled->dependence.of_slides, slide);
  const auto n = static_cast<Eigen::Index>(places.size());
  const double size = std::max(guess.size() > 0 ? guess.lpNorm<Eigen::Infinity>() : 0.0, tolerance::kLeast);
  bool is_along = true;
  const auto bound_at = [&](const Vector& part) {
    Vector lambda = guess;
    for (Eigen::Index i = 0; i < n; ++i) lambda[nth(at.compiled->dependence.rows, nth(places, i))] = part[i];
    forces.evaluate_bounds(lambda);
    const double bound = bound_along(nth(at.compiled->system->slides, slide), at.slides->J, forces.C_s, T, W);
    is_along = is_along && !std::isnan(bound);
    return bound;
  };
  const auto refuse = [&] { return fail(says_nothing_about_rest(*at.compiled, slide)); };
  ContactBound law;
  Vector here(n);
  for (Eigen::Index i = 0; i < n; ++i) here[i] = guess[nth(at.compiled->dependence.rows, nth(places, i))];
  law.given = bound_at(here);
  if (!is_along) return refuse();
  if (n == 0) return law;
  const double at_rest = bound_at(Vector::Zero(n));
  Matrix Q = Matrix::Zero(n, n);
  Vector h(n);
  for (Eigen::Index i = 0; i < n; ++i) {
    h[i] = bound_at(size * Vector::Unit(n, i)) - at_rest;
    Q(i, i) = h[i] * h[i];
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < i; ++j) {
      const double both = bound_at(size * (Vector::Unit(n, i) + Vector::Unit(n, j))) - at_rest;
      Q(i, j) = Q(j, i) = 0.5 * (both * both - Q(i, i) - Q(j, j));
    }
  }
  // The squares and products above assume that the bound is given + |factor λ|. Two further values of λ test this.
  bool fits = h.minCoeff() >= 0.0;
  // The force of a unilateral constraint is not negative, and its bound is linear.
  for (const double factor : {pushes ? 2.0 : -2.0, 3.0}) {
    Vector other(n);
    for (Eigen::Index i = 0; i < n; ++i) other[i] = factor * (i % 2 == 0 ? 1.0 : -0.5);
    const double expected = at_rest + std::sqrt(std::max(other.dot(Q * other), 0.0));
    const double found = bound_at(size * other);
    fits = fits && std::abs(found - expected) <= tolerance::kConditioned * (std::abs(found) + std::abs(at_rest));
  }
  if (!is_along) return refuse();
  if (!fits) {
    law.is_given = false;
    return law;
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(Q);
  law.factor.resize(0, n);
  for (Eigen::Index i = n - 1; i >= 0; --i) {
    if (!(eigen.eigenvalues()[i] > tolerance::kConditioned * Q.trace())) break;
    law.factor.conservativeResize(law.factor.rows() + 1, Eigen::NoChange);
    law.factor.row(law.factor.rows() - 1) =
        std::sqrt(eigen.eigenvalues()[i]) / size * eigen.eigenvectors().col(i).transpose();
  }
  law.given = at_rest;
  law.mu = law.factor.rows() > 0 ? 1.0 : 0.0;
  return law;
}

}  // namespace vinculum::sim
