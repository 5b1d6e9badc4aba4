#pragma once

#include <optional>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Checks whether redundant rows make the motion ambiguous. Rows that depend on each other leave their multipliers λ
/// undetermined. Some reaction laws have multipliers μ that are states (Law::mu); their rates then depend on λ. If the
/// forces of μ also move the system, there are many motions.
/// \param sample  the report at the state y
/// \returns kNotUnique with the rows whose μ is undetermined and moves the system; nothing if no row is of this kind.
/// Source: theory.md §3.5, §6.4.
[[nodiscard]] std::optional<Failure> undetermined_by_law(Dynamics& dynamics, const Mode& mode, double t,
                                                         const Vector& y, const Sample& sample);

}  // namespace vinculum::sim
