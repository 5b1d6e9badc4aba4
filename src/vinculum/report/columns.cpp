#include "vinculum/report/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "vinculum/model/row_multiplier.hpp"
#include "vinculum/report/tree.hpp"

namespace vinculum::report {
namespace {

using Shape = Column::Shape;

double entry(const Vector& values, int index) {
  return index < values.size() ? values[index] : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

std::string entry_name(const Column& column, int k) {
  if (column.count == 1) return column.name;
  return column.shape == Shape::kVector ? fmt::format("{}.{}", column.name, "xyz"[k])
                                        : fmt::format("{}[{}]", column.name, k + 1);
}

std::vector<Column> columns_of(const sim::CompiledModel& compiled) {
  const model::Model& model = *compiled.model;
  std::vector<Column> columns;
  const auto scalar = [&](Column::Group group, const std::string& name, UnitText unit, Vector sim::Sample::* values,
                          std::size_t place) {
    columns.push_back(
        {group,
         name,
         {std::move(unit)},
         "",
         Shape::kScalar,
         1,
         [values, at = static_cast<int>(place)](const sim::Sample& sample, int) { return entry(sample.*values, at); },
         {}});
  };
  using Group = Column::Group;
  for (std::size_t i = 0; i < model.coordinates.size(); ++i)
    scalar(Group::kState, model.coordinates[i].name, unit_of(model, model.coordinates[i]), &sim::Sample::q, i);
  for (std::size_t i = 0; i < model.speeds.size(); ++i)
    scalar(Group::kState, model.speeds[i].name, unit_of(model, model.speeds[i]), &sim::Sample::u, i);
  for (std::size_t i = 0; i < compiled.system->z_names.size(); ++i) {
    const UnitText unit =
        i < model.states.size() ? unit_of(model, model.states[i]) : unit_of(model, compiled.system->z_dimensions[i]);
    scalar(Group::kState, compiled.system->z_names[i], unit, &sim::Sample::z, i);
  }
  for (std::size_t i = 0; i < model.outputs.size(); ++i) {
    const model::Output& output = model.outputs[i];
    const auto [first, count] = compiled.output_columns[i];
    const bool is_vector = output.value.is_valid() && output.value.is_vector();
    columns.push_back({Group::kOutput, output.name, units_of(model, output),
                       is_vector ? model.frame(output.frame.value_or(model::Model::newtonian())).name : "",
                       is_vector                 ? Shape::kVector
                       : output.value.is_valid() ? Shape::kScalar
                                                 : Shape::kList,
                       count, [at = first](const sim::Sample& sample, int k) { return entry(sample.outputs, at + k); },
                       [at = static_cast<std::size_t>(first)](const sim::Sample& sample, int k) {
                         const std::size_t entry = at + static_cast<std::size_t>(k);
                         return entry >= sample.output_unique.size() || sample.output_unique[entry] != 0;
                       }});
  }
  for (std::size_t i = 0; i < model.constraints.size(); ++i)
    scalar(Group::kResidual, "residual(" + model.constraints[i].name + ")",
           unit_of_residual(model, model.constraints[i]), &sim::Sample::residual, i);
  return columns;
}

Node values_at(const std::vector<Column>& columns, Column::Group group, const sim::Sample& sample) {
  Node values = Node::object();
  for (const Column& column : columns) {
    if (column.group != group) continue;
    Node& node = values.add(column.name, column.shape == Shape::kScalar ? column.read(sample, 0) : Node::list());
    for (int k = 0; k < column.count && column.shape != Shape::kScalar; ++k) {
      Node& part = node.add(column.read(sample, k));
      if (column.units.size() > 1) part.unit = column.unit(k);
    }
    if (column.units.size() == 1) node.unit = column.unit();
    node.frame = column.frame;
    for (int k = 0; k < column.count && column.is_unique; ++k) {
      if (!column.is_unique(sample, k)) node.not_unique.push_back(entry_name(column, k));
    }
  }
  return values;
}

Node units_of(const std::vector<Column>& columns, const model::Model& model) {
  Node units = Node::object({{"t", stated(unit_of_time(model).si)}});
  for (const Column& column : columns) {
    Node& node = units.add(column.name, column.units.size() == 1 ? Node(stated(column.unit().si)) : Node::list());
    for (const UnitText& unit : column.units) {
      if (column.units.size() > 1) node.add(stated(unit.si));
    }
  }
  return units;
}

std::vector<Table::Column> trajectory_columns(const std::vector<Column>& columns, const model::Model& model) {
  std::vector<Table::Column> result{{"t", unit_of_time(model).si}};
  for (const Column& column : columns) {
    for (int k = 0; k < column.count; ++k) result.push_back({entry_name(column, k), column.unit(k).si});
  }
  return result;
}

std::vector<Table::Column> energy_columns(const sim::EnergyAccount& account, const model::Model& model) {
  std::vector<Table::Column> result{{"t", unit_of_time(model).si}};
  for (const std::string& name : account.columns())
    result.push_back({name, unit_of(model, make_dimension(1, 2, name.starts_with("power(") ? -3 : -2)).si});
  return result;
}

std::string unit_of_multiplier(const model::Model& model, model::ConstraintId constraint, int count) {
  std::vector<std::string> all;
  for (int k = 0; k < count; ++k)
    all.push_back(stated(unit_of_row_multiplier(model, constraint, static_cast<std::size_t>(k)).si));
  const bool is_one = std::ranges::adjacent_find(all, std::ranges::not_equal_to()) == all.end();
  return is_one ? all.front() : listed(all);
}

void TrajectoryRows::sample(const sim::Sample& sample) {
  row_.assign(1, sample.t);
  for (const Column& column : columns_) {
    for (int k = 0; k < column.count; ++k) row_.push_back(column.read(sample, k));
  }
  write_(row_);
}

void EnergyRows::write(const sim::EnergyAccount::Row& row) {
  row_.assign(1, row.t);
  row_.insert(row_.end(), row.values.begin(), row.values.end());
  write_(row_);
}

}  // namespace vinculum::report
