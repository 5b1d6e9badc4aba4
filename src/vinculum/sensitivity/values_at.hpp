#pragma once

#include <memory>
#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/motion_equations.hpp"
#include "vinculum/compiled/parameter_rates.hpp"

namespace vinculum::sensitivity {

/// Values of expressions f(t, y, p) at a state, with their exact derivatives.
class ValuesAt {
 public:
  /// \param of  its state (t, y) and parameters are the symbols of f
  ValuesAt(std::vector<expr::Expr> f, const sim::MotionEquations& of, std::span<const double> parameters,
           const sim::ParameterRates& rates);

  void compute(double t, const double* y);
  [[nodiscard]] Eigen::Index size() const { return value_.size(); }
  [[nodiscard]] const Vector& value() const { return value_; }  ///< [f]
  [[nodiscard]] const Vector& by_t() const { return by_t_; }    ///< [f]
  [[nodiscard]] const Matrix& by_y() const { return by_y_; }    ///< [f × ny]
  [[nodiscard]] const Matrix& by_p() const { return by_p_; }    ///< [f × chosen parameters]
  [[nodiscard]] bool is_finite() const;

 private:
  std::vector<expr::Entry> entries_;
  std::unique_ptr<expr::TaylorSeries> series_;  ///< null without expressions
  std::size_t ny_;
  Matrix rates_, by_changed_;
  Vector value_, by_t_;
  Matrix by_y_, by_p_;
};

}  // namespace vinculum::sensitivity
