#pragma once

#include <Eigen/LU>
#include <complex>
#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/integrate/implicit_problem.hpp"

namespace vinculum::integrate {

/// Solves the linear system (σE − J) x = r of a step of `method radau` after eliminating the unknowns that follow from
/// the other unknowns by one division. The diagonal matrix E is 1 for differential unknowns and 0 for algebraic ones. σ
/// is γ/h or (α + iβ)/h, with the numbers of RadauScheme and the step size h. q are eliminated coordinates, s
/// eliminated forces, u the remaining unknowns. J_ab are the rows a and columns b of J, K_sq and K_su columns of K.
/// These formulas hold for any values of the entries of J:
///
///   coordinates q   σ q = r_q + J_qu u                          if their rows of J contain neither q nor s
///   forces s        s = −(r_s + J_sq q + J_su u) / J_ss         if E = 0 and their rows have no other such unknown
///   remaining u     (σ − J_uu − J_us K_su − P J_qu / σ) u = r_u + J_us k + P r_q / σ,
///                   K = −J_s / J_ss,  k = −r_s / J_ss,  P = J_uq + J_us K_sq
///
/// For a rope of n springs, two of every five unknowns remain. Source: docs/numerics.md, stiff motions.
class Condensation {
 public:
  /// \param differential  number of components of y (E = 1); they precede the algebraic unknowns (E = 0).
  /// \param places  entries of J that may differ from 0.
  Condensation(int differential, int size, std::span<const Place> places);

  /// Computes the terms that do not depend on σ.
  void condense(const Matrix& J);
  /// True if the forces that are not part of s keep a relative accuracy of 1e-6 in the elimination. Their rounding
  /// error is ε times the ratio of the largest diagonal entry of the remaining matrix (stiffness of the elements) to σ.
  [[nodiscard]] bool is_fit_for(double sigma) const;
  [[nodiscard]] Eigen::Index rest() const { return constant_.rows(); }

  /// Computes the matrix of the remaining unknowns.   \param N  [rest × rest]
  template <class Scalar>
  void matrix(Scalar sigma, Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& N) const;
  /// Right-hand side of the equations of the remaining unknowns.
  template <class Scalar>
  void reduce(Scalar sigma, const Scalar* r, Scalar* reduced) const;
  /// Computes all unknowns x from the right-hand side r and the remaining unknowns.
  template <class Scalar>
  void expand(Scalar sigma, const Scalar* r, const Scalar* rest, Scalar* x) const;

 private:
  struct Item {
    int row, column;  ///< position in its block of J
    Place at;         ///< position in J
    double value = 0.0;
  };

  std::vector<int> places_, forces_, rest_;
  std::vector<char> has_rate_;                     ///< [rest] whether the unknown is differential (E = 1)
  std::vector<Item> qu_, sq_, su_, uq_, us_, uu_;  ///< blocks of J; those in rows of forces are multiplied by −1/J_ss
  /// [forces + 1] First entry of each force in su_ (first_of_force_) and in sq_ (first_place_of_force_). The entries
  /// are in ascending order of their rows.
  std::vector<int> first_of_force_;
  std::vector<int> first_place_of_force_;
  std::vector<double> per_force_;  ///< [forces] −1/J_ss
  Matrix by_places_;               ///< [rest × places] the matrix P defined above
  Matrix constant_, over_sigma_;   ///< [rest × rest] J_uu + J_us K_su, and P J_qu
};

/// The factored matrix σE − J of a step.
template <class Scalar>
class StepMatrix {
 public:
  using ScalarMatrix = Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>;
  using ScalarVector = Eigen::Matrix<Scalar, Eigen::Dynamic, 1>;

  /// Computes and factors σE − J.   \param condensed  condensation of J; null: the whole matrix is factored.   \returns
  /// false if the matrix is singular.
  [[nodiscard]] bool factor(Scalar sigma, int differential, const Matrix& J, const Condensation* condensed);
  /// Solves (σE − J) x = r.   \param condensed  as passed to `factor`.
  void solve(const Condensation* condensed, const ScalarVector& r, ScalarVector& x);

 private:
  Scalar sigma_{};
  ScalarMatrix matrix_;
  Eigen::PartialPivLU<ScalarMatrix> lu_;
  ScalarVector reduced_, rest_;
};

}  // namespace vinculum::integrate
