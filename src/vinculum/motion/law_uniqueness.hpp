#pragma once

#include <optional>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Checks whether redundant rows make the motion ambiguous. Rows that depend on each other leave their λ undetermined.
/// If multipliers μ are states (Law::mu), λ determines the rate of μ. If the forces of μ also move the system, there
/// are many motions.
/// \param sample  the report at the state y
/// \returns kNotUnique with the rows whose μ is undetermined and moves the system; nothing if no row is of this kind.
/// Source: theory.md §3.5, §6.4.
[[nodiscard]] std::optional<Failure> undetermined_by_law(Dynamics& dynamics, const Mode& mode, double t,
                                                         const Vector& y, const Sample& sample);

}  // namespace vinculum::sim
