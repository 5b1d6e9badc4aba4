#pragma once

#include "vinculum/linear/periodic.hpp"
#include "vinculum/report/linear_parts.hpp"

namespace vinculum::report {

/// A periodic motion with the names of its quantities.
struct PeriodicReport {
  std::string model;
  std::vector<Named> components;  ///< [ny]
  linear::PeriodicMotion motion;

  [[nodiscard]] std::vector<Named> variables() const;
};

/// Word for the stability, as in JSON.
[[nodiscard]] std::string_view word_of_multipliers(linear::Stability stability);
/// ln(multiplier)/period of each multiplier [1/s].
[[nodiscard]] linear::ComplexVector exponents_of(const linear::PeriodicMotion& motion);
/// The report of `linearize --period`: stability, multipliers with exponents, vectors, M.
[[nodiscard]] Node periodic_report(const PeriodicReport& report);
/// One row per multiplier.
[[nodiscard]] Table multiplier_table(const PeriodicReport& report);

}  // namespace vinculum::report
