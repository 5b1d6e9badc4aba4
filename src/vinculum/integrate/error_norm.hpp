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

/// Norm of errors in units of the tolerance. Each component has a tolerance of its own,
///
///   tolerance · (reached_i + max(|y_i|, |y_new,i|)) + h · noise_i,
///
/// where reached_i is the largest magnitude that the component has had so far, and noise_i by how much its rate changes
/// where the state is wrong by what it may be: by its tolerances, and by rounding. An error below that, up to the
/// tolerance of what it is solved with, is none of the step's. So neither a coordinate that passes through 0, nor a
/// large one beside a small one that moves by itself, nor the choice of units changes the accuracy asked for, and what
/// is nothing but the errors of other components asks for no steps. A size that is stated takes the place of the
/// bracket. Source: Hairer, Nørsett & Wanner I, eqs. II.4.10–11, with the maximum taken over the run.
class ErrorNorm {
 public:
  /// \param padded  length of the vectors handed in, ≥ problem.size; entries behind the size are 0.
  /// \param share_of_kind  of the largest of its kind: the size that a component has at least.
  ErrorNorm(const Problem& problem, double tolerance, int padded, double share_of_kind = 0.0);

  /// Sets the tolerances for a step from y to y_new; not finite entries count as 0.
  /// \param noise  [size] of the rates, or null: none.   \param h  size of the step.
  void set_scale(const double* y, const double* y_new, const double* noise = nullptr, double h = 0.0);
  /// What the tolerance of a component is relative to.
  [[nodiscard]] double size(int i) const { return stated_[i] > 0.0 ? stated_[i] : std::max(reached_[i], least_[i]); }
  /// Of what a component is solved with the largest so far: what its rounding is that of.
  [[nodiscard]] double whole(int i) const { return whole_[i]; }
  /// The reciprocal of the tolerance of a component, by the scale that is set; 0 where it has no size.
  [[nodiscard]] double per_tolerance(int i) const { return inverse_[i]; }
  /// Takes note of a state that was accepted.
  void reach(const double* y);
  /// Takes note of a trial that was rejected, from y to y_new with these errors. What has been nothing but 0 has no
  /// size but what it gets to in the step, beside which the error of a force that rises from 0 as τⁿ is the same
  /// however short the step. Where two trials, one behind the other, show that, the size that the longer got to counts
  /// until a step is accepted.   \param error  [size] ≥ 0
  void try_for(const double* y, const double* y_new, const double* error);
  /// Mean of the squares of v_i / tolerance_i; 0 where there are no components. What is 0 has no error.
  [[nodiscard]] double mean_square(const double* v) const;
  [[nodiscard]] WorstComponent worst(const double* v) const;
  /// The same of what a projection has moved: its rounding, that of the whole, is none of the step's either.
  [[nodiscard]] WorstComponent worst_correction(const double* v) const;

 private:
  void find_whole();
  void find_least(const double* y, const double* y_new);

  int size_;
  double tolerance_, share_of_kind_;
  Vector reached_, stated_, of_integral_, beside_, whole_;  // [size]
  std::vector<int> kind_;                                   // [size, or empty]
  Vector largest_, largest_now_;                            // [kinds] that any component of it has reached; by now
  Vector least_;                                            // [size] by the share of its kind
  Vector tried_;                                            // [size] what rejected trials got to, of what has been 0
  Vector size_before_, share_before_;  // [size] of the trial before; its error beside that, 0: unknown
  Vector inverse_;                     // [padded] 1/tolerance of each component; 0 where it has no size
};

}  // namespace vinculum::integrate
