#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "vinculum/compiled/watches.hpp"
#include "vinculum/expr/enclosure.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// Position of a state relative to switching surfaces x = y: whether x − y of a surface is 0, and in which direction x
/// − y changes at given rates of the state.
class Placement {
 public:
  /// True if x − y is 0 within the rounding error of its terms. Always false for `floor` and at a pole of x − y.
  [[nodiscard]] bool is_zero(std::size_t surface) const;
  /// Direction in which x − y changes: 1, −1, or 0 if the change is rounding error. Also 0 for a surface far from the
  /// state, for which `is_zero` and `is_near` are false.
  [[nodiscard]] double direction(std::size_t surface) const;
  /// Whether x − y is 0 and stays 0, so that its sign is rounding error.
  [[nodiscard]] bool rests_on(std::size_t surface) const { return is_zero(surface) && direction(surface) == 0.0; }
  /// True if the state is on the surface within the accuracy of located crossings: x − y is 0 within the rounding error
  /// of terms of typical size, or x − y becomes 0 within `time` [s].
  [[nodiscard]] bool is_near(std::size_t surface, double time) const;
  /// True if x − y is rounding error of terms of typical size now and until `time` [s] later.
  [[nodiscard]] bool stays_near(std::size_t surface, double time) const;

 private:
  friend class SurfaceRest;
  struct One {
    bool is_off =
        true;  ///< the surface is a floor, at a pole, or far from the state; the members below are then unused
    double difference = 0.0;  ///< x − y
    double terms = 0.0;       ///< Σ |∂(x − y)/∂y_i| |y_i|, the magnitude of its terms
    double typical = 0.0;     ///< the sum of `terms`, with the typical size of y_i if it exceeds |y_i|
    double rate_low = 0.0, rate_high = 0.0;
    double rate_terms = 0.0;  ///< magnitude of the terms of the rate

    [[nodiscard]] double largest_rate() const;
  };
  std::vector<One> of_;
};

/// Computes the position of states relative to the switching surfaces of a model. A motion rests on a surface if a
/// constraint keeps x − y at 0.
class SurfaceRest {
 public:
  explicit SurfaceRest(const Binding& bound);

  /// Sets the sides with which x and y are evaluated from now on; empty: the conditions decide, as the model states
  /// them.
  void take(std::span<const double> sides);
  /// A state and the rates of its components.
  struct State {
    double t;
    const Vector& y;
    const Vector& y_dot;
    const Vector& scale;  ///< typical sizes of the components
    double same;  ///< [s] times that differ by less than this are one instant; largest argument of `Placement::is_near`
  };
  /// Position of a state relative to the surfaces near it, and to further surfaces that the caller selects.
  /// \param fastest  largest rates, ≥ |y_dot|, used to decide which surfaces are near
  /// \param also  [surfaces; or empty] 1: read this surface even if it is far
  /// \cost two evaluations of all surfaces, and four of those near the state.
  [[nodiscard]] Placement near(const State& state, const Vector& fastest, std::span<const char> also = {});
  /// Position of a state relative to one surface, near or far.
  [[nodiscard]] Placement at(const State& state, std::size_t surface);

 private:
  /// Bounds the rates of x − y if the components of the state change at rates between `low` and `high`. Afterwards
  /// `rate` returns the bounds of a surface.
  void enclose(const State& state, const Vector& low, const Vector& high, double t_rate);
  [[nodiscard]] expr::Interval rate(std::size_t surface) const;
  [[nodiscard]] double difference(std::size_t surface) const;
  /// Evaluates, from now on, the nodes of these surfaces only.
  void look_at(std::span<const std::size_t> surfaces);
  void evaluate(const State& state);
  void read(const State& state, std::span<const std::size_t> surfaces, Placement& placed);

  const Binding& bound_;
  const Watches& watches_;
  expr::Enclosure program_;
  std::vector<double> inputs_;
  std::vector<expr::Jet> jets_;
  std::vector<std::size_t> looks_;
  expr::Enclosure::Nodes nodes_;  ///< nodes that are evaluated
};

}  // namespace vinculum::sim
