#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vinculum/compiled/compiled_model.hpp"
#include "vinculum/report/tree.hpp"
#include "vinculum/run/trajectory.hpp"

/// Impacts of unilateral constraints along a run, summed up for each constraint.
namespace vinculum::report {

struct ImpactSummary {
  model::ConstraintId constraint;
  std::string law;  ///< of restitution, as in the model text: "newton sequential"
  std::int64_t count = 0;
  double first = 0.0, last = 0.0;  ///< [s]
  double greatest = 0.0;           ///< greatest normal impulse, in the unit of the multiplier times s
  double t_greatest = 0.0;         ///< [s]
  double total = 0.0;              ///< sum of the normal impulses
  solve::ImpactWork work;          ///< [J] sums over the impacts
};

/// \returns the constraints with an impact, in the order of their first impacts.
[[nodiscard]] std::vector<ImpactSummary> impact_summaries(const sim::CompiledModel& compiled,
                                                          const sim::Trajectory& trajectory);

/// [J] Change of the energy by impacts; 0 if it is within the rounding error of its terms.
[[nodiscard]] double energy_change(const solve::ImpactWork& work);

/// The unit of the impulse of a row: that of its multiplier times s; empty for a model without units.
[[nodiscard]] std::string unit_of_impulse(const sim::CompiledModel& compiled, int row);
[[nodiscard]] std::string unit_of_impulse(const sim::CompiledModel& compiled, model::ConstraintId constraint);

/// The member `impacts` of a run, with one line of text for each constraint.
[[nodiscard]] Node impacts_of(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory);

}  // namespace vinculum::report
