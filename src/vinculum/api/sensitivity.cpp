#include "vinculum/api/sensitivity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "vinculum/api/shared.hpp"
#include "vinculum/hybrid/contacts.hpp"
#include "vinculum/model/unit_texts.hpp"
#include "vinculum/sensitivity/sensitivities.hpp"
#include "vinculum/start/start_conditions.hpp"

namespace vinculum {
namespace {

using sensitivity::Quantity;

/// A failure of the module `sensitivity`: its refusals have a kind of their own.
Error not_smooth(const Trajectory::Shared& of, const Failure& failure) {
  const std::string_view kind = failure.kind == FailureKind::kNotUnique ? "not-smooth" : "";
  return motion_error(*of.model->model, of.bound->compiled->system.get(), failure, kind);
}

/// The columns of the state, in the order of y = (q, u, z).
std::vector<report::Column> state_columns(const sim::Binding& bound) {
  std::vector<report::Column> columns = report::columns_of(bound);
  std::erase_if(columns, [](const report::Column& one) { return one.group != report::Column::Group::kState; });
  return columns;
}

Result<Quantity> find_quantity(const Trajectory::Shared& of, const std::string& name) {
  const auto& parameters = of.model->model->parameters;
  const auto parameter = std::ranges::find(parameters, name, &model::Parameter::name);
  if (parameter != parameters.end())
    return Quantity{Quantity::Of::kParameter, static_cast<std::size_t>(parameter - parameters.begin()), name};
  const std::vector<report::Column> states = state_columns(*of.bound);
  const auto state = std::ranges::find(states, name, &report::Column::name);
  if (state != states.end())
    return Quantity{Quantity::Of::kStart, static_cast<std::size_t>(state - states.begin()), name};
  std::vector<std::string> known;
  for (const auto& one : parameters) known.push_back(one.name);
  for (const auto& one : states) known.push_back(one.name);
  return no_such("parameter, coordinate, speed or state", name, known);
}

/// The statement that gives the start value of a component of y.
Result<sim::StartChange> statement_of(const sim::Binding& bound, const Quantity& quantity) {
  const auto nq = static_cast<std::size_t>(bound->nq()), nu = static_cast<std::size_t>(bound->nu());
  sim::StartChange change;
  if (quantity.index >= nq + nu) {
    change.state = static_cast<int>(quantity.index - nq - nu);
    if (static_cast<std::size_t>(change.state) < bound->state_starts.size()) return change;
    return wrong_call(fmt::format("the start value of `{}` is found by the run and cannot be changed", quantity.name));
  }
  const sim::StartConditions sorted = sim::sort_start_conditions(bound);
  const bool is_coordinate = quantity.index < nq;
  for (const auto& condition : is_coordinate ? sorted.coordinates : sorted.speeds) {
    if (static_cast<std::size_t>(condition.target) == (is_coordinate ? quantity.index : quantity.index - nq))
      change.start = condition.start;
  }
  if (change.start >= 0) return change;
  return wrong_call(
      fmt::format("no `start` statement gives `{}`, so its start value cannot be changed: state it", quantity.name));
}

/// Starts of a run with one changed quantity.
class ChangedStarts {
 public:
  ChangedStarts(const Trajectory::Shared& of, std::optional<State> start)
      : model_(of.model), bound_(of.bound), start_(std::move(start)) {}

  [[nodiscard]] Outcome<Vector> operator()(const Quantity& quantity, double change) const {
    Failure failure;
    failure.kind = FailureKind::kNotUnique;
    auto bound = bound_;
    if (quantity.of == Quantity::Of::kParameter) {
      auto changed = sim::with(
          *bound_, std::vector{sim::ParameterValue{quantity.name, bound_->parameters[quantity.index] + change}});
      if (!changed) {
        failure.message = fmt::format("parameter `{}` cannot vary: {}", quantity.name, changed.error().reason);
        return fail(std::move(failure));
      }
      bound = *std::move(changed);
    }
    sim::Dynamics dynamics(bound);
    return start_ ? near_given(dynamics, quantity, change) : assembled(dynamics, quantity, change);
  }

 private:
  [[nodiscard]] Outcome<Vector> assembled(sim::Dynamics& dynamics, const Quantity& quantity, double change) const {
    sim::StartChange of;
    if (quantity.of == Quantity::Of::kStart) {
      of = statement_of(dynamics.binding(), quantity).value();
      of.change = change;
    }
    auto start = sim::assemble_changed(dynamics, of);
    if (!start) return fail(std::move(start.error()));
    Vector y(start->q.size() + start->u.size() + start->z.size());
    y << start->q, start->u, start->z;
    return y;
  }
  [[nodiscard]] Outcome<Vector> near_given(sim::Dynamics& dynamics, const Quantity& quantity, double change) const {
    State near = *start_;
    if (quantity.of == Quantity::Of::kStart) {
      std::size_t index = quantity.index;
      for (auto* part : {&near.q, &near.u, &near.z}) {
        if (index < part->size()) {
          (*part)[index] += change;
          break;
        }
        index -= part->size();
      }
    }
    const auto found = nearest_state(dynamics, near);
    if (!found) {
      Failure failure;
      failure.kind = FailureKind::kNotUnique;
      failure.message = fmt::format("no start near the given one exists if `{}` changes", quantity.name);
      return fail(std::move(failure));
    }
    std::vector<double> y(found->q);
    y.insert(y.end(), found->u.begin(), found->u.end());
    y.insert(y.end(), found->z.begin(), found->z.end());
    return to_vector(y);
  }

  std::shared_ptr<const Model::Shared> model_;
  Model::Shared::SharedBinding bound_;
  std::optional<State> start_;
};

/// Typical size of a quantity, from its value.
double size_of(const Trajectory::Shared& of, const Quantity& quantity, const std::optional<State>& start) {
  double value = 0.0;
  if (quantity.of == Quantity::Of::kParameter) {
    value = of.bound->parameters[quantity.index];
  } else if (start) {
    const auto y = packed(*of.bound, *start);
    value = y ? (*y)[quantity.index] : 0.0;
  } else {
    sim::Dynamics dynamics(of.bound);
    if (const auto found = sim::assemble(dynamics)) {
      Vector y(found->q.size() + found->u.size() + found->z.size());
      y << found->q, found->u, found->z;
      value = y[static_cast<Eigen::Index>(quantity.index)];
    }
  }
  return value != 0.0 ? std::abs(value) : 1.0;
}

std::string quotient(const std::string& unit, const std::string& by) {
  if (by == "1" || by.empty()) return unit;
  const bool is_compound = by.find_first_of("*/") != std::string::npos;
  return (unit.empty() ? "1" : unit) + "/" + (is_compound ? "(" + by + ")" : by);
}

std::string unit_of_quantity(const Trajectory::Shared& of, const Quantity& quantity) {
  if (quantity.of == Quantity::Of::kStart) return report::stated(state_columns(*of.bound)[quantity.index].unit(0).si);
  return of.model->parameters[quantity.index].unit;
}

}  // namespace

Result<void> follow_sensitivities(const RunOptions& options, Trajectory::Shared& result,
                                  sim::SimulateOptions& simulate) {
  sensitivity::Sensitivities::Wanted wanted;
  for (const std::string& name : options.sensitivity) {
    const auto quantity = find_quantity(result, name);
    if (!quantity) return Unexpected<Error>{quantity.error()};
    if (std::ranges::count(options.sensitivity, name) > 1)
      return wrong_call(fmt::format("`{}` stands twice among the quantities of the derivatives", name));
    if (quantity->of == Quantity::Of::kStart && !options.start) {
      if (auto change = statement_of(*result.bound, *quantity); !change) return Unexpected<Error>{change.error()};
    }
    wanted.quantities.push_back(*quantity);
    wanted.sizes.push_back(size_of(result, *quantity, options.start));
  }
  wanted.start_of = ChangedStarts(result, options.start);
  wanted.at = simulate.sample_times;
  wanted.tolerance = simulate.tolerance;
  wanted.method = simulate.method;
  const auto lock = result.model->growing();
  auto made = sensitivity::Sensitivities::make(result.bound, std::move(wanted));
  if (!made) return Unexpected<Error>{not_smooth(result, made.error())};
  result.sensitivities = *std::move(made);
  simulate.sinks.push_back(result.sensitivities.get());
  return {};
}

Result<Column> Sensitivity::column(std::string_view name) const {
  const auto found = std::ranges::find(columns, name, &Column::name);
  if (found != columns.end()) return *found;
  std::vector<std::string> names;
  for (const Column& one : columns) names.push_back(one.name);
  return no_such("derivative of", name, names);
}

Result<Sensitivity> Trajectory::sensitivity(std::string_view of, SensitivityAt at) const {
  if (!shared_->sensitivities)
    return wrong_call("derivatives were not computed: name the quantities in `sensitivity` of the options of the run");
  return shared_->derivatives(of, at);
}

Result<Sensitivity> Trajectory::Shared::derivatives(std::string_view of, SensitivityAt at) const {
  const sensitivity::Sensitivities& all = *sensitivities;
  const auto& quantities = all.wanted().quantities;
  const auto quantity = std::ranges::find(quantities, of, &Quantity::name);
  if (quantity == quantities.end()) {
    std::vector<std::string> names;
    for (const Quantity& one : quantities) names.push_back(one.name);
    return no_such("derivative by", of, names);
  }
  const auto k = static_cast<Eigen::Index>(quantity - quantities.begin());
  Sensitivity result{quantity->name, unit_of_quantity(*this, *quantity), {}, {}, {}};
  if (all.ended()) result.ended = not_smooth(*this, *all.ended());
  const auto& instants = at == SensitivityAt::kSamples ? all.samples() : all.asked();
  for (const auto& one : instants) result.t.push_back(one.t);
  const auto add = [&](std::string name, const std::string& unit, bool is_shown, int first, int count) {
    Column column{std::move(name), quotient(unit, result.unit), "", count, {}, {}};
    for (const auto& one : instants) {
      const Matrix& values = is_shown ? one.shown : one.S;
      for (int row = first; row < first + count; ++row)
        column.values.push_back(row < values.rows() ? values(row, k) : std::nan(""));
    }
    result.columns.push_back(std::move(column));
  };
  int component = 0;
  std::size_t output = 0;
  for (const report::Column& one : report::columns_of(*bound)) {
    const std::string unit = report::stated(one.unit(0).si);
    if (one.group == report::Column::Group::kState) add(one.name, unit, false, component++, 1);
    if (one.group != report::Column::Group::kOutput) continue;
    const auto rows = all.columns().outputs[output++];
    if (rows.count == 0) continue;
    add(one.name, unit, true, rows.first, rows.count);
    result.columns.back().frame = one.frame;
  }
  const model::Model& mechanical = *model->model;
  for (std::size_t c = 0; c < mechanical.constraints.size(); ++c) {
    const auto rows = all.columns().multipliers[c];
    if (rows.count == 0) continue;
    const std::string unit = report::unit_of_multiplier(mechanical, model::ConstraintId(c), rows.count);
    add(fmt::format("multiplier({})", mechanical.constraints[c].name), unit, true, rows.first, rows.count);
  }
  return result;
}

namespace {

/// Title of a derivative: "d x / d m", "d C1.x / d m".
std::string title(const Column& column, int component, const std::string& of) {
  constexpr std::array kAxes{"x", "y", "z"};
  std::string name = column.name;
  if (column.components > 1 && !column.frame.empty())
    name += std::string(".") + kAxes[static_cast<std::size_t>(component)];
  else if (column.components > 1)
    name += fmt::format("[{}]", component + 1);
  return fmt::format("d {} / d {}", name, of);
}

}  // namespace

void finish_sensitivities(Trajectory::Shared& result) {
  if (result.sensitivities) result.sensitivities->finish(result.run);
}

std::optional<report::Table> sensitivities_table(const Trajectory::Shared& of) {
  if (!of.sensitivities) return std::nullopt;
  report::Table table;
  table.columns.push_back({"t", model::unit_of_time(*of.model->model).si});
  std::vector<std::vector<double>> values(1);
  for (const Quantity& quantity : of.sensitivities->wanted().quantities) {
    const auto found = of.derivatives(quantity.name, SensitivityAt::kSamples);
    if (!found) return std::nullopt;
    values.front() = found->t;
    for (const Column& column : found->columns) {
      for (int k = 0; k < column.components; ++k) {
        table.columns.push_back({title(column, k, quantity.name), column.unit == "1" ? "" : column.unit});
        std::vector<double>& all = values.emplace_back();
        for (std::size_t row = 0; row < column.size(); ++row) all.push_back(column(row, k));
      }
    }
  }
  table.rows = values.front().size();
  table.cell = [values = std::move(values)](std::size_t row, std::size_t column) -> report::Node::Value {
    return values[column][row];
  };
  return table;
}

report::Node sensitivities_node(const Trajectory::Shared& of) {
  report::Node all = report::Node::object();
  std::vector<std::vector<std::string>> lines;
  double last_time = 0.0;
  for (const Quantity& quantity : of.sensitivities->wanted().quantities) {
    const auto found = of.derivatives(quantity.name, SensitivityAt::kSamples);
    if (!found) continue;
    if (found->ended && lines.empty()) {
      all.add("stopped", found->ended->message).hush();
      all.add("t", found->ended->t).hush();
    }
    if (!found->t.empty()) last_time = found->t.back();
    report::Node by = report::Node::object({{"unit", found->unit}});
    for (const Column& column : found->columns) {
      std::vector<double> last;
      for (int k = 0; k < column.components && column.size() > 0; ++k) {
        last.push_back(column(column.size() - 1, k));
        lines.push_back({title(column, k, quantity.name), fmt::format("{:.6g}", last.back()),
                         column.unit == "1" ? "" : column.unit});
      }
      by.add(column.name, report::Node(last));
    }
    all.add(quantity.name, std::move(by)).hush();
  }
  const std::string when =
      of.sensitivities->ended() ? fmt::format("at t = {:.6g} s, where they end", last_time) : "at the end of the run";
  if (!lines.empty()) all.said = "\nderivatives " + when + "\n" + report::aligned(lines, "  ");
  return all;
}

}  // namespace vinculum
