#pragma once

#include "vinculum/reaction_laws/law.hpp"

/// Declares the functions that return the entries of the table of reaction laws. Each function is defined in the file
/// of its law.
namespace vinculum::reaction_laws {

[[nodiscard]] Kind ideal_kind();
[[nodiscard]] Kind vakonomic_kind();
[[nodiscard]] Kind kozlov_kind();
[[nodiscard]] Kind adiabatic_kind();
[[nodiscard]] Kind gyroscopic_kind();
[[nodiscard]] Kind stiff_kind();
[[nodiscard]] Kind viscous_kind();
[[nodiscard]] Kind inertial_kind();
[[nodiscard]] Kind directed_kind();

}  // namespace vinculum::reaction_laws
