#pragma once

#include <map>
#include <string>
#include <vector>

#include "vinculum/report/columns.hpp"
#include "vinculum/run/trajectory.hpp"

namespace vinculum::report {

/// Numbers of a run as text shows them: with the digits that the run's tolerance supports, relative to the largest size
/// that the quantity has had, and `~0` for what is zero to rounding (docs/numerics.md, Digits). JSON and tables have
/// all digits.
class ShownNumbers {
 public:
  /// \pre all outlive this
  ShownNumbers(const sim::Binding& bound, const std::vector<Column>& columns, const sim::Trajectory& trajectory);

  /// In the unit of the column. \param column  place in `columns`
  [[nodiscard]] std::string text(std::size_t column, int entry, const sim::Sample& sample);
  /// What `~0` means, a line; empty where it was not shown.
  [[nodiscard]] std::string note() const;

 private:
  struct Place {
    enum class Of { kState, kOutput, kNone } of = Of::kNone;
    std::size_t first = 0;  ///< of the states, or of the outputs' entries
  };
  [[nodiscard]] double largest(const Place& place, std::size_t entry) const;
  /// Sizes below which a number is zero to rounding.
  double rounding(std::size_t column, std::size_t entry, const sim::Sample& sample);

  const sim::Binding& bound_;
  const std::vector<Column>& columns_;
  const sim::Trajectory& trajectory_;
  std::vector<Place> places_;                                   ///< [columns]
  std::vector<double> states_;                                  ///< largest sizes of q, u and z
  std::map<const sim::Sample*, std::vector<double>> rounding_;  ///< of outputs
  bool has_zeros_ = false;
};

/// With so many digits that the last one is of the size of `resolution`, at least 2 and at most 15. Both are in one
/// unit.
[[nodiscard]] std::string with_digits_of(double value, double resolution);

}  // namespace vinculum::report
