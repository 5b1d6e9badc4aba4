// Plots of a motion.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "vinculum/api/motion.hpp"
#include "vinculum/api/shared.hpp"
#include "vinculum/model/unit_texts.hpp"
#include "vinculum/report/events.hpp"
#include "vinculum/report/svg.hpp"

namespace vinculum {
namespace {

// Largest number of lines in a panel, unless the caller names them.
constexpr std::size_t kMostLines = 12;

std::string shown_unit(const UnitText& unit) { return unit.shown; }

/// Panels by title and unit, in the order of first use.
class PlotMaker {
 public:
  PlotMaker(const Trajectory& motion, const sim::CompiledModel& bound, const sim::Trajectory& run)
      : motion_(motion), plant_(bound), run_(run), columns_(report::columns_of(bound)) {
    const model::Model& model = *bound.model;
    plot_.title = model.title.empty() ? model.name : model.title;
    plot_.time_unit = shown_unit(model::unit_of_time(model));
    for (const sim::Sample& sample : run.samples) plot_.t.push_back(sample.t);
    for (const report::RunEvent& event : report::events_of(bound, run)) plot_.events.push_back(event.t);
  }

  /// Adds outputs, coordinates, speeds and states.
  void add_all() {
    for (const auto group : {report::Column::Group::kOutput, report::Column::Group::kState}) {
      for (std::size_t k = 0; k < columns_.size(); ++k) {
        if (columns_[k].group == group) add_column(columns_[k], k, -1);
      }
    }
    for (report::Plot::Panel& panel : plot_.panels) {
      if (panel.lines.size() <= kMostLines) continue;
      panel.left_out = fmt::format("and {} more", panel.lines.size() - kMostLines);
      panel.lines.resize(kMostLines);
    }
  }

  Result<void> add(const std::string& name) {
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      if (columns_[k].name == name) return add_column(columns_[k], k, -1), Result<void>{};
      for (int part = 0; part < columns_[k].count; ++part) {
        if (report::entry_name(columns_[k], part) == name) return add_column(columns_[k], k, part), Result<void>{};
      }
    }
    return add_of_constraint(name);
  }

  [[nodiscard]] std::string svg() const { return report::to_svg(plot_); }

 private:
  void add_line(const std::string& title, const std::string& unit, report::Plot::Line line) {
    const auto is_it = [&](const report::Plot::Panel& panel) { return panel.title == title && panel.unit == unit; };
    auto panel = std::ranges::find_if(plot_.panels, is_it);
    if (panel == plot_.panels.end()) panel = plot_.panels.insert(plot_.panels.end(), {title, unit, {}});
    panel->lines.push_back(std::move(line));
  }

  [[nodiscard]] const char* title_of(const report::Column& column, std::size_t place) const {
    if (column.group == report::Column::Group::kOutput) return "Outputs";
    if (column.group == report::Column::Group::kResidual) return "Residuals";
    const auto nq = static_cast<std::size_t>(plant_.nq()), nu = static_cast<std::size_t>(plant_.nu());
    return place < nq ? "Coordinates" : place < nq + nu ? "Speeds" : "States";
  }

  /// \param part  index of a component; −1: all components
  void add_column(const report::Column& column, std::size_t place, int part) {
    for (int k = std::max(part, 0); k < (part < 0 ? column.count : part + 1); ++k) {
      report::Plot::Line line{report::entry_name(column, k), {}};
      for (const sim::Sample& sample : run_.samples)
        line.values.push_back(column.read(sample, k) / column.unit(k).scale);
      add_line(title_of(column, place), shown_unit(column.unit(k)), std::move(line));
    }
  }

  /// Adds `multiplier(c)`, `force(c, P)` or `torque(c, B)`.
  Result<void> add_of_constraint(const std::string& name) {
    const std::size_t open = name.find('('), comma = name.find(','), close = name.rfind(')');
    const bool is_call = open != name.npos && close == name.size() - 1 && close > open;
    const std::string function = is_call ? name.substr(0, open) : "";
    const auto inside = [&](std::size_t from, std::size_t to) {
      std::string text = name.substr(from, to - from);
      std::erase(text, ' ');
      return text;
    };
    const bool is_multiplier = function == "multiplier" && comma == name.npos;
    if (!is_multiplier && !(function == "force" || function == "torque")) return no_such_column(name);
    if (!is_multiplier && comma == name.npos)
      return wrong_call(
          fmt::format("`{}`: write `{}(constraint, {})`", name, function, function == "force" ? "point" : "body"));
    const std::string constraint = inside(open + 1, is_multiplier ? close : comma);
    const auto column = is_multiplier         ? motion_.multiplier(constraint)
                        : function == "force" ? motion_.force(constraint, inside(comma + 1, close))
                                              : motion_.torque(constraint, inside(comma + 1, close));
    if (!column) return Unexpected<Error>{column.error()};
    static constexpr const char* kLetters[] = {".x", ".y", ".z"};
    for (int k = 0; k < column->components; ++k) {
      const std::string part = column->components == 1 ? "" : is_multiplier ? fmt::format("[{}]", k + 1) : kLetters[k];
      report::Plot::Line line{column->name + part, {}};
      for (std::size_t i = 0; i < column->size(); ++i) line.values.push_back((*column)(i, k));
      add_line(is_multiplier         ? "Multipliers"
               : function == "force" ? "Constraint forces"
                                     : "Constraint torques",
               column->unit == "1" ? "" : column->unit, std::move(line));
    }
    return {};
  }

  /// The error message that `Trajectory::column` gives for this name.
  Result<void> no_such_column(const std::string& name) const {
    const auto column = motion_.column(name);
    return column ? Result<void>{} : Result<void>(Unexpected<Error>{column.error()});
  }

  const Trajectory& motion_;
  const sim::CompiledModel& plant_;
  const sim::Trajectory& run_;
  std::vector<report::Column> columns_;
  report::Plot plot_;
};

}  // namespace

Result<std::string> Trajectory::svg(std::span<const std::string> names) const {
  if (shared_->run.samples.empty()) return wrong_call("the motion has no complete start: there is nothing to plot");
  PlotMaker maker(*this, *shared_->bound, shared_->run);
  if (names.empty()) maker.add_all();
  for (const std::string& name : names) {
    if (auto done = maker.add(name); !done) return Unexpected<Error>{done.error()};
  }
  return maker.svg();
}

}  // namespace vinculum
