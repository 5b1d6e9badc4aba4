#pragma once

#include <span>
#include <vector>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/compiled/binding.hpp"

namespace vinculum::sim {

/// Values of an input along a run, in SI units.
struct InputRecord {
  std::size_t input = 0;      ///< index into Model::inputs
  std::vector<double> t;      ///< [rows] [s] strictly increasing
  std::vector<double> value;  ///< [rows]
  bool is_linear = false;     ///< linear between the rows; otherwise the value of a row holds until the next one
};

/// Components of y that belong to an input.
struct InputPlaces {
  Eigen::Index given, rate, own;  ///< `own` is −1 without such a state
};
[[nodiscard]] InputPlaces places_of(const CompiledModel& compiled, std::size_t input);
/// Gives the input a value from outside that holds.
void hold_input(const InputPlaces& places, double value, Vector& y);

/// Plays records of inputs: sets the states of the inputs at the instants at which a value, or with linear records a
/// slope, changes.
class PlayedInputs {
 public:
  /// \param records  must outlive this object
  PlayedInputs(const CompiledModel& compiled, std::span<const InputRecord> records);

  [[nodiscard]] bool has_any() const { return !played_.empty(); }
  /// [s] The next instant of a change; infinity if there is none.
  [[nodiscard]] double next_time() const;
  /// Sets the inputs at the start of a run.
  void begin(double t, double same, Vector& y);
  /// Sets the inputs that change at t.
  /// \param same  [s] times closer than this are one instant
  /// \returns whether there are any.
  bool apply(double t, double same, Vector& y);

 private:
  struct Played {
    const InputRecord* record;
    InputPlaces places;
    std::size_t row = 0;   ///< row in force
    std::size_t next = 0;  ///< row of the next change; number of rows: none
  };
  [[nodiscard]] static double slope(const InputRecord& record, std::size_t row);
  static void find_next(Played& played);
  static void set(const Played& played, double t, Vector& y);

  std::vector<Played> played_;
};

}  // namespace vinculum::sim
