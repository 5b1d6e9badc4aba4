#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/look.hpp"
#include "vinculum/numeric/gauss_rule.hpp"

/// Checks whether the dense polynomial of a step is the motion.
namespace vinculum::sim {
namespace {

constexpr double kCarried = 10.0;  // largest difference between integrated rates and change of the state, in tolerances
// Largest distance of a state from the polynomial, in tolerances: dense output has an order less than the steps.
constexpr double kNear = 100.0;
constexpr double kNotCarriedBy = 0.5;

}  // namespace

double Look::size_of(int component) const {
  return std::max(reached_[component], tolerance::kFloor * run_.dynamics.scale()[component]);
}

/// True if the integral of the rates along the polynomial equals the change of the state over the step.
/// \pre polynomial_ is that of this step.
bool Look::is_carried(const integrate::Step& step) {
  const double t0 = step.t_begin(), h = step.t_end() - t0;
  change_ = step.y_begin() - step.y_end();
  rounding_.setZero(ny_);
  rate_.resize(ny_);
  for (std::size_t i = 0; i < numeric::kGaussNodes.size(); ++i) {
    integrate::DensePolynomial::evaluate(polynomial_.coefficients(), numeric::kGaussNodes[i], y_);
    if (!run_.dynamics.derivative(run_.mode, t0 + numeric::kGaussNodes[i] * h, y_.data(), rate_.data())) return true;
    change_ += h * numeric::kGaussWeights[i] * rate_;
    rounding_ += h * numeric::kGaussWeights[i] * rate_.cwiseAbs();
  }
  for (int i = 0; i < ny_; ++i) {
    const double rounding = tolerance::kRounded * (rounding_[i] + reached_[i]);
    if (std::abs(change_[i]) > kCarried * run_.tolerance * size_of(i) + rounding) return false;
  }
  return true;
}

/// Result for a step whose polynomial is not the motion: the step is repeated with half its length.
Seen Look::not_carried(const integrate::Step& step) const {
  const double h = step.t_end() - step.t_begin();
  return {Seen::What::kSharp, step.t_begin(), kNotCarriedBy * h, 0, false, watches_.texts.front()};
}

bool Look::is_on_polynomial(const integrate::Step& step, double t, const Vector& y) {
  const double part = (t - step.t_begin()) / (step.t_end() - step.t_begin());
  integrate::DensePolynomial::evaluate(polynomial_.coefficients(), part, y_);
  for (int i = 0; i < ny_; ++i)
    if (!(std::abs(y[i] - y_[i]) <= kNear * run_.tolerance * size_of(i))) return false;
  return true;
}

}  // namespace vinculum::sim
