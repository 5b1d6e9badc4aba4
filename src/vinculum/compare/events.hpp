#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/run/trajectory.hpp"

namespace vinculum::compare {

/// How one event of the model, or one change of a constraint with `when`, differs between two motions. The k-th
/// occurrence in one motion is compared with the k-th in the other. An occurrence after the end of a motion is not
/// missing there: it does not count.
struct EventDifference {
  std::string kind;  ///< "event", "constraint"
  std::string name;  ///< of the event; of the constraint, with " begins to act" or " ceases to act"
  std::size_t in_first = 0, in_other = 0;  ///< number of occurrences that count
  double largest = 0.0;                    ///< [s] largest difference of the times of two that are compared
  double t = 0.0;                          ///< [s] time in the first motion where it is largest
  std::optional<double> alone = {};        ///< [s] first occurrence that only one of the motions has
  [[nodiscard]] bool is_same_number() const { return in_first == in_other; }
};

/// All events that occur in one of the motions, in the order of their first time.
/// \param model  of the first motion; constraints have the same numbers in both
[[nodiscard]] std::vector<EventDifference> event_differences(const sim::Trajectory& first, const sim::Trajectory& other,
                                                             const model::Model& model, double duration);

}  // namespace vinculum::compare
