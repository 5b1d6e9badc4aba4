#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/integrate/integrator.hpp"
#include "vinculum/motion/regions.hpp"
#include "vinculum/motion/surface_motion.hpp"

namespace vinculum::sim {

/// A surface that the motion goes along lets go here.
struct Leaving {
  double t = 0.0;
  std::size_t surface = 0;
  bool upward = false;
};

/// Follows a motion along surfaces at which both sides push towards them (theory.md §10.1): which it comes to go along,
/// and where one side lets go. Looks only; scratch of its own.   Law: sliding_test.cpp.
class SurfaceState {
 public:
  /// \param mode  in force, at any time.  \param regions  of the same dynamics. Both outlive this.
  SurfaceState(Dynamics& dynamics, const Mode& mode, Regions& regions)
      : dynamics_(dynamics), mode_(mode), regions_(regions), watches_(*dynamics.binding()->watches) {}

  /// Sides from here on, those of the mode.
  void take(const std::vector<double>& sides);
  [[nodiscard]] bool is_along() const { return motion_.has_value(); }
  [[nodiscard]] const std::string& text_of(const Leaving& leaving) const {
    return watches_.switches.surfaces()[leaving.surface].text;
  }

  /// Whether what has failed ends the motion: it is not unique.
  [[nodiscard]] bool ends() const { return ends_; }

  /// The earliest instant of a step at which a share of a side falls below 0, however briefly
  /// (integrate::find_first_fall).
  struct Lasting {
    std::optional<Leaving> leaving;
    double shown = 0.0;  ///< else: up to where none does, short of the step's end where more was not to be shown
  };
  [[nodiscard]] Outcome<Lasting> lasting(const integrate::Step& step);

  /// Whether the motion on its own side goes away from a surface that it lies on: it does not pass it here.
  [[nodiscard]] bool departs(double t, const Vector& y, const std::vector<double>& sides, std::size_t surface,
                             bool upward);

  /// Sides on which the motion goes on from a state on a surface that it passes, or that it leaves: beyond it, along
  /// it where that side pushes back, and off those of the others that let go there.
  /// \param sides  in force before.  \param through  those where the motion passes, with all that jump with it.
  /// \returns kNotUnique where the motion along several surfaces is.
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
  std::optional<SurfaceMotion> motion_;  ///< on the sides in force
  Mode look_;
  bool ends_ = false;
  Vector y_;
};

}  // namespace vinculum::sim
