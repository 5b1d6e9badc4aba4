#pragma once

#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/dynamics/system.hpp"

namespace vinculum::sim {

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
class Switches {
 public:
  struct Surface {
    expr::Expr x, y;   ///< y is not valid for floor
    expr::Expr side;   ///< symbol: 1 where x > y, −1 where x < y; of floor the whole number
    std::string text;  ///< as stated, for people
    [[nodiscard]] bool is_floor() const { return !y.is_valid(); }
  };

  /// \param known  symbols of which the state and the time are made; \param parameters  symbols that do not change.
  Switches(expr::Graph& graph, std::span<const expr::Expr> known, std::span<const expr::Expr> parameters);

  /// Finds the surfaces of these expressions.
  void collect(std::span<const expr::Expr> equations);
  /// The expressions with every switch on a side. As they are where nothing has been collected.
  [[nodiscard]] std::vector<expr::Expr> on_sides(std::span<const expr::Expr> expressions);
  [[nodiscard]] expr::Expr on_side(expr::Expr e) { return on_sides(std::span(&e, 1)).front(); }

  [[nodiscard]] const std::vector<Surface>& surfaces() const { return surfaces_; }
  /// Symbols behind the parameters: `live`, then the sides; none without surfaces.
  [[nodiscard]] std::vector<expr::Expr> symbols() const;
  /// Their values for equations as stated.
  [[nodiscard]] std::vector<double> live_values() const;
  /// Their values on these sides.
  [[nodiscard]] static std::vector<double> values(std::span<const double> sides);
  /// Texts of switches of unknowns.
  [[nodiscard]] const std::vector<std::string>& of_unknowns() const { return of_unknowns_; }
  /// Whether e changes along a motion, and is a function of time and state.
  [[nodiscard]] bool is_of_state(expr::Expr e);

 private:
  enum class Kind : unsigned char { kUnseen, kFixed, kOfState, kOfUnknown };
  using Pair = std::pair<std::size_t, std::size_t>;  ///< nodes of x and y, the lower first; floor: one and `kNone`
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  [[nodiscard]] Kind kind_of(expr::NodeId id);
  [[nodiscard]] std::pair<expr::Expr, expr::Expr> sides_of(const expr::Graph::Node& node);
  [[nodiscard]] static Pair pair_of(expr::Expr x, expr::Expr y);
  [[nodiscard]] expr::Expr switched(expr::NodeId id, std::span<const expr::Expr> operands);

  expr::Graph& graph_;
  std::vector<Kind> kinds_;         ///< by node
  std::vector<expr::Expr> images_;  ///< by node; not valid: not yet made
  std::vector<Surface> surfaces_;
  std::map<Pair, std::size_t> surface_of_;
  std::vector<std::string> of_unknowns_;
  expr::Expr live_;
};

}  // namespace vinculum::sim
