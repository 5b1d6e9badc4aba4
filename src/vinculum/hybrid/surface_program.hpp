#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "vinculum/compiled/watches.hpp"
#include "vinculum/expr/enclosure.hpp"

namespace vinculum::sim {

/// Index of the monitored expression x of a surface; y of the surface x = y has the next index.
[[nodiscard]] constexpr std::size_t x_of(std::size_t surface) { return 2 * surface; }

/// Evaluates and encloses the monitored quantities (`Watches`) of a run. A single surface can be evaluated at the cost
/// of its own expressions, so locating a crossing of one surface does not evaluate the others.
class SurfaceProgram : public expr::Enclosure {
 public:
  explicit SurfaceProgram(const Watches& watches);

  /// Evaluates all monitored quantities at one instant.   \param y  [q, u, z]
  void evaluate_at(double t, const Vector& y);
  /// Evaluates x and y of one surface.
  void evaluate_at(double t, const Vector& y, std::size_t surface);
  /// Encloses the listed surfaces and the surfaces that they contain. If the list is long, encloses all quantities.
  /// \param jets  enclosures of t and y over an interval of length h
  void enclose_some(std::span<const int> surfaces, const expr::Jet* jets, double h);
  /// Must be called after `bind`: discards the expressions prepared for a single surface.
  void forget() { knows_one_ = false; }

  /// x − y of a surface; x of a floor.   \pre `evaluate_at` was called.
  [[nodiscard]] double difference(std::size_t surface) const;
  [[nodiscard]] double difference_at(std::size_t surface, double t, const Vector& y);
  /// [surfaces] x − y of each surface; x of a floor.
  [[nodiscard]] std::vector<double> differences_at(double t, const Vector& y);

 private:
  void set_inputs(double t, const Vector& y);

  const Watches& watches_;
  std::vector<double> inputs_;
  std::vector<std::size_t> looks_;
  Nodes of_one_, of_some_;
  std::size_t one_ = 0;  ///< surface that `of_one_` belongs to
  bool knows_one_ = false;
};

}  // namespace vinculum::sim
