#pragma once

#include <algorithm>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/integrate/problem.hpp"

namespace vinculum::integrate {

/// A component of the state and the ratio of its error to its tolerance.
struct WorstComponent {
  int index = -1;
  double ratio = 0.0;
};

/// Norm of errors in units of the tolerance. Component i has the tolerance
///
///   tolerance · (max(reached_i, now_i) + now_i) + h · noise_i,     now_i = max(|y_i|, |y_new,i|),
///
/// where reached_i is the largest magnitude of the component so far, and h is the step size. noise_i is the uncertainty
/// of the component's rate: the change of the rate if the state changes by its tolerances and by rounding errors.
/// Smaller steps cannot reduce an error below h · noise_i, so such an error does not shorten the step. The term h ·
/// noise_i is limited to the tolerance times `Problem::beside`.
/// As a result, the accuracy does not depend on the choice of units, on a coordinate that passes through 0, or on a
/// large coordinate next to a small independent one. A component that contains only the errors of other components does
/// not reduce the step size. A stated size (`Problem::stated`) replaces the bracket in the formula.
/// Source: Hairer, Nørsett & Wanner I, eqs. II.4.10–11, with the maximum taken over the run.
class ErrorNorm {
 public:
  /// \param padded  length of the vectors passed in, ≥ problem.size; entries beyond the size are 0.
  /// \param share_of_kind  lower limit of the magnitude to which the tolerance of a component is relative. It is a
  /// fraction of the largest magnitude that any component of the same kind has reached (`Problem::kind`); 0: no limit.
  ErrorNorm(const Problem& problem, double tolerance, int padded, double share_of_kind = 0.0);

  /// Sets the tolerances for a step from y to y_new; entries that are not finite count as 0.
  /// \param noise  [size] uncertainty of the rates; null: none.   \param h  size of the step.
  void set_scale(const double* y, const double* y_new, const double* noise = nullptr, double h = 0.0);
  /// Magnitude to which the tolerance of component i is relative.
  [[nodiscard]] double size(int i) const { return stated_[i] > 0.0 ? stated_[i] : std::max(reached_[i], least_[i]); }
  /// Largest magnitude so far of the quantities that are solved together with component i (`Problem::beside`,
  /// `Problem::kind`). Rounding errors of the component are relative to this magnitude.
  [[nodiscard]] double whole(int i) const { return whole_[i]; }
  /// Reciprocal of the current tolerance of a component; 0 if its tolerance is 0.
  [[nodiscard]] double per_tolerance(int i) const { return inverse_[i]; }
  /// Updates the reached magnitudes with an accepted state.
  void reach(const double* y);
  /// Processes a rejected trial step from y to y_new with the given errors. The only known magnitude of a component
  /// that has always been 0 is the value that it reaches in the trial step. If its rate rises from 0 as a power of
  /// time, its error relative to that value does not decrease with the step size. If two successive trials show this,
  /// the value of the longer trial counts as the magnitude until a step is accepted.   \param error  [size] ≥ 0
  void try_for(const double* y, const double* y_new, const double* error);
  /// Mean of (v_i / tolerance_i)²; 0 if there are no components. Entries v_i = 0 add no error.
  [[nodiscard]] double mean_square(const double* v) const;
  /// Component with the largest ratio |v_i| / tolerance_i; the first one whose ratio is NaN, if any.
  [[nodiscard]] WorstComponent worst(const double* v) const;
  /// Component with the largest ratio of the correction v by a projection to its tolerance. The tolerance is enlarged
  /// by the rounding error of `whole`.
  [[nodiscard]] WorstComponent worst_correction(const double* v) const;

 private:
  void find_whole();
  void find_least(const double* y, const double* y_new);

  int size_;
  double tolerance_, share_of_kind_;
  Vector reached_, stated_, of_integral_, beside_, whole_;  // [size]
  std::vector<int> kind_;                                   // [size] kind of each component; or empty
  // [kinds] Largest magnitude of any component of the kind, without (largest_) and with (largest_now_) the current
  // step.
  Vector largest_, largest_now_;
  Vector least_;                       // [size] lower limit of the magnitude of each component, from `share_of_kind`
  Vector tried_;                       // [size] magnitudes that components which were always 0 so far reached in
                                       // rejected trials
  Vector size_before_, share_before_;  // [size] values in the previous trial, and relative errors; 0: unknown
  Vector inverse_;                     // [padded] 1/tolerance of each component; 0 if it has no tolerance
};

}  // namespace vinculum::integrate
