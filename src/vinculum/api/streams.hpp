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

/// Writes the rows of trajectory.csv and energy.csv, and of further formats, to disk during the run. Must outlive
/// the run; `Results` must outlive this object.
class Streams {
 public:
  [[nodiscard]] static Result<std::unique_ptr<Streams>> begin(Results& results, const sim::CompiledModel& bound,
                                                              std::optional<sim::EnergyAccount>& account,
                                                              const Provenance& provenance, const report::Facts& facts);
  /// Adds to the options the functions that receive the samples. If a write fails, for example on a full disk, the run
  /// ends.
  void follow(sim::SimulateOptions& options);
  /// Completes the files; to be called after the last row.
  void finish();
  [[nodiscard]] bool has_failed() const;
  [[nodiscard]] const std::shared_ptr<files::Unfinished>& trajectory() const { return trajectory_; }

 private:
  explicit Streams(const sim::CompiledModel& bound) : columns_(report::columns_of(bound)) {}

  using File = std::shared_ptr<files::Unfinished>;
  [[nodiscard]] Result<File> begin_file(Results& results, const char* name);
  /// Writers for one table in every requested format.
  [[nodiscard]] Result<std::vector<report::RowWriter>> begin_table(Results& results, const char* csv,
                                                                   const char* parquet,
                                                                   const std::vector<report::Table::Column>& columns,
                                                                   const report::Facts& facts);

  std::vector<report::Column> columns_;
  std::string about_;  ///< first line of every CSV file
  File trajectory_;
  std::vector<File> files_;
  std::vector<std::shared_ptr<report::ParquetRows>> parquet_;
  std::deque<report::TrajectoryRows> rows_;
};

/// \returns an Error if a run stores its samples in memory and they would exceed the available memory.
[[nodiscard]] std::optional<Error> too_many_samples(const sim::CompiledModel& bound,
                                                    const sim::SimulateOptions& options);

}  // namespace vinculum
