#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/codegen/kernel.hpp"
#include "vinculum/compiled/knots.hpp"
#include "vinculum/compiled/structure.hpp"
#include "vinculum/compiled/switch_places.hpp"
#include "vinculum/compiled/switches.hpp"
#include "vinculum/expr/enclosure.hpp"

namespace vinculum::sim {

/// Quantities that a step of a motion must not jump over (theory.md §10.4). They are collected when a model is
/// compiled, from q', z', f, C, M, A, b, φ, ψ and sliding velocities. These are the surfaces at which equations switch,
/// and values that can change strongly while their argument changes little (exp, tanh, sinh, cosh, atan, tables, powers
/// above 4). The sums in f, C, b, q' and z' that contain such values are collected too: terms that cancel at the ends
/// of a step need not cancel between its stages.
class Watches {
 public:
  /// Position of an equation in the problem M u' = f + C + Aᵀλ, A u' = b.
  struct Equation {
    enum class Kind { kForce, kMass, kRow, kRightSide, kRate, kOther } kind{};
    int row = 0, column = 0;      ///< for kRate, row is the component of y
    bool is_of_friction = false;  ///< depends on the direction of a friction contact, or is the ratio of its bound
  };
  /// How a value is bounded over a step.
  enum class Value { kSharp, kExponential, kEven, kSum };

  /// True if the equations may contain a surface or a sharp value: M consists of products and sums of expressions of
  /// the graph.
  /// \pre the graph contains equations only: guards of solvers would add surfaces of their own.
  [[nodiscard]] static bool may_be_in(const equations::System& system);
  /// \param may_be_any  result of `may_be_in`.
  Watches(const equations::System& system, bool may_be_any);

  [[nodiscard]] bool is_empty() const { return switches.surfaces().empty() && kinds.empty(); }
  [[nodiscard]] std::size_t surface_count() const { return switches.surfaces().size(); }
  /// Enclosure program for one run. Monitored are x and y of each surface (for floor: x twice), then the values and
  /// their arguments.
  [[nodiscard]] expr::Enclosure program() const;
  [[nodiscard]] std::string text_of(std::size_t value) const { return texts[value]; }

  Switches switches;
  std::vector<expr::Expr> equations;  ///< with switches replaced by their sides
  std::vector<Equation> places;       ///< [equations]
  std::vector<expr::Expr> values;     ///< with switches replaced by their sides
  /// [values] The argument if the value is exponential or even; for a sum, the sum of the magnitudes of its terms,
  /// which determines its rounding error.
  std::vector<expr::Expr> arguments;
  std::vector<Value> kinds;  ///< [values]
  /// [values] 1 if the value occurs in a bound of friction. It then matters for sticking contacts, whatever the rates
  /// are.
  std::vector<char> is_of_friction;
  std::vector<std::string> texts;        ///< [values]
  std::vector<std::string> of_unknowns;  ///< texts of values that are not functions of the state
  /// Surfaces that depend on speeds or states, so that forces on their two sides drive the motion towards them or away.
  /// `steering`: (t, q, u, z) → for each of them x − y (floor: x) and its derivatives by t and (q, u, z). Null without
  /// such surfaces.
  std::vector<std::size_t> steered;
  std::shared_ptr<const codegen::Kernel> steering;
  /// (t, q, u, z) → x and y of each surface as stated (floor: x and 0). Null without surfaces.
  std::shared_ptr<const codegen::Kernel> as_stated;
  /// (t, q, u, z, sides as given to kernels) → x and y of each surface on these sides. Parameters: the parameters of
  /// the model and `live`. Null if no surface contains another one.
  std::shared_ptr<const codegen::Kernel> levels;
  std::vector<expr::Expr> level_values, stated_parameters;  ///< outputs of `levels`; symbols of the model's parameters
  std::vector<SwitchPlaces> places_of_surfaces;             ///< [surfaces]
  /// (t, q, u, z) → for each position-level row the sum of the magnitudes of the terms of φ, which determines its
  /// rounding error; 0 for other rows [nc]. Null if no row contains a switch.
  std::shared_ptr<const codegen::Kernel> row_terms;
  /// Quantities that may jump at a surface without a jump in the equations, which contain derivatives only: (t, q, u,
  /// z) → momenta ∂T/∂u [nu]; then for each particle and body its position and velocity (for bodies also two axes and
  /// the angular velocity); then potentials and the kinetic energy including Lagrangians. Null if none of them contains
  /// a switch. See jumps.hpp.
  struct Moved {
    std::string name;
    int place = 3, velocity = 3;  ///< number of components
  };
  std::vector<Moved> moved;
  std::shared_ptr<const codegen::Kernel> jumping;
  Knots knots;  ///< of tables in q', z', f, C, M, A and b
  /// Symbols t, q, u, z; symbols of reactions; symbols of parameters and sides.
  std::vector<expr::Expr> known, unknown, fixed;

 private:
  [[nodiscard]] std::vector<expr::Expr> find_moved(const equations::System& system);
  void find_steered(const equations::System& system);
  void find_surfaces_of_events(const equations::System& system, std::span<const expr::Expr> all);
  void find_row_terms(const equations::System& system);
  void find_levels(const equations::System& system);
  void find_values(const equations::System& system, std::span<const expr::Expr> dynamic,
                   std::span<const expr::Expr> judged);
  std::vector<expr::Enclosure::Look> looks_;
};

}  // namespace vinculum::sim
