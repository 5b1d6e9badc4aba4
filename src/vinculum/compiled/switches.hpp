#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::sim {

/// True if the operation, or its slope, jumps: where two numbers are equal, where one is an integer (floor), or at the
/// knots of a table that holds its values, of the slope of straight lines, or of the second derivative of a monotone
/// interpolant.
[[nodiscard]] bool is_switch(const expr::Graph& graph, const expr::Graph::Node& node);

/// Switching surfaces of the equations of a model, and the equations on given sides of them.
///
/// A comparison, min, max, abs or sign switches where x − y passes through zero; floor switches where x passes through
/// an integer. A table that jumps is a floor: its values are numbered from one jump to the next, and a smooth function
/// of the argument passes through an integer at each jump. Between surfaces the equations are smooth. In kernels a
/// switch has the form
///
///   select(live, operation as the model states it, value on the given side)
///
/// so that one step uses one side from beginning to end, whatever its stages encounter (theory.md §10.1). `live` and
/// the sides are parameters of the kernels: changing a side costs one `prepare`.
///
/// Surfaces are sought in the equations, not in generated solvers. A switch that depends on unknowns (reactions,
/// friction directions) is not a function of the state and stays as stated.
///
/// A value between two sides (0 between 1 and −1, n − ½ between the integers n and n − 1) means a sliding mode: the
/// motion stays on the surface (surface_motion.hpp). Kernels have no such side; they get the upper one.
///
/// Surfaces can be nested: x or y may contain further switches, as in `max(-y, 0) > 0`. In a region of the inner
/// surfaces x and y may be the same expression (here 0). On such a plateau x − y does not pass through zero. The side
/// is then `kEqual`, the region ends at an inner surface (regions.hpp), and equality counts as the side on which the
/// comparison states it.
///
/// x − y may jump where no switch does: at a pole of a quotient, a tangent or a power of odd negative exponent, and at
/// the cut of `atan2`. The condition may change its truth there without x = y. So the zeros of the denominator are a
/// surface too, an inner surface of the condition: `1/(q - a) > 0` changes where q − a passes 0. Its side occurs in no
/// equation. An even pole, and a denominator that keeps its sign by its form (1 + q²), have no surface.
///
/// Expressions for display (outputs) stay as stated, except in a sliding mode, where the values on both sides are
/// evaluated separately.
class Switches {
 public:
  struct Surface {
    expr::Expr x, y;   ///< y is not valid for floor
    expr::Expr side;   ///< symbol: 1 for x > y, −1 for x < y; for floor the integer
    expr::Expr free;   ///< symbol: 1 if displayed values are as stated, 0 if they use the given side
    std::string text;  ///< as stated in the model, for messages
    /// Side to which equality x = y belongs: stated by a comparison; 0 if it belongs to neither (sign), or if both
    /// sides agree there (min, max, abs).
    double side_of_equals = 0.0;
    /// Which operations of this surface assign equality: a comparison to the upper side, a comparison to the lower
    /// side, and `sign` to neither.
    bool has_upper_equals = false, has_lower_equals = false, has_own_equals = false;
    std::vector<std::size_t> inner;  ///< surfaces whose switches x and y contain, directly or indirectly, and their
                                     ///< poles; ascending
    expr::Expr pole;  ///< the expression that jumps where x passes y = 0; not valid for the surface of a switch
    [[nodiscard]] bool is_pole() const { return pole.is_valid(); }
    [[nodiscard]] bool is_floor() const { return !y.is_valid(); }
    /// The two sides next to a value between them.
    [[nodiscard]] double lower(double between) const { return is_floor() ? between - 0.5 : -1.0; }
    [[nodiscard]] double upper(double between) const { return is_floor() ? between + 0.5 : 1.0; }
    /// Value between a side and the next one.
    [[nodiscard]] double beside(double from, bool upward) const {
      return !is_floor() ? 0.0 : upward ? from + 0.5 : from - 0.5;
    }
    [[nodiscard]] bool is_between(double value) const { return is_floor() ? value != std::floor(value) : value == 0.0; }
    /// True if, for all operations of this surface, equality (a plateau or a state on the surface) has the same result
    /// as the given side.
    [[nodiscard]] bool are_equals_as(double value) const {
      return !has_own_equals && !(value > 0.0 ? has_lower_equals : has_upper_equals);
    }
  };
  /// Side for regions of the inner surfaces in which x and y are the same expression; kernels get 0.
  static constexpr double kEqual = 2.0;

  /// \param known  symbols of time and state; \param parameters  symbols that stay constant.
  Switches(expr::Graph& graph, std::span<const expr::Expr> known, std::span<const expr::Expr> parameters);

  /// True if e contains a switch that changes along a motion; true if the graph contains any.
  [[nodiscard]] bool has_switch(expr::Expr e);
  [[nodiscard]] bool is_in_graph();
  /// Collects the surfaces of these expressions.
  void collect(std::span<const expr::Expr> equations);
  /// Replaces every switch by its value on the given side. Without collected surfaces the expressions are returned
  /// unchanged.
  [[nodiscard]] std::vector<expr::Expr> on_sides(std::span<const expr::Expr> expressions);
  [[nodiscard]] expr::Expr on_side(expr::Expr e) { return on_sides(std::span(&e, 1)).front(); }
  /// The expressions as stated, but with the given side at surfaces whose `free` is 0.
  [[nodiscard]] std::vector<expr::Expr> shown(std::span<const expr::Expr> expressions);

  [[nodiscard]] const std::vector<Surface>& surfaces() const { return surfaces_; }
  /// Surfaces of the switches in these expressions as stated, ascending.
  [[nodiscard]] std::vector<std::size_t> surfaces_in(std::span<const expr::Expr> expressions) const;
  /// Additional parameters of kernels: `live`, the sides, and `free` of each surface; empty without surfaces.
  [[nodiscard]] std::vector<expr::Expr> symbols() const;
  /// Their values for equations as stated.
  [[nodiscard]] std::vector<double> live_values() const;
  /// Their values for these sides.   \param held  surfaces whose sides also apply to displayed values.
  [[nodiscard]] std::vector<double> values(std::span<const double> sides, std::span<const std::size_t> held = {}) const;
  /// The side as kernels need it: the upper side for a value between two sides.
  [[nodiscard]] double in_kernel(std::size_t surface, double side) const;
  /// True if x or y of some surface contains another switch.
  [[nodiscard]] bool has_nested() const { return has_nested_; }
  /// True if the surface contains one of the other surfaces.
  [[nodiscard]] bool holds_any(std::size_t surface, std::span<const std::size_t> others) const;
  /// Surfaces on which the motion slides, given these sides.
  [[nodiscard]] std::vector<std::size_t> between(std::span<const double> sides) const;
  /// Sides next to the surfaces on which the motion slides: below all of them (face 0), above one of them only (face 1
  /// …), or above all (the last face).
  [[nodiscard]] std::vector<double> sides_of_face(std::span<const double> sides, std::span<const std::size_t> along,
                                                  std::size_t face) const;
  /// Texts of switches that depend on unknowns.
  [[nodiscard]] const std::vector<std::string>& of_unknowns() const { return of_unknowns_; }
  /// True if e changes along a motion and depends only on time, state and parameters.
  [[nodiscard]] bool is_of_state(expr::Expr e);

 private:
  enum class Kind : unsigned char { kUnseen, kFixed, kOfState, kOfUnknown };
  /// Nodes of x and y, the smaller index first; for floor one node and `kNone`.
  using Pair = std::pair<std::size_t, std::size_t>;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  [[nodiscard]] Kind kind_of(expr::NodeId id);
  /// Parts of a table with jumps, as functions of its argument or of the number of a part.
  struct Stairs {
    expr::TableId number;  ///< argument → a number whose whole part is the number of the part
    expr::TableId value;   ///< number of the part → value at its begin
    expr::TableId slope;   ///< number of the part → slope of the value; not valid if it is 0
    expr::TableId begin;   ///< number of the part → argument at its begin; not valid without a slope
    expr::TableId range;   ///< 0 within the range of the table
  };
  void find_stairs(const expr::Graph::Node& node);
  /// The parts found of a table; null if it has no jumps.
  [[nodiscard]] const Stairs* stairs_of(const expr::Graph::Node& node) const;
  [[nodiscard]] std::pair<expr::Expr, expr::Expr> sides_of(const expr::Graph::Node& node) const;
  [[nodiscard]] std::optional<std::size_t> surface_at(const expr::Graph::Node& node) const;
  Surface& add_surface(expr::Expr x, expr::Expr y, std::string text);
  void find_poles();
  void find_nests();
  [[nodiscard]] static Pair pair_of(expr::Expr x, expr::Expr y);
  [[nodiscard]] expr::Expr switched(expr::NodeId id, std::span<const expr::Expr> operands, bool is_shown);
  using Images = std::vector<expr::Expr>;  ///< by node; not valid if not computed yet
  [[nodiscard]] std::vector<expr::Expr> images_of(std::span<const expr::Expr> expressions, Images& images,
                                                  bool is_shown);

  expr::Graph& graph_;
  std::vector<Kind> kinds_;  ///< by node
  Images on_sides_, shown_;
  std::vector<Surface> surfaces_;
  std::map<Pair, std::size_t> surface_of_;
  std::map<std::uint32_t, std::optional<Stairs>> stairs_;  ///< by table; empty if it has no jumps
  std::vector<std::string> of_unknowns_;
  bool has_nested_ = false;
  expr::Expr live_;
};

}  // namespace vinculum::sim
