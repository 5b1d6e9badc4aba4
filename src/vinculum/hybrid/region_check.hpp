#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/failure.hpp"
#include "vinculum/hybrid/look.hpp"

namespace vinculum::sim {

/// Compares, at the end of a step, the regions that the step has assumed with the conditions that the model states. A
/// region assigns a side to every switching surface. If a condition has the other side at the end, and also at all
/// states within the accuracy of the steps, the motion violates the model: kRegionContradiction.
///
/// The check is independent of the code that finds events, because it evaluates the conditions without using the
/// regions. It detects a region that was not left in time. It also detects a nested condition that did not change when
/// its inner condition changed.
/// \cost one evaluation of the conditions; if a side differs, about two more per component of the state.
/// Test: tests/hybrid/region_check_test.cpp.
class RegionCheck {
 public:
  /// \param tolerance  relative tolerance of the run
  /// \param duration  [s] duration of the run
  RegionCheck(const Dynamics& dynamics, double tolerance, double duration);
  /// \returns the failure kRegionContradiction; nothing if the regions agree with the conditions.
  [[nodiscard]] std::optional<Failure> contradiction(double t, const Vector& y, Look& look);

 private:
  void evaluate(double t, const Vector& y);
  [[nodiscard]] double beyond(std::size_t surface, double side, double difference) const;
  [[nodiscard]] double beyond(std::size_t surface, double side) const;
  [[nodiscard]] bool is_within_doubt(std::size_t surface, double t, const Vector& y, const Look& look);
  [[nodiscard]] Failure failure_of(std::size_t surface, double t, double side) const;

  const Dynamics& dynamics_;
  const Watches& watches_;
  double tolerance_, duration_;
  std::vector<char> is_of_gap_;                                 ///< [surfaces] the gap of a unilateral constraint
  std::vector<double> constants_, input_, output_, workspace_;  ///< memory of the kernel `Watches::as_stated`
};

}  // namespace vinculum::sim
