#pragma once

#include <complex>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/error.hpp"
#include "vinculum/names.hpp"
#include "vinculum/trajectory.hpp"

/// Equilibria, steady and periodic motions, and the linear systems near them (docs/howto/linearize.md).
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
  /// A steady motion along a symmetry of the equations: the system moves like a rigid body, for example about the
  /// vertical. All speeds are unknown; `moving` and `unknowns` have no effect.
  bool steady = false;
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
  /// "equilibrium"; "steady motion": only ignorable coordinates move, or the system moves along a symmetry of its
  /// equations; "motion": A and the eigenvalues hold for this instant only
  std::string reference;
  /// [ny × ny] Of a motion along a symmetry: deviations are those in a frame that moves with the system, in which
  /// coordinates and speeds y turn by y' = −S y; A contains this term. Without rows for other motions.
  Array S;
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

class Model;

struct RootLocusOptions {
  /// From a parameter, a range and a number of evenly spaced values: "v=1..10:19" or "v=1 [m/s]..10 [m/s]:19".
  /// \returns an Error if the text has another form or the model has no such parameter.
  [[nodiscard]] static Result<RootLocusOptions> parse(const Model& model, std::string_view text);
  std::string parameter;
  std::vector<double> values = {};  ///< [SI] two or more, ascending
  bool equilibrium = false;         ///< linearize the equilibrium near the one before, instead of the start
  EquilibriumOptions search = {};   ///< of the equilibria; `near` is where the first search begins
};

/// Eigenvalues along the values of a parameter.
struct RootLocus {
  std::string parameter, unit;
  std::vector<double> values;          ///< [values] SI
  std::vector<std::string> stability;  ///< [values] as `Linearization::stability`
  /// [values × modes] by rows: eigenvalues that are not 0. A column is one mode, followed from value to value; NaN
  /// where it does not exist.
  std::vector<std::complex<double>> eigenvalues;
  std::size_t modes = 0;
  struct Change {
    double value = 0.0;               ///< [SI] of the parameter where an eigenvalue crosses the imaginary axis
    bool becomes_unstable = false;    ///< for increasing values of the parameter
    std::complex<double> eigenvalue;  ///< the one with the largest real part, there
  };
  std::vector<Change> changes;  ///< ascending, exact to 1e-9 of the value

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string json() const;  ///< docs/json.md
  /// Writes eigenvalues.csv and root_locus.json. \returns their names.
  [[nodiscard]] Result<std::vector<std::string>> write(Results& results) const;
  /// As above, into a folder that is opened for this call.
  [[nodiscard]] Result<std::vector<std::string>> write(const std::filesystem::path& folder) const;

  std::string model;  ///< its name
};

struct PeriodicOptions {
  double period = 0.0;              ///< [s]
  std::optional<State> state = {};  ///< of the motion at the begin of the period; default: `Model::assemble()`
  /// Search a periodic motion near this state, by Newton's method on the state. The period of a model without explicit
  /// time is searched too.
  bool search = false;
  std::optional<double> tolerance = {};  ///< relative, of the integration; default 1e-12
};

/// How small deviations from a periodic motion change over one period (Floquet):
///
///   ξ(t + period) = M ξ(t)
///
/// with ξ the deviations of `variables`, which satisfy the constraints to first order. SI units.
struct PeriodicMotion {
  State state;  ///< at the begin of the period
  double period = 0.0;
  /// "unstable", "stable" (asymptotically), "stable apart from ones" (all deviations decay, except for those of the
  /// multipliers 1), "undecided"
  std::string stability;
  std::vector<Entity> variables;   ///< [n]
  std::vector<Entity> components;  ///< [ny] coordinates, speeds, states
  /// Components that have other values after the period, such as an angle that has turned once. The equations are the
  /// same there.
  std::vector<Entity> advanced;
  Array M;  ///< [n × n] monodromy matrix
  /// [modes] Eigenvalues of M that are not 1, by decreasing magnitude.
  std::vector<std::complex<double>> multipliers;
  std::vector<std::complex<double>> exponents;  ///< [modes] ln(multiplier)/period [1/s]
  std::vector<std::complex<double>> vectors;    ///< [n × modes] by rows: M v = μ v
  std::vector<double> uncertainty;              ///< [modes] estimated error of each multiplier
  /// Whether the deviation along the motion itself is a multiplier 1, as for every model without explicit time. It is
  /// not among `ones`.
  bool has_trivial = false;
  std::vector<Linearization::Zero> ones;  ///< further multipliers 1; "family": neighboring motions are periodic too
  double distance = 0.0;  ///< largest difference of the state after the period, relative to the typical sizes

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::string json() const;  ///< docs/json.md
  /// Writes M.csv, multipliers.csv and periodic.json. \returns their names.
  [[nodiscard]] Result<std::vector<std::string>> write(Results& results) const;
  /// As above, into a folder that is opened for this call.
  [[nodiscard]] Result<std::vector<std::string>> write(const std::filesystem::path& folder) const;

  struct Shared;
  std::shared_ptr<const Shared> shared = {};
};

}  // namespace vinculum
