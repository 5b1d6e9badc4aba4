#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/integrate/integrator.hpp"
#include "vinculum/motion/regions.hpp"
#include "vinculum/motion/surface_motion.hpp"

namespace vinculum::sim {

/// The sliding mode leaves a surface.
struct Leaving {
  double t = 0.0;
  std::size_t surface = 0;
  bool upward = false;
};

/// Follows a sliding mode (theory.md §10.1): which surfaces it is on, and when it leaves one. Does not change the
/// motion; owns its scratch memory.
/// Test: sliding_test.cpp.
class SurfaceState {
 public:
  /// \param mode  in force at any time
  /// \param regions  of the same dynamics. All three must outlive this object.
  SurfaceState(Dynamics& dynamics, const Mode& mode, Regions& regions)
      : dynamics_(dynamics), mode_(mode), regions_(regions), watches_(*dynamics.binding()->watches) {}

  /// Sides from here on; they are the sides of the mode.
  void take(const std::vector<double>& sides);
  [[nodiscard]] bool is_along() const { return motion_.has_value(); }
  [[nodiscard]] const std::string& text_of(const Leaving& leaving) const {
    return watches_.switches.surfaces()[leaving.surface].text;
  }

  /// Whether the last failure ends the motion because it is not unique.
  [[nodiscard]] bool ends() const { return ends_; }

  /// The earliest instant of a step at which a convex weight falls below 0, however briefly
  /// (integrate::find_first_fall).
  struct Lasting {
    std::optional<Leaving> leaving;
    double shown = 0.0;  ///< [s] if there is no leaving: up to when this is proved, which may be before the end of the
                         ///< step
  };
  [[nodiscard]] Outcome<Lasting> lasting(const integrate::Step& step);

  /// Whether the vector field on the present side moves a state on the surface away from it, so that the motion does
  /// not cross it here.
  [[nodiscard]] bool departs(double t, const Vector& y, const std::vector<double>& sides, std::size_t surface,
                             bool upward);

  /// Sides on which the motion goes on from a state on a surface that it crosses (`beyond`) or leaves (`off`). After a
  /// crossing this is the region beyond or, if its vector field points back, the sliding mode on the surface; surfaces
  /// of the sliding mode that let go at this instant are left.
  /// \param sides  before the transition
  /// \param through  sides if the motion crosses the surface, with all switches that jump with it
  /// \returns kNotUnique if the sliding mode on several surfaces is not unique.
  [[nodiscard]] Outcome<std::vector<double>> beyond(double t, const Vector& y, const std::vector<double>& sides,
                                                    std::vector<double> through, std::size_t surface, bool upward);
  [[nodiscard]] Outcome<std::vector<double>> off(double t, const Vector& y, std::vector<double> sides,
                                                 std::size_t surface, bool upward);

 private:
  [[nodiscard]] Mode on_sides(const std::vector<double>& sides) const;
  [[nodiscard]] Outcome<double> rate_of(double t, const Vector& y, const std::vector<double>& sides,
                                        std::size_t surface);
  [[nodiscard]] Outcome<std::vector<double>> settled(double t, const Vector& y, std::vector<double> sides);
  [[nodiscard]] Outcome<double> margin_at(const integrate::Step& step, double t, std::size_t held);

  Dynamics& dynamics_;
  const Mode& mode_;
  Regions& regions_;
  const Watches& watches_;
  std::optional<SurfaceMotion> motion_;  ///< on the sides of the mode; empty without a sliding mode
  Mode look_;
  bool ends_ = false;
  Vector y_;
};

}  // namespace vinculum::sim
