#include "vinculum/scene/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/evaluate.hpp"

namespace vinculum::report {

std::vector<ActingTimes> acting_times(const sim::CompiledModel& compiled, const sim::Trajectory& run) {
  const std::vector<sim::ActingChange> changes = run.all<sim::ActingChange>();
  std::vector<ActingTimes> all;
  for (const int row : compiled.switched) {
    const equations::Row& stated = compiled.system->rows[static_cast<std::size_t>(row)];
    if (stated.index != 0) continue;  // only the first row counts, because the rows of a constraint act together
    ActingTimes& one = all.emplace_back(ActingTimes{stated.constraint, {}});
    const auto own = std::ranges::find(changes, one.constraint, &sim::ActingChange::constraint);
    const std::vector<char>& at_first = run.start().acts;
    const bool acts_first = own != changes.end() ? !own->acts
                                                 : static_cast<std::size_t>(row) >= at_first.size() ||
                                                       at_first[static_cast<std::size_t>(row)] != 0;
    bool acts = acts_first;
    if (acts) one.intervals.push_back({run.start().t, run.end().t});
    for (const sim::ActingChange& change : changes) {
      if (change.constraint != one.constraint || change.acts == acts) continue;
      acts = change.acts;
      if (acts)
        one.intervals.push_back({change.t, run.end().t});
      else
        one.intervals.back()[1] = change.t;
    }
  }
  return all;
}

std::vector<Clock> clocks(const sim::Binding& bound, const sim::Trajectory& run) {
  const model::Model& model = *bound->model;
  const double begin = run.start().t, end = run.end().t, same = tolerance::kSameTime * (end - begin);
  model::Instant instant;
  instant.parameters = bound.parameters;
  model::TermValues values(model, std::move(instant));
  std::vector<Clock> all;
  for (const model::Event& event : model.events) {
    if (event.trigger != model::Event::Trigger::kEvery) continue;
    Clock clock{event.name, event.name.empty(), values.scalar(event.time).value};
    if (!(clock.period > same)) continue;  // the run ends at its start
    const double before = std::ceil((begin - same) / clock.period);
    clock.first = before * clock.period + 0.0;  // not −0
    clock.count = static_cast<std::int64_t>(std::floor((end + same) / clock.period) - before) + 1;
    if (clock.is_state) clock.name = model.states[event.actions.front().index].name;
    if (clock.count > 0) all.push_back(std::move(clock));
  }
  return all;
}

bool is_discrete(const model::Model& model, std::size_t state) {
  if (state >= model.states.size()) return false;
  const model::Term rate = model.states[state].rate;
  return rate.is_valid() && rate.is_zero();
}

}  // namespace vinculum::report
