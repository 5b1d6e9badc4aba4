#pragma once

#include <complex>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "vinculum/error.hpp"
#include "vinculum/names.hpp"
#include "vinculum/trajectory.hpp"

/// Equilibria, steady motions, and the linear system near a state (docs/howto/linearize.md).
namespace vinculum {

struct LinearizeOptions {
  std::optional<State> state = {};  ///< must satisfy the constraints; default: `Model::assemble()`
  /// Columns of B and D, by name: an `input`, a parameter, or a state without a rate that samples or events set.
  std::vector<std::string> inputs = {};
  std::vector<std::string> outputs = {};  ///< rows of C and D: names of `output` statements; a vector has three rows
};

struct EquilibriumOptions {
  std::optional<State> near = {};  ///< where the search begins; default: `Model::assemble()`
  /// Coordinates, speeds and states that the search may change; the others keep their values, except for those that the
  /// constraints determine. Empty: all.
  std::vector<std::string> unknowns = {};
  std::vector<std::string> hold = {};  ///< coordinates, speeds and states that keep their values
  /// For a steady motion: speeds that are constant instead of 0, and coordinates and states that may move in any way.
  std::vector<std::string> moving = {};
};

/// The linear system near a state. With ξ the deviations of `variables`, p of `inputs`, h of `outputs`:
///
///   ξ' = A ξ + B p,   h = C ξ + D p,   (q, u, z) = T ξ
///
/// All numbers are in SI units. Deviations satisfy the constraints to first order; the variables are independent
/// components of (q, u, z). The derivatives are exact, for every reaction law.
struct Linearization {
  State state;  ///< the state that is linearized
  State rates;  ///< q', u', z' there; `t` is 1
  /// "equilibrium"; "steady motion": only ignorable coordinates move; "motion": A and the eigenvalues hold for this
  /// instant only
  std::string reference;
  /// "unstable", "stable" (asymptotically), "stable apart from zeros" (apart from ignorable coordinates and constants
  /// all deviations decay), "undecided" (the linear system does not decide), "unknown" (of a motion)
  std::string stability;
  std::vector<Entity> variables;        ///< [n]
  std::vector<Entity> components;       ///< [ny] coordinates, speeds, states
  std::vector<Entity> inputs, outputs;  ///< [ni], [no]
  std::vector<double> output_values;    ///< [no] at the state
  Array A, B, C, D;                     ///< [n × n], [n × ni], [no × n], [no × ni]
  Array T;                              ///< [ny × n]
  /// [modes] Eigenvalues of A that are not 0 [1/s], by increasing magnitude.
  std::vector<std::complex<double>> eigenvalues;
  std::vector<std::complex<double>> right;  ///< [n × modes] by rows: A v = λ v
  /// [modes × n] by rows: w A = λ w, w v = 1. Empty if A has no basis of eigenvectors.
  std::vector<std::complex<double>> left;
  struct Zero {
    /// "ignorable": no rate depends on the variable; "constant": its rate depends on nothing; "family": neighboring
    /// states along `direction` are equilibria or steady motions too; "drift": a deviation grows in proportion to time
    std::string why;
    std::vector<double> direction;  ///< [n]
  };
  std::vector<Zero> zeros;  ///< eigenvalues 0, each with its cause

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string json() const;  ///< docs/json.md
  /// Writes A.csv, B.csv, C.csv, D.csv, modes.csv and linear.json. \returns their names.
  [[nodiscard]] Result<std::vector<std::string>> write(Results& results) const;
  /// As above, into a folder that is opened for this call.
  [[nodiscard]] Result<std::vector<std::string>> write(const std::filesystem::path& folder) const;

  struct Shared;
  std::shared_ptr<const Shared> shared = {};
};

}  // namespace vinculum
