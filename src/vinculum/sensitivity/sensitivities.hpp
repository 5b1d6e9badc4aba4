#pragma once

#include <optional>
#include <string>
#include <vector>

#include "vinculum/hybrid/run_record.hpp"
#include "vinculum/run/sink.hpp"
#include "vinculum/sensitivity/jump.hpp"
#include "vinculum/sensitivity/mode_equations.hpp"
#include "vinculum/sensitivity/start_gradient.hpp"

namespace vinculum::sensitivity {

/// Derivatives of a motion at an instant.
struct Derivatives {
  double t = 0.0;
  Matrix S;      ///< [ny × quantities] derivatives of y = (q, u, z)
  Matrix shown;  ///< [rows of ShownColumns × quantities] derivatives of outputs and multipliers; NaN if there are none
};

/// Computes S = ∂y/∂p along a run, for parameters and start values p: S' = ∂F/∂y S + ∂F/∂p, integrated together with
/// the motion over each of its steps. At the end of a step S is projected onto the constraints, and at the instants of
/// events it jumps (jump.hpp). The motion itself does not change.
/// Source: docs/theory.md §11.   Test: tests/sensitivity.
class Sensitivities final : public sim::Sink {
 public:
  struct Wanted {
    std::vector<Quantity> quantities;
    std::vector<double> sizes;  ///< [quantities] typical sizes of changes
    StartOf start_of;           ///< starts with changed quantities
    std::vector<double> at;     ///< [s] further instants, in any order
    double tolerance = 0.0;     ///< of the integration of S
    std::string method;         ///< of the run
  };
  /// \returns kNotUnique if the model has no smooth equations in any mode
  [[nodiscard]] static Outcome<std::unique_ptr<Sensitivities>> make(std::shared_ptr<const sim::Binding> bound,
                                                                    Wanted wanted);

  void sample(const sim::Sample& sample) override;
  void passed(const sim::Stretch& stretch) override;
  /// Call it when the run has ended, and before its Dynamics does.
  /// \param run  its events: beyond a singular pose there are no derivatives
  void finish(const sim::RunRecord& run);

  /// Why there are no derivatives beyond the last entry of `samples`; nothing if the run has them up to its end.
  [[nodiscard]] const std::optional<Failure>& ended() const { return ended_; }
  /// At the samples of the run. NaN at a last sample that no step of the run reaches: after an event at the end, or
  /// inside a step that the motion cannot complete.
  [[nodiscard]] const std::vector<Derivatives>& samples() const { return samples_; }
  /// At the instants `Wanted::at`, in their order; S is empty at instants that the run did not reach.
  [[nodiscard]] const std::vector<Derivatives>& asked() const { return asked_; }
  [[nodiscard]] const Wanted& wanted() const { return wanted_; }
  [[nodiscard]] const ShownColumns& columns() const { return family_.columns(); }

 private:
  /// An instant at which derivatives are recorded.
  struct Instant {
    double t = 0.0;
    Vector y = {};  ///< state; empty: to be computed
    bool is_sample = false;
    std::optional<std::size_t> asked = {};  ///< index into `Wanted::at`
  };
  /// The stretch whose instants are not computed yet. Samples of a stretch may arrive before or after it.
  struct Open {
    sim::Dynamics* dynamics;
    sim::Mode mode;
    ModeEquations* equations;
    double t_end;
    Vector y_end;
  };
  Sensitivities(std::shared_ptr<const sim::Binding> bound, Wanted wanted, ModeFamily family);
  [[nodiscard]] Outcome<void> begin(const sim::Stretch& stretch);
  [[nodiscard]] Outcome<void> close();
  [[nodiscard]] Outcome<void> open(const sim::Stretch& stretch);
  [[nodiscard]] Outcome<void> integrate(double t);
  [[nodiscard]] Outcome<void> record(Instant& instant);
  [[nodiscard]] Outcome<void> project(double t, const Vector& y, Matrix& S);
  [[nodiscard]] std::vector<Instant> instants();
  void end(Failure failure, double t);
  [[nodiscard]] Eigen::Index ny() const { return scale_.size(); }
  [[nodiscard]] Eigen::Index columns_of_S() const { return static_cast<Eigen::Index>(wanted_.quantities.size()); }

  std::shared_ptr<const sim::Binding> bound_;
  Wanted wanted_;
  ModeFamily family_;
  Matrix by_p_;  ///< [parameters × quantities] 1 where a quantity is this parameter
  Vector scale_;
  std::vector<Instant> waiting_;      ///< samples that are not computed yet
  std::vector<std::size_t> in_time_;  ///< indices of `Wanted::at` by time
  std::size_t next_asked_ = 0;
  std::optional<Open> open_;
  // Time up to which S is known, with the state of the same integration.
  double t_ = 0.0;
  Vector y_;
  Matrix S_;
  double next_step_ = 0.0;
  std::optional<Failure> ended_;
  std::vector<Derivatives> samples_, asked_;
};

}  // namespace vinculum::sensitivity
