#pragma once

#include <optional>
#include <vector>

#include "vinculum/base/failure.hpp"
#include "vinculum/hybrid/look.hpp"

namespace vinculum::sim {

/// Compares the regions in force with the truth of the conditions as the model states them, at a state that a step has
/// ended at. Where they differ, and still do at all states within a hundred tolerances, the motion is not that of the
/// model: kRegionContradiction.
///
/// A reading of its own: conditions are evaluated as stated, without any side in force, so that a region that was not
/// left in time, or a nested condition that did not change with its inner one, is found whatever the reason.
/// \cost one evaluation of the conditions; as many as there are components of the state, twice, where they differ.
/// Test: tests/hybrid/region_check_test.cpp.
class RegionCheck {
 public:
  /// \param tolerance  of the run.   \param duration  [s]
  RegionCheck(const Dynamics& dynamics, double tolerance, double duration);
  /// \returns why the motion ends here; nothing where the regions are right.
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
  std::vector<double> constants_, input_, output_, workspace_;  ///< of `Watches::as_stated`
};

}  // namespace vinculum::sim
