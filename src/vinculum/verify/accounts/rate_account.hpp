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

/// Adds up the rates of a motion along its own stretches and holds the sum against what the state has changed by
/// (theory.md §10.5): a quadrature that knows nothing of the method, of its stages or of its error estimate.
///
///   1. Gauss–Kronrod on the dense output, with rates evaluated afresh, on parts that are halved until the rule agrees
///      with itself to a share of the limit. The limit of a component is what the error norm of the steps lets it miss.
///   2. Where that is not met: the dense output is an order below the steps, so that states are taken by steps of their
///      own, and what errors of the state within its tolerances do to the rates joins the limit.
///
/// Where an event ends a stretch the state goes on as it is; impulses that change u satisfy M Δu = Aᵀp − Δ(∂T/∂u)
/// (theory.md §10.2), and join the sum. Memory is that of a few states, however long the run.
class RateAccount final : public Sink {
 public:
  /// \param balance  made with the first stretch, as events ahead of it may change how the motion starts.
  /// \param before  the same up to the sample before the last: at a stop equations may cease to have a solution.
  RateAccount(std::optional<RateBalance>& balance, std::optional<RateBalance>& before)
      : balance_(balance), before_(before) {}
  void sample(const Sample&) override;
  void passed(const Stretch& stretch) override;

 private:
  enum class States {
    kAsTheyAre,  ///< of the dense output
    kDense,      ///< the same, on the constraints
    kSteps,      ///< by steps of their own
  };
  void begin(const Stretch& stretch);
  void join_event(const Stretch& stretch);
  [[nodiscard]] Vector unbalanced(const Stretch& stretch, const Vector& jump) const;
  void set_limits(const Stretch& stretch);
  [[nodiscard]] bool measure_noise(const Stretch& stretch, double t);
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
  std::optional<RateBalance> at_sample_;  ///< the last one
  StretchLimits limits_;
  std::vector<std::pair<double, double>> parts_;  ///< still to be added up, the earliest last
  Vector y_, y_start_, y_last_, rate_, noise_;    ///< [q, u, z]
  Vector rounding_;                               ///< of projections
  Vector misread_;                                ///< at the end of the last stretch
  Vector limit_, sum_, error_, size_;             ///< of the stretch at hand
  Vector part_, error_of_part_, size_of_part_;
  Vector peak_, t_peak_;  ///< largest rates along the stretch, and when
  std::array<double, numeric::kKronrod.size()> times_{};
  Matrix states_, rates_;      ///< [q, u, z × nodes]
  std::vector<double> sides_;  ///< in force along the stretch before
};

}  // namespace vinculum::sim
