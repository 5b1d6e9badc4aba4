#include "vinculum/hybrid/start_sides.hpp"

#include <limits>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/hybrid/event_surfaces.hpp"

namespace vinculum::sim {
bool goes_the_other_way(Dynamics& dynamics, const Mode& mode, Look& look, double t, const Vector& y,
                        std::size_t surface, double duration) {
  const std::vector<double> sides = look.sides();
  std::vector<double> others = sides;
  others[surface] = -others[surface];
  Mode other = mode;
  set_sides(other, dynamics.binding(), others);
  // x − y slightly later, at y + h (F + F')/2. The second-order term shows a motion that leaves only by its
  // acceleration.
  const auto way_off = [&](const Mode& in, const Vector& rate) {
    const double h = tolerance::kBeside * duration;
    const Vector later = rate.size() == y.size() ? rate_at(dynamics, in, t + h, y + h * rate) : Vector();
    if (later.size() != y.size()) return std::numeric_limits<double>::quiet_NaN();
    return look.program().difference_at(surface, t + h, y + 0.5 * h * (rate + later));
  };
  const Vector here = rate_at(dynamics, mode, t, y);
  const double way_here = way_off(mode, here);
  look.take(others);
  const Vector there = rate_at(dynamics, other, t, y);
  const double way_there = way_off(other, there);
  look.take(sides);
  return here != there && sides[surface] * way_here >= 0.0 && others[surface] * way_there > 0.0;
}

}  // namespace vinculum::sim
