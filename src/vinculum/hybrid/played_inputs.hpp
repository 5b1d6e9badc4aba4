#pragma once

#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// Values of an input along a run, in SI units.
struct InputRecord {
  std::size_t input = 0;      ///< index into Model::inputs
  std::vector<double> t;      ///< [points] instants [s], strictly increasing
  std::vector<double> value;  ///< [points] values at these instants
  bool is_linear = false;     ///< true: linear interpolation; false: a value is kept until the next instant
};

/// Components of y that belong to an input.
struct InputPlaces {
  Eigen::Index given, rate, own;  ///< indices into y; `own` is −1 if y has no such component
};
[[nodiscard]] InputPlaces places_of(const CompiledModel& compiled, std::size_t input);
/// Sets an input to `value`, which stays constant until the next change.
void hold_input(const InputPlaces& places, double value, Vector& y);

/// Applies records of inputs to the state. The components of y that belong to an input are set at every instant at
/// which the value of its record changes, or, with linear interpolation, its slope.
class PlayedInputs {
 public:
  /// \param records  must outlive this object
  PlayedInputs(const CompiledModel& compiled, std::span<const InputRecord> records);

  [[nodiscard]] bool has_any() const { return !played_.empty(); }
  /// [s] The next instant at which an input changes; infinity if there is none.
  [[nodiscard]] double next_time() const;
  /// Sets the inputs at the start of a run.
  void begin(double t, double same, Vector& y);
  /// Sets the inputs that change at t.
  /// \param same  [s] times that differ by less than this count as one instant
  /// \returns true if an input changes at t.
  bool apply(double t, double same, Vector& y);

 private:
  struct Played {
    const InputRecord* record;
    InputPlaces places;
    std::size_t row = 0;   ///< point of the record that the present value comes from
    std::size_t next = 0;  ///< point of the next change; the number of points if there is none
  };
  [[nodiscard]] static double slope(const InputRecord& record, std::size_t row);
  static void find_next(Played& played);
  static void set(const Played& played, double t, Vector& y);

  std::vector<Played> played_;
};

}  // namespace vinculum::sim
