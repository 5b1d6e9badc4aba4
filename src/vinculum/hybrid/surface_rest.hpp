#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "vinculum/compiled/watches.hpp"
#include "vinculum/expr/enclosure.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// How a state and its rates lie to surfaces: whether x − y of a surface is 0, and in which direction it changes.
class Placement {
 public:
  /// Whether x − y is 0 within the rounding error of its terms. Never for `floor`, and never at a pole of x − y.
  [[nodiscard]] bool is_zero(std::size_t surface) const;
  /// Direction in which x − y changes: 1, −1, or 0 if the change is rounding error. 0 for a surface far from the state,
  /// for which `is_zero` and `is_near` are false.
  [[nodiscard]] double direction(std::size_t surface) const;
  /// Whether x − y is 0 and stays 0, so that its sign is rounding error.
  [[nodiscard]] bool rests_on(std::size_t surface) const { return is_zero(surface) && direction(surface) == 0.0; }
  /// Whether the state is on the surface as closely as instants of crossings are determined: within rounding error of
  /// typical sizes, or reached within this time [s].
  [[nodiscard]] bool is_near(std::size_t surface, double time) const;

 private:
  friend class SurfaceRest;
  struct One {
    bool is_off = true;       ///< a floor, at a pole, or too far for the numbers below to matter
    double difference = 0.0;  ///< x − y
    double terms = 0.0;       ///< Σ |∂(x − y)/∂y_i| |y_i|, the size of its terms
    double typical = 0.0;     ///< the same with the typical size of y_i, if this is larger
    double rate_low = 0.0, rate_high = 0.0;
    double rate_terms = 0.0;  ///< size of the terms of the rate

    [[nodiscard]] double largest_rate() const;
  };
  std::vector<One> of_;
};

/// Places states relative to the surfaces of a model. A motion may rest on a surface: a constraint keeps x − y at 0.
class SurfaceRest {
 public:
  explicit SurfaceRest(const Binding& bound);

  /// Regions in which x and y are evaluated from here on; empty: as the model states them.
  void take(std::span<const double> sides);
  /// A state at rates of its components.
  struct State {
    double t;
    const Vector& y;
    const Vector& y_dot;
    const Vector& scale;  ///< typical sizes of the components
    double same;          ///< [s] times closer than this are one instant: the largest argument of `Placement::is_near`
  };
  /// Places a state relative to the surfaces that it is near, and to others that the caller names.
  /// \param fastest  largest absolute rates of the components at which the state may be near; at least |y_dot|
  /// \param also  [surfaces, or empty] surfaces to be read in any case
  /// \cost two evaluations of all surfaces, and four of those near the state.
  [[nodiscard]] Placement near(const State& state, const Vector& fastest, std::span<const char> also = {});
  /// Places a state relative to one surface, wherever it is.
  [[nodiscard]] Placement at(const State& state, std::size_t surface);

 private:
  /// Bounds of the rates of x − y if the components of the state change at rates between low and high; then `rate` of a
  /// surface has them.
  void enclose(const State& state, const Vector& low, const Vector& high, double t_rate);
  [[nodiscard]] expr::Interval rate(std::size_t surface) const;
  [[nodiscard]] double difference(std::size_t surface) const;
  /// Takes all nodes of these surfaces into account from here on.
  void look_at(std::span<const std::size_t> surfaces);
  void evaluate(const State& state);
  void read(const State& state, std::span<const std::size_t> surfaces, Placement& placed);

  const Binding& bound_;
  const Watches& watches_;
  expr::Enclosure program_;
  std::vector<double> inputs_;
  std::vector<expr::Jet> jets_;
  std::vector<std::size_t> looks_;
  expr::Enclosure::Nodes nodes_;  ///< those evaluated
};

}  // namespace vinculum::sim
