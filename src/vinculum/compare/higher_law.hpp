#pragma once

#include <memory>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/equations/system.hpp"
#include "vinculum/expr/taylor.hpp"

namespace vinculum::compare {

/// Derivatives of a motion at one instant, beyond its state. They do not depend on the reaction law for which HigherLaw
/// evaluates equations.
struct Derivatives {
  std::vector<Vector> u;  ///< [orders][nu] speeds and their derivatives
  std::vector<Vector>
      z;  ///< [orders][states of the law's model] states and their derivatives; entries of multipliers are not read
};

/// Evaluates the equations of constraints of higher order along a given motion, which need not satisfy them (theory.md
/// §6.5):
///
///   M u' = f + R + Aᵀλ,     R = R_0 + W x,     x the highest derivatives μ^(p),     F = 0
///
/// q, u, u', … are those of the motion. F = 0 are the constraints; R is the reaction, R_0 its share without x, and W
/// the factors of x. The multipliers μ and their derivatives up to μ^(p−1) are integrated along the motion, with p the
/// order of the constraint.
class HigherLaw {
 public:
  /// \param multipliers  indices of the states of the model that are multipliers.
  HigherLaw(std::shared_ptr<const model::Model> law, const std::vector<double>& parameters,
            const std::vector<int>& multipliers);

  /// Returns the highest derivative of the speeds in the equations.
  [[nodiscard]] int highest() const { return highest_; }
  /// Evaluates R_0, W and F at one instant.   \param y  [q, u, z] of the law's model; entries that are not states of
  /// the original model are not read.
  void take(double t, const Vector& y, const Derivatives& motion);
  [[nodiscard]] const Vector& R_0() const { return R_0_; }
  [[nodiscard]] const Matrix& W() const { return W_; }            ///< [nu × number of μ] factors of x in the reaction
  [[nodiscard]] const Vector& F() const { return F_; }            ///< [number of μ] residual F of the constraints
  [[nodiscard]] const Vector& F_size() const { return F_size_; }  ///< [number of μ] magnitude of the terms of F
  /// Returns the rates of the multipliers.   \pre `take`   \param x  [number of μ]   \param lambda  [rows]
  [[nodiscard]] Vector rates(const Vector& x, const Vector& lambda);

 private:
  void write_equations();
  void write_rates(const std::vector<int>& multipliers);
  void follow(int place, const std::vector<Vector>& derivatives, Eigen::Index of);
  [[nodiscard]] double& at(int place) { return values_[place >= 0 ? 1 + place : first_top_ - 1 - place]; }

  std::shared_ptr<equations::System> stated_, closed_;  ///< before and after reaction_laws::close, on one graph
  int highest_ = 0;
  Eigen::Index first_top_ = 0;
  Vector values_;                    ///< inputs of the evaluation: t, q, u, z, highest derivatives
  std::vector<expr::Expr> unknown_;  ///< [number of μ] symbols of the highest derivatives x
  std::vector<double> parameters_;
  std::unique_ptr<expr::TaylorSeries> equations_;  ///< R_0, W, F, and the magnitudes of the terms of F
  std::unique_ptr<expr::TaylorSeries> rates_;
  Vector R_0_, F_, F_size_, x_dot_;
  Matrix W_;
  Eigen::Index rate_count_ = 0;
  std::vector<char> is_multiplier_;  ///< [states of the model] whether the state is a multiplier
};

}  // namespace vinculum::compare
