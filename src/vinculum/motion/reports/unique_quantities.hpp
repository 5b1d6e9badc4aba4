#pragma once

#include <array>
#include <map>
#include <vector>

#include "vinculum/motion/accelerations/routes.hpp"
#include "vinculum/motion/friction_reading.hpp"
#include "vinculum/motion/reports/report_input.hpp"

namespace vinculum::sim {

/// Decides which reported quantities are unique, that is, have the same value for every admissible λ (theory.md §3.5).
class UniqueQuantities {
 public:
  UniqueQuantities(StateKernels& at, Routes& routes, ReportInput& input) : at_(at), routes_(routes), input_(input) {}

  /// Marks all quantities as unique.
  void note_all(Sample& sample) const;
  /// Sets the marks of all quantities in the sample.
  /// \param free_forces  changes of the forces of sticking contacts that do not change the motion
  /// \pre `Routes::explicit_route` has factored the present matrices; `ReportInput::fill` was called with the sample
  void fill(const FreeForces& free_forces, Sample& sample);

 private:
  [[nodiscard]] std::vector<char> unique_outputs(const Matrix& N);

  const StateKernels& at_;
  Routes& routes_;
  ReportInput& input_;
  std::vector<double> clear_outputs_;  ///< [2 × output_size] argument `clear` of `unaffected_by`, for λ and λ_ideal
  std::map<int, std::array<double, 3>> clear_wrenches_;  ///< the same argument, by the first column of each wrench
};

}  // namespace vinculum::sim
