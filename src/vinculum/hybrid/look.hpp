#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/compiled/watches.hpp"
#include "vinculum/hybrid/influence.hpp"
#include "vinculum/hybrid/watched.hpp"
#include "vinculum/integrate/dense_polynomial.hpp"
#include "vinculum/motion/dynamics.hpp"
#include "vinculum/motion/regions.hpp"

namespace vinculum::sim {

/// What a look into a step found.
struct Seen {
  enum class What {
    kQuiet,     ///< nothing that its stages have not seen
    kCrossing,  ///< the state passes a surface
    kSharp,     ///< a value goes beyond what stages saw, and that matters
    kUnproven,  ///< neither could be shown
  } what = What::kQuiet;
  double t = 0.0;       ///< of the crossing; to where the step is right
  double length = 0.0;  ///< kSharp, kUnproven: of the next step
  std::size_t surface = 0;
  bool upward = false;  ///< kCrossing: x − y rises; floor: to the next whole number above
  std::string of;       ///< what it is about, as stated
};

/// Looks into steps for what their stages may have missed, by intervals along their motion (theory.md §10.4):
///
///   1. rates of the stages and a tenth to either side, and the cones of them from both ends, bound the state: where no
///      surface can be reached and no value leaves what the ends have by a tenth of it, the step is quiet;
///   2. otherwise the dense polynomial bounds it, in parts from the left that are halved while something is open;
///   3. a value that may go beyond what the stages saw counts where what it may do to the equations over the part
///      matters at the tolerance.
///
/// The polynomial of a step whose extra stages alone have met something is not the motion, nor is a step right whose
/// error estimate vanishes by chance: where values are looked at closer, and in steps more than twice as long as those
/// before, the rates along the polynomial have to add up to what the state has changed by.
///
/// Looking changes nothing of the motion; it evaluates the extra stages of the dense output where 1 leaves something
/// open.   Law: short_events_test.cpp.
class Look {
 public:
  /// \param regions  of the same dynamics; outlives this.
  Look(const Watched& run, Regions& regions);

  /// Sides of the surfaces at a state, by the sign of x − y there, by its rate where that is 0, and as stated where
  /// both are.
  [[nodiscard]] std::vector<double> sides_at(double t, const Vector& y);
  void take(std::vector<double> sides);
  /// Surfaces x = y that a state lies on.
  [[nodiscard]] std::vector<std::size_t> met_at(double t, const Vector& y);
  /// x − y of a surface at a state.
  [[nodiscard]] double difference_at(std::size_t surface, double t, const Vector& y) {
    evaluate(t, y);
    return difference(surface);
  }
  /// Sides behind a surface that is passed at (t, y): what jumps with it (t − floor(t) at a whole number) lies where it
  /// has jumped to.
  [[nodiscard]] std::vector<double> sides_behind(std::size_t surface, bool upward, double t, const Vector& y);
  [[nodiscard]] const std::vector<double>& sides() const { return sides_; }
  /// Whether a surface is one of time alone.
  [[nodiscard]] bool is_of_time(std::size_t surface) const { return is_of_time_[surface] != 0; }
  /// Whether coordinates or speeds are in it.
  [[nodiscard]] bool is_of_motion(std::size_t surface) const { return is_of_motion_[surface] != 0; }
  /// Whether a side of a surface is part of the equations in force: it is behind no branch that is not taken, and the
  /// motion goes along neither it nor one that it holds.
  [[nodiscard]] bool is_in_force(std::size_t surface) const {
    const bool is_level = !watches_.switches.surfaces()[surface].is_floor() && sides_[surface] == Switches::kEqual;
    return program_.is_used(x_of(surface)) && (is_level || !is_left_out(surface));
  }
  /// What a tolerance of a component is relative to: the most that it has been, no less than a part of its scale.
  [[nodiscard]] double size_of(int component) const;
  [[nodiscard]] Seen into(const integrate::Step& step);
  /// Whether a state inside the step that was last looked at closer is where its polynomial is.
  [[nodiscard]] bool is_on_polynomial(const integrate::Step& step, double t, const Vector& y);
  [[nodiscard]] long closer() const { return closer_; }

 private:
  struct Part {
    double from = 0.0, to = 1.0;  ///< of the step
    Matrix coefficients;
    std::vector<int> surfaces, values;  ///< still open
  };
  enum class Side { kKept, kOpen, kLeft };

  [[nodiscard]] static std::size_t x_of(std::size_t surface) { return 2 * surface; }
  [[nodiscard]] std::size_t value_look(int value) const { return 2 * (surfaces_ + static_cast<std::size_t>(value)); }
  /// A look has nothing to say about it: the motion goes along it or along one that it holds, or it is a plateau.
  [[nodiscard]] bool is_left_out(std::size_t surface) const { return is_left_out_[surface] != 0; }
  [[nodiscard]] bool is_looked_at(std::size_t surface) const {
    return program_.is_used(x_of(surface)) && !is_left_out(surface);
  }
  void evaluate(double t, const Vector& y);
  [[nodiscard]] double difference(std::size_t surface) const;
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
  [[nodiscard]] Seen cross(const integrate::Step& step, const Part& part, std::size_t surface, bool upward);
  [[nodiscard]] Seen innermost(const integrate::Step& step, Seen seen);
  void join_behind_branches(std::vector<double>& sides, double t, const Vector& y);
  [[nodiscard]] std::string text_of(const Part& part) const;

  Watched run_;
  Regions& regions_;
  const Watches& watches_;
  expr::Enclosure program_;
  std::size_t surfaces_, values_;
  int ny_;
  std::vector<double> sides_, inputs_;
  std::vector<expr::Jet> jets_;       ///< of t, y and the unknowns
  std::vector<expr::Interval> seen_;  ///< [values] what stages saw of what they are judged by
  integrate::DensePolynomial polynomial_;
  Vector least_, most_, y_, reached_, rate_, change_, rounding_;
  std::vector<char> begun_;         ///< [2 × surfaces] whether the state has been on the side in this step
  std::vector<char> is_left_out_;   ///< [surfaces] see is_left_out; empty without sides
  std::vector<char> is_of_time_;    ///< [surfaces] alone
  std::vector<char> is_of_motion_;  ///< [surfaces]
  std::vector<std::pair<std::size_t, bool>> left_;  ///< surfaces passed in the part at hand, and which way
  std::vector<Part> parts_;                         ///< still to be looked at, the earliest last
  std::size_t open_parts_ = 0;                      ///< of these: those behind keep their storage
  Part at_hand_;
  std::vector<double> weighed_;  ///< of the run's method, known from the first closer look on
  Influence influence_;
  bool knows_influence_ = false;       ///< of the step at hand
  Vector accelerations_;               ///< [nu] sizes along the part at hand
  std::vector<expr::Interval> whole_;  ///< [equations]
  double length_ = 0.0;                ///< [s] of what is enclosed
  double last_length_ = 0.0;           ///< [s] of the step before
  long closer_ = 0;
};

}  // namespace vinculum::sim
