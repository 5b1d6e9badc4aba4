#pragma once

#include <map>
#include <string>
#include <vector>

#include "vinculum/report/columns.hpp"
#include "vinculum/run/trajectory.hpp"

namespace vinculum::report {

/// Formats the numbers of a run for text. A number has the digits that the run's tolerance supports, relative to the
/// largest magnitude of the quantity; a number that is zero within rounding is shown as `~0` (docs/numerics.md,
/// Digits). JSON and tables contain all digits.
class ShownNumbers {
 public:
  /// \pre all arguments live longer than this object
  ShownNumbers(const sim::Binding& bound, const std::vector<Column>& columns, const sim::Trajectory& trajectory);

  /// \param column  index in `columns`   \returns the number in the declared unit of the column.
  [[nodiscard]] std::string text(std::size_t column, int entry, const sim::Sample& sample);
  /// Writes one line that explains `~0`; empty if it was not used.
  [[nodiscard]] std::string note() const;

 private:
  struct Place {
    enum class Of { kState, kOutput, kNone } of = Of::kNone;
    std::size_t first = 0;  ///< index of the first entry, among the states or the entries of outputs
  };
  [[nodiscard]] double largest(const Place& place, std::size_t entry) const;
  /// Returns the magnitude below which a number is shown as zero, because it may be a rounding error.
  double rounding(std::size_t column, std::size_t entry, const sim::Sample& sample);

  const sim::Binding& bound_;
  const std::vector<Column>& columns_;
  const sim::Trajectory& trajectory_;
  std::vector<Place> places_;                                   ///< [columns] position of its largest magnitudes
  std::vector<double> states_;                                  ///< [q, u, z] largest magnitudes
  std::map<const sim::Sample*, std::vector<double>> rounding_;  ///< [entries of outputs] rounding errors at each sample
  bool has_zeros_ = false;
};

/// Formats `value` so that its last digit is of the order of `resolution` (same unit); 2 to 15 digits.
[[nodiscard]] std::string with_digits_of(double value, double resolution);

}  // namespace vinculum::report
