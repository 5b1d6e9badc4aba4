#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "vinculum/files/staged.hpp"
#include "vinculum/out/report/columns.hpp"
#include "vinculum/trajectory.hpp"

namespace vinculum {

/// Rows of trajectory.csv and energy.csv that go to the disk while the motion goes on. Outlives the run, not the
/// results.
class Streams {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Streams>> begin(Results& results, const sim::CompiledModel& plant,
                                                              std::optional<sim::EnergyAccount>& account);
  /// Joins the sinks of the options; a full disk ends the run.
  void follow(sim::SimulateOptions& options);
  /// A write has failed.
  [[nodiscard]] bool has_failed() const;
  [[nodiscard]] const std::shared_ptr<files::Unfinished>& trajectory() const { return trajectory_; }

 private:
  explicit Streams(const sim::CompiledModel& plant) : columns_(out::columns_of(plant)) {}

  std::vector<out::Column> columns_;
  std::shared_ptr<files::Unfinished> trajectory_, energy_;
  std::optional<out::TrajectoryRows> rows_;
  std::optional<out::EnergyRows> energy_rows_;
};

}  // namespace vinculum
