#include "vinculum/compiled/nonlinear_speeds.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/event_source.hpp"
#include "vinculum/integrate/lowest.hpp"

namespace vinculum::sim {
namespace {

/// Detects where speeds no longer determine the motion, or the motion the speeds (theory.md §1): det ∂U/∂u passes
/// through zero, touches it, or grows without bound. The motion itself would go on, but the speeds do not tell on which
/// branch of q' = w(q, u, t).
class NonlinearSpeedsSource final : public EventSource {
 public:
  explicit NonlinearSpeedsSource(const Binding& bound) : speeds_(bound) {}

  std::optional<Failure> begin(Transition& start, RunRecord&) override {
    before_ = first_ = determinant(start.t, start.y);
    if (std::isfinite(first_) && first_ != 0.0) return std::nullopt;
    return speeds_.singular(start.t);
  }

  Outcome<void> check(const integrate::Step& step, std::vector<Found>& found) override {
    const double from = step.t_begin(), to = step.t_end();
    behind_ = determinant(to, step.y_end());
    if (const auto where = singular_within(step, from, to))
      found.push_back({*where, integrate::Action::kStop, speeds_.singular(*where)});
    return {};
  }

  void keep(const integrate::Step&, Mode&, RunRecord&) override { before_ = behind_; }

  std::optional<Failure> explain(double t, const Vector& y) override {
    if (regularity(determinant(t, y)) > tolerance::kNearSingular) return std::nullopt;
    return speeds_.singular(t);
  }

 private:
  [[nodiscard]] double determinant(double t, const Vector& y) const {
    return speeds_.determinant(speeds_.at(t, y.data()));
  }
  /// In (0, 1]: how far the determinant has moved from its first value towards 0 or infinity; 0: singular.
  [[nodiscard]] double regularity(double determinant) const {
    const double ratio = std::abs(determinant / first_);
    return std::isfinite(ratio) ? std::min(ratio, 1.0 / ratio) : 0.0;
  }
  std::optional<double> singular_within(const integrate::Step& step, double from, double to) {
    const auto at = [&](double t) {
      return step.interpolate(t, y_) ? determinant(t, y_) : std::numeric_limits<double>::quiet_NaN();
    };
    if (std::isfinite(behind_) && before_ * behind_ <= 0.0) {
      const double sign = before_ > 0.0 ? 1.0 : -1.0;
      const auto margin = [&](double t) -> Outcome<double> { return sign * at(t); };
      return integrate::find_crossing(margin, from, sign * before_, to, sign * behind_, 0.0).after;
    }
    const auto lowest = integrate::find_lowest([&](double t) { return regularity(at(t)); }, from, to);
    if (!lowest || lowest->length > tolerance::kZero) return std::nullopt;
    return lowest->t;
  }

  NonlinearSpeeds speeds_;
  double first_ = 0.0, before_ = 0.0, behind_ = 0.0;  ///< determinants at the start, and at the begin and end of the
                                                      ///< step
  Vector y_;
};

}  // namespace

std::unique_ptr<EventSource> make_nonlinear_speeds_source(const Watched& run) {
  const Binding& bound = run.dynamics.binding();
  return NonlinearSpeeds::are_in(bound) ? std::make_unique<NonlinearSpeedsSource>(bound) : nullptr;
}

}  // namespace vinculum::sim
