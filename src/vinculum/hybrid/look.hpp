#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/compiled/watches.hpp"
#include "vinculum/hybrid/influence.hpp"
#include "vinculum/hybrid/surface_program.hpp"
#include "vinculum/hybrid/watched.hpp"
#include "vinculum/integrate/dense_polynomial.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/motion/regions.hpp"

namespace vinculum::sim {

/// Result of an enclosure check of a step.
struct Seen {
  enum class What {
    kQuiet,      ///< the stages of the step have missed no crossing and no sharp change
    kCrossing,   ///< the state crosses a switching surface
    kSharp,      ///< a value leaves the range that the stages saw, and the effect exceeds the tolerance
    kUnproven,   ///< a crossing or sharp change could neither be proved nor excluded
    kUndefined,  ///< a condition that matters has no value from t on
  } what = What::kQuiet;
  double t = 0.0;       ///< [s] kCrossing: when; kSharp: the step is correct up to here
  double length = 0.0;  ///< [s] kSharp, kUnproven: length of the next step
  std::size_t surface = 0;
  bool upward = false;  ///< kCrossing: x − y increases; for a floor: x reaches the next larger whole number
  std::string of;       ///< text of the switching expression or of the value, as in the model
};

/// Enclosure checks of steps: find crossings and sharp changes that the stages may have missed, by interval arithmetic
/// along the step (theory.md §10.4).
///
///   1. The rates of the stages, widened by a tenth on either side, and the cones that they span from both ends of
///      the step, enclose the state. The step is quiet if the state can reach no surface, and no value leaves the range
///      of its values at the ends by more than a tenth of that range.
///   2. Otherwise the dense polynomial encloses the state. The step is examined in parts, from its start on. A part is
///      halved while a crossing or a sharp change in it is neither proved nor excluded.
///   3. A value that may leave the range that the stages saw counts if its possible effect on the equations over the
///      part exceeds a tenth of the tolerance.
///
/// The dense polynomial is not the motion if only the extra stages of the dense output have met something, and a step
/// is wrong if its error estimate is small by chance. So the rates along the polynomial are integrated and compared
/// with the change of the state: whenever values are examined along the polynomial, and in steps more than twice as
/// long as the one before.
///
/// A check does not change the motion. The extra stages of the dense output are evaluated only if rule 1 does not show
/// that the step is quiet.
/// Test: short_events_test.cpp.
class Look {
 public:
  /// \param regions  regions of the dynamics of `run`; must outlive this object
  Look(const Watched& run, Regions& regions);

  /// Sides of all surfaces at a state: the sign of x − y; if x − y is 0, the sign of its rate. If both are 0, the side
  /// is the one that the comparison (such as `<`) assigns to equality.
  [[nodiscard]] std::vector<double> sides_at(double t, const Vector& y);
  void take(std::vector<double> sides);
  /// Surfaces x = y on which a state lies.
  [[nodiscard]] std::vector<std::size_t> met_at(double t, const Vector& y);
  /// Evaluates the monitored quantities in the present regions.
  [[nodiscard]] SurfaceProgram& program() { return program_; }
  /// Sides after a step. They differ from the present sides only for surfaces whose x − y had no value (NaN) before and
  /// has one again.
  [[nodiscard]] std::vector<double> sides_defined_at(double t, const Vector& y);
  /// Sides after a surface is crossed at (t, y). The crossing may make the values of other surfaces jump that contain
  /// the crossed one, such as t − floor(t) at a whole number. Their sides are those after the jump.
  [[nodiscard]] std::vector<double> sides_behind(std::size_t surface, bool upward, double t, const Vector& y);
  [[nodiscard]] const std::vector<double>& sides() const { return sides_; }
  /// Whether a surface depends on the time only.
  [[nodiscard]] bool is_of_time(std::size_t surface) const { return is_of_time_[surface] != 0; }
  /// Whether a surface depends on coordinates or speeds.
  [[nodiscard]] bool is_of_motion(std::size_t surface) const { return is_of_motion_[surface] != 0; }
  /// True if the equations in force use the side of a surface. False if the surface occurs only in branches that are
  /// not taken, if its x − y has no value, or if it or a surface that it contains belongs to the sliding mode.
  [[nodiscard]] bool is_in_force(std::size_t surface) const {
    const bool is_level = !watches_.switches.surfaces()[surface].is_floor() && sides_[surface] == Switches::kEqual;
    return program_.is_used(x_of(surface)) && (is_level || !is_left_out(surface));
  }
  /// Magnitude to which the tolerance of a component of y is relative: its largest absolute value so far, but at least
  /// a fraction of its typical size.
  [[nodiscard]] double size_of(int component) const;
  /// Whether the monitored equations depend on the side of a surface.
  [[nodiscard]] bool decides(std::size_t surface, double t, const Vector& y);
  [[nodiscard]] Seen into(const integrate::Step& step);
  /// Whether a state within the step examined last lies on its dense polynomial.
  [[nodiscard]] bool is_on_polynomial(const integrate::Step& step, double t, const Vector& y);
  [[nodiscard]] long closer() const { return closer_; }

 private:
  struct Part {
    double from = 0.0, to = 1.0;  ///< relative to the step
    Matrix coefficients;
    std::vector<int> surfaces, values;  ///< surfaces and values that are still open
  };
  static constexpr char kWithoutValue = 2;  ///< entry of `is_left_out_`: x − y has no value (NaN)
  enum class Side { kKept, kOpen, kLeft, kUndefined };

  [[nodiscard]] std::size_t value_look(int value) const { return 2 * (surfaces_ + static_cast<std::size_t>(value)); }
  /// True if a surface is not examined. One reason is that the surface, or a surface that it contains, belongs to the
  /// sliding mode. The other two: x − y stays 0, or x − y has no value and the equations do not depend on it.
  [[nodiscard]] bool is_left_out(std::size_t surface) const { return is_left_out_[surface] != 0; }
  [[nodiscard]] bool is_looked_at(std::size_t surface) const {
    return program_.is_used(x_of(surface)) && !is_left_out(surface);
  }
  void fill(const Matrix& coefficients, double t, double h);
  [[nodiscard]] double judged(int value, double own, double argument) const;
  [[nodiscard]] bool bounds_what_sticks(int value) const;
  void see(double t, const Vector& y, bool is_end);
  void see_ends();
  [[nodiscard]] expr::Interval allowed(int value) const;
  [[nodiscard]] bool is_quiet(int value) const;
  [[nodiscard]] bool goes_beyond(int value) const;
  [[nodiscard]] std::pair<expr::Jet, expr::Jet> margins(std::size_t surface) const;
  [[nodiscard]] double margin_at(std::size_t surface, bool upward, double t, const Vector& y);
  [[nodiscard]] Side judge(const integrate::Step& step, std::size_t surface, const Part& part, bool& upward);
  [[nodiscard]] bool matters(const std::vector<int>& open, double h);
  [[nodiscard]] Part& next_part();
  [[nodiscard]] Seen along(const integrate::Step& step);
  [[nodiscard]] bool is_carried(const integrate::Step& step);
  [[nodiscard]] Seen not_carried(const integrate::Step& step) const;
  [[nodiscard]] Seen look_at(const integrate::Step& step, Part& part);
  void leave_at_poles(Part& part);
  [[nodiscard]] Seen along_defined(const integrate::Step& step);
  [[nodiscard]] Seen cross(const integrate::Step& step, const Part& part, std::size_t surface, bool upward);
  [[nodiscard]] Seen innermost(const integrate::Step& step, Seen seen);
  void join_behind_branches(std::vector<double>& sides, double t, const Vector& y);

  Watched run_;
  Regions& regions_;
  const Watches& watches_;
  SurfaceProgram program_;
  std::size_t surfaces_, values_;
  int ny_;
  std::vector<double> sides_;
  std::vector<expr::Jet> jets_;       ///< enclosures of t, y and the unknowns
  std::vector<expr::Interval> seen_;  ///< [values] ranges over the stages of the numbers that `judged` returns
  integrate::DensePolynomial polynomial_;
  Vector least_, most_, y_, reached_, rate_, change_, rounding_;
  std::vector<char> begun_;  ///< [2 × surfaces] whether the state has been on each side of the surface in this step
  std::vector<char> is_left_out_;                   ///< [surfaces] see is_left_out(); empty without sides
  std::vector<char> is_of_time_;                    ///< [surfaces] depends on the time only
  std::vector<char> is_of_motion_;                  ///< [surfaces] depends on coordinates or speeds
  std::vector<std::pair<std::size_t, bool>> left_;  ///< surfaces crossed in the present part, and in which direction
  std::vector<Part> parts_;                         ///< parts still to be examined, the earliest last
  std::size_t open_parts_ = 0;  ///< number of valid elements of `parts_`; the others keep their storage for reuse
  Part at_hand_;
  std::vector<double> weighed_;  ///< relative times of the stages of the run's method, read at the first check along
                                 ///< the polynomial
  Influence influence_;
  bool knows_influence_ = false;       ///< whether `influence_` belongs to the present step
  Vector accelerations_;               ///< [nu] largest |u'| over the present part
  std::vector<expr::Interval> whole_;  ///< [equations] enclosures of the equations over the present part
  double length_ = 0.0;                ///< [s] length of the interval that is enclosed
  double last_length_ = 0.0;           ///< [s] length of the previous step
  long closer_ = 0;
};

}  // namespace vinculum::sim
