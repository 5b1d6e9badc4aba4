#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "vinculum/hybrid/contact_equations.hpp"
#include "vinculum/hybrid/event_source.hpp"

namespace vinculum::sim {

/// The switching surfaces gap = 0 of the unilateral constraints of a model, in the order of their events.
struct GapSurfaces {
  std::vector<std::size_t> all;

  explicit GapSurfaces(const Binding& bound);
  [[nodiscard]] bool hold(std::size_t surface) const { return std::ranges::find(all, surface) != all.end(); }
  /// [surfaces] `sides`, but `present` for the gaps: the sign of a gap that is 0 is rounding error.
  [[nodiscard]] std::vector<double> kept(std::vector<double> sides, const std::vector<double>& present) const {
    for (const std::size_t k : all) sides[k] = present[k];
    return sides;
  }
};

/// Decides which unilateral constraints of a model are closed, and computes their impacts (theory.md §10.3). "Contact"
/// is a unilateral constraint here, also a stop or a rope. Owns the memory of one run.
class Contacts {
 public:
  Contacts(Dynamics& dynamics, double duration);

  [[nodiscard]] const std::vector<ContactRow>& rows() const { return rows_; }
  [[nodiscard]] bool has_any() const { return !rows_.empty(); }
  [[nodiscard]] bool is_closed(std::size_t contact, const Vector& y) const { return y[rows_[contact].closed_at] > 0.5; }
  /// [contacts] gaps.
  [[nodiscard]] Vector gaps(const Mode& mode, double t, const Vector& y) const;
  /// Typical size of a gap, to which its rounding errors are relative.
  [[nodiscard]] double gap_size(const Mode& mode, std::size_t contact) const {
    return mode.position_size.size() > 0 ? mode.position_size[rows_[contact].position] : 1.0;
  }
  /// [contacts] Largest forces so far; forces are compared with these.
  [[nodiscard]] const Vector& force_sizes() const { return force_size_; }
  void note_force(std::size_t contact, double force) {
    force_size_[static_cast<Eigen::Index>(contact)] =
        std::max(force_size_[static_cast<Eigen::Index>(contact)], std::abs(force));
  }

  /// Learns the sizes of the forces of contacts that are closed at a state.
  void learn_forces(const Mode& mode, double t, const Vector& y);
  /// Closes gaps: changes the speeds by the impact of all contacts whose gap is closed, and decides which of them
  /// remain closed.
  /// \param landed  constraints whose gap has just become 0
  /// \param touch  a gap counts as closed below this part of its size
  /// \returns the failure if no impact or no motion after it exists.
  [[nodiscard]] Outcome<void> impact(std::span<const model::ConstraintId> landed, Transition& to,
                                     double touch = tolerance::kZero);
  /// Decides by the accelerations which of some contacts with closed gaps remain closed.
  /// \param touching  [contacts] 1 for the contacts whose gap and normal speed are 0
  [[nodiscard]] Outcome<void> settle(const std::vector<char>& touching, Transition& to);
  /// Decides which closed contacts remain closed after their normals have jumped. A contact that separates opens. If
  /// a contact approaches, there is an impact.
  [[nodiscard]] Outcome<void> turn(Transition& to);
  /// Opens closed contacts that open at an instant at which contacts stick or slide in another way.
  /// \param in  the mode of `to`; receives the mode in which the contacts that remain closed act
  /// \returns whether a contact has opened
  [[nodiscard]] Outcome<bool> open_first(Mode& in, Transition& to);
  /// Returns `sides` with the sides of gaps replaced. The side of a gap is that of equality while its contact is
  /// closed, and while the contact is open with a gap that is rounding error.
  /// \param touch  a gap counts as rounding error up to this part of its size
  /// \param is_start  false: only gaps that have just opened change their side
  [[nodiscard]] std::vector<double> sides_of_gaps(std::vector<double> sides, const Mode& mode, double t,
                                                  const Vector& y, double touch, bool is_start) const;
  /// The mode, and in `y_open` the state, in which no contact is closed.
  [[nodiscard]] Mode opened(const Mode& mode, double t, const Vector& y, Vector& y_open) const {
    return equations_.with_closed(mode, t, y, std::vector<char>(rows_.size(), 0), y_open);
  }
  /// [contacts] 1 if the gap and its rate are 0.
  [[nodiscard]] std::vector<char> touching(const Mode& mode, double t, const Vector& y);
  /// Sets the sides of the gaps of which `impact` or `settle` has decided last (Transition::decided): the sign of these
  /// gaps is rounding error. Gaps that keep the value 0, or leave it by their accelerations, have the side of equality.
  void decide_sides(Transition& to) const;

 private:
  [[nodiscard]] Outcome<std::vector<char>> closed_at(std::span<const model::ConstraintId> landed, Transition& to,
                                                     double touch);
  void give(const ImpactEquations& of, const Vector& p, Transition& to, Impulse& impulse) const;
  [[nodiscard]] Outcome<void> come_to_rest(const std::vector<char>& touching, double fastest, Transition& to,
                                           Impulse& impulse);
  void drop_rounding(const NormalEquations& at, Vector& impulses) const;
  void meet_gaps(const std::vector<char>& closed, Transition& to);
  /// `settle` after an impact, which has decided about other contacts.
  [[nodiscard]] Outcome<void> hold(const std::vector<char>& touching, Transition& to);
  enum class Verdict : char { kCloses, kOpens, kOpen };
  [[nodiscard]] Outcome<void> look_ahead(const NormalEquations& at, const std::vector<Verdict>& now,
                                         const Transition& to, std::vector<char>& closed);
  [[nodiscard]] Outcome<std::vector<Verdict>> judged(const NormalEquations& at, const Mode& mode, double t,
                                                     const Vector& y);
  [[nodiscard]] Outcome<std::vector<Verdict>> judged_without_friction(const NormalEquations& at, double t);
  [[nodiscard]] std::vector<char> ended_bounces(const NormalEquations& at, const Vector& before, const Vector& after,
                                                const std::vector<char>& touches,
                                                std::span<const model::ConstraintId> landed, const Transition& to);
  /// The failure if an impact has no solution, or several.
  [[nodiscard]] std::optional<Failure> failure_of_ending(solve::ImpactEnding ending, const NormalEquations& at,
                                                         double t) const;
  [[nodiscard]] double time_of_change(const Vector& rate) const;
  [[nodiscard]] Failure failure_of(std::size_t contact, double t, FailureKind kind, std::string message) const;

  Dynamics& dynamics_;
  double duration_;
  std::vector<ContactRow> rows_;
  ContactEquations equations_;
  std::vector<double> impacts_;      ///< [s] the last impacts
  std::vector<double> last_impact_;  ///< [contacts] [s] when it approached in an impact last
  Vector force_size_;
  enum class Gap : char { kElsewhere, kOpens, kTouches };
  std::vector<Gap> decided_;  ///< [contacts] what the last decision was
};

/// Opens all contacts of a state: the states of contacts become 0.
void open_contacts(const Binding& bound, Vector& y);
/// Closes the contacts of a start at rest: those whose gap and normal speed are 0 and whose force is positive. For
/// reports at a start; a run decides by itself.
/// \param y  the states of these contacts become 1
void close_contacts(Dynamics& dynamics, double t, Vector& y);

}  // namespace vinculum::sim
