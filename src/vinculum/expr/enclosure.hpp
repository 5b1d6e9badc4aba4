#pragma once

#include <optional>
#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"
#include "vinculum/expr/interval.hpp"

namespace vinculum::expr {

/// What is known of a value over a step: its values at both ends, all that it takes in between, and all that its time
/// derivative does.
struct Jet {
  double a = 0.0, b = 0.0;
  Interval range, rate;

  [[nodiscard]] static Jet constant(double value) { return {value, value, {value, value}, {}}; }
};

/// All that a value can take over a length h > 0 by what its ends and its rates say: from both ends the cone of its
/// rates. Where it only rises or falls that is exactly what lies between the ends.
[[nodiscard]] Interval cone(double a, double b, Interval rate, double h);

/// Expressions over steps in interval arithmetic. Each node carries a jet, whose range is met with its cone: this is
/// what keeps enclosures tight where one symbol stands in many places.
///
/// smoothstep(s) = s^3 (s (6 s − 15) + 10) is enclosed as a whole. Its value rises with s, its rate is
/// 30 s^2 (1 − s)^2 s', and near 1 it is 1 − smoothstep(1 − s), which no rounding takes beyond 1. Term by term the
/// ranges of a part of width w would be too wide by w^2: more than the value changes where it touches its ends.
///
/// Fixed symbols decide which branches of `select` are taken, once; what lies behind others is not looked at. Owns its
/// scratch; after construction nothing allocates but `bind`.   Law: enclosure_test.cpp.
class Enclosure {
 public:
  /// An expression that is looked at where `reason` is reached from the equations, along branches that are taken.
  struct Look {
    Expr value, reason;
  };
  /// \pre the symbols of both are in `varying` or `fixed`; at least one equation.
  Enclosure(std::span<const Expr> equations, std::span<const Look> looks, std::span<const Expr> varying,
            std::span<const Expr> fixed);

  /// Values of the fixed symbols.
  void bind(std::span<const double> fixed);
  /// \pre `bind`. Numbers at one instant.   \param varying  [varying]
  void evaluate(const double* varying);
  /// \pre `bind`. Jets over a step of length h.   \param varying  [varying]
  void enclose(const Jet* varying, double h);

  [[nodiscard]] bool is_used(std::size_t look) const { return is_used_[look_at_[look]] != 0; }
  [[nodiscard]] double value(std::size_t look) const { return values_[look_at_[look]]; }
  [[nodiscard]] const Jet& jet(std::size_t look) const { return jets_[look_at_[look]]; }
  [[nodiscard]] const Jet& equation(std::size_t i) const { return jets_[equation_at_[i]]; }
  [[nodiscard]] std::size_t equation_count() const { return equation_at_.size(); }
  /// From here on `enclose` takes no more than this of a look; `release` ends it.
  void clamp(std::size_t look, Interval to) { clamps_[look_at_[look]] = to; }
  void release() { clamps_.assign(clamps_.size(), std::nullopt); }
  /// Nodes that are evaluated.
  [[nodiscard]] std::size_t node_count() const { return order_.size(); }

 private:
  struct Node {
    Op op{};
    int operands[3] = {-1, -1, -1};
    int table = -1, derivative_order = 0;
    const Spline* spline = nullptr;
    double value = 0.0;
    bool varies = false;
    int symbol = -1;      ///< of the varying, or of the fixed ones
    int rises_with = -1;  ///< the node is smoothstep of this one
  };
  [[nodiscard]] int argument_of_smoothstep(const Node& node) const;
  void mark_used();
  [[nodiscard]] double number(const Node& node) const;
  [[nodiscard]] Jet jet_of(const Node& node, double h) const;
  [[nodiscard]] Interval rate_of(const Node& node, Interval range) const;

  std::vector<Node> nodes_;
  std::vector<SplineRanges> tables_;  ///< one an order of a table
  std::vector<std::size_t> equation_at_, look_at_, reason_at_;
  std::vector<char> is_used_;
  std::vector<std::size_t> order_;  ///< nodes that vary and are used
  std::vector<double> values_;
  std::vector<Jet> jets_;
  std::vector<std::optional<Interval>> clamps_;
};

}  // namespace vinculum::expr
