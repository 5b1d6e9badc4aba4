#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/integrate/error_norm.hpp"
#include "vinculum/integrate/method.hpp"
#include "vinculum/integrate/problem.hpp"

namespace vinculum::integrate {

class Stepper;
struct QuadratureNode;

struct Options {
  std::string_view method = {};  ///< name of a method in the table; empty: the first one
  MethodTable methods = method_table();
  double tolerance = tolerance::kDefaultRun;  ///< relative tolerance of a step
  double first_step = 0.0;                    ///< size of the first step; 0: chosen by the method
  double largest_step = 0.0;                  ///< limit of the step size; 0: the whole interval
  double fixed_step = 0.0;                    ///< if > 0: size of all steps, without step control, for measuring orders
};

struct Statistics {
  long steps = 0;
  long rejected = 0;
  long evaluations = 0;
  double next_step = 0.0;  ///< step size proposed for continuing; 0 before the first step
};

/// An accepted step with its continuous extension; valid only within the callback that receives it.
class Step {
 public:
  [[nodiscard]] double t_begin() const;
  [[nodiscard]] double t_end() const;
  [[nodiscard]] const Vector& y_begin() const;
  [[nodiscard]] const Vector& y_end() const;  ///< state after the projection
  /// Computes y at t in [t_begin, t_end] (t may lie outside by a rounding error) from the dense output of the method;
  /// between the ends it is not projected. Additional stages are evaluated only at the first call within a step. Fails
  /// if one of them fails. \cost O(size); allocates only if y has another size.
  [[nodiscard]] Outcome<void> interpolate(double t, Vector& y) const;
  /// Computes y at t as the end of a separate step from t_begin. The separate step is shorter than this step and
  /// therefore at least as accurate, so values displayed between steps are as accurate as the steps. \cost the stages
  /// of a step per call.
  /// Fails if a stage fails or the error exceeds the tolerance, for example near a singular configuration or at the
  /// start from rest. Methods without separate steps use `interpolate`.
  [[nodiscard]] Outcome<void> step_to(double t, Vector& y) const;
  /// Computes y at t by a separate step from t_end backwards. The stages of this step are at other states than those of
  /// `step_to`, so it may succeed if `step_to` fails.
  [[nodiscard]] Outcome<void> step_back_to(double t, Vector& y) const;

  /// Least and greatest y' of each component over the stages of the step, [size] each.   \returns false if the method
  /// does not provide them.
  [[nodiscard]] bool rates(Vector& least, Vector& most) const;

  /// Fractions of the step, from 0 to 1, at whose instants y' has a nonzero weight in the result or in its error
  /// estimate. Allocates.
  [[nodiscard]] std::vector<double> weighed() const;

  /// Quadrature formula of the method for rates that depend on time only: y_end = y_begin + h Σ weight y'(t_begin + at
  /// h); empty if the method does not provide it. Allocates.
  [[nodiscard]] std::vector<QuadratureNode> quadrature() const;

  /// Stiffness indicator of explicit methods (`Stepper::stiffness`). A value ≥ 1 means that stability limits the step
  /// size instead of accuracy. Source: Hairer & Wanner II, IV.2.
  [[nodiscard]] double stiffness() const;
  /// Component with the largest ratio of error to tolerance in this step.
  [[nodiscard]] WorstComponent worst() const;

  explicit Step(Stepper& stepper) : stepper_(&stepper) {}

 private:
  Stepper* stepper_;
};

enum class Continue { kYes, kNo };

/// Integrates from (t0, y0) to t1 ≥ t0 and calls `on_step` after every accepted and projected step; the callback may
/// end the run. The last step ends exactly at t1. For t1 = t0 there is no call.
///
/// A step is repeated with a smaller size if its error exceeds the tolerance, or if `derivative` or `project` fails or
/// is not finite. A step is also repeated if the projection changes the state by more than 100 tolerances and by more
/// than 1e-10 (rounding errors that a singular configuration may amplify to this size). So large a correction shows
/// that the stages have missed a change of the invariants, such as a short ramp of a prescribed speed.
/// The run ends if the step size falls below 16 units in the last place of t, as at a jump of an invariant in time. It
/// also ends if a million trial steps advance t by less than a millionth of the interval.
///
/// \param options  `method` must be in `methods`, tolerance > 0 (contracts).
/// \param on_step  may be empty; a failure that it returns ends the run.
/// \returns the final statistics, or the reason why the run could not reach t1, with the last good time as t. The
/// reason is the failure of `derivative` or `project`, or kNonFinite, that made the step size shrink. Otherwise it is
/// kStepTooSmall. Then `coordinates` contains the worst component, and `size` its error (or its change by the
/// projection) in tolerances. `y0` and `t0` are set to the last good state and its time. With `fixed_step` the first
/// failure ends the run.
/// \cost size × (70 to 200 multiplications per step) in addition to the calls; allocates only before the first step.
/// Source of step control: Hairer, Nørsett & Wanner I, II.4-5 (PI control); docs/numerics.md.   Test:
/// tests/order/method_order_test.cpp.
[[nodiscard]] Outcome<Statistics> integrate(const Problem& problem, const Options& options, double& t0, Vector& y0,
                                            double t1, const std::function<Outcome<Continue>(const Step&)>& on_step);

/// Integrates like the function `integrate`, but can be interrupted after any step and continued later. The results are
/// bitwise equal to those of an uninterrupted run. `problem` must outlive the object.
class Integration {
 public:
  Integration(const Problem& problem, const Options& options, double t0, const Vector& y0, double t1);
  ~Integration();
  Integration(const Integration&) = delete;
  Integration& operator=(const Integration&) = delete;

  /// Takes steps until t1, or until `on_step` returns kNo. After a failure the integration cannot be continued.
  [[nodiscard]] Outcome<void> go_on(const std::function<Outcome<Continue>(const Step&)>& on_step);
  /// The last good state and its time, and the totals since the start.
  [[nodiscard]] double t() const { return clock_.t; }
  [[nodiscard]] const Vector& y() const;
  [[nodiscard]] const Statistics& statistics() const { return statistics_; }

 private:
  /// Time, with the rounding error of its summation (compensated summation).
  struct Clock {
    double t;
    double lost = 0.0;

    [[nodiscard]] Clock after(double h) const;
    [[nodiscard]] double until(double t1) const { return (t1 - t) - lost; }
  };

  [[nodiscard]] bool is_fixed() const { return options_.fixed_step > 0.0; }
  [[nodiscard]] double smallest_step() const;
  [[nodiscard]] double first_step();
  [[nodiscard]] bool is_stalled();
  [[nodiscard]] Failure stall(double h) const;

  Options options_;
  std::unique_ptr<Stepper> stepper_;  ///< null if there is nothing to integrate
  Vector y0_;
  bool is_begun_ = false;
  Clock clock_;
  double t1_, interval_, longest_ = 0.0;
  double next_size_ = 0.0;  ///< size of the next trial step
  double largest_correction_ = 0.0;
  Statistics statistics_;
  std::optional<Failure> cause_;  ///< failure because of which a step was rejected since the last accepted one; none if
                                  ///< all were rejected for their errors
  bool was_missed_ = false;       ///< the last step was rejected because its projection was too large
  double pace_t_;
  long pace_trials_ = 0;
};

}  // namespace vinculum::integrate
