#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vinculum/model/unit_texts.hpp"
#include "vinculum/report/rows.hpp"
#include "vinculum/run/energy_account.hpp"

namespace vinculum::report {

/// One row of the table of what a run reports: table, CSV and JSON are made from it, and whoever calls may add rows of
/// their own.
struct Column {
  enum class Group { kState, kOutput, kResidual };  ///< q, u and extra states; results; constraints, for the CSV alone
  enum class Shape { kScalar, kVector, kList };
  Group group{};
  std::string name;             ///< "q1", "C1", "residual(rod)"
  std::vector<UnitText> units;  ///< of all entries; or one of each, of a list whose entries differ
  std::string frame;            ///< of a vector's measure numbers
  Shape shape{};
  int count = 1;                                           ///< 3 of a vector, of a list one for each component
  std::function<double(const sim::Sample&, int)> read;     ///< entry 0, 1, …; NaN where an incomplete sample has none
  std::function<bool(const sim::Sample&, int)> is_unique;  ///< of an entry; empty: always

  [[nodiscard]] const UnitText& unit(int k = 0) const {
    return units[units.size() == 1 ? 0 : static_cast<std::size_t>(k)];
  }
};

/// "C1.x", "name[k]", or the name of a column of one entry.
[[nodiscard]] std::string entry_name(const Column& column, int k);
/// Coordinates, speeds, states, outputs and residuals of a model, in this order.
[[nodiscard]] std::vector<Column> columns_of(const sim::CompiledModel& compiled);

/// An object of the columns of one group at a sample.
[[nodiscard]] Node values_at(const std::vector<Column>& columns, Column::Group group, const sim::Sample& sample);

/// An object of the SI unit of each column, of "t" too: a text, or a list of one for each entry where they differ.
[[nodiscard]] Node units_of(const std::vector<Column>& columns, const model::Model& model);

/// Columns of `trajectory.csv`: t and the columns by `entry_name`.
[[nodiscard]] std::vector<Table::Column> trajectory_columns(const std::vector<Column>& columns,
                                                            const model::Model& model);
/// Columns of `energy.csv`: t and the columns of the account.
[[nodiscard]] std::vector<Table::Column> energy_columns(const sim::EnergyAccount& account, const model::Model& model);

/// A row of `trajectory_columns` a sample, in memory or as a run sees it.
class TrajectoryRows final : public sim::Sink {
 public:
  /// \pre columns outlive this.
  TrajectoryRows(RowWriter write, const std::vector<Column>& columns) : columns_(columns), write_(std::move(write)) {}
  void sample(const sim::Sample& sample) override;

 private:
  const std::vector<Column>& columns_;
  RowWriter write_;
  std::vector<double> row_;
};

/// A row of `energy_columns` a row of the account.
class EnergyRows {
 public:
  explicit EnergyRows(RowWriter write) : write_(std::move(write)) {}
  void write(const sim::EnergyAccount::Row& row);

 private:
  RowWriter write_;
  std::vector<double> row_;
};

}  // namespace vinculum::report
