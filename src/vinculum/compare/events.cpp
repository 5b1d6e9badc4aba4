#include "vinculum/compare/events.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::compare {
namespace {

using Times = std::vector<double>;

/// The times of one event in both motions.
struct Occurrences {
  std::string kind, name;
  Times first, other;
};

void add(std::vector<Occurrences>& all, const sim::Trajectory& run, const model::Model& model,
         Times Occurrences::* motion) {
  const auto at = [&](const std::string& kind, const std::string& name, double t) {
    auto one = std::ranges::find_if(all, [&](const Occurrences& o) { return o.kind == kind && o.name == name; });
    if (one == all.end()) one = all.insert(one, {kind, name, {}, {}});
    ((*one).*motion).push_back(t);
  };
  for (const sim::RunEvent& event : run.events) {
    if (const auto* mark = std::get_if<sim::Mark>(&event)) at("event", mark->event, mark->t);
    if (const auto* impulse = std::get_if<sim::Impulse>(&event))
      for (const sim::ContactImpact& impact : impulse->contacts)
        at("impact", model.constraint(impact.constraint).name, impulse->t);
    if (const auto* change = std::get_if<sim::ActingChange>(&event))
      at("constraint", model.constraint(change->constraint).name + (change->acts ? " begins to act" : " ceases to act"),
         change->t);
  }
}

/// Removes occurrences that the other motion has no counterpart for because it ended before them.
void forget_after(Times& times, std::size_t in_other, double end) {
  while (times.size() > in_other && times.back() > end) times.pop_back();
}

}  // namespace

std::vector<EventDifference> event_differences(const sim::Trajectory& first, const sim::Trajectory& other,
                                               const model::Model& model, double duration) {
  std::vector<EventDifference> result;
  if (first.samples.empty() || other.samples.empty()) return result;
  std::vector<Occurrences> all;
  add(all, first, model, &Occurrences::first);
  add(all, other, model, &Occurrences::other);
  const double same = tolerance::kSameTime * duration;
  std::vector<std::pair<double, EventDifference>> found;
  for (Occurrences& one : all) {
    std::ranges::sort(one.first);
    std::ranges::sort(one.other);
    forget_after(one.first, one.other.size(), other.end().t + same);
    forget_after(one.other, one.first.size(), first.end().t + same);
    const std::size_t both = std::min(one.first.size(), one.other.size());
    if (one.first.empty() && one.other.empty()) continue;
    EventDifference difference{one.kind, one.name, one.first.size(), one.other.size()};
    for (std::size_t k = 0; k < both; ++k) {
      const double apart = std::abs(one.other[k] - one.first[k]);
      if (k > 0 && !(apart > difference.largest)) continue;
      difference.largest = apart;
      difference.t = one.first[k];
    }
    if (one.first.size() != one.other.size())
      difference.alone = (one.first.size() > both ? one.first : one.other)[both];
    const double begin =
        std::min(one.first.empty() ? INFINITY : one.first[0], one.other.empty() ? INFINITY : one.other[0]);
    found.emplace_back(begin, std::move(difference));
  }
  std::ranges::stable_sort(found, {}, [](const auto& one) { return one.first; });
  for (auto& [begin, difference] : found) result.push_back(std::move(difference));
  return result;
}

}  // namespace vinculum::compare
