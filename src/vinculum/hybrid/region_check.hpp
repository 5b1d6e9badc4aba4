#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/failure.hpp"
#include "vinculum/hybrid/look.hpp"

namespace vinculum::sim {

/// Compares the regions in force with the truth of the conditions as the model states them, at the state where a step
/// has ended. If they differ, and also differ at all states within a hundred tolerances, the computed motion is not a
/// motion of the model: kRegionContradiction.
///
/// The check is independent of the code that finds events: conditions are evaluated as stated, whatever the
/// regions are. It detects a region that was not left in time, or a nested condition that did not change with its inner
/// one.
/// \cost one evaluation of the conditions; if they differ, up to two more per component of the state.
/// Test: tests/hybrid/region_check_test.cpp.
class RegionCheck {
 public:
  /// \param tolerance  of the run
  /// \param duration  [s] of the run
  RegionCheck(const Dynamics& dynamics, double tolerance, double duration);
  /// \returns why the motion ends here; nothing if the regions are right.
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
  std::vector<double> constants_, input_, output_, workspace_;  ///< of the kernel `Watches::as_stated`
};

}  // namespace vinculum::sim
