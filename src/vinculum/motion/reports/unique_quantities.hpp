#pragma once

#include <array>
#include <map>
#include <vector>

#include "vinculum/motion/accelerations/routes.hpp"
#include "vinculum/motion/friction_reading.hpp"
#include "vinculum/motion/reports/report_input.hpp"

namespace vinculum::sim {

/// Decides which reported quantities have the same value for every admissible λ (theory.md §3.5).
class UniqueQuantities {
 public:
  UniqueQuantities(StateKernels& at, Routes& routes, ReportInput& input) : at_(at), routes_(routes), input_(input) {}

  /// Marks all quantities as unique.
  void note_all(Sample& sample) const;
  /// \param free_forces  how forces of sticking contacts may differ
  /// \pre the factor of the explicit route; the sample is in the report input
  void fill(const FreeForces& free_forces, Sample& sample);

 private:
  [[nodiscard]] std::vector<char> unique_outputs(const Matrix& N);

  const StateKernels& at_;
  Routes& routes_;
  ReportInput& input_;
  std::vector<double> clear_outputs_;  ///< [2 × output_size] argument `clear` of `unaffected_by`, for λ and λ_ideal
  std::map<int, std::array<double, 3>> clear_wrenches_;  ///< likewise, by the first column of the wrench
};

}  // namespace vinculum::sim
