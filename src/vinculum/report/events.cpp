#include "vinculum/report/events.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "vinculum/base/index.hpp"
#include "vinculum/model/sliding.hpp"
#include "vinculum/model/unilateral_text.hpp"
#include "vinculum/model/unit_texts.hpp"
#include "vinculum/report/failure_report.hpp"
#include "vinculum/report/impacts.hpp"

namespace vinculum::report {
namespace {

/// Converts an event to a row of the table; one overload per kind of event.
struct RowOf {
  const sim::CompiledModel& compiled;
  const model::Model& model;
  std::vector<RunEvent>& rows;

  void operator()(const sim::FrictionChange& change) const {
    using To = sim::FrictionChange::To;
    rows.push_back({change.t, "friction", model::name_of(model, model.slides[static_cast<std::size_t>(change.slide)]),
                    change.to == To::kSlides ? "sticks" : "slides", change.to == To::kSticks ? "sticks" : "slides"});
  }
  void operator()(const sim::SurfaceChange& change) const {
    const auto named = [](bool is_along) { return is_along ? "along" : "beside"; };
    rows.push_back({change.t, "switch", change.of, named(!change.is_along), named(change.is_along)});
  }
  void operator()(const sim::ActingChange& change) const {
    const auto named = [](bool acts) { return acts ? "acts" : "free"; };
    rows.push_back(
        {change.t, "constraint", model.constraint(change.constraint).name, named(!change.acts), named(change.acts)});
  }
  void operator()(const sim::Impulse& impulse) const {
    const std::string unit_of_work = model.has_units ? "J" : "";
    for (const sim::ContactImpact& impact : impulse.contacts) {
      const std::string& name = model.constraint(impact.constraint).name;
      rows.push_back(
          {impulse.t, "impact", name, std::string(model::name_of(impact.law)), impact.work.total(), unit_of_work});
      const auto part = [&](const char* of, double work) {
        if (work != 0.0) rows.push_back({impulse.t, "impact work", name, of, work, unit_of_work});
      };
      part("compression", impact.work.compression);
      part("restitution", impact.work.restitution);
      part("friction", impact.work.tangential);
    }
    for (Eigen::Index row = 0; row < impulse.rows.size(); ++row) {
      if (impulse.rows[row] == 0.0) continue;
      Node::Value note = nullptr;  // set for redundant rows, whose impulses are not unique
      if (impulse.unique[static_cast<std::size_t>(row)] == 0) note = "not unique";
      rows.push_back({impulse.t, "impulse", compiled.row_name(static_cast<int>(row)), std::move(note),
                      impulse.rows[row], unit_of_impulse(compiled, static_cast<int>(row))});
    }
    for (std::size_t slide = 0; slide < impulse.friction.size(); ++slide) {
      if (impulse.friction[slide].size() == 0) continue;
      const std::string unit = model.has_units ? "N*s" : "";
      rows.push_back({impulse.t, "friction impulse", model::name_of(model, model.slides[slide]), nullptr,
                      impulse.friction[slide].norm(), unit});
    }
  }
  void operator()(const sim::RankDrop& drop) const {
    rows.push_back({drop.t, "rank", "", std::int64_t{drop.generic_rank}, std::int64_t{drop.rank}});
  }
  void operator()(const sim::Mark& mark) const { rows.push_back({mark.t, "event", mark.event, nullptr, nullptr}); }
  void operator()(const sim::Passage&) const {}  // not listed: tables would give one event per point
};

}  // namespace

std::vector<RunEvent> rows_of(const sim::CompiledModel& compiled, const sim::RunEvent& event) {
  std::vector<RunEvent> rows;
  std::visit(RowOf{compiled, *compiled.model, rows}, event);
  return rows;
}

std::vector<RunEvent> events_of(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory) {
  std::vector<RunEvent> events;
  for (const sim::RunEvent& event : trajectory.events) std::visit(RowOf{compiled, *compiled.model, events}, event);
  if (const Node why = stopped_node(compiled, trajectory); why.form == Node::Form::kObject) {
    events.push_back({std::get<double>(why.at("t").value), "stop", std::get<std::string>(why.at("where").value),
                      nullptr, why.at("kind").value});
  }
  std::ranges::stable_sort(events, {}, &RunEvent::t);
  return events;
}

Node event_counts(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory) {
  constexpr std::size_t kMostLines = 8;
  struct Count {
    std::string kind, name;
    double first = 0.0, last = 0.0;
    std::int64_t count = 0;
  };
  std::vector<Count> counts;
  for (const RunEvent& event : events_of(compiled, trajectory)) {
    if (event.kind != "event" && event.kind != "constraint") continue;
    auto one = std::ranges::find_if(
        counts, [&](const Count& known) { return known.kind == event.kind && known.name == event.where; });
    if (one == counts.end()) one = counts.insert(one, {event.kind, event.where, event.t, event.t});
    one->last = event.t;
    ++one->count;
  }
  Node all = Node::list();
  for (const Count& one : counts) {
    Node& node = all.add(Node::object(
        {{"kind", one.kind}, {"name", one.name}, {"count", one.count}, {"first", one.first}, {"last", one.last}}));
    if (all.parts.size() > kMostLines) continue;
    const std::string what = one.kind == "event" ? fmt::format("event `{}`", one.name)
                                                 : fmt::format("constraint `{}` began or ceased to act", one.name);
    node.said = one.count == 1 ? fmt::format("{} once, at t = {:.6g} s\n", what, one.first)
                               : fmt::format("{} {} times, first at t = {:.6g} s, last at t = {:.6g} s\n", what,
                                             one.count, one.first, one.last);
  }
  if (!counts.empty()) all.said = "\n";
  if (counts.size() > kMostLines) all.parts.back().said = fmt::format("and {} more\n", counts.size() - kMostLines);
  return all;
}

Table events_table(const sim::CompiledModel& compiled, const sim::Trajectory& trajectory) {
  auto events = events_of(compiled, trajectory);
  return {{{"t", unit_of_time(*compiled.model).si}, {"kind"}, {"where"}, {"before"}, {"after"}, {"unit"}},
          events.size(),
          [events = std::move(events)](std::size_t row, std::size_t column) -> Node::Value {
            const RunEvent& event = events[row];
            switch (column) {
              case 0: return event.t;
              case 1: return event.kind;
              case 2: return event.where;
              case 3: return event.before;
              case 4: return event.after;
              default: return event.unit.empty() ? Node::Value() : Node::Value(event.unit);
            }
          }};
}

}  // namespace vinculum::report
