#pragma once

#include <cmath>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/equations/system.hpp"

namespace vinculum::sim {

/// Whether an operation jumps, or its slope does, where two numbers are equal or one is whole.
[[nodiscard]] bool is_switch(expr::Op op);

/// The surfaces at which the equations of a model switch, and the equations of one side of them.
///
/// A comparison, min, max, abs or sign switches where x − y passes through zero, floor where x does through a whole
/// number. Between surfaces equations are smooth; kernels hold them in the form
///
///   select(live, what the model states, what holds on the side in force)
///
/// so that a step belongs to one side from its begin to its end, whatever its stages see (theory.md §10.1). `live` and
/// the sides are handed to kernels behind the parameters: another side costs a `prepare`.
///
/// Surfaces are found in equations, not in generated solves. What holds unknowns (reactions, directions of friction) is
/// no function of the state: it stays as stated.
///
/// A side between two others (0 between 1 and −1, n − ½ between the whole numbers n and n − 1) says that the motion
/// goes on along the surface itself (surface_motion.hpp): kernels have no such side, and are given the upper one.
///
/// Surfaces are nested: x or y may hold further switches, as `max(-y, 0) > 0` does. In a region of the inner surfaces
/// x and y may be one expression (0 there). On such a plateau nothing passes through zero: the side is `kEqual`, the
/// one on which equals are stated to lie, and the inner surface is where it ends (regions.hpp).
///
/// What is shown (outputs) stays as stated, but along a surface, where each of its two sides is asked for by itself.
class Switches {
 public:
  struct Surface {
    expr::Expr x, y;   ///< y is not valid for floor
    expr::Expr side;   ///< symbol: 1 where x > y, −1 where x < y; of floor the whole number
    expr::Expr free;   ///< symbol: 1 where what is shown is as stated, 0 where it has the side in force
    std::string text;  ///< as stated, for people
    /// Side on which equals are stated to lie: that of a comparison; 0 where it is none's (sign), or both sides are as
    /// one there (min, max, abs).
    double side_of_equals = 0.0;
    /// What equals are of one truth with, among the operations of this surface: a comparison for which they lie on the
    /// upper side, one for which they lie on the lower one, and `sign`, for which they are neither.
    bool has_upper_equals = false, has_lower_equals = false, has_own_equals = false;
    std::vector<std::size_t> inner;  ///< surfaces that x and y hold, and those that these hold; in ascending order
    [[nodiscard]] bool is_floor() const { return !y.is_valid(); }
    /// The two sides of the surface of a side between them.
    [[nodiscard]] double lower(double between) const { return is_floor() ? between - 0.5 : -1.0; }
    [[nodiscard]] double upper(double between) const { return is_floor() ? between + 0.5 : 1.0; }
    /// What is between a side and the next one.
    [[nodiscard]] double beside(double from, bool upward) const {
      return !is_floor() ? 0.0 : upward ? from + 0.5 : from - 0.5;
    }
    [[nodiscard]] bool is_between(double value) const { return is_floor() ? value != std::floor(value) : value == 0.0; }
    /// Whether equals (a plateau, or a state on the surface) are as what lies on a side, by all operations.
    [[nodiscard]] bool are_equals_as(double value) const {
      return !has_own_equals && !(value > 0.0 ? has_lower_equals : has_upper_equals);
    }
  };
  /// The side where x and y are one expression in the regions of the inner surfaces; kernels are given 0.
  static constexpr double kEqual = 2.0;

  /// \param known  symbols of which the state and the time are made; \param parameters  symbols that do not change.
  Switches(expr::Graph& graph, std::span<const expr::Expr> known, std::span<const expr::Expr> parameters);

  /// Whether e holds a switch that changes along a motion; whether anything in the graph does.
  [[nodiscard]] bool has_switch(expr::Expr e);
  [[nodiscard]] bool is_in_graph();
  /// Finds the surfaces of these expressions.
  void collect(std::span<const expr::Expr> equations);
  /// The expressions with every switch on a side. As they are where nothing has been collected.
  [[nodiscard]] std::vector<expr::Expr> on_sides(std::span<const expr::Expr> expressions);
  [[nodiscard]] expr::Expr on_side(expr::Expr e) { return on_sides(std::span(&e, 1)).front(); }
  /// The expressions as stated, with the side in force at those surfaces that are not free.
  [[nodiscard]] std::vector<expr::Expr> shown(std::span<const expr::Expr> expressions);

  [[nodiscard]] const std::vector<Surface>& surfaces() const { return surfaces_; }
  /// Surfaces of the switches that expressions hold, as stated; in ascending order.
  [[nodiscard]] std::vector<std::size_t> surfaces_in(std::span<const expr::Expr> expressions) const;
  /// Symbols behind the parameters: `live`, the sides, and which surfaces are free; none without surfaces.
  [[nodiscard]] std::vector<expr::Expr> symbols() const;
  /// Their values for equations as stated.
  [[nodiscard]] std::vector<double> live_values() const;
  /// Their values on these sides.   \param held  surfaces whose sides hold for what is shown, too.
  [[nodiscard]] std::vector<double> values(std::span<const double> sides, std::span<const std::size_t> held = {}) const;
  /// A side as kernels have it: of one between two others the upper.
  [[nodiscard]] double in_kernel(std::size_t surface, double side) const;
  /// Whether x and y of any surface hold another one.
  [[nodiscard]] bool has_nested() const { return has_nested_; }
  /// Whether a surface holds one of these.
  [[nodiscard]] bool holds_any(std::size_t surface, std::span<const std::size_t> others) const;
  /// Surfaces that the motion goes along on these sides.
  [[nodiscard]] std::vector<std::size_t> between(std::span<const double> sides) const;
  /// Sides beside surfaces that the motion goes along: below all of them (face 0), above one alone, above all (behind
  /// the last).
  [[nodiscard]] std::vector<double> sides_of_face(std::span<const double> sides, std::span<const std::size_t> along,
                                                  std::size_t face) const;
  /// Texts of switches of unknowns.
  [[nodiscard]] const std::vector<std::string>& of_unknowns() const { return of_unknowns_; }
  /// Whether e changes along a motion, and is a function of time and state.
  [[nodiscard]] bool is_of_state(expr::Expr e);

 private:
  enum class Kind : unsigned char { kUnseen, kFixed, kOfState, kOfUnknown };
  using Pair = std::pair<std::size_t, std::size_t>;  ///< nodes of x and y, the lower first; floor: one and `kNone`
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  [[nodiscard]] Kind kind_of(expr::NodeId id);
  [[nodiscard]] std::pair<expr::Expr, expr::Expr> sides_of(const expr::Graph::Node& node) const;
  void find_nests();
  [[nodiscard]] static Pair pair_of(expr::Expr x, expr::Expr y);
  [[nodiscard]] expr::Expr switched(expr::NodeId id, std::span<const expr::Expr> operands, bool is_shown);
  using Images = std::vector<expr::Expr>;  ///< by node; not valid: not yet made
  [[nodiscard]] std::vector<expr::Expr> images_of(std::span<const expr::Expr> expressions, Images& images,
                                                  bool is_shown);

  expr::Graph& graph_;
  std::vector<Kind> kinds_;  ///< by node
  Images on_sides_, shown_;
  std::vector<Surface> surfaces_;
  std::map<Pair, std::size_t> surface_of_;
  std::vector<std::string> of_unknowns_;
  bool has_nested_ = false;
  expr::Expr live_;
};

}  // namespace vinculum::sim
