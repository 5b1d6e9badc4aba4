#pragma once

#include <span>
#include <vector>

#include "vinculum/compiled/watches.hpp"
#include "vinculum/expr/enclosure.hpp"
#include "vinculum/motion/dynamics.hpp"

namespace vinculum::sim {

/// How a motion lies to a surface that it touches. It may rest on the surface: x − y is 0 and a constraint keeps it
/// there, so that its sign is rounding error.
class SurfaceRest {
 public:
  explicit SurfaceRest(const Binding& bound);

  /// Regions in which x and y are evaluated from here on; empty: as the model states them.
  void take(std::span<const double> sides);
  /// Whether x − y of a surface is 0 within the rounding error of its terms. Never for `floor`.
  [[nodiscard]] bool is_zero_at(std::size_t surface, double t, const Vector& y);
  /// Whether it also stays 0 within rounding error, if the state changes at these rates.
  [[nodiscard]] bool rests_on(std::size_t surface, double t, const Vector& y, const Vector& y_dot);
  /// Direction in which x − y changes if the state changes at these rates: 1, −1, or 0 if the change is rounding error.
  [[nodiscard]] double direction(std::size_t surface, double t, const Vector& y, const Vector& y_dot);
  /// Within what distance of a surface a state is on it.
  struct Closeness {
    const Vector& scale;  ///< typical sizes of the components of y, for rounding errors
    double time;          ///< [s] the surface is reached within this time
  };
  /// Whether the state is on the surface, as closely as instants of crossings are determined.
  [[nodiscard]] bool is_near(std::size_t surface, double t, const Vector& y, const Vector& y_dot,
                             const Closeness& close);

 private:
  [[nodiscard]] double difference_at(std::size_t surface, double t, const Vector& y);
  /// Bounds of the rate of x − y if the components of the state change at rates between low and high.
  [[nodiscard]] expr::Interval rate_within(std::size_t surface, double t, const Vector& y, const Vector& low,
                                           const Vector& high, double t_rate);

  const Binding& bound_;
  const Watches& watches_;
  expr::Enclosure program_;
  std::vector<double> inputs_;
  std::vector<expr::Jet> jets_;
};

}  // namespace vinculum::sim
