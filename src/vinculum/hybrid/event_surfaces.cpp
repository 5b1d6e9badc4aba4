#include "vinculum/hybrid/event_surfaces.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/switch_places.hpp"
#include "vinculum/hybrid/contacts.hpp"
#include "vinculum/hybrid/surface_rounding.hpp"

namespace vinculum::sim {
namespace {

// The side to which a motion leaves a surface is determined from the state after the time `tolerance::kBeside` ×
// duration of the run; if that shows no side, after 10, 100 … times this time.
constexpr int kDecadesOfDeparture = 4;

}  // namespace

Vector rate_at(Dynamics& dynamics, const Mode& mode, double t, const Vector& y) {
  Vector rate = Vector::Zero(y.size());
  return dynamics.derivative(mode, t, y.data(), rate.data()) ? rate : Vector();
}

EventSurfaces::EventSurfaces(const Watched& run, Look& look, Regions& regions)
    : run_(run), look_(look), regions_(regions), rest_(run.dynamics.binding()) {
  const Binding& bound = run.dynamics.binding();
  const Switches& switches = bound->watches->switches;
  is_of_acting_.assign(switches.surfaces().size(), 0);
  is_gap_.assign(switches.surfaces().size(), 0);
  for (const std::size_t k : GapSurfaces(bound).all) is_gap_[k] = 1;
  for (const int row : bound->switched) {
    const expr::Expr& acts = nth(bound->system->rows, row).acts;
    for (const std::size_t k : switches.surfaces_in(std::span(&acts, 1))) is_of_acting_[k] = 1;
  }
  for (std::size_t i = 0; i < bound->model->events.size(); ++i) {
    const expr::Expr condition = bound->system->events[i].condition;
    if (bound->model->events[i].terminates || !condition.is_valid()) continue;
    for (const std::size_t k : switches.surfaces_in(std::span(&condition, 1)))
      if (is_of_events(k) && !switches.surfaces()[k].inner.empty()) zeros_.emplace_back(i, k);
  }
}

/// The outermost surface of an event contains all others of it.
std::optional<std::size_t> EventSurfaces::event_on_plateau() const {
  for (const auto& [event, surface] : zeros_) {
    if (look_.sides().empty() || look_.sides()[surface] != Switches::kEqual) continue;
    if (regions_.is_plateau(surface, look_.sides())) return event;
  }
  return std::nullopt;
}

bool EventSurfaces::is_of_events(std::size_t surface) const {
  return run_.dynamics.binding()->watches->places_of_surfaces[surface].is_of_events;
}

std::optional<Placement> EventSurfaces::placed(const Mode& mode, double t, const Vector& y) {
  const Vector rate = rate_at(run_.dynamics, mode, t, y);
  return rate.size() == y.size() ? std::optional(placed(t, y, rate)) : std::nullopt;
}

std::optional<Placement> EventSurfaces::placed_at(std::size_t surface, const Mode& mode, double t, const Vector& y) {
  const Vector rate = rate_at(run_.dynamics, mode, t, y);
  if (rate.size() != y.size()) return std::nullopt;
  return rest_.at({t, y, rate, run_.dynamics.scale(), same()}, surface);
}

std::optional<EventSurfaces::PlacedJump> EventSurfaces::placed_at_jump(const Mode& mode, double t, const Jump& jump) {
  const Vector before = rate_at(run_.dynamics, mode, t, jump.y_before),
               after = rate_at(run_.dynamics, mode, t, jump.y_after);
  if (before.size() != jump.y_before.size() || after.size() != jump.y_after.size()) return std::nullopt;
  const Vector fastest = before.cwiseAbs().cwiseMax(after.cwiseAbs());
  const auto placed_with = [&](const Vector& y, const Vector& rate) {
    return rest_.near({t, y, rate, run_.dynamics.scale(), same()}, fastest, is_on_);
  };
  PlacedJump placed{placed_with(jump.y_before, before), {}};
  rest_.take(jump.behind);
  placed.after = placed_with(jump.y_after, after);
  rest_.take(jump.sides);
  return placed;
}

/// True if the rate of x − y is 0 a short time later too. At the top of a flight, for example, the rate of the height
/// is 0 for an instant only, and the motion does not rest on the surface.
bool EventSurfaces::is_level_later(std::size_t surface, const Mode& mode, double t, const Vector& y) {
  const double time = tolerance::kBeside * run_.duration;
  const Vector rate = rate_at(run_.dynamics, mode, t, y);
  if (rate.size() != y.size()) return false;
  const auto later = placed_at(surface, mode, t + time, y + time * rate);
  return later && later->direction(surface) == 0.0;
}

void EventSurfaces::lie_on(std::optional<std::size_t> surface) {
  is_on_.assign(look_.sides().size(), 0);
  if (surface) is_on_[*surface] = 1;
}

EventSurfaces::Departure EventSurfaces::departure(const Mode& mode, double t, const Vector& y) {
  const std::size_t count = look_.sides().size();
  Departure from{std::nullopt, std::vector<double>(count, 0.0)};
  const Vector rate = rate_at(run_.dynamics, mode, t, y);
  if (rate.size() != y.size()) return from;
  from.here = placed(t, y, rate);
  double h = tolerance::kBeside * run_.duration;
  for (int decade = 0; decade < kDecadesOfDeparture; ++decade, h *= 10.0) {
    const Vector rate_later = rate_at(run_.dynamics, mode, t + h, y + h * rate);
    if (rate_later.size() != y.size()) return from;
    const Vector later = y + 0.5 * h * (rate + rate_later);
    for (std::size_t k = 0; k < count; ++k) {
      if (from.side[k] != 0.0 || !is_near(*from.here, k)) continue;
      const double difference = look_.program().difference_at(k, t + h, later);
      if (std::abs(difference) > surface_rounding(run_.dynamics.binding(), k, t + h, later))
        from.side[k] = difference > 0.0 ? 1.0 : -1.0;
    }
  }
  return from;
}

std::vector<double> EventSurfaces::sides_at_start(const Mode& mode, double t, const Vector& y) {
  std::vector<double> sides = look_.sides();
  const auto [here, side] = departure(mode, t, y);
  for (std::size_t k = 0; here && k < sides.size(); ++k) {
    if (!is_of_events(k) || sides[k] == Switches::kEqual || !look_.is_in_force(k) || !is_near(*here, k)) continue;
    const double direction = here->direction(k), ahead = direction != 0.0 ? direction : side[k];
    if (ahead != 0.0) sides[k] = ahead;
    if (run_.dynamics.binding()->watches->switches.surfaces()[k].is_pole())
      regions_.complete_beyond(sides, k, sides[k] > 0.0, t, y);
  }
  return sides;
}

std::vector<EventSurfaces::LeftAtStart> EventSurfaces::left_at_start(const Mode& mode, double t, const Vector& y) {
  const Binding& bound = run_.dynamics.binding();
  const Switches& switches = bound->watches->switches;
  const std::vector<double> side = departure(mode, t, y).side;
  std::vector<LeftAtStart> left;
  for (std::size_t i = 0; i < bound->model->events.size(); ++i) {
    const expr::Expr condition = bound->system->events[i].condition;
    if (bound->model->events[i].terminates || !condition.is_valid()) continue;
    const std::vector<std::size_t> surfaces = switches.surfaces_in(std::span(&condition, 1));
    const auto is_outermost = [&](std::size_t k) {
      return std::ranges::none_of(surfaces, [&](std::size_t other) {
        return std::ranges::find(switches.surfaces()[other].inner, k) != switches.surfaces()[other].inner.end();
      });
    };
    for (const std::size_t k : surfaces)
      if (is_outermost(k) && side[k] != 0.0) left.push_back({i, k, side[k]});
  }
  return left;
}

std::vector<double> EventSurfaces::sides_at_rest(const Mode& mode, double t, const Vector& y) {
  std::vector<double> sides = look_.sides();
  const auto here = placed(mode, t, y);
  for (std::size_t k = 0; here && k < sides.size(); ++k) {
    if (!is_of_events(k) || is_gap_[k] != 0 || !look_.is_in_force(k) || sides[k] == Switches::kEqual) continue;
    if (!is_near(*here, k) || here->direction(k) != 0.0) continue;
    if (is_level_later(k, mode, t, y)) sides[k] = Switches::kEqual;
  }
  return sides;
}

bool EventSurfaces::leave_rest(const Mode& mode, double t, const Vector& y) {
  const std::vector<double>& sides = look_.sides();
  std::optional<Placement> here;
  for (std::size_t k = 0; k < sides.size(); ++k) {
    if (!is_of_events(k) || is_gap_[k] != 0 || sides[k] != Switches::kEqual) continue;
    if (!here) here = placed(mode, t, y);
    if (here && !here->rests_on(k)) return true;
  }
  return false;
}

bool EventSurfaces::is_left(std::size_t surface, const Mode& mode, double t, const Vector& y) {
  if (!is_of_events(surface)) return false;
  const auto here = placed_at(surface, mode, t, y);
  return here && is_near(*here, surface) && here->direction(surface) == look_.sides()[surface];
}

bool EventSurfaces::is_leaving(std::size_t surface, const Mode& mode, double t, const Vector& y, double time) {
  if (!is_of_events(surface)) return false;
  const auto here = placed_at(surface, mode, t, y);
  return here && here->stays_near(surface, time) && here->direction(surface) == look_.sides()[surface];
}

bool EventSurfaces::is_landing(std::size_t surface, const Mode& mode, double t, const Vector& y, double time) {
  if (is_gap_[surface] == 0) return false;
  const auto here = placed_at(surface, mode, t, y);
  return here && here->stays_near(surface, time) && here->direction(surface) == -look_.sides()[surface];
}

bool EventSurfaces::is_rested_on(std::size_t surface, const Mode& mode, double t, const Vector& y,
                                 const Vector& y_begin) {
  if (!is_of_events(surface)) return false;
  const auto here = placed_at(surface, mode, t, y);
  if (!here || !here->rests_on(surface)) return false;
  const Vector at_rest = Vector::Zero(y.size());
  if (!rest_.at({t, y_begin, at_rest, run_.dynamics.scale(), same()}, surface).is_zero(surface)) return false;
  return is_level_later(surface, mode, t, y);
}

/// Determines what the motion does at a surface that it has reached at the end of a step: it stays there, like a body
/// that friction stops, or it is about to cross the surface.
/// \param met  surfaces on which the state lies exactly
EventSurfaces::Meeting EventSurfaces::meeting(std::size_t surface, const Placement& here,
                                              const std::vector<std::size_t>& met, const Mode& mode, double t,
                                              const Vector& y) {
  const double side = look_.sides()[surface];
  if (!is_of_events(surface) || !look_.is_in_force(surface) || side == Switches::kEqual) return Meeting::kNone;
  const double ahead = here.direction(surface);
  const bool is_level = ahead == 0.0 && std::ranges::find(met, surface) != met.end();
  if (is_level && is_level_later(surface, mode, t, y)) return Meeting::kRests;
  return ahead == -side && is_near(here, surface) ? Meeting::kCrosses : Meeting::kNone;
}

std::optional<EventSurfaces::Met> EventSurfaces::met_at_end(const Mode& mode, double t, const Vector& y) {
  const std::vector<std::size_t> met = look_.met_at(t, y);
  const bool is_last = run_.t_end <= t + same();
  if (met.empty() && !is_last) return std::nullopt;
  const auto here = placed(mode, t, y);
  for (std::size_t k = 0; here && k < look_.sides().size(); ++k) {
    const Meeting how = meeting(k, *here, met, mode, t, y);
    if (how == Meeting::kRests || (how == Meeting::kCrosses && is_last)) return Met{k, how == Meeting::kRests};
    const bool is_looked_at = is_of_acting(k) && look_.is_in_force(k) && look_.sides()[k] != Switches::kEqual;
    if (is_last && is_looked_at && here->direction(k) == -look_.sides()[k] && is_near(*here, k)) return Met{k, false};
  }
  return std::nullopt;
}

std::vector<double> EventSurfaces::sides_after_meetings(const Vector& y, const Placement& here,
                                                        const std::vector<double>& before, Transition& to,
                                                        long& crossings) {
  const std::vector<std::size_t> met = look_.met_at(to.t, y);
  std::vector<double> sides = look_.sides();
  for (std::size_t k = 0; k < sides.size(); ++k) {
    const Meeting how = sides[k] == before[k] ? meeting(k, here, met, to.mode, to.t, y) : Meeting::kNone;
    if (how == Meeting::kNone) continue;
    to.events.push_back(Passage{to.t, run_.dynamics.binding()->watches->switches.surfaces()[k].text});
    is_on_[k] = 1;
    const double other = -sides[k];
    sides[k] = how == Meeting::kRests ? Switches::kEqual : other;
    if (how == Meeting::kRests) continue;
    ++crossings;
    regions_.complete_beyond(sides, k, other > 0.0, to.t, y);
  }
  return sides;
}

double EventSurfaces::side_after_jump(std::size_t surface, const Placement& before, const Placement& after,
                                      double by_state, double& passed) const {
  const double side = look_.sides()[surface];
  if (side == Switches::kEqual) return is_of_events(surface) && after.rests_on(surface) ? side : by_state;
  if (is_on_[surface] == 0 && !is_near(before, surface) && !is_near(after, surface)) return by_state;
  const double ahead = after.direction(surface);
  if (ahead == 0.0 || ahead == side) return side;
  if (before.direction(surface) != ahead) return ahead;
  if (!is_of_events(surface)) return side;
  passed = ahead;
  return ahead;
}

}  // namespace vinculum::sim
