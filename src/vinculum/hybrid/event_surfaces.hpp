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

/// Determines the sides of switching surfaces x = y that occur only in conditions of events, at instants at which the
/// state lies on such a surface. There the sign of x − y is rounding error, so the directions of the motion decide.
/// The present sides are those of `Look`. Functions that return sides do not change `Look`; the caller does. The object
/// owns the scratch memory of one run.
class EventSurfaces {
 public:
  EventSurfaces(const Watched& run, Look& look, Regions& regions);

  void take(std::span<const double> sides) { rest_.take(sides); }
  /// Position of a state, with its rates in a mode, relative to the surfaces near it; nothing if the rates do not
  /// exist.
  [[nodiscard]] std::optional<Placement> placed(const Mode& mode, double t, const Vector& y);
  /// Position of a state with given rates relative to the surfaces near it.
  [[nodiscard]] Placement placed(double t, const Vector& y, const Vector& rate) {
    return rest_.near({t, y, rate, run_.dynamics.scale(), same()}, rate.cwiseAbs());
  }
  /// States before and after a jump, and the sides of the surfaces with which x and y are evaluated before (`sides`)
  /// and after (`behind`).
  struct Jump {
    const Vector &y_before, &y_after;
    const std::vector<double>&sides, &behind;
  };
  /// Positions of both states of a jump, relative to the surfaces that either state is near or lies on.
  struct PlacedJump {
    Placement before, after;
  };
  [[nodiscard]] std::optional<PlacedJump> placed_at_jump(const Mode& mode, double t, const Jump& jump);
  [[nodiscard]] bool is_near(const Placement& here, std::size_t k) const { return here.is_near(k, same()); }

  /// Records that the motion has just crossed `surface` and lies on that surface only; without a value: on no surface.
  void lie_on(std::optional<std::size_t> surface);
  /// Whether the present state lies on a surface that the motion has just crossed.
  [[nodiscard]] bool is_on(std::size_t surface) const { return !is_on_.empty() && is_on_[surface] != 0; }
  /// Records that the state has been moved off a surface.
  void move_off(std::size_t surface) { is_on_[surface] = 0; }

  /// Sides at the start of a run. If the start lies on a surface, its side is the one to which the motion goes.
  [[nodiscard]] std::vector<double> sides_at_start(const Mode& mode, double t, const Vector& y);
  /// An event `EXPR = 0` whose expression is 0 at the start, the surface EXPR = 0, and the side to which the motion
  /// leaves that surface.
  struct LeftAtStart {
    std::size_t event, surface;
    double side;
  };
  [[nodiscard]] std::vector<LeftAtStart> left_at_start(const Mode& mode, double t, const Vector& y);
  /// Sides after events. Surfaces on which a constraint keeps the motion get the side `Switches::kEqual`.
  [[nodiscard]] std::vector<double> sides_at_rest(const Mode& mode, double t, const Vector& y);
  /// Index of an event `EXPR = 0` whose expression is 0 from the present instant on, over an interval.
  [[nodiscard]] std::optional<std::size_t> event_on_plateau() const;
  /// True if the motion leaves a surface x = y whose present side is `Switches::kEqual`.
  [[nodiscard]] bool leave_rest(const Mode& mode, double t, const Vector& y);

  /// True if the state lies on a surface and the motion leaves that surface to its present side.
  [[nodiscard]] bool is_left(std::size_t surface, const Mode& mode, double t, const Vector& y);
  /// True if the motion leaves a surface to its present side, and x − y is still rounding error after `time` [s].
  [[nodiscard]] bool is_leaving(std::size_t surface, const Mode& mode, double t, const Vector& y, double time);
  /// True if a gap closes now, and it is rounding error now and after `time` [s].
  [[nodiscard]] bool is_landing(std::size_t surface, const Mode& mode, double t, const Vector& y, double time);
  /// True if the motion stays on a surface, and the state at the start of the step, y_begin, lay on it too.
  [[nodiscard]] bool is_rested_on(std::size_t surface, const Mode& mode, double t, const Vector& y,
                                  const Vector& y_begin);

  /// A surface that the motion reaches at the end of a step. Either the motion stays on the surface (`rests`), or, at
  /// the end of the run, it is about to cross. A run that continues from there begins on the other side. Constraints
  /// that begin to act on that surface act from the end of the run on.
  struct Met {
    std::size_t surface;
    bool rests;
  };
  [[nodiscard]] std::optional<Met> met_at_end(const Mode& mode, double t, const Vector& y);
  /// Adds to the transition the passages of surfaces that the motion reaches at the instant of another event.
  /// \param here  position of the state (to.t, y) relative to the surfaces
  /// \param before  sides before this instant; surfaces on other sides have been crossed already
  /// \param crossings  number of crossings, increased by the new passages
  /// \returns the sides after the passages
  [[nodiscard]] std::vector<double> sides_after_meetings(const Vector& y, const Placement& here,
                                                         const std::vector<double>& before, Transition& to,
                                                         long& crossings);

  /// Side of a surface after a jump of the state that has not changed x − y. On the surface, rounding error decides the
  /// sign of x − y, so the side follows from the directions of the motion before and after the jump:
  ///
  ///   * The motion goes on along the side where it was: the side is kept.
  ///   * The motion would have crossed the surface, and still does: the side is kept, and the next step finds the
  ///     crossing. A surface that occurs only in conditions of events is crossed at once.
  ///   * The motion had come from the other side, and turns back: it is on the other side again, without a crossing.
  ///
  /// \param by_state  side according to the sign of x − y at the state
  /// \param passed  the side for the events of the jump; changed if the surface is crossed at once
  [[nodiscard]] double side_after_jump(std::size_t surface, const Placement& before, const Placement& after,
                                       double by_state, double& passed) const;

 private:
  enum class Meeting { kNone, kRests, kCrosses };
  /// A state and the sides to which the motion leaves the surfaces on which it lies.
  struct Departure {
    std::optional<Placement> here;  ///< nothing if the rates do not exist
    std::vector<double> side;  ///< [surfaces] 1 or −1; 0 if the state is not on the surface or the motion stays on it
  };
  /// The sides follow from the state after a short time h, y + h (F + F')/2, with the rates F now and F' after h. This
  /// formula of second order shows a motion that leaves a surface only by its acceleration.
  [[nodiscard]] Departure departure(const Mode& mode, double t, const Vector& y);
  [[nodiscard]] Meeting meeting(std::size_t surface, const Placement& here, const std::vector<std::size_t>& met,
                                const Mode& mode, double t, const Vector& y);
  /// Position of a state, with its rates in a mode, relative to one surface.
  [[nodiscard]] std::optional<Placement> placed_at(std::size_t surface, const Mode& mode, double t, const Vector& y);
  [[nodiscard]] bool is_level_later(std::size_t surface, const Mode& mode, double t, const Vector& y);
  [[nodiscard]] bool is_of_events(std::size_t surface) const;
  /// True if the surface occurs in the `when` condition of a constraint.
  [[nodiscard]] bool is_of_acting(std::size_t surface) const { return is_of_acting_[surface] != 0; }
  /// [s] Times that differ by less than this count as one instant.
  [[nodiscard]] double same() const { return tolerance::kSameTime * run_.duration; }

  Watched run_;
  Look& look_;
  Regions& regions_;
  SurfaceRest rest_;
  std::vector<std::pair<std::size_t, std::size_t>> zeros_;  ///< events `EXPR = 0`, and the surfaces EXPR = 0
  std::vector<char> is_of_acting_;                          ///< [surfaces]
  std::vector<char> is_gap_;  ///< [surfaces] of a unilateral constraint, whose side at rest contacts decide
  std::vector<char> is_on_;   ///< [surfaces] the present state lies on it: the motion has just crossed it
};

}  // namespace vinculum::sim
