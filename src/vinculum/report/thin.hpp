#pragma once

#include <span>
#include <vector>

namespace vinculum::report {

/// The values of a quantity at the samples, and the largest permitted error of values interpolated between the kept
/// instants.
struct Drawn {
  std::vector<double> values;  ///< [samples] value at each sample; NaN if the quantity has no value
  double allowed = 0.0;        ///< ≥ 0, in the unit of the quantity
  bool has_steps = false;      ///< drawn with its value until the next instant, not with a line to the next value
};

/// Selects the instants that a drawing needs. Linear interpolation between them differs from every sample of every
/// quantity by at most the permitted error. The extremes of each quantity, both ends of a gap, and both values of an
/// instant that occurs twice are kept. So are the samples before and after each change of a quantity that is drawn with
/// steps, if the change exceeds the permitted error.
///
/// One pass, with an interval of admissible slopes per quantity. The next kept instant is the last one for which the
/// line from the previous kept instant satisfies the permitted errors at all samples between the two.
/// \param t  [samples] s, not decreasing.  \returns increasing indices, including the first and the last.
/// \cost O(samples × quantities).   Source: "swing door", Bristol, ISA 1990.
[[nodiscard]] std::vector<std::size_t> instants_needed(std::span<const double> t, std::span<const Drawn> drawn);

}  // namespace vinculum::report
