#include "vinculum/api/scene_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <set>

#include "vinculum/api/impulses.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/row_multiplier.hpp"
#include "vinculum/model/unit_texts.hpp"
#include "vinculum/report/columns.hpp"
#include "vinculum/report/events.hpp"
#include "vinculum/report/thin.hpp"
#include "vinculum/scene/shape.hpp"
#include "vinculum/scene/timeline.hpp"

namespace vinculum {
namespace {

/// Number of samples over a run before thinning.
constexpr double kSceneSamples = 4000.0;
/// Impulses below this fraction of the largest one are left out: their arrows would be dots.
constexpr double kLeastImpulse = 0.001;

/// Difference between the largest and the smallest finite value.
double range_of(const std::vector<double>& values) {
  double least = INFINITY, greatest = -INFINITY;
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    least = std::min(least, value);
    greatest = std::max(greatest, value);
  }
  return greatest > least ? greatest - least : 0.0;
}

double largest_of(const std::vector<double>& values) {
  double largest = 0.0;
  for (const double value : values) largest = std::max(largest, std::isfinite(value) ? std::abs(value) : 0.0);
  return largest;
}

/// Quaternion of the rotation whose columns are `axes`; the sign is chosen to be closest to `last`.
Eigen::Vector4d turned(const double* axes, const Eigen::Vector4d& last) {
  const Eigen::Matrix3d R = Eigen::Map<const Eigen::Matrix3d>(axes);
  const Eigen::Vector4d q = report::quaternion_of(R);
  return q.dot(last) < 0.0 ? Eigen::Vector4d(-q) : q;
}

std::string group_of(const report::Column& column, std::size_t place, const sim::CompiledModel& bound) {
  if (column.group == report::Column::Group::kOutput) return "outputs";
  if (column.group == report::Column::Group::kResidual) return "residuals";
  const auto nq = static_cast<std::size_t>(bound.nq()), nu = static_cast<std::size_t>(bound.nu());
  return place < nq ? "coordinates" : place < nq + nu ? "speeds" : "states";
}

}  // namespace

double scene_step(const sim::SimulateOptions& options) {
  const double step = options.duration / kSceneSamples;
  return options.output_step > 0.0 ? std::min(step, options.output_step) : step;
}

std::string vector_track(std::size_t vector) { return "vector" + std::to_string(vector); }

std::string reveal_track(const model::Model& model, model::RevealId reveal) {
  return "reveal" + std::to_string(reveal.index()) + (model.reveal(reveal).body.is_valid() ? ".M" : ".F");
}

std::string track_of(const model::Model& model, const report::Places::End& end) {
  return (end.point ? model.point(*end.point).name : "elbow" + std::to_string(end.elbow)) + ".p";
}

std::string track_of(const ForceTable& table, const ForceTable::Entry& entry) {
  return table.model->constraints[entry.constraint].name + "@" + entry.on +
         (entry.kind == ForceTable::Kind::kForce ? ".F" : ".M");
}

SceneTracks::SceneTracks(const SceneMotion& motion, const report::Places& places)
    : motion_(motion), samples_(motion.run->samples) {
  for (const sim::Sample& sample : samples_) t_.push_back(sample.t);
  add_places(places);
  add_forces();
  add_series();
}

void SceneTracks::add_places(const report::Places& places) {
  const model::Model& model = *motion_.bound->compiled->model;
  const auto add_track = [this](std::string name, std::size_t components, Size size) {
    tracks_.push_back({std::move(name), std::vector<std::vector<double>>(components), size});
  };
  for (const auto& point : places.points) add_track(model.point(point.point).name + ".p", 3, Size::kPlace);
  for (const auto& body : places.bodies) add_track(model.body(body.body).name + ".q", 4, Size::kUnit);
  for (std::size_t k = 0; k < places.forces.size(); ++k) add_track("load" + std::to_string(k) + ".F", 3, Size::kForce);
  for (const auto& frame : places.frames) add_track(model.frame(frame.frame).name + ".q", 4, Size::kUnit);
  for (std::size_t k = 0; k < places.vectors.size(); ++k) add_track(vector_track(k), 3, Size::kOwn);
  for (std::size_t k = 0; k < places.elbows.size(); ++k)
    add_track(track_of(model, {std::nullopt, static_cast<int>(k)}), 3, Size::kPlace);
  std::vector<std::vector<double>> is_unique(places.reveals.size());
  for (const auto& reveal : places.reveals) {
    const bool is_torque = model.reveal(reveal.reveal).body.is_valid();
    add_track(reveal_track(model, reveal.reveal), 3, is_torque ? Size::kOwn : Size::kForce);
  }
  points_.resize(places.points.size());
  std::vector<Eigen::Vector4d> last(places.bodies.size(), Eigen::Vector4d::Zero());
  std::vector<Eigen::Vector4d> last_of_frames(places.frames.size(), Eigen::Vector4d::Zero());
  for (const sim::Sample& sample : samples_) {
    const std::vector<double> numbers = places.at(sample);
    if (first_.empty()) first_ = numbers;
    std::size_t track = 0;
    const auto push = [&](const double* values) {
      for (std::vector<double>& component : tracks_[track].values) component.push_back(*values++);
      ++track;
    };
    for (std::size_t p = 0; p < places.points.size(); ++p) {
      const double* place = &numbers[static_cast<std::size_t>(places.points[p].place)];
      points_[p].push_back({place[0], place[1], place[2]});
      push(place);
    }
    for (std::size_t b = 0; b < places.bodies.size(); ++b) {
      const auto axes = static_cast<std::size_t>(places.bodies[b].axes);
      last[b] = turned(&numbers[axes], last[b]);
      push(last[b].data());
      // checks that the measure numbers of the frame's axes along N's axis k are constant
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const double change = numbers[axes + 3 * axis + k] - first_[axes + 3 * axis + k];
          if (!(std::abs(change) <= tolerance::kGeneric)) turns_about_[k] = 0;
        }
      }
    }
    for (const auto& force : places.forces) push(&numbers[static_cast<std::size_t>(force.value)]);
    for (std::size_t k = 0; k < places.frames.size(); ++k) {
      last_of_frames[k] = turned(&numbers[static_cast<std::size_t>(places.frames[k].axes)], last_of_frames[k]);
      push(last_of_frames[k].data());
    }
    constexpr std::array<double, 3> kUnknown = {std::numeric_limits<double>::quiet_NaN(),
                                                std::numeric_limits<double>::quiet_NaN(),
                                                std::numeric_limits<double>::quiet_NaN()};
    for (const auto& vector : places.vectors)
      push(report::Places::is_unique(vector.rows, sample) ? &numbers[static_cast<std::size_t>(vector.value)]
                                                          : kUnknown.data());
    for (const int elbow : places.elbows) push(&numbers[static_cast<std::size_t>(elbow)]);
    for (std::size_t k = 0; k < places.reveals.size(); ++k) {
      push(places.reveals[k].vector(numbers).data());
      is_unique[k].push_back(report::Places::is_unique(places.reveals[k].rows, sample) ? 1.0 : 0.0);
    }
  }
  for (std::size_t k = 0; k < places.reveals.size(); ++k) {
    if (std::ranges::find(is_unique[k], 0.0) == is_unique[k].end()) continue;
    tracks_.push_back({reveal_track(model, places.reveals[k].reveal) + ".unique",
                       {is_unique[k], is_unique[k], is_unique[k]},
                       Size::kUnit});
  }
}

void SceneTracks::add_forces() {
  const ForceTable& table = *motion_.forces;
  const model::Model& model = *table.model;
  std::vector<std::vector<double>> numbers;
  for (const sim::Sample& sample : samples_) numbers.push_back(table.at(sample));
  for (const ForceTable::Entry& entry : table.entries) {
    if (entry.kind == ForceTable::Kind::kResultant) continue;
    const std::string& constraint = model.constraints[entry.constraint].name;
    std::vector<std::vector<double>> components(static_cast<std::size_t>(entry.count));
    for (const std::vector<double>& row : numbers) {
      for (std::size_t k = 0; k < components.size(); ++k)
        components[k].push_back(row[static_cast<std::size_t>(entry.first) + k]);
    }
    const auto unique = [&](std::size_t k) {
      std::vector<char> flags;
      for (const sim::Sample& sample : samples_)
        flags.push_back(table.is_unique(entry, sample, static_cast<int>(k)) ? 1 : 0);
      return flags;
    };
    if (entry.kind == ForceTable::Kind::kMultiplier) {
      for (std::size_t k = 0; k < components.size(); ++k) {
        const auto unit = model::unit_of_row_multiplier(model, model::ConstraintId(entry.constraint), k);
        const std::string row = components.size() > 1 ? fmt::format("[{}]", k + 1) : "";
        series_.push_back(
            {constraint + row, report::stated(unit.si), "multipliers", constraint, components[k], unique(k)});
      }
      continue;
    }
    const std::string name = track_of(table, entry);
    tracks_.push_back({name, std::move(components), Size::kForce});
    std::vector<std::vector<double>> flags;
    for (std::size_t k = 0; k < 3; ++k) {
      const std::vector<char> of_component = unique(k);
      flags.emplace_back(of_component.begin(), of_component.end());
    }
    const bool has_open =
        std::ranges::any_of(flags, [](const auto& one) { return std::ranges::find(one, 0.0) != one.end(); });
    if (has_open) tracks_.push_back({name + ".unique", std::move(flags), Size::kUnit});
  }
}

void SceneTracks::add_series() {
  const sim::CompiledModel& compiled = *motion_.bound;
  const auto first_state = static_cast<std::size_t>(compiled.nq() + compiled.nu());
  std::size_t place = 0;
  for (const report::Column& column : report::columns_of(compiled)) {
    const std::string group = group_of(column, place, compiled);
    const bool has_steps = group == "states" && report::is_discrete(*compiled.model, place - first_state);
    place += static_cast<std::size_t>(column.count);
    for (int k = 0; k < column.count; ++k) {
      const UnitText& unit = column.unit(k);
      Series series{report::entry_name(column, k), report::stated(unit.shown), group, {}, {}};
      series.is_noise = column.group == report::Column::Group::kResidual;
      series.has_steps = has_steps;
      for (const sim::Sample& sample : samples_) {
        series.values.push_back(column.read(sample, k) / unit.scale);
        if (column.is_unique) series.is_unique.push_back(column.is_unique(sample, k) ? 1 : 0);
      }
      series_.push_back(std::move(series));
    }
  }
  if (!motion_.energy) return;
  for (const Column& column : motion_.energy->columns) {
    const bool is_balance = column.name == "balance";
    const std::string group = is_balance                                                ? "balance"
                              : column.unit == "W" || column.name.starts_with("power(") ? "powers"
                                                                                        : "energies";
    series_.push_back({column.name, column.unit, group, {}, column.values, {}, is_balance});
    series_.back().values.resize(t_.size(), std::nan(""));
  }
}

std::vector<std::size_t> SceneTracks::instants(double parts) const {
  if (parts == kAllInstants) {
    std::vector<std::size_t> all(t_.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
  }
  double place = 0.0, force = 0.0;
  std::map<std::pair<std::string, std::string>, double> own;  // by group and unit
  std::map<std::string, double> largest;                      // by unit
  for (const Track& track : tracks_) {
    for (const std::vector<double>& values : track.values) {
      if (track.size == Size::kPlace) place = std::max(place, range_of(values));
      if (track.size == Size::kForce) force = std::max(force, largest_of(values));
    }
  }
  for (const Series& one : series_) {
    double& size = own[{one.group, one.unit}];
    size = std::max(size, range_of(one.values));
    double& most = largest[one.unit];
    most = std::max(most, largest_of(one.values));
  }
  // A change below the rounding of other quantities with this unit is noise and must not cause additional
  // instants to be drawn.
  for (auto& [group, size] : own) size = std::max(size, tolerance::kGeneric * largest[group.second]);
  std::vector<report::Drawn> drawn;
  for (const Track& track : tracks_) {
    double size = track.size == Size::kPlace ? place : track.size == Size::kForce ? force : 1.0;
    if (track.size == Size::kOwn) {
      size = 0.0;
      for (const std::vector<double>& values : track.values) size = std::max(size, largest_of(values));
    }
    for (const std::vector<double>& values : track.values) drawn.push_back({values, size / parts});
  }
  for (const Series& one : series_)
    drawn.push_back({one.values, one.is_noise ? INFINITY : own[{one.group, one.unit}] / parts, one.has_steps});
  return report::instants_needed(t_, drawn);
}

std::vector<double> SceneTracks::chosen(const std::vector<double>& values,
                                        const std::vector<std::size_t>& instants) const {
  std::vector<double> result;
  result.reserve(instants.size());
  for (const std::size_t i : instants) result.push_back(values[i]);
  return result;
}

report::Node SceneTracks::write(report::SceneColumns& columns, double parts) const {
  using report::Node;
  const std::vector<std::size_t> kept = instants(parts);
  Node node = Node::object({{"name", motion_.name},
                            {"samples", samples_.size()},
                            {"t", columns.add(chosen(t_, kept), report::SceneColumns::Precision::kDouble)}});
  Node& tracks = node.add("tracks", Node::object());
  for (const Track& track : tracks_) {
    Node numbers = Node::list();
    for (const std::vector<double>& values : track.values) numbers.add(columns.add(chosen(values, kept)));
    tracks.add(track.name, std::move(numbers));
  }
  Node& all = node.add("series", Node::list());
  for (const Series& one : series_) {
    Node series = Node::object({{"name", one.name}, {"unit", one.unit}, {"group", one.group}});
    if (!one.constraint.empty()) series.add("constraint", one.constraint);
    if (one.has_steps) series.add("steps", true);
    series.add("unique", std::ranges::find(one.is_unique, char{0}) == one.is_unique.end());
    series.add("col", columns.add(chosen(one.values, kept)));
    all.add(std::move(series));
  }
  write_timeline(node);
  write_impulses(node);
  return node;
}

/// Adds the impulses of constraints as vectors at points.
void SceneTracks::write_impulses(report::Node& node) const {
  using report::Node;
  Node& all = node.add("impulses", Node::list());
  if (!has_impulses(*motion_.run)) return;
  const std::vector<ExertedImpulse> impulses = impulses_of(*motion_.bound->compiled, *motion_.run, *motion_.forces);
  const auto size = [](const ExertedImpulse& one) {
    return std::hypot(one.impulse.value[0], one.impulse.value[1], one.impulse.value[2]);
  };
  std::array<double, 2> largest{0.0, 0.0};  // impulse, moment
  for (const ExertedImpulse& one : impulses) {
    double& most = largest[one.is_couple ? 1 : 0];
    most = std::max(most, size(one));
  }
  const model::Model& model = *motion_.bound->compiled->model;
  const auto list_of = [](const std::array<double, 3>& vector) {
    return Node(std::vector<double>{report::shown(vector[0]), report::shown(vector[1]), report::shown(vector[2])});
  };
  for (const ExertedImpulse& one : impulses) {
    if (size(one) < kLeastImpulse * largest[one.is_couple ? 1 : 0]) continue;
    const auto& unique = one.impulse.is_unique;
    Node node_of_one = Node::object({{"t", one.t},
                                     {"constraint", one.impulse.constraint},
                                     {"on", one.impulse.on},
                                     {"moment", one.is_couple},
                                     {"unique", unique[0] && unique[1] && unique[2]},
                                     {"unit", unit_of_impulse(model, one.is_couple)}});
    node_of_one.add("at", list_of(one.at));
    node_of_one.add("value", list_of(one.impulse.value));
    all.add(std::move(node_of_one));
  }
}

/// Adds the intervals in which constraints act, the periodic instants and all other events.
void SceneTracks::write_timeline(report::Node& node) const {
  using report::Node;
  const model::Model& model = *motion_.bound->compiled->model;
  Node& acts = node.add("acts", Node::list());
  for (const report::ActingTimes& one : report::acting_times(*motion_.bound, *motion_.run)) {
    Node& times =
        acts.add(Node::object({{"constraint", model.constraint(one.constraint).name}})).add("times", Node::list());
    for (const std::array<double, 2>& interval : one.intervals)
      times.add(Node(std::vector<double>{interval[0], interval[1]}));
  }
  Node& clocks = node.add("clocks", Node::list());
  std::set<std::string> periodic;
  for (const report::Clock& clock : report::clocks(*motion_.bound, *motion_.run)) {
    clocks.add(Node::object({{"name", clock.name},
                             {"kind", clock.is_state ? "state" : "event"},
                             {"period", clock.period},
                             {"first", clock.first},
                             {"count", clock.count}}));
    if (!clock.is_state) periodic.insert(clock.name);
  }
  Node& events = node.add("events", Node::list());
  for (const report::RunEvent& event : report::events_of(*motion_.bound, *motion_.run)) {
    if (event.kind == "event" && periodic.contains(event.where)) continue;
    Node one = Node::object({{"t", event.t}, {"kind", event.kind}, {"where", event.where}});
    Node before, after;
    before.value = event.before;
    after.value = event.after;
    one.add("before", std::move(before));
    one.add("after", std::move(after));
    events.add(std::move(one));
  }
}

}  // namespace vinculum
