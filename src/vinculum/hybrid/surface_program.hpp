#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "vinculum/compiled/watches.hpp"
#include "vinculum/expr/enclosure.hpp"

namespace vinculum::sim {

/// First of the two monitored expressions of a surface: x, then y.
[[nodiscard]] constexpr std::size_t x_of(std::size_t surface) { return 2 * surface; }

/// Enclosure program of the watches of a run. Single surfaces are evaluated at the cost of their own expressions, so
/// that a crossing of one of many surfaces does not evaluate the others.
class SurfaceProgram : public expr::Enclosure {
 public:
  explicit SurfaceProgram(const Watches& watches);

  /// Evaluates all monitored quantities at one instant.   \param y  [q, u, z]
  void evaluate_at(double t, const Vector& y);
  /// Evaluates x and y of one surface.
  void evaluate_at(double t, const Vector& y, std::size_t surface);
  /// Computes jets of some surfaces and of their inner surfaces, or of everything if they are many.
  void enclose_some(std::span<const int> surfaces, const expr::Jet* jets, double h);
  /// Call it after `bind`.
  void forget() { knows_one_ = false; }

  /// x − y of a surface; x of a floor.   \pre `evaluate_at`
  [[nodiscard]] double difference(std::size_t surface) const;
  [[nodiscard]] double difference_at(std::size_t surface, double t, const Vector& y);
  /// [surfaces] The same of all surfaces.
  [[nodiscard]] std::vector<double> differences_at(double t, const Vector& y);

 private:
  void set_inputs(double t, const Vector& y);

  const Watches& watches_;
  std::vector<double> inputs_;
  std::vector<std::size_t> looks_;
  Nodes of_one_, of_some_;
  std::size_t one_ = 0;  ///< surface of `of_one_`
  bool knows_one_ = false;
};

}  // namespace vinculum::sim
