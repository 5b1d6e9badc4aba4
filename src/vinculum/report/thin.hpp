#pragma once

#include <span>
#include <vector>

namespace vinculum::report {

/// A quantity over the samples, and how far a straight line between two instants that are kept may pass from it.
struct Drawn {
  std::vector<double> values;  ///< [samples]; NaN where there is none
  double allowed = 0.0;        ///< ≥ 0, in its unit
};

/// The instants that a drawing needs: straight lines between them pass by no other sample of any quantity farther than
/// it allows, and each quantity's least and greatest value is among them. Both sides of a gap and of an instant that
/// stands there twice are kept.
///
/// One pass with a cone of admitted slopes a quantity: from the last instant kept, the next is the last one whose line
/// lies in all cones of the samples on the way.
/// \param t  [samples] s, none falls.  \returns indices that rise, the first and the last among them.
/// \cost O(samples × quantities).   Source: "swing door", Bristol, ISA 1990.
[[nodiscard]] std::vector<std::size_t> instants_needed(std::span<const double> t, std::span<const Drawn> drawn);

}  // namespace vinculum::report
