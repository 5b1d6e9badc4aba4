#pragma once

#include <array>
#include <memory>
#include <vector>

#include "vinculum/api/force_table.hpp"
#include "vinculum/run/sink.hpp"

namespace vinculum {

/// Collects the loads of all constraints and reveals along a run: peak, mean and root mean square of each force and
/// couple.
///
/// Means are integrals over time by the Gauss nodes of the run. Between two states of the run a force is a polynomial
/// through its values at the nodes, and the peak is the largest value of this polynomial or at a state. So a peak
/// between the samples of the run is found. Forces may jump at events; impulses are not forces and are left out.
/// Source: docs/numerics.md, "Loads". Test: loads_test.cpp.
class LoadAccount : public sim::Sink {
 public:
  /// \param table  forces with components in the frame of this name
  LoadAccount(std::shared_ptr<const ForceTable> table, const std::string& frame);

  [[nodiscard]] Wants wants() const override { return {.states = true, .nodes = true}; }
  void state(const sim::Sample& sample) override;
  void node(const sim::Sample& sample, double weight) override;
  void jumped(const sim::Sample& before, const sim::Sample& after) override;

  /// One load for each force on a point and each couple on a body, in the order of the constraints.
  [[nodiscard]] std::vector<Load> loads() const;

 private:
  using Components = std::array<double, 3>;
  /// |F|, F, −F: the numbers whose largest values are sought.
  using Measures = std::array<double, 7>;
  struct Instant {
    double t = 0.0;
    State state;
    std::vector<double> values;  ///< columns of the table
  };
  /// Sums and extremes of one entry of the table.
  struct Sums {
    Load load;
    Measures most;                          ///< largest values so far
    double of_size = 0.0, of_square = 0.0;  ///< integrals of |F| and |F|²
    Components of_vector{};                 ///< integral of F
  };
  /// A time between two states, and the weights of the nodes by which forces are interpolated there.
  struct Place {
    double t = 0.0;
    std::vector<double> weights;
  };

  void add(const ForceTable::Entry& entry, const std::string& name, bool is_force, const std::string& frame);
  [[nodiscard]] Instant instant_of(const sim::Sample& sample) const;
  void see(const Instant& at);
  void see(Sums& sums, double t, const Components& value, const State& state) const;
  void note_uniqueness(const sim::Sample& sample);
  /// Finds the extremes between the last state and the state at this time.
  void search(double t_end);
  void narrow(std::size_t i, std::size_t measure, double from, double to);
  [[nodiscard]] Place place_at(double t) const;
  [[nodiscard]] Components value_at(std::size_t i, const Place& place) const;
  [[nodiscard]] const State& state_near(double t) const;
  [[nodiscard]] Components components_of(std::size_t i, const Instant& at) const;
  [[nodiscard]] static Measures measures_of(const Components& value);

  std::shared_ptr<const ForceTable> table_;
  std::vector<const ForceTable::Entry*> entries_;  ///< entries of the table that are loads
  std::vector<Sums> sums_;                         ///< [entries_]
  std::vector<Instant> nodes_;                     ///< since the last state
  double t_last_ = 0.0, duration_ = 0.0;
};

}  // namespace vinculum
