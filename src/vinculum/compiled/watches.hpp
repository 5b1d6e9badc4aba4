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

/// Monitored quantities: values whose changes between the stages of a step must not be missed (theory.md §10.4). They
/// are collected when a model is compiled, from q', z', f, C, M, A, b, φ, ψ and sliding velocities. They are the
/// switching surfaces, and values that can change strongly while their argument changes little (exp, tanh, sinh, cosh,
/// atan, tables, powers above 4). Sums in f, C, b, q' and z' that contain such values are collected too, because terms
/// that cancel at the ends of a step need not cancel between its stages.
class Watches {
 public:
  /// Identifies the quantity that an expression is: an entry of M, f, C, A or b in M u' = f + C + Aᵀλ, A u' = b, or of
  /// q' or z'.
  struct Equation {
    enum class Kind { kForce, kMass, kRow, kRightSide, kRate, kOther } kind{};
    int row = 0, column = 0;      ///< for kRate, row is the component of y
    bool is_of_friction = false;  ///< depends on a friction direction, or is the ratio of a static to a sliding bound
  };
  /// The kind of a monitored value, which decides how it is bounded over a step.
  enum class Value { kSharp, kExponential, kEven, kSum };

  /// True if the equations may contain a switching surface or a value that can change strongly. M need not be derived
  /// for this, because it consists of products and sums of expressions of the graph.
  /// \pre the graph contains only the equations; guards of solvers would add surfaces.
  [[nodiscard]] static bool may_be_in(const equations::System& system);
  /// \param may_be_any  result of `may_be_in`.
  Watches(const equations::System& system, bool may_be_any);

  [[nodiscard]] bool is_empty() const { return switches.surfaces().empty() && kinds.empty(); }
  [[nodiscard]] std::size_t surface_count() const { return switches.surfaces().size(); }
  /// Returns a program that computes bounds of the monitored quantities over a step: of x and y of each surface (for
  /// floor x twice), then of `values` and `arguments`. Each run uses its own program.
  [[nodiscard]] expr::Enclosure program() const;
  [[nodiscard]] std::string text_of(std::size_t value) const { return texts[value]; }

  Switches switches;
  std::vector<expr::Expr> equations;  ///< the equations; switches have the value on `Surface::side`
  std::vector<Equation> places;       ///< [equations] which quantity each equation is
  std::vector<expr::Expr> values;     ///< monitored values; switches have the value on `Surface::side`
  /// [values] For a value of kind kExponential or kEven its argument. For a sum, the sum of the absolute values of its
  /// terms, to which its rounding error is relative.
  std::vector<expr::Expr> arguments;
  std::vector<Value> kinds;  ///< [values]
  /// [values] 1 if the value occurs in a friction bound. It may then end the sticking of a contact even if it does not
  /// affect the rates.
  std::vector<char> is_of_friction;
  std::vector<std::string> texts;        ///< [values] text of each value, for messages
  std::vector<std::string> of_unknowns;  ///< texts of values that depend on reactions, and so are not monitored
  /// Indices of the surfaces that depend on speeds or extra states, so that their rates depend on the forces.
  /// `steering`: (t, q, u, z) → s, ∂s/∂t and ∂s/∂(q, u, z) of each of these surfaces. Here s is the difference of the
  /// two compared numbers, which is 0 on the surface. For `floor` it is the argument. Null if there are none.
  std::vector<std::size_t> steered;
  std::shared_ptr<const codegen::Kernel> steering;
  /// (t, q, u, z) → the two sides x and y of each switching surface x = y (for `floor`: its argument and 0), with all
  /// switches evaluated at the state. Null if there are no surfaces.
  std::shared_ptr<const codegen::Kernel> as_stated;
  /// (t, q, u, z, sides) → x and y of each surface, with inner switches on these sides (`Switches::in_kernel`).
  /// Parameters of the kernel are those of the model, then `live`. Null if no surface contains another one.
  std::shared_ptr<const codegen::Kernel> levels;
  std::vector<expr::Expr> level_values, stated_parameters;  ///< outputs of `levels`; symbols of the model's parameters
  std::vector<SwitchPlaces> places_of_surfaces;             ///< [surfaces] statements that contain the switch
  /// (t, q, u, z) → for each position-level row the sum of the absolute values of the terms of φ, to which its rounding
  /// error is relative; 0 for other rows [nc]. Null if no row contains a switch.
  std::shared_ptr<const codegen::Kernel> row_terms;
  /// The kernel `jumping` computes quantities that may jump at a surface although the equations, which contain only
  /// their derivatives, do not: (t, q, u, z) → momenta ∂T/∂u [nu]; then for each particle and body (`moved`) its
  /// position and velocity (for bodies also two axes and the angular velocity); then potentials and the kinetic energy
  /// including Lagrangians. Null if none of them contains a switch. See jumps.hpp.
  struct Moved {
    std::string name;
    int place = 3, velocity = 3;  ///< numbers of components of position and velocity
  };
  std::vector<Moved> moved;
  std::shared_ptr<const codegen::Kernel> jumping;
  Knots knots;  ///< tables in q', z', f, C, M, A and b, with their points
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
