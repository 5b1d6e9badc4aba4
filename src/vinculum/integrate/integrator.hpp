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
  std::string_view method = {};  ///< a name of the table; empty: its first
  MethodTable methods = method_table();
  double tolerance = tolerance::kDefaultRun;  ///< relative
  double first_step = 0.0;                    ///< 0: as the method proposes
  double largest_step = 0.0;                  ///< 0: the whole interval
  double fixed_step = 0.0;                    ///< > 0: no step control, for measuring orders
};

struct Statistics {
  long steps = 0;
  long rejected = 0;
  long evaluations = 0;
  double next_step = 0.0;  ///< size that the control proposes for going on; 0 before the first step
};

/// One accepted step with its continuous extension; valid within the callback that receives it.
class Step {
 public:
  [[nodiscard]] double t_begin() const;
  [[nodiscard]] double t_end() const;
  [[nodiscard]] const Vector& y_begin() const;
  [[nodiscard]] const Vector& y_end() const;  ///< projected
  /// y at t in [t_begin, t_end], give or take rounding of t, from the method's dense output; not projected between the
  /// ends. Extra stages are evaluated on the first call of a step only. Fails where one of them does. \cost O(size);
  /// allocates only where y has another size.
  [[nodiscard]] Outcome<void> interpolate(double t, Vector& y) const;
  /// y at t as the end of a step of its own from t_begin, which is shorter than this one and so no less accurate: what
  /// is shown between steps is as good as they are. \cost the stages of a step each time. Fails where one of them does
  /// or its error exceeds the tolerance, as beside a singular pose or from rest; where the method has no such steps,
  /// `interpolate` answers.
  [[nodiscard]] Outcome<void> step_to(double t, Vector& y) const;
  /// The same from t_end back: other stages, which do not meet what those met.
  [[nodiscard]] Outcome<void> step_back_to(double t, Vector& y) const;

  /// Least and largest y' at the stages, [size] each.   \returns false where the method keeps none.
  [[nodiscard]] bool rates(Vector& least, Vector& most) const;

  /// Parts of the way, from 0 to 1, at which what y' is weighs in the step's end or in its error. Allocates.
  [[nodiscard]] std::vector<double> weighed() const;

  /// The quadrature that the method makes of rates which are functions of the time alone: y_end = y_begin + h Σ weight
  /// y'(t_begin + at h); empty where it tells none. Allocates.
  [[nodiscard]] std::vector<QuadratureNode> quadrature() const;

  /// From 1 on stability, and not accuracy, decides such steps of an explicit method. Source: Hairer & Wanner II, IV.2.
  [[nodiscard]] double stiffness() const;
  /// The component with the largest error.
  [[nodiscard]] WorstComponent worst() const;

  explicit Step(Stepper& stepper) : stepper_(&stepper) {}

 private:
  Stepper* stepper_;
};

enum class Continue { kYes, kNo };

/// Integrates from (t0, y0) to t1 ≥ t0, calls `on_step` after every accepted and projected step; it may end the run.
/// The last step ends at t1 exactly; with t1 = t0 nothing is called.
///
/// A step whose error exceeds the tolerance, or in which `derivative` or `project` fails or is not finite, is taken
/// again with a smaller size. So is one that the projection moves by more than 100 tolerances and more than the
/// rounding that singular poses amplify, 1e-10: its stages have stepped over what the invariants know, such as the
/// short ramp of a prescribed speed. The run ends where a size falls below 16 units in the last place of t (also at a
/// jump of an invariant in time), or where a million trial steps have moved t by less than a millionth of the interval.
///
/// \param options  `method` must be in `methods`, tolerance > 0 (contracts).
/// \param on_step  may be empty; a failure of it ends the run.
/// \returns the final statistics, or why the run could not reach t1, with t at the last good time: the failure of
///          `derivative` or `project` or kNonFinite that made the size shrink, else kStepTooSmall with the worst
///          component in `coordinates` and in `size` its error, or what the projection moved it by, in tolerances.
///          `y0` is left at the last good state and `t0` at its time. With `fixed_step` the first failure ends the run.
/// \cost size × (70 to 200 multiplications a step) beside the calls; allocates before the first step only.
/// Source of step control: Hairer, Nørsett & Wanner I, II.4-5 (PI control); docs/numerics.md.   Law:
/// tests/order/method_order_test.cpp.
[[nodiscard]] Outcome<Statistics> integrate(const Problem& problem, const Options& options, double& t0, Vector& y0,
                                            double t1, const std::function<Outcome<Continue>(const Step&)>& on_step);

/// The same as an object that `on_step` may leave after any step: if it goes on, its steps are those of one that was
/// never left, to the bit. `problem` outlives it.
class Integration {
 public:
  Integration(const Problem& problem, const Options& options, double t0, const Vector& y0, double t1);
  ~Integration();
  Integration(const Integration&) = delete;
  Integration& operator=(const Integration&) = delete;

  /// Steps until t1, or until `on_step` says no. After a failure it cannot go on.
  [[nodiscard]] Outcome<void> go_on(const std::function<Outcome<Continue>(const Step&)>& on_step);
  /// The last good state, and totals since the start.
  [[nodiscard]] double t() const { return clock_.t; }
  [[nodiscard]] const Vector& y() const;
  [[nodiscard]] const Statistics& statistics() const { return statistics_; }

 private:
  /// Time with the part that rounding took from it.
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
  double next_size_ = 0.0;  ///< of the next trial
  double largest_correction_ = 0.0;
  Statistics statistics_;
  std::optional<Failure> cause_;  ///< of a rejection since the last accepted step, other than its size
  bool was_missed_ = false;       ///< the last step was rejected for the size of its projection
  double pace_t_;
  long pace_trials_ = 0;
};

}  // namespace vinculum::integrate
