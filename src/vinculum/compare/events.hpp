#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/run/trajectory.hpp"

namespace vinculum::compare {

/// Difference between two motions in one kind of occurrence: an event of the model, an impact of a unilateral
/// constraint, or a constraint with `when` that begins or ceases to act. The k-th occurrence in one motion is compared
/// with the k-th in the other. If one motion ends earlier, later occurrences of the other motion without a counterpart
/// do not count.
struct EventDifference {
  std::string kind;  ///< "event", "impact", "constraint"
  std::string name;  ///< name of the event, of the constraint of an impact, or of the constraint followed by " begins
                     ///< to act" or " ceases to act"
  std::size_t in_first = 0, in_other = 0;  ///< number of occurrences that count
  double largest = 0.0;                    ///< [s] largest difference between the times of two compared occurrences
  double t = 0.0;                          ///< [s] time, in the first motion, of the occurrence with this difference
  std::optional<double> alone = {};        ///< [s] time of the first occurrence that only one of the motions has
  [[nodiscard]] bool is_same_number() const { return in_first == in_other; }
};

/// Returns the differences of all events that occur in at least one of the motions, ordered by the time of their first
/// occurrence.
///
/// \param model  model of the first motion; constraints have the same indices in both models
[[nodiscard]] std::vector<EventDifference> event_differences(const sim::Trajectory& first, const sim::Trajectory& other,
                                                             const model::Model& model, double duration);

}  // namespace vinculum::compare
