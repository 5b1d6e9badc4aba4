#pragma once

#include <string>

#include "vinculum/mechanics/model.hpp"

namespace vinculum::out {

/// "ideal", "nonideal", "directed", "via", "vakonomic", "kozlov", "adiabatic", "gyroscopic", "stiff", "viscous",
/// "inertial".
[[nodiscard]] std::string law_name(const mechanics::Constraint& constraint);

/// The law with what it states, "law vakonomic start mu = 2"; empty for the ideal law and for directions, which have
/// lines of their own.
[[nodiscard]] std::string law_line(const mechanics::Model& model, const mechanics::Constraint& constraint);

}  // namespace vinculum::out
