#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "vinculum/integrate/problem.hpp"

namespace vinculum::integrate {

struct Options {
  std::string_view method = "dop853";  ///< a name of `method_table()`
  double tolerance = 1e-8;             ///< relative
  double first_step = 0.0;             ///< 0: chosen by Hairer's rule
  double largest_step = 0.0;           ///< 0: the whole interval
  double fixed_step = 0.0;             ///< > 0: no step control, for measuring orders
};

struct Statistics {
  long steps = 0;
  long rejected = 0;
  long evaluations = 0;
};

/// One accepted step with its continuous extension.
class Step {
 public:
  [[nodiscard]] double t_begin() const;
  [[nodiscard]] double t_end() const;
  [[nodiscard]] const Vector& y_begin() const;
  [[nodiscard]] const Vector& y_end() const;        ///< projected
  /// y at t in [t_begin, t_end] from the method's dense output; not projected. Extra stages are evaluated on the first
  /// call of a step only.
  [[nodiscard]] Outcome<void> interpolate(double t, Vector& y) const;

 private:
  friend class Integrator;
  class Integrator* integrator_ = nullptr;
};

enum class Continue { kYes, kNo };

/// Integrates from (t0, y0) to t1, calls `on_step` after every accepted and projected step; it may end the run.
/// \returns the final statistics, or why the run could not reach t1 (kStepTooSmall, or the derivative's own failure).
///          `y0` is left at the last good state and `t0` at its time.
/// Source of step control: Hairer, Nørsett & Wanner I, II.4–5 (PI control); docs/numerics.md.
[[nodiscard]] Outcome<Statistics> integrate(const Problem& problem, const Options& options, double& t0, Vector& y0, double t1,
                                            const std::function<Outcome<Continue>(const Step&)>& on_step);

}  // namespace vinculum::integrate
