#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vinculum/linear/linearize.hpp"
#include "vinculum/report/linear_parts.hpp"

namespace vinculum::report {

/// A linear system with the names of its quantities.
struct LinearReport {
  std::string model;
  Eigen::Index coordinates = 0, speeds = 0;        ///< nq, nu: the first components are coordinates, then speeds
  std::vector<Named> components, inputs, outputs;  ///< [ny], [inputs], [outputs]
  linear::Linearization system;

  [[nodiscard]] const Named& variable(std::size_t i) const {
    return components[static_cast<std::size_t>(system.tangent.independent[i])];
  }
};

/// Words for the reference and its stability, as in JSON.
[[nodiscard]] std::string_view word_of(linear::Reference reference);
[[nodiscard]] std::string_view word_of(linear::Stability stability);

/// The report of `linearize`: reference, stability, eigenvalues with frequencies and times, modes, zeros, matrices.
[[nodiscard]] Node linear_report(const LinearReport& report);
/// One row per mode and component of y: eigenvalue, and amplitude and phase of the component.
[[nodiscard]] Table mode_table(const LinearReport& report);
/// Names of the variables.
[[nodiscard]] std::vector<std::string> variable_names(const LinearReport& report);

}  // namespace vinculum::report
