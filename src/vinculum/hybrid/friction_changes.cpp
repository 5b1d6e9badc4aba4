#include "vinculum/hybrid/friction_changes.hpp"

namespace vinculum::sim {

void record_changes(const equations::System& system, const FrictionState& before, Transition& to) {
  using To = FrictionChange::To;
  const FrictionState& after = to.mode.friction;
  const std::vector<equations::Slide>& slides = system.slides;
  for (std::size_t k = 0; k < slides.size(); ++k) {
    const bool stuck = before.sticks[k] != 0, sticks = after.sticks[k] != 0;
    const auto of_slide = [&](const FrictionState& state) {
      return state.direction.segment(slides[k].first, slides[k].count);
    };
    const bool reverses = !stuck && !sticks && of_slide(before).dot(of_slide(after)) < 0.0;
    if (stuck == sticks && !reverses) continue;
    const To how = sticks ? To::kSticks : stuck ? To::kSlides : To::kSlidesOn;
    to.events.emplace_back().emplace<FrictionChange>(to.t, static_cast<int>(k), how);
  }
}

}  // namespace vinculum::sim
