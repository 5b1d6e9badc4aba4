#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "vinculum/integrate/method.hpp"
#include "vinculum/integrate/problem.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Chooses method and length of the integration after an instant at which contacts with friction in a plane start to
/// slide from rest.
///
/// The direction of the friction force follows the direction of the slip velocity v at the rate μ g/|v| (μ: coefficient
/// of friction, g: gravity), which is infinite at v = 0. There no step of an explicit method is stable, whatever its
/// size. So the direction in which the contact starts is held fixed for a short time (FrictionState::held_until).
///
/// After that time, explicit steps may grow if the contact gains speed as fast as friction turns. The contact gains
/// speed slowly if, for example, a load has just reached the friction bound and grows further. Then an implicit method
/// takes the steps near rest, in stretches (intervals) within which the speeds keep their order of magnitude. The
/// finite differences of the implicit method use this magnitude. The tolerances near rest are relative to typical
/// magnitudes of the whole motion.
class SettingOff {
 public:
  /// Records that the directions of contacts are held from (t, y) on, and whether a contact gains speed slowly.
  void note(Dynamics& dynamics, const Mode& mode, double t, const Vector& y);

  /// The three times `rest_at_`, `held_until_`, `away_at_`, so that another run can continue with them.
  [[nodiscard]] std::array<double, 3> times() const { return {rest_at_, held_until_, away_at_}; }
  void set_times(const std::array<double, 3>& times) {
    rest_at_ = times[0];
    held_until_ = times[1];
    away_at_ = times[2];
  }

  struct Stretch {
    double t_end;             ///< [s] when the integration is restarted
    std::string_view method;  ///< integration method
    Vector reached, beside;   ///< [ny] values of the members of integrate::Problem until t_end
  };
  /// The stretch that begins at t; nothing if the motion is far enough from rest.
  /// \param method  method of the run; if it is implicit, the stretch uses it
  [[nodiscard]] std::optional<Stretch> next(Dynamics& dynamics, const Mode& mode, double t, const Vector& y,
                                            std::string_view method, integrate::MethodTable methods,
                                            const integrate::Problem& problem) const;

 private:
  double rest_at_ = 0.0, held_until_ = 0.0;  ///< [s] when contacts started to slide, and until when directions are held
  double away_at_ = 0.0;                     ///< [s] until when steps are implicit
};

}  // namespace vinculum::sim
