#include "vinculum/hybrid/event_source.hpp"

namespace vinculum::sim {
namespace {

constexpr double kCreeping = 0.05;  // of the recent steps: step control creeps into a loss of rank

/// Close to a loss of rank accelerations carry rounding over the square of the distance. Where that exceeds the
/// tolerance step control would creep ever closer: such a stretch, as long as recent steps, is to be crossed.
class CollapseSource final : public EventSource {
 public:
  explicit CollapseSource(const Watched& run) : run_(run) {}
  Outcome<void> check(const integrate::Step& step, std::vector<Found>& found) override {
    const double h = step.t_end() - step.t_begin();
    pace_.join(h);
    if (run_.mode.is_near_singular() && h < kCreeping * pace_.longest)
      found.push_back({step.t_end(), integrate::Action::kCross, {}, pace_.longest});
    return {};
  }

 private:
  Watched run_;
  Pace pace_;
};

}  // namespace

std::unique_ptr<EventSource> make_collapse_source(const Watched& run) { return std::make_unique<CollapseSource>(run); }

}  // namespace vinculum::sim
