#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "vinculum/hybrid/event_source.hpp"
#include "vinculum/hybrid/look.hpp"
#include "vinculum/hybrid/surface_rest.hpp"

namespace vinculum::sim {

/// Derivative of a state in a mode; empty if it does not exist.
[[nodiscard]] Vector rate_at(Dynamics& dynamics, const Mode& mode, double t, const Vector& y);

/// How a motion meets the surfaces that are in conditions of events alone, where the examination of a step leaves it
/// open: at instants at which the state lies on such a surface, the sign of x − y is rounding error. Sides are those of
/// `Look`; functions that return sides leave it to the caller to take them. Scratch of one run.
class EventSurfaces {
 public:
  EventSurfaces(const Watched& run, Look& look, Regions& regions);

  void take(std::span<const double> sides) { rest_.take(sides); }
  /// A state and its rates in a mode, relative to the surfaces near it; nothing if the rates do not exist.
  [[nodiscard]] std::optional<Placement> placed(const Mode& mode, double t, const Vector& y);
  /// The same with given rates.
  [[nodiscard]] Placement placed(double t, const Vector& y, const Vector& rate) {
    return rest_.near({t, y, rate, run_.dynamics.scale(), same()}, rate.cwiseAbs());
  }
  /// States before and after a jump, and the sides in which x and y are evaluated there.
  struct Jump {
    const Vector &y_before, &y_after;
    const std::vector<double>&sides, &behind;
  };
  /// The two states relative to the surfaces that one of them is near or lies on.
  struct PlacedJump {
    Placement before, after;
  };
  [[nodiscard]] std::optional<PlacedJump> placed_at_jump(const Mode& mode, double t, const Jump& jump);
  [[nodiscard]] bool is_near(const Placement& here, std::size_t k) const { return here.is_near(k, same()); }

  /// From here on the state lies on no surface, or only on this one, which it has just crossed.
  void lie_on(std::optional<std::size_t> surface);
  /// Whether the present state lies on a surface that the motion has just crossed.
  [[nodiscard]] bool is_on(std::size_t surface) const { return !is_on_.empty() && is_on_[surface] != 0; }
  /// The state has been moved off a surface.
  void move_off(std::size_t surface) { is_on_[surface] = 0; }

  /// Sides at the start of a run: where it lies on a surface, the side to which the motion goes.
  [[nodiscard]] std::vector<double> sides_at_start(const Mode& mode, double t, const Vector& y);
  /// An event `EXPR = 0` whose expression is 0 at the start, its surface, and the side to which the motion leaves it.
  struct LeftAtStart {
    std::size_t event, surface;
    double side;
  };
  [[nodiscard]] std::vector<LeftAtStart> left_at_start(const Mode& mode, double t, const Vector& y);
  /// Sides after events: surfaces on which a constraint keeps the motion become level.
  [[nodiscard]] std::vector<double> sides_at_rest(const Mode& mode, double t, const Vector& y);
  /// An event `EXPR = 0` whose expression is 0 over an interval of the motion that has begun.
  [[nodiscard]] std::optional<std::size_t> event_on_plateau() const;
  /// Whether the motion no longer rests on a level surface.
  [[nodiscard]] bool leave_rest(const Mode& mode, double t, const Vector& y);

  /// Whether the motion lies on a surface and leaves it to the side where it is.
  [[nodiscard]] bool is_left(std::size_t surface, const Mode& mode, double t, const Vector& y);
  /// Whether the motion rests on a surface, as it did at the begin of the step.
  [[nodiscard]] bool is_rested_on(std::size_t surface, const Mode& mode, double t, const Vector& y,
                                  const Vector& y_begin);

  /// A surface that the motion meets at the end of a step: it comes to rest there, or, at the end of the run, is about
  /// to cross it. A run that continues from there begins on the other side. At the end of the run, constraints that
  /// begin to act there do so too.
  struct Met {
    std::size_t surface;
    bool rests;
  };
  [[nodiscard]] std::optional<Met> met_at_end(const Mode& mode, double t, const Vector& y);
  /// The motion meets surfaces at the instant of another event: adds their passages to the transition.
  /// \param here  of (to.t, y)
  /// \param before  sides before this instant; surfaces on other sides have been crossed already
  /// \param crossings  number of crossings, increased
  /// \returns the sides after them
  [[nodiscard]] std::vector<double> sides_after_meetings(const Vector& y, const Placement& here,
                                                         const std::vector<double>& before, Transition& to,
                                                         long& crossings);

  /// Side of a surface after a jump of the state that has not changed x − y. On the surface, rounding error decides the
  /// sign of x − y, so the side follows from the directions of the motion before and after the jump:
  ///
  ///   * it moves on along the side where it was: the side is kept;
  ///   * it would have crossed the surface, and still does: the side is kept, and the next step finds the crossing; a
  ///     surface of events is crossed at once;
  ///   * it had come from the other side, and turns back: it is on the other side again without a crossing.
  ///
  /// \param by_state  side according to the state alone
  /// \param passed  the side for the events of the jump; changed if the surface is crossed at once
  [[nodiscard]] double side_after_jump(std::size_t surface, const Placement& before, const Placement& after,
                                       double by_state, double& passed) const;

 private:
  enum class Meeting { kNone, kRests, kCrosses };
  /// A state and the sides to which the motion leaves the surfaces on which it lies.
  struct Departure {
    std::optional<Placement> here;  ///< nothing if the rates do not exist
    std::vector<double> side;       ///< [surfaces] 1 or −1; 0 where it lies on no surface, or stays on it
  };
  /// The sides follow from the state slightly later, at y + h (F + F')/2. The second-order term shows a motion that
  /// leaves a surface only by its acceleration.
  [[nodiscard]] Departure departure(const Mode& mode, double t, const Vector& y);
  [[nodiscard]] Meeting meeting(std::size_t surface, const Placement& here, const std::vector<std::size_t>& met,
                                const Mode& mode, double t, const Vector& y);
  /// A state and its rates relative to one surface.
  [[nodiscard]] std::optional<Placement> placed_at(std::size_t surface, const Mode& mode, double t, const Vector& y);
  [[nodiscard]] bool is_level_later(std::size_t surface, const Mode& mode, double t, const Vector& y);
  [[nodiscard]] bool is_of_events(std::size_t surface) const;
  /// Whether a constraint acts by a condition that changes on the surface.
  [[nodiscard]] bool is_of_acting(std::size_t surface) const { return is_of_acting_[surface] != 0; }
  /// [s] Times closer than this are one instant.
  [[nodiscard]] double same() const { return tolerance::kSameTime * run_.duration; }

  Watched run_;
  Look& look_;
  Regions& regions_;
  SurfaceRest rest_;
  std::vector<std::pair<std::size_t, std::size_t>> zeros_;  ///< events `EXPR = 0`, and the surfaces EXPR = 0
  std::vector<char> is_of_acting_;                          ///< [surfaces]
  std::vector<char> is_on_;  ///< [surfaces] the present state lies on it: the motion has just crossed it
};

}  // namespace vinculum::sim
