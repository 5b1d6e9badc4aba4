#pragma once

#include <memory>
#include <string>
#include <vector>

#include "vinculum/linear/linearize.hpp"
#include "vinculum/report/tree.hpp"

namespace vinculum::report {

/// A linear system with the names of its quantities.
struct LinearReport {
  struct Named {
    std::string name, unit;  ///< SI unit, "1" if there is none
  };
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
[[nodiscard]] std::string_view word_of(linear::ZeroEigenvalue::Why why);
/// Direction of a zero eigenvalue [variables].
[[nodiscard]] Vector direction_of(const linear::ZeroEigenvalue& zero, Eigen::Index variables);

/// The report of `linearize`: reference, stability, eigenvalues with frequencies and times, modes, zeros, matrices.
[[nodiscard]] Node linear_report(const LinearReport& report);
/// One of the matrices A, B, C, D with the names of its rows and columns.
[[nodiscard]] Table matrix_table(const Matrix& matrix, std::vector<std::string> rows,
                                 const std::vector<std::string>& columns);
/// One row per mode and component of y: eigenvalue, and amplitude and phase of the component.
[[nodiscard]] Table mode_table(const LinearReport& report);
/// Names of the variables, or of a list of quantities.
[[nodiscard]] std::vector<std::string> variable_names(const LinearReport& report);
[[nodiscard]] std::vector<std::string> names_of(const std::vector<LinearReport::Named>& all);

}  // namespace vinculum::report
