#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"
#include "vinculum/expr/interval.hpp"

namespace vinculum::expr {

/// Bounds of a value over a step: its values a and b at both ends, a range of the value within the step, and a range of
/// its time derivative.
struct Jet {
  double a = 0.0, b = 0.0;
  Interval range, rate;

  [[nodiscard]] static Jet constant(double value) { return {value, value, {value, value}, {}}; }
};

/// Whether an operation that is smooth elsewhere may jump over these ranges of its operands: through a pole of a
/// quotient, of a tangent or of a power, or at the cut of `atan2`. Rates then do not bound its change.
[[nodiscard]] bool may_jump(Op op, Interval first, Interval second);

/// Range of a function over a length h > 0, given its values at the ends and the range of its derivative. From each end
/// the derivative bounds the values by a cone; the result is the range of the intersection of both cones. If the
/// function is monotone, this is exactly the interval between the end values.
[[nodiscard]] Interval cone(double a, double b, Interval rate, double h);

/// Interval enclosures of expressions over steps. Each node has a jet. Its range is intersected with the cone of its
/// rates, which keeps enclosures tight if a symbol occurs several times.
///
/// smoothstep(s) = s^3 (s (6 s − 15) + 10) is enclosed as one function. It rises with s, and its rate is 30 s^2 (1 −
/// s)^2 s'. Near 1 it is computed as 1 − smoothstep(1 − s), which rounding never makes larger than 1. An enclosure term
/// by term would be too wide by w^2 for an interval of width w. Near 0 and 1 that exceeds the change of the value.
///
/// Values of fixed symbols select, once in `bind`, the branches of `select`; the other branches are not evaluated. The
/// object owns its scratch memory; after construction only `bind` and `find_nodes` allocate.   Test:
/// enclosure_test.cpp.
class Enclosure {
 public:
  /// An expression `value` that is monitored only if, in the selected branches, the equations use the expression
  /// `reason`.
  struct Look {
    Expr value, reason;
  };
  /// \pre `varying` and `fixed` contain all symbols of `equations` and `looks`; there is at least one equation
  Enclosure(std::span<const Expr> equations, std::span<const Look> looks, std::span<const Expr> varying,
            std::span<const Expr> fixed);

  /// Sets the values of the fixed symbols.
  /// \cost O(number of symbols, and of nodes that depend on changed ones); O(nodes) at the first call, and if another
  /// branch of a `select` is taken.
  void bind(std::span<const double> fixed);
  /// Evaluates numbers at one time. \pre `bind`.   \param varying  one value for each varying symbol
  void evaluate(const double* varying) { evaluate(varying, order_); }
  /// Computes the jets of all nodes over a step of length h. \pre `bind`.   \param varying  one jet for each varying
  /// symbol
  void enclose(const Jet* varying, double h) { enclose(varying, h, order_); }

  /// Nodes that vary, operands first.
  using Nodes = std::vector<std::size_t>;
  /// The nodes that some monitored expressions in use depend on; valid until the next `bind`.
  /// \cost O(k log k) for k nodes.
  void find_nodes(std::span<const std::size_t> looks, Nodes& nodes);
  /// The same as above for these nodes alone; the others keep the values of an earlier call.
  void evaluate(const double* varying, const Nodes& nodes);
  void enclose(const Jet* varying, double h, const Nodes& nodes);

  [[nodiscard]] bool is_used(std::size_t look) const { return is_used_[look_at_[look]] != 0; }
  [[nodiscard]] double value(std::size_t look) const { return values_[look_at_[look]]; }
  [[nodiscard]] const Jet& jet(std::size_t look) const { return jets_[look_at_[look]]; }
  [[nodiscard]] double equation_value(std::size_t i) const { return values_[equation_at_[i]]; }
  [[nodiscard]] const Jet& equation(std::size_t i) const { return jets_[equation_at_[i]]; }
  [[nodiscard]] std::size_t equation_count() const { return equation_at_.size(); }
  /// Until `release`, `enclose` restricts the range of the monitored expression to the interval `to`.
  void clamp(std::size_t look, Interval to) { clamps_[look_at_[look]] = to; }
  void release() { clamps_.assign(clamps_.size(), std::nullopt); }
  /// Number of nodes that are evaluated.
  [[nodiscard]] std::size_t node_count() const { return order_.size(); }

 private:
  struct Node {
    Op op{};
    int operands[3] = {-1, -1, -1};
    int table = -1, derivative_order = 0;
    const Spline* spline = nullptr;
    double value = 0.0;
    bool varies = false;
    int symbol = -1;      ///< index among the varying symbols or among the fixed symbols
    int rises_with = -1;  ///< node s if this node is smoothstep(s), else −1
  };
  [[nodiscard]] int argument_of_smoothstep(const Node& node) const;
  /// The operand of a node that is not evaluated: the branch that is not taken; −1 if there is none.
  [[nodiscard]] int skipped_operand(const Node& node) const;
  void mark_used();
  void set_constant(std::size_t at, double value);
  [[nodiscard]] double number(const Node& node) const;
  [[nodiscard]] Jet jet_of(const Node& node, double h) const;
  [[nodiscard]] Interval rate_of(const Node& node, Interval range) const;

  std::vector<Node> nodes_;
  std::vector<SplineRanges> tables_;  ///< one per table and derivative order
  std::vector<std::size_t> equation_at_, look_at_, reason_at_;
  std::vector<std::vector<std::size_t>> users_;  ///< [nodes]
  bool is_bound_ = false;
  std::vector<double> fixed_;  ///< values of the fixed symbols
  std::vector<int> fixed_at_;  ///< [fixed] node of each symbol, or −1
  std::vector<char> is_used_;
  std::vector<char> is_constant_;  ///< [nodes] the value follows from fixed symbols along the branches taken
  Nodes order_;                    ///< nodes that are used and not constant
  std::vector<char> is_reached_;   ///< [nodes] scratch of `bind` and `find_nodes`; 0 between calls
  Nodes open_;                     ///< scratch of these
  std::vector<double> values_;
  std::vector<Jet> jets_;
  std::vector<std::optional<Interval>> clamps_;
};

}  // namespace vinculum::expr
