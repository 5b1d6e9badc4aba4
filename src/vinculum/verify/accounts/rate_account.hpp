#pragma once

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "vinculum/numeric/kronrod_rule.hpp"
#include "vinculum/run/rate_balance.hpp"
#include "vinculum/run/sink.hpp"
#include "vinculum/run/stretch_limits.hpp"

namespace vinculum::sim {

/// Integrates the rates y' along a motion and compares the integral with the change of the state (theory.md §10.5). The
/// quadrature is independent of the integration method, its stages and its error estimate. It is applied to each
/// stretch, that is, to an accepted step or to its part before an event:
///
///   1. Gauss–Kronrod quadrature on the dense output with newly evaluated rates. Intervals are halved until the results
///      of the Gauss and the Kronrod rule agree to a fraction of the limit. The limit of a component is the error that
///      the step control permits this component in one step.
///   2. If the integral differs from the change of the state by more than the limit, the states are recomputed by
///      separate steps to each node, because the dense output is one order less accurate than the steps. The limit is
///      increased by the effect that state errors within the tolerance have on the rates.
/// At an event, the coordinates q and the states z are continuous. A jump of the speeds u is accepted as an impulse if
/// M Δu = Aᵀp − Δ(∂T/∂u) for some impulses p (theory.md §10.2); the jump is then added to the integral. Memory: a few
/// state vectors, for runs of any length.
class RateAccount final : public Sink {
 public:
  /// \param balance  result; created at the first stretch, because an event before it may change the start of the
  /// motion.
  /// \param before   result up to the sample before the last. If a run stops, the equations may have no solution at its
  /// end.
  RateAccount(std::optional<RateBalance>& balance, std::optional<RateBalance>& before)
      : balance_(balance), before_(before) {}
  void set(const Vector& after) override;
  void sample(const Sample&) override;
  void passed(const Stretch& stretch) override;

 private:
  enum class States {
    kAsTheyAre,  ///< states from the dense output
    kDense,      ///< states from the dense output, projected onto the constraints
    kSteps,      ///< states from a separate step to each node
  };
  void begin(const Stretch& stretch);
  void join_event(const Stretch& stretch);
  [[nodiscard]] Vector unbalanced(const Stretch& stretch, const Vector& jump) const;
  void set_limits(const Stretch& stretch);
  [[nodiscard]] bool measure_noise(const Stretch& stretch, double t);
  void measure_rounding(const Stretch& stretch);
  [[nodiscard]] bool measure_noise_of_peaks(const Stretch& stretch);
  void compare_readings(const Stretch& stretch);
  void add_projection(const Stretch& stretch, double t, const Vector& y);
  void read_again(const Stretch& stretch);
  [[nodiscard]] bool add_noise(const Stretch& stretch);
  [[nodiscard]] bool integrate(const Stretch& stretch, States states, int most_parts);
  [[nodiscard]] bool agrees(double h) const;
  [[nodiscard]] bool read(const Stretch& stretch, States states, double from, double to);
  [[nodiscard]] static bool sets_off(const Stretch& stretch);
  [[nodiscard]] bool is_within_limits(const Stretch& stretch) const;
  [[nodiscard]] bool is_within_limit(const Stretch& stretch, Eigen::Index i) const;
  void take(const Stretch& stretch);

  std::optional<RateBalance>&balance_, &before_;
  std::optional<RateBalance> at_sample_;  ///< value of `balance_` at the last sample
  StretchLimits limits_;
  std::vector<std::pair<double, double>> parts_;  ///< intervals still to be integrated; the earliest is the last entry
  Vector y_, y_start_, y_last_, rate_, noise_;    ///< [q, u, z] states, rates, and the noise of the rates
  Vector rounding_;                               ///< [q, u, z] rounding errors of projections
  Vector misread_;                                ///< difference between the dense output and a separate step, at the
                                                  ///< end of the last stretch
  Vector limit_, sum_, error_, size_;             ///< values of the present stretch
  Vector part_, error_of_part_, size_of_part_;
  Vector peak_, t_peak_;  ///< largest rates in the present stretch, and their times [s]
  std::array<double, numeric::kKronrod.size()> times_{};
  Matrix states_, rates_;      ///< [q, u, z × nodes] states and rates at the nodes
  std::vector<double> sides_;  ///< regions in force along the previous stretch
};

}  // namespace vinculum::sim
