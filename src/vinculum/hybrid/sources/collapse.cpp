#include "vinculum/hybrid/event_source.hpp"

namespace vinculum::sim {
namespace {

// If a step is shorter than this fraction of the recent steps, the motion is assumed to approach a loss of rank.
constexpr double kCreeping = 0.05;

/// Near a loss of rank of the constraints, accelerations contain rounding errors divided by the square of the distance
/// to that configuration. If these errors exceed the tolerance, the step size shrinks without end. Then this source
/// asks the run to cross an interval as long as the recent steps.
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
