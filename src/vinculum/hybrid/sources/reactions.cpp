#include "vinculum/hybrid/event_source.hpp"
#include "vinculum/motion/friction_of.hpp"

namespace vinculum::sim {
namespace {

constexpr long kStepsBetweenSearches = 16;

/// Checks whether reaction-dependent forces agree with several reactions (theory.md §4.2). Generated accelerations find
/// the reaction nearest to the one without these forces. Whether it is the only one is checked after 1, 2, 4, 8, 16
/// steps and then every 16 steps, as well as at every sample.
class ReactionSource final : public EventSource {
 public:
  explicit ReactionSource(const Watched& run) : run_(run) {}

  Outcome<void> check(const integrate::Step& step, std::vector<Found>& found) override {
    if (++steps_ < next_) return {};
    next_ += std::min(next_, kStepsBetweenSearches);
    if (auto done = FrictionOf(run_.dynamics).look_for_other_reactions(run_.mode, step.t_end(), step.y_end().data());
        !done)
      found.push_back({.t = step.t_end(), .action = integrate::Action::kStop, .reason = std::move(done.error())});
    return {};
  }

 private:
  Watched run_;
  long steps_ = 0, next_ = 1;
};

}  // namespace

std::unique_ptr<EventSource> make_reaction_source(const Watched& run) {
  const Binding& bound = run.dynamics.binding();
  if (!bound.accelerations.kernel || bound->dependence.rows.empty()) return nullptr;
  return std::make_unique<ReactionSource>(run);
}

}  // namespace vinculum::sim
