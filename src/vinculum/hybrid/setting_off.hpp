#pragma once

#include <optional>
#include <string_view>

#include "vinculum/integrate/method.hpp"
#include "vinculum/integrate/problem.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Steps behind the instant at which contacts with friction in a plane set off from rest.
///
/// Such friction takes the direction of the velocity, the faster the slower the contact slides: at a rate μ g/|v|. From
/// v = 0 no step of an explicit method is stable, whatever its size. So the direction in which a contact sets off is
/// held for a short while (FrictionState::held_until). From there steps of an explicit method may grow with the time,
/// if the contact gains speed as fast as friction turns it; where it gains it slowly, under a load that grows from the
/// bound on, some steps of an implicit method lead away from rest, through stretches in which speeds keep their order:
/// its differences are taken within them. Errors near rest count by the sizes that the whole motion has.
class SettingOff {
 public:
  /// Of what holds its direction at (t, y).
  void note(Dynamics& dynamics, const Mode& mode, double t, const Vector& y);

  struct Stretch {
    double t_end;             ///< where to go on anew
    std::string_view method;  ///< of integration
    Vector reached, beside;   ///< [ny] sizes of components in it (integrate::Problem)
  };
  /// What follows at t; nothing: the motion is away from rest.
  /// \param method  in force; if it is implicit itself, it takes the implicit steps too.
  [[nodiscard]] std::optional<Stretch> next(Dynamics& dynamics, const Mode& mode, double t, const Vector& y,
                                            std::string_view method, integrate::MethodTable methods,
                                            const integrate::Problem& problem) const;

 private:
  double rest_at_ = 0.0, held_until_ = 0.0;  ///< when they have set off, until when directions are held
  double away_at_ = 0.0;                     ///< until when steps are implicit
};

}  // namespace vinculum::sim
