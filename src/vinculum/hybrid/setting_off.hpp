#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "vinculum/integrate/method.hpp"
#include "vinculum/integrate/problem.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Controls the steps after an instant at which contacts with friction in a plane start to slide from rest.
///
/// The direction of such friction follows the velocity, at a rate μ g/|v| that is the larger the slower the contact
/// slides. From v = 0 no step of an explicit method is stable, whatever its size. So the direction in which the contact
/// starts is held fixed for a short time (FrictionState::held_until). After that, explicit steps may grow with time if
/// the contact gains speed as fast as friction turns its direction. If it gains speed slowly, under a load that grows
/// from the bound on, some steps of an implicit method lead away from rest. They are taken in stretches in which the
/// speeds keep their order of magnitude, which is the size of the finite differences of the method. Errors near rest
/// are measured by sizes of the whole motion.
class SettingOff {
 public:
  /// Records the contacts whose direction is held at (t, y).
  void note(Dynamics& dynamics, const Mode& mode, double t, const Vector& y);

  /// The times below, for a run that continues elsewhere.
  [[nodiscard]] std::array<double, 3> times() const { return {rest_at_, held_until_, away_at_}; }
  void set_times(const std::array<double, 3>& times) {
    rest_at_ = times[0];
    held_until_ = times[1];
    away_at_ = times[2];
  }

  struct Stretch {
    double t_end;             ///< when the integration starts afresh
    std::string_view method;  ///< integration method
    Vector reached, beside;   ///< [ny] sizes of components during the stretch (integrate::Problem)
  };
  /// The stretch that follows at t; nothing if the motion is far enough from rest.
  /// \param method  in force; if it is implicit it takes the implicit steps too
  [[nodiscard]] std::optional<Stretch> next(Dynamics& dynamics, const Mode& mode, double t, const Vector& y,
                                            std::string_view method, integrate::MethodTable methods,
                                            const integrate::Problem& problem) const;

 private:
  double rest_at_ = 0.0, held_until_ = 0.0;  ///< [s] when contacts started to slide, and until when directions are held
  double away_at_ = 0.0;                     ///< [s] until when steps are implicit
};

}  // namespace vinculum::sim
