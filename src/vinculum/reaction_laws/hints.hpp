#pragma once

/// Hints of error messages that mention reaction laws by name. The elaborator takes them from here, because its own
/// code must not name a law.
namespace vinculum::reaction_laws {

inline constexpr const char* kHintOfStates =
    "a functional constraint has the ideal law, along the coefficients of the accelerations, or Hamilton's: `law "
    "vakonomic`";
inline constexpr const char* kHintOfMagnitudes = "the reactions of `law ideal` and `law vakonomic` may do work";
inline constexpr const char* kHintOfTimedRows =
    "`law gyroscopic H = MATRIX` takes every row that is homogeneous in the velocities";
inline constexpr const char* kHintOfImpulses =
    "take `ideal`, `gyroscopic`, `stiff` or `viscous`; `adiabatic` and `inertial` determine it for relations that are "
    "linear in the velocities";

}  // namespace vinculum::reaction_laws
