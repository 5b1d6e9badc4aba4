#pragma once

#include <functional>
#include <string>
#include <vector>

#include "vinculum/model/unit_texts.hpp"
#include "vinculum/report/rows.hpp"
#include "vinculum/run/energy_account.hpp"

namespace vinculum::report {

/// A reported quantity with one or several entries. Printed tables, CSV and JSON are made from a list of columns; the
/// caller may append its own columns.
struct Column {
  enum class Group { kState, kOutput, kResidual };  ///< q, u and extra states; outputs; constraint residuals (CSV only)
  enum class Shape { kScalar, kVector, kList };
  Group group{};
  std::string name;             ///< name of the quantity: "q1", "C1", "residual(rod)"
  std::vector<UnitText> units;  ///< one unit for all entries; or one per entry if they differ
  std::string frame;            ///< frame of a vector's measure numbers
  Shape shape{};
  int count = 1;  ///< number of entries: 3 for a vector, one per component for a list
  /// Value of entry 0, 1, … at a sample; NaN if the sample is incomplete and does not contain it.
  std::function<double(const sim::Sample&, int)> read;
  std::function<bool(const sim::Sample&, int)> is_unique;  ///< whether entry 0, 1, … is unique; empty: always unique

  [[nodiscard]] const UnitText& unit(int k = 0) const {
    return units[units.size() == 1 ? 0 : static_cast<std::size_t>(k)];
  }
};

/// Returns the name of an entry: "C1.x" of a vector, "name[k]" of a list, or the name of the column if it has one
/// entry.
[[nodiscard]] std::string entry_name(const Column& column, int k);
/// Returns the coordinates, speeds, states, outputs and residuals of a model, in this order.
[[nodiscard]] std::vector<Column> columns_of(const sim::CompiledModel& compiled);

/// Returns the SI unit of the first `count` multipliers of a constraint: one unit if all are equal, else "N, N*m".
[[nodiscard]] std::string unit_of_multiplier(const model::Model& model, model::ConstraintId constraint, int count);

/// Returns a node with the values at a sample of all columns of one group.
[[nodiscard]] Node values_at(const std::vector<Column>& columns, Column::Group group, const sim::Sample& sample);

/// Returns a node with the SI unit of each column and of "t": a string, or a list of strings if the entries have
/// different units.
[[nodiscard]] Node units_of(const std::vector<Column>& columns, const model::Model& model);

/// Returns the columns of `trajectory.csv`: t, and all entries of the columns, named by `entry_name`.
[[nodiscard]] std::vector<Table::Column> trajectory_columns(const std::vector<Column>& columns,
                                                            const model::Model& model);
/// Returns the columns of `energy.csv`: t, then the columns of the energy account.
[[nodiscard]] std::vector<Table::Column> energy_columns(const sim::EnergyAccount& account, const model::Model& model);

/// Writes one row of `trajectory_columns` per sample, from memory or during a run.
class TrajectoryRows final : public sim::Sink {
 public:
  /// \pre `columns` live longer than this object.
  TrajectoryRows(RowWriter write, const std::vector<Column>& columns) : columns_(columns), write_(std::move(write)) {}
  void sample(const sim::Sample& sample) override;

 private:
  const std::vector<Column>& columns_;
  RowWriter write_;
  std::vector<double> row_;
};

/// Writes one row of `energy_columns` per row of the energy account.
class EnergyRows {
 public:
  explicit EnergyRows(RowWriter write) : write_(std::move(write)) {}
  void write(const sim::EnergyAccount::Row& row);

 private:
  RowWriter write_;
  std::vector<double> row_;
};

}  // namespace vinculum::report
