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

/// True if the operation or its derivative jumps. Comparisons, min, max, abs and sign jump where two numbers are equal,
/// and floor where a number is an integer. At the points of a table, its value jumps if values are held between points.
/// Its first derivative jumps for straight lines, and its second derivative for a monotone interpolant.
[[nodiscard]] bool is_switch(const expr::Graph& graph, const expr::Graph::Node& node);

/// Switches are operations such as `if`, comparisons, `abs`, `sign`, `min`, `max`, `floor` and tables with jumps. This
/// class finds their switching surfaces in the equations of a model, and writes the equations on given sides of them.
///
/// A comparison, min, max, abs or sign of x and y changes where x − y passes through zero; floor changes where x passes
/// through an integer. A table with jumps is treated as a floor: its values are numbered from one jump to the next, and
/// a smooth function of the argument passes through an integer at each jump. Between surfaces the equations are smooth.
/// In kernels a switch has the form
///
///   select(live, operation as the model states it, value on the given side)
///
/// so that all stages of a step use the same side (theory.md §10.1). `live` and the sides are parameters of the
/// kernels. After a change of a side, `prepare` computes the constants of the kernels again.
///
/// Surfaces are sought in the equations, not in generated solvers. A switch that depends on unknowns (reactions,
/// friction directions) is not a function of the state; it is evaluated as the model states it.
///
/// A side between two regular sides (0 between 1 and −1, n − ½ between the integers n and n − 1) means a sliding mode:
/// the motion stays on the surface (surface_motion.hpp). Kernels are then evaluated on the upper one of the two sides.
///
/// Surfaces can be nested: x or y may contain further switches, as in `max(-h, 0) > 0`. In a region of the inner
/// surfaces x and y may be the same expression (here 0 for h > 0). On such a plateau x − y does not pass through zero,
/// and the side is `kEqual`. The region ends at an inner surface (regions.hpp). On the plateau a comparison has the
/// value that it has for x = y.
///
/// x − y may also jump at a pole of a quotient, of tan or of a power with an odd negative exponent, and at the cut of
/// `atan2`. The condition may change its truth there without x = y. So the zeros of the denominator are a surface too,
/// an inner surface of the condition: `1/(q - a) > 0` changes where q − a passes 0. The side of such a surface occurs
/// in no equation. Even poles, and denominators that keep their sign by their form (1 + q²), have no surface.
///
/// Expressions for display (outputs) are evaluated as the model states them, except in a sliding mode, where they are
/// evaluated on both sides.
class Switches {
 public:
  struct Surface {
    expr::Expr x, y;   ///< the two expressions that are compared; y is not valid for floor
    expr::Expr side;   ///< symbol: 1 for x > y, −1 for x < y; for floor the integer
    expr::Expr free;   ///< symbol: 1 if displayed values are evaluated as stated, 0 if on the given side
    std::string text;  ///< as stated in the model, for messages
    /// For a comparison: the side (1 or −1) on which it has the same value as for x = y. 0 for `sign`, which has a
    /// value of its own for x = y, and for min, max and abs, whose values on both sides agree there.
    double side_of_equals = 0.0;
    /// Several operations may have this surface. Whether one of them has for x = y the value of the upper side, of the
    /// lower side, or a value of its own (`sign`).
    bool has_upper_equals = false, has_lower_equals = false, has_own_equals = false;
    std::vector<std::size_t> inner;  ///< surfaces whose switches x and y contain, directly or indirectly, and their
                                     ///< poles; ascending
    expr::Expr pole;  ///< the expression that jumps where x passes y = 0; not valid for the surface of a switch
    [[nodiscard]] bool is_pole() const { return pole.is_valid(); }
    [[nodiscard]] bool is_floor() const { return !y.is_valid(); }
    /// The regular sides below and above a value between two sides.
    [[nodiscard]] double lower(double between) const { return is_floor() ? between - 0.5 : -1.0; }
    [[nodiscard]] double upper(double between) const { return is_floor() ? between + 0.5 : 1.0; }
    /// The value between side `from` and the next side, which is higher if `upward`.
    [[nodiscard]] double beside(double from, bool upward) const {
      return !is_floor() ? 0.0 : upward ? from + 0.5 : from - 0.5;
    }
    [[nodiscard]] bool is_between(double value) const { return is_floor() ? value != std::floor(value) : value == 0.0; }
    /// True if all operations of this surface have the same value for x = y (a plateau, or a state on the surface) as
    /// on the given side.
    [[nodiscard]] bool are_equals_as(double value) const {
      return !has_own_equals && !(value > 0.0 ? has_lower_equals : has_upper_equals);
    }
  };
  /// Value of a side in those regions of the inner surfaces in which x and y are the same expression. Kernels get 0 for
  /// it.
  static constexpr double kEqual = 2.0;

  /// \param known  symbols of time and state; \param parameters  symbols that stay constant.
  Switches(expr::Graph& graph, std::span<const expr::Expr> known, std::span<const expr::Expr> parameters);

  /// `has_switch`: true if e contains a switch that may change along a motion. `is_in_graph`: true if any expression of
  /// the graph does.
  [[nodiscard]] bool has_switch(expr::Expr e);
  [[nodiscard]] bool is_in_graph();
  /// Adds the surfaces of the switches in these expressions to `surfaces`.
  void collect(std::span<const expr::Expr> equations);
  /// Replaces every switch whose surface was collected by its value on the side `Surface::side`.
  [[nodiscard]] std::vector<expr::Expr> on_sides(std::span<const expr::Expr> expressions);
  [[nodiscard]] expr::Expr on_side(expr::Expr e) { return on_sides(std::span(&e, 1)).front(); }
  /// Expressions for display: switches are evaluated as stated, but on `Surface::side` if `Surface::free` is 0.
  [[nodiscard]] std::vector<expr::Expr> shown(std::span<const expr::Expr> expressions);

  [[nodiscard]] const std::vector<Surface>& surfaces() const { return surfaces_; }
  /// Indices of the surfaces of the switches in these expressions, ascending.
  [[nodiscard]] std::vector<std::size_t> surfaces_in(std::span<const expr::Expr> expressions) const;
  /// Additional parameters of kernels: `live`, the sides, and `free` of each surface; empty without surfaces.
  [[nodiscard]] std::vector<expr::Expr> symbols() const;
  /// Values of `symbols` with which equations are evaluated as stated.
  [[nodiscard]] std::vector<double> live_values() const;
  /// Values of `symbols` with which equations are evaluated on these sides.
  /// \param held  surfaces whose sides also apply to displayed values.
  [[nodiscard]] std::vector<double> values(std::span<const double> sides, std::span<const std::size_t> held = {}) const;
  /// The value that is passed to kernels for a side: the upper side if `side` is between two sides, 0 for kEqual.
  [[nodiscard]] double in_kernel(std::size_t surface, double side) const;
  /// True if x or y of some surface contains another switch.
  [[nodiscard]] bool has_nested() const { return has_nested_; }
  /// True if x or y of the surface contains a switch of one of the other surfaces.
  [[nodiscard]] bool holds_any(std::size_t surface, std::span<const std::size_t> others) const;
  /// Indices of the surfaces of the sliding mode: those whose side is between two regular sides.
  [[nodiscard]] std::vector<std::size_t> between(std::span<const double> sides) const;
  /// Sides in one of the regions next to the surfaces `along` of a sliding mode. Face 0 is below all of them, face k +
  /// 1 is above surface k of `along` and below the others, and the face after these is above all of them.
  [[nodiscard]] std::vector<double> sides_of_face(std::span<const double> sides, std::span<const std::size_t> along,
                                                  std::size_t face) const;
  /// Texts of the switches that depend on unknowns and so have no surface.
  [[nodiscard]] const std::vector<std::string>& of_unknowns() const { return of_unknowns_; }
  /// True if e may change along a motion and depends only on time, state and parameters.
  [[nodiscard]] bool is_of_state(expr::Expr e);

 private:
  enum class Kind : unsigned char { kUnseen, kFixed, kOfState, kOfUnknown };
  /// Indices of the nodes of x and y, the smaller one first; for floor the node of x and `kNone`.
  using Pair = std::pair<std::size_t, std::size_t>;
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  [[nodiscard]] Kind kind_of(expr::NodeId id);
  /// A table with jumps, whose parts between two jumps are numbered. Each member is a table that is a function of the
  /// argument or of the number of a part.
  struct Stairs {
    expr::TableId number;  ///< argument → a number x; floor(x) is the number of the part
    expr::TableId value;   ///< number of the part → value at the beginning of the part
    expr::TableId slope;   ///< number of the part → slope in the part; not valid if all slopes are 0
    expr::TableId begin;   ///< number of the part → argument at its beginning; not valid if all slopes are 0
    expr::TableId range;   ///< argument → 0, defined within the range of the table only
  };
  void find_stairs(const expr::Graph::Node& node);
  /// The result of `find_stairs` for a table; null if it has no jumps.
  [[nodiscard]] const Stairs* stairs_of(const expr::Graph::Node& node) const;
  [[nodiscard]] std::pair<expr::Expr, expr::Expr> sides_of(const expr::Graph::Node& node) const;
  [[nodiscard]] std::optional<std::size_t> surface_at(const expr::Graph::Node& node) const;
  Surface& add_surface(expr::Expr x, expr::Expr y, std::string text);
  void find_poles();
  void find_nests();
  [[nodiscard]] static Pair pair_of(expr::Expr x, expr::Expr y);
  [[nodiscard]] expr::Expr switched(expr::NodeId id, std::span<const expr::Expr> operands, bool is_shown);
  using Images = std::vector<expr::Expr>;  ///< [nodes] replacement of each node; not valid if not computed yet
  [[nodiscard]] std::vector<expr::Expr> images_of(std::span<const expr::Expr> expressions, Images& images,
                                                  bool is_shown);

  expr::Graph& graph_;
  std::vector<Kind> kinds_;  ///< [nodes]
  Images on_sides_, shown_;
  std::vector<Surface> surfaces_;
  std::map<Pair, std::size_t> surface_of_;
  std::map<std::uint32_t, std::optional<Stairs>> stairs_;  ///< by index of the table; empty if the table has no jumps
  std::vector<std::string> of_unknowns_;
  bool has_nested_ = false;
  expr::Expr live_;
};

}  // namespace vinculum::sim
