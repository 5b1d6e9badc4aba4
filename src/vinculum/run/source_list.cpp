#include "vinculum/run/source_list.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace vinculum::sim {

using integrate::Action;
using integrate::Step;

void SourceList::make(const std::vector<SourceRow>& rows, const Watched& run) {
  for (const SourceRow& row : rows) {
    if (auto source = row.make(run)) sources_.push_back(std::move(source));
  }
}

std::optional<Failure> SourceList::begin(RunState& at, RunRecord& record) {
  std::optional<Failure> reason;
  for (const auto& source : sources_) {
    Transition start{at.t, at.y, at.mode, {}};
    auto cannot = source->begin(start, record);
    if (!cannot) cannot = std::move(start.ends);
    at.y = std::move(start.y);
    at.mode = std::move(start.mode);
    std::ranges::move(start.events, std::back_inserter(record.events));
    if (!reason) reason = std::move(cannot);
  }
  return reason;
}

void SourceList::resume(const std::vector<SourceRow>& rows, const Watched& run, RunState& at, RunRecord& record) {
  sources_.clear();
  make(rows, run);
  for (const auto& source : sources_) {
    Transition here{at.t, at.y, at.mode, {}};
    source->resume(here, record);
    at.mode = std::move(here.mode);
  }
}

Outcome<std::optional<Found>> SourceList::check(const Step& step, const Mode& mode, bool crosses, RunRecord& record) {
  std::optional<Found> ending;
  found_.clear();
  for (const auto& source : sources_) {
    const std::size_t first = found_.size();
    if (auto done = source->check(step, found_); !done && !ending) return fail(done.error());
    for (std::size_t i = first; i < found_.size(); ++i) {
      Found& found = found_[i];
      found.source = source.get();
      if (found.action == Action::kMark || (crosses && found.action == Action::kCross)) continue;
      if (!ending || found.t < ending->t) ending = found;
    }
  }
  for (const Found& mark : found_) {
    if (mark.action != Action::kMark || (ending && mark.t > ending->t)) continue;
    Transition to{mark.t, step.y_end(), mode, {}};
    if (auto done = mark.source->pass(mark, to); !done) return fail(done.error());
    std::ranges::move(to.events, std::back_inserter(record.events));
  }
  return ending;
}

void SourceList::keep(const Step& step, Mode& mode, RunRecord& record) {
  for (const auto& source : sources_) source->keep(step, mode, record);
}

Outcome<void> SourceList::follow(const EventSource* changed_by, const Vector& y_before, Transition& to) {
  for (const auto& source : sources_) {
    if (source.get() == changed_by) continue;
    if (auto done = source->follow(y_before, to); !done) return done;
  }
  return {};
}

double SourceList::next_time() const {
  double next = std::numeric_limits<double>::infinity();
  for (const auto& source : sources_) next = std::min(next, source->next_time());
  return next;
}

bool SourceList::give_way(RunState& at) {
  return std::ranges::any_of(sources_, [&](const auto& source) { return source->gives_way(at.t, at.y, at.mode); });
}

std::optional<Failure> SourceList::explain(const RunState& at) {
  for (const auto& source : sources_) {
    if (auto cause = source->explain(at.t, at.y)) return cause;
  }
  return {};
}

void SourceList::end(RunRecord& record, const Sample* last) {
  for (const auto& source : sources_) source->end(record, last);
}

}  // namespace vinculum::sim
