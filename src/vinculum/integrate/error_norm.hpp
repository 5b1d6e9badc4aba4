#pragma once

#include <algorithm>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/integrate/problem.hpp"

namespace vinculum::integrate {

/// A component and the ratio of its error to its tolerance.
struct WorstComponent {
  int index = -1;
  double ratio = 0.0;
};

/// Norm of errors in units of the tolerance. Each component has its own tolerance,
///
///   tolerance · (max(reached_i, now_i) + now_i) + h · noise_i,     now_i = max(|y_i|, |y_new,i|),
///
/// where reached_i is the largest magnitude of the component so far. noise_i is the uncertainty of its rate: the change
/// of the rate if the state changes by its tolerances and by rounding errors. An error below the second term cannot be
/// reduced by smaller steps, so it is not counted as an error of the step (up to the tolerance of the quantities with
/// which the component is solved). So the accuracy does not depend on a coordinate that passes through 0, on a large
/// coordinate next to a small independent one, or on the choice of units; and components that contain only the errors
/// of others do not reduce the step size. A stated size replaces the bracket.
/// Source: Hairer, Nørsett & Wanner I, eqs. II.4.10–11, with the maximum taken over the run.
class ErrorNorm {
 public:
  /// \param padded  length of the vectors passed in, ≥ problem.size; entries beyond the size are 0.
  /// \param share_of_kind  least size of a component as a fraction of the largest component of its kind.
  ErrorNorm(const Problem& problem, double tolerance, int padded, double share_of_kind = 0.0);

  /// Sets the tolerances for a step from y to y_new; entries that are not finite count as 0.
  /// \param noise  [size] uncertainty of the rates; null: none.   \param h  size of the step.
  void set_scale(const double* y, const double* y_new, const double* noise = nullptr, double h = 0.0);
  /// Size that the tolerance of a component is relative to.
  [[nodiscard]] double size(int i) const { return stated_[i] > 0.0 ? stated_[i] : std::max(reached_[i], least_[i]); }
  /// Largest size so far of the quantities with which the component is solved; its rounding errors are relative to
  /// this.
  [[nodiscard]] double whole(int i) const { return whole_[i]; }
  /// Reciprocal of the current tolerance of a component; 0 if the component has no size.
  [[nodiscard]] double per_tolerance(int i) const { return inverse_[i]; }
  /// Updates the reached magnitudes with an accepted state.
  void reach(const double* y);
  /// Processes a rejected trial from y to y_new with the given errors. A component that has always been 0 has no size
  /// except the value it reaches in the step. If a force rises from 0 as τⁿ, the error relative to that size is the
  /// same however short the step. If two successive trials show this, the size reached in the longer one is used until
  /// a step is accepted.   \param error  [size] ≥ 0
  void try_for(const double* y, const double* y_new, const double* error);
  /// Mean of (v_i / tolerance_i)²; 0 without components. Entries v_i = 0 have no error.
  [[nodiscard]] double mean_square(const double* v) const;
  [[nodiscard]] WorstComponent worst(const double* v) const;
  /// The same for the change by a projection. The rounding error of all quantities solved together is not counted.
  [[nodiscard]] WorstComponent worst_correction(const double* v) const;

 private:
  void find_whole();
  void find_least(const double* y, const double* y_new);

  int size_;
  double tolerance_, share_of_kind_;
  Vector reached_, stated_, of_integral_, beside_, whole_;  // [size]
  std::vector<int> kind_;                                   // [size] kinds; or empty
  // [kinds] largest magnitude of any component of the kind: so far, and including the current step.
  Vector largest_, largest_now_;
  Vector least_;                       // [size] least size from share_of_kind
  Vector tried_;                       // [size] sizes from rejected trials, for components that have been 0
  Vector size_before_, share_before_;  // [size] size in the previous trial, and error relative to it; 0: unknown
  Vector inverse_;                     // [padded] 1/tolerance of each component; 0 if it has no size
};

}  // namespace vinculum::integrate
