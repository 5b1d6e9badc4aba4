#pragma once

#include <optional>

#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Rows that depend on each other leave their λ undetermined. Where multipliers μ are states (Law::mu) λ moves them,
/// and what μ exerts may move the system: then the motion is one of many, and none is picked.
/// \param sample  at the state y.
/// \returns kNotUnique with the rows whose μ is free and moves the system; nothing where there are none.
/// Source: theory.md §3.5, §6.4.
[[nodiscard]] std::optional<Failure> undetermined_by_law(Dynamics& dynamics, const Mode& mode, double t,
                                                         const Vector& y, const Sample& sample);

}  // namespace vinculum::sim
