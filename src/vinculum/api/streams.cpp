#include "vinculum/api/streams.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "vinculum/api/provenance.hpp"
#include "vinculum/api/results.hpp"
#include "vinculum/api/shared.hpp"

namespace vinculum {

Result<Streams::File> Streams::begin_file(Results& results, const char* name) {
  auto file = results.own().folder.begin();
  if (!file) return wrong_call(std::move(file.error()));
  files_.push_back(*file);
  return results.own().begun[name] = *std::move(file);
}

Result<std::vector<report::RowWriter>> Streams::begin_table(Results& results, const char* csv, const char* parquet,
                                                            const std::vector<report::Table::Column>& columns,
                                                            const report::Facts& facts) {
  std::vector<report::RowWriter> writers;
  auto file = begin_file(results, csv);
  if (!file) return Unexpected<Error>{file.error()};
  writers.push_back(report::csv_rows((*file)->stream(), columns, about_));
  if (!results.own().formats.parquet) return writers;
  file = begin_file(results, parquet);
  if (!file) return Unexpected<Error>{file.error()};
  const auto rows = std::make_shared<report::ParquetRows>((*file)->stream(), columns, facts);
  parquet_.push_back(rows);
  writers.emplace_back([rows](std::span<const double> row) { rows->write(row); });
  return writers;
}

Result<std::unique_ptr<Streams>> Streams::begin(Results& results, const sim::CompiledModel& bound,
                                                std::optional<sim::EnergyAccount>& account,
                                                const Provenance& provenance, const report::Facts& facts) {
  std::unique_ptr<Streams> streams(new Streams(bound));
  streams->about_ = provenance_line(provenance);
  results.own().begun.clear();
  auto writers = streams->begin_table(results, kTrajectoryFile, kTrajectoryParquet,
                                      report::trajectory_columns(streams->columns_, *bound.model), facts);
  if (!writers) return Unexpected<Error>{writers.error()};
  streams->trajectory_ = streams->files_.front();
  for (report::RowWriter& writer : *writers) streams->rows_.emplace_back(std::move(writer), streams->columns_);
  if (!account) return streams;
  writers =
      streams->begin_table(results, kEnergyFile, kEnergyParquet, report::energy_columns(*account, *bound.model), facts);
  if (!writers) return Unexpected<Error>{writers.error()};
  std::vector<report::EnergyRows> rows;
  for (report::RowWriter& writer : *writers) rows.emplace_back(std::move(writer));
  account->hand_to([rows = std::move(rows)](const sim::EnergyAccount::Row& row) mutable {
    for (report::EnergyRows& one : rows) one.write(row);
  });
  return streams;
}

void Streams::follow(sim::SimulateOptions& options) {
  for (report::TrajectoryRows& rows : rows_) options.sinks.push_back(&rows);
  options.keeps_samples = false;
  options.is_interrupted = [this, asked = std::move(options.is_interrupted)] {
    return has_failed() || (asked && asked());
  };
}

void Streams::finish() {
  for (const auto& rows : parquet_) rows->finish();
}

bool Streams::has_failed() const {
  return std::ranges::any_of(files_, [](const File& file) { return file->has_failed(); });
}

std::optional<Error> too_many_samples(const sim::CompiledModel& bound, const sim::SimulateOptions& options) {
  if (!(options.output_step > 0.0)) return std::nullopt;
  // A sample has q, u, z, outputs, their rates, reactions by row and by speed, and uniqueness flags.
  const double numbers = 4.0 * (bound.nq() + bound.nu() + bound.nz() + bound.system->nc()) +
                         static_cast<double>(bound.output_values.size() + bound.expectation_values.size());
  const double count = options.duration / options.output_step;
  const double asked = count * (sizeof(double) * numbers + sizeof(sim::Sample));
  const auto left = static_cast<double>(memory_left());
  if (asked <= left) return std::nullopt;
  return too_large(fmt::format("{:.3g} samples need {:.3g} GiB, and {:.3g} are left: write them into files during the "
                               "run, or state a longer `step`",
                               count, asked / 0x1p30, left / 0x1p30))
      .error;
}

}  // namespace vinculum
