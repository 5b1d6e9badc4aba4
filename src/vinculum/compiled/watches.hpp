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

/// What a step of a motion may not jump over (theory.md §10.4), found in q', z', f, C, M, A, b, φ, ψ and
/// velocities of sliding when a compiled model is made: surfaces at which equations switch, and values that vary within
/// less than their argument does (exp, tanh, sinh, cosh, atan, tables, powers above 4), with the sums of f, C, b, q'
/// and z' that such values are in, as what cancels between two steps need not between two stages.
class Watches {
 public:
  /// An equation's place in the problem M u' = f + C + Aᵀλ, A u' = b.
  struct Equation {
    enum class Kind { kForce, kMass, kRow, kRightSide, kRate, kOther } kind{};
    int row = 0, column = 0;      ///< kRate: component of y
    bool is_of_friction = false;  ///< holds the direction of a slide, or is the ratio of its bound
  };
  /// What of a value is bounded.
  enum class Value { kSharp, kExponential, kEven, kSum };

  /// Whether a surface or a sharp value may be in the equations: M is made of products and sums of what the graph
  /// holds.
  /// \pre the graph holds nothing but equations yet: guards of solvers have surfaces of their own.
  [[nodiscard]] static bool may_be_in(const equations::System& system);
  /// \param may_be_any  what `may_be_in` said.
  Watches(const equations::System& system, bool may_be_any);

  [[nodiscard]] bool is_empty() const { return switches.surfaces().empty() && kinds.empty(); }
  [[nodiscard]] std::size_t surface_count() const { return switches.surfaces().size(); }
  /// A program for one run: looks are x and y of each surface (floor: x, x), then the values.
  [[nodiscard]] expr::Enclosure program() const;
  [[nodiscard]] std::string text_of(std::size_t value) const { return texts[value]; }

  Switches switches;
  std::vector<expr::Expr> equations;  ///< on sides
  std::vector<Equation> places;       ///< [equations]
  std::vector<expr::Expr> values;     ///< on sides
  /// [values] of what is exponential or even; of sums what their terms add up to in size, which their rounding is of.
  std::vector<expr::Expr> arguments;
  std::vector<Value> kinds;  ///< [values]
  /// [values] whether it is in a bound of friction, which matters where something sticks, whatever rates are.
  std::vector<char> is_of_friction;
  std::vector<std::string> texts;        ///< [values]
  std::vector<std::string> of_unknowns;  ///< texts of what is no function of the state
  /// Surfaces of speeds and states, which forces on their two sides bring the motion to or away from; and, of each,
  /// (t, q, u, z) → x − y (floor: x), ∂/∂t, ∂/∂(q, u, z) of it, one after the other. None without such surfaces.
  std::vector<std::size_t> steered;
  std::shared_ptr<const codegen::Kernel> steering;
  /// (t, q, u, z) → x and y of each surface as stated (floor: x and 0). None without surfaces.
  std::shared_ptr<const codegen::Kernel> as_stated;
  /// (t, q, u, z, sides as kernels have them) → the same on these sides; parameters are those of the model, and `live`.
  /// None where no surface holds another one.
  std::shared_ptr<const codegen::Kernel> levels;
  std::vector<expr::Expr> level_values, stated_parameters;  ///< outputs of `levels`; symbols of the model's parameters
  std::vector<SwitchPlaces> places_of_surfaces;             ///< [surfaces]
  /// (t, q, u, z) → what the terms of φ add up to in size, of each row of position level, else 0 [nc]: what rounding of
  /// φ is relative to. None without rows that switch.
  std::shared_ptr<const codegen::Kernel> row_terms;
  /// What may jump at a surface without a trace in the equations, which hold derivatives: (t, q, u, z) → momenta ∂T/∂u
  /// [nu], then of all that has mass its place and velocity (a frame's axes and angular velocity), then potentials, the
  /// kinetic energy with Lagrangians. None where no surface is in any of them.   See jumps.hpp.
  struct Moved {
    std::string name;
    int place = 3, velocity = 3;  ///< how many numbers
  };
  std::vector<Moved> moved;
  std::shared_ptr<const codegen::Kernel> jumping;
  Knots knots;                                    ///< of tables in q', z', f, C, M, A and b
  std::vector<expr::Expr> known, unknown, fixed;  ///< symbols: t, q, u, z; those of reactions; parameters and sides

 private:
  [[nodiscard]] std::vector<expr::Expr> find_moved(const equations::System& system);
  void find_steered(const equations::System& system);
  void find_row_terms(const equations::System& system);
  void find_levels(const equations::System& system);
  void find_values(const equations::System& system, std::span<const expr::Expr> dynamic,
                   std::span<const expr::Expr> judged);
  std::vector<expr::Enclosure::Look> looks_;
};

}  // namespace vinculum::sim
