#pragma once

#include <memory>
#include <vector>

#include "vinculum/laws/reaction.hpp"
#include "vinculum/sim/compiled_model.hpp"

namespace vinculum::sim {

/// Everything that is reported about one instant.
struct Sample {
  double t = 0.0;
  Vector q, u;                   ///< [nq], [nu]
  Vector q_dot;                  ///< [nq] G u + g
  laws::Reaction reaction;       ///< u', λ, λ_ideal, Qi, Qni, Qc
  Vector outputs;                ///< [output_size], columns as in CompiledModel::output_columns
  Vector residual;               ///< [constraints] worst row of the constraint at its own level, absolute value
  int rank = 0;                  ///< of A at this state
  std::vector<char> row_unique;           ///< [nc] whether λ of the row is unique
  std::vector<char> point_force_unique;   ///< [point_forces] Σ W_s N_s = 0 (theory.md §3.5)
  std::vector<char> output_unique;        ///< [outputs] whether the output is the same for every admissible λ
};

/// How often the fast path was not good enough.
struct SolveCounts {
  long static_solves = 0;       ///< accepted solves of tier S
  long fallbacks = 0;           ///< solves of tier Q because a guard refused tier S
  int lowest_rank = -1;         ///< of A in tier Q solves; −1 when there was none
};

/// Evaluates one CompiledModel with its own scratch: one object a thread. `derivative` and the projections allocate
/// nothing. Tier S where its guards accept it, else tier Q (ConstrainedSolve).
class Dynamics {
 public:
  explicit Dynamics(std::shared_ptr<const CompiledModel> compiled);
  ~Dynamics();
  Dynamics(Dynamics&&) noexcept;
  Dynamics& operator=(Dynamics&&) noexcept;

  /// (t, [q, u]) → [q', u'].
  /// \returns kInconsistent with the rows named, kUndetermined with coordinates named, kNonFinite with the culprit.
  [[nodiscard]] Outcome<void> derivative(double t, const double* y, double* y_dot);

  /// Brings q onto the rows of position level, then u onto all rows with ψ, in the metric of M, to rounding.
  /// \param scale [nq + nu] typical size of each component.  \returns the largest correction relative to `scale`.
  [[nodiscard]] Outcome<double> project(double t, double* y, const double* scale);

  /// Everything about the state. Always by tier Q: the truth. Allocates only while `sample` grows to size.
  [[nodiscard]] Outcome<void> report(double t, const double* y, Sample& sample);

  /// |φ| or |ψ| of each row with such a level (0 for acceleration level), and the length of the row's gradient in the
  /// metric of M. [nc] each.
  [[nodiscard]] Outcome<void> row_state(double t, const double* y, Vector& residual, Vector& gradient_length);

  [[nodiscard]] const SolveCounts& counts() const;
  [[nodiscard]] const CompiledModel& compiled() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace vinculum::sim
