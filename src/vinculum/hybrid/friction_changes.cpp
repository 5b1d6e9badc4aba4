#include "vinculum/hybrid/friction_changes.hpp"

#include <algorithm>

#include "vinculum/base/index.hpp"
#include "vinculum/motion/friction_of.hpp"
#include "vinculum/motion/jumps.hpp"

namespace vinculum::sim {

std::vector<char> acting_slides(const Binding& bound, const std::vector<char>& rows) {
  const std::vector<equations::Slide>& slides = bound->system->slides;
  std::vector<char> acts(slides.size(), 1);
  for (const int row : bound->switched)
    for (std::size_t slide = 0; slide < slides.size(); ++slide)
      if (slides[slide].constraint == nth(bound->system->rows, row).constraint) acts[slide] = nth(rows, row);
  return acts;
}

std::vector<char> acting_slides(Dynamics& dynamics, const Mode& mode) {
  const Binding& bound = dynamics.binding();
  return acting_slides(bound, bound->switched.empty() ? std::vector<char>() : acting_rows(dynamics, mode));
}

bool has_friction(Dynamics& dynamics, const Transition& at, int slide) {
  Vector stated;
  FrictionOf(dynamics).read_stated(at.mode, at.t, at.y.data(), stated);
  return stated[slide] != 0.0;
}

void record_changes(Dynamics& dynamics, const Mode& before, const Mode& after, Transition& to) {
  using To = FrictionChange::To;
  const std::vector<equations::Slide>& slides = dynamics.binding()->system->slides;
  if (slides.empty()) return;
  const std::vector<char> acted = acting_slides(dynamics, before), acts = acting_slides(dynamics, after);
  const auto is_recorded = [&](int slide) {
    return std::ranges::any_of(to.events, [&](const RunEvent& event) {
      const auto* change = std::get_if<FrictionChange>(&event);
      return change != nullptr && change->slide == slide;
    });
  };
  for (std::size_t k = 0; k < slides.size(); ++k) {
    if (acts[k] == 0 || is_recorded(static_cast<int>(k))) continue;
    const bool stuck = before.friction.sticks[k] != 0, sticks = after.friction.sticks[k] != 0;
    const auto direction = [&](const Mode& mode) {
      return mode.friction.direction.segment(slides[k].first, slides[k].count);
    };
    const bool reverses = acted[k] != 0 && !stuck && !sticks && direction(before).dot(direction(after)) < 0.0;
    if (stuck == sticks && !(reverses && has_friction(dynamics, to, static_cast<int>(k)))) continue;
    const To how = sticks ? To::kSticks : stuck ? To::kSlides : To::kSlidesOn;
    to.events.emplace_back().emplace<FrictionChange>(to.t, static_cast<int>(k), how);
  }
}

}  // namespace vinculum::sim
