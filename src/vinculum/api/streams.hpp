#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "vinculum/files/staged.hpp"
#include "vinculum/report/columns.hpp"
#include "vinculum/report/parquet.hpp"
#include "vinculum/trajectory.hpp"

namespace vinculum {

/// Rows of trajectory.csv and energy.csv, and of their further formats, that go to the disk while the motion goes on.
/// Outlives the run, not the results.
class Streams {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Streams>> begin(Results& results, const sim::CompiledModel& bound,
                                                              std::optional<sim::EnergyAccount>& account,
                                                              const Provenance& provenance, const report::Facts& facts);
  /// Joins the sinks of the options; a full disk ends the run.
  void follow(sim::SimulateOptions& options);
  /// Behind the last row.
  void finish();
  /// A write has failed.
  [[nodiscard]] bool has_failed() const;
  [[nodiscard]] const std::shared_ptr<files::Unfinished>& trajectory() const { return trajectory_; }

 private:
  explicit Streams(const sim::CompiledModel& bound) : columns_(report::columns_of(bound)) {}

  using File = std::shared_ptr<files::Unfinished>;
  [[nodiscard]] Result<File> begin_file(Results& results, const char* name);
  /// A table in every format asked for: where its rows go.
  [[nodiscard]] Result<std::vector<report::RowWriter>> begin_table(Results& results, const char* csv,
                                                                   const char* parquet,
                                                                   const std::vector<report::Table::Column>& columns,
                                                                   const report::Facts& facts);

  std::vector<report::Column> columns_;
  std::string about_;  ///< ahead of every CSV
  File trajectory_;
  std::vector<File> files_;
  std::vector<std::shared_ptr<report::ParquetRows>> parquet_;
  std::deque<report::TrajectoryRows> rows_;
};

/// Where the samples of a run that keeps them would take more memory than there is.
[[nodiscard]] std::optional<Error> too_many_samples(const sim::CompiledModel& bound,
                                                    const sim::SimulateOptions& options);

}  // namespace vinculum
