#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "vinculum/integrate/integrator.hpp"
#include "vinculum/sim/plant/row_space.hpp"
#include "vinculum/sim/run/trajectory.hpp"

namespace vinculum::sim {

/// Watches the constraint gradients along a run, inside steps too: where one vanishes or jumps the motion stops being
/// unique and the run must end there; where several become dependent for an instant the motion goes on, and it is
/// noted.
///
/// Accelerations may be smooth through such a point (Appell's rising particle moves with constant ones), so that
/// neither step control nor residuals notice. What does change is a gradient's direction: it turns about. So every
/// accepted step compares directions and lengths at its ends, and looks into the step with the dense output where they
/// differ much.
class SingularityMonitor {
 public:
  /// \param tolerance  of the run: what it cannot resolve counts as zero.   Scales must be set in `dynamics`.
  SingularityMonitor(Dynamics& dynamics, double tolerance);

  /// Judges the start itself, against states near it. \returns kNotUnique or kRankDrop where no unique motion begins.
  [[nodiscard]] std::optional<Failure> begin(double t, const Vector& y, std::vector<RankDrop>& drops);
  /// Judges an accepted step. Row residuals at its end are in `residual()` afterwards.
  /// \returns why the motion ends within the step, with the time.
  [[nodiscard]] std::optional<Failure> check(const integrate::Step& step, std::vector<RankDrop>& drops);
  /// Why the integrator could not go on from (t, y), if a gradient vanishes or jumps just ahead.
  [[nodiscard]] std::optional<Failure> explain_stall(double t, const Vector& y, double longest);

  [[nodiscard]] const Vector& residual() const { return residual_; }  ///< [nc] at the row's own level

 private:
  using Path = std::function<bool(double t, Vector& y)>;
  struct Minimum {
    double t = 0.0;
    double length = 0.0;
  };

  [[nodiscard]] bool look(const Path& path, double t, RowSpace::Freed& freed);
  [[nodiscard]] std::optional<Minimum> shortest(const Path& path, double begin, double end, int k);
  [[nodiscard]] bool look_at_row(const Path& path, double t, int k, Vector& row);
  [[nodiscard]] std::optional<Failure> find_jump(const Path& path, double begin, double end, int k);
  [[nodiscard]] double still_to_go(const Path& path, const Minimum& minimum, double begin, double end, int k);
  [[nodiscard]] std::optional<Failure> judge_zero(const Path& path, double t, int k, double beyond,
                                                  std::vector<RankDrop>& drops);
  [[nodiscard]] Path straight_path(double t, const Vector& y);
  [[nodiscard]] Failure not_unique(double t, int row, const char* how) const;
  [[nodiscard]] bool rests_where_rank_drops(const RowSpace::Freed& freed, const Vector& y) const;

  Dynamics& dynamics_;
  double threshold_;
  bool is_active_ = false;
  std::optional<RowSpace> space_;
  Vector reference_;      ///< [rank] largest length of each freed row so far
  Vector own_reference_;  ///< [rank] largest length of each row itself
  RowSpace::Freed before_, after_, inside_;
  Matrix A_;
  Vector residual_, residual_inside_, y_inside_;
  double pace_ = 0.0;  ///< recent longest step
};

}  // namespace vinculum::sim
