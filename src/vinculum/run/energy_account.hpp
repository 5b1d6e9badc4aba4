#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/run/simulate.hpp"

namespace vinculum::sim {

/// Computes the energies, the power of every load and constraint, and their balance along a run:
///
///   energy(t) = energy(0) + ∫ (powers of loads without potential, of constraints, of prescribed motions) dt +
///               energy of impulses + error
///
/// The integral uses five Gauss nodes between any two instants that the run reports, at states that are interpolated
/// and projected. So its error is smaller than the error of the run. Powers are computed from the statements of the
/// model: F·v, T·ω, D q'. So the balance compares the energies with an independent computation that shares only the
/// motion with them. Source: theory.md §1, §6.4, §8.9.
class EnergyAccount : public Sink {
 public:
  /// Derives the equations once more, and compiles the columns for the tape back end.
  explicit EnergyAccount(const Binding& bound);

  struct Row {
    double t = 0.0;
    Vector values;  ///< [columns] value of each column
  };
  /// Names of the columns, in this order:
  ///  * "kinetic_energy" and "potential_energy" (not with a `lagrangian`), "energy", "hamiltonian" if it differs from
  ///    the energy, "effective_energy" if a law stores energy;
  ///  * "power(force on P)" of every load, "power(c)" of every constraint, "power(time)" if prescribed motions do work;
  ///  * "impulses", the sum of the instantaneous changes of energy, if constraints act only at times or events set the
  ///    state;
  ///  * "work", and "balance": energy − energy at the start − work, where work includes the impulses.
  [[nodiscard]] const std::vector<std::string>& columns() const { return columns_; }
  /// Adds this account to the sinks in the options; the account must exist until the run has ended.
  void follow(SimulateOptions& options);
  /// Makes the account pass each row to `taker` instead of storing it.
  void hand_to(std::function<void(const Row&)> taker) { taker_ = std::move(taker); }
  [[nodiscard]] Wants wants() const override { return {.states = true, .nodes = true}; }
  void sample(const Sample&) override { is_sample_ = true; }
  void state(const Sample& sample) override;
  void jumped(const Sample& before, const Sample& after) override;
  void node(const Sample& sample, double weight) override;
  /// Evaluates the columns at a state, except for "impulses", "work" and "balance".
  void evaluate(const Sample& sample);
  [[nodiscard]] const std::vector<double>& evaluated() const { return result_; }
  /// One row for each sample of the run that was followed.
  [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
  /// The largest |balance| so far, its ratio to the largest energy or work, and its time.
  struct Worst {
    double error = 0.0, relative = 0.0, t = 0.0;
  };
  [[nodiscard]] Worst worst() const;

 private:
  void take_row(const Sample& sample);

  std::vector<std::string> columns_;
  std::size_t energy_ = 0;  ///< index of the column "energy"
  bool has_impulses_ = false;
  Row last_, before_;  ///< rows at the last two states
  bool is_started_ = false, is_sample_ = false;
  double energy_at_start_ = 0.0, work_ = 0.0, by_impulses_ = 0.0;
  double size_ = 0.0;  ///< largest energy or work so far
  Worst worst_;
  std::vector<Row> rows_;
  std::function<void(const Row&)> taker_;
  BoundKernel kernel_;  ///< report inputs → the columns of `evaluate`, then the power that changes the energy
  std::vector<double> input_, result_, workspace_;
};

}  // namespace vinculum::sim
