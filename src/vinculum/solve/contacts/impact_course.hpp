#pragma once

#include <optional>
#include <vector>

#include "vinculum/solve/contacts/impact_rates.hpp"

namespace vinculum::solve {

/// One round of an impact: the contacts that approach pass through compression and restitution, together with contacts
/// at rest. Velocities change at constant rates until a contact changes its stage or its slip ends.
/// Source: docs/theory.md §10.3. Test: impact_process_test.cpp, impact_friction_test.cpp.
class ImpactCourse {
 public:
  /// \param velocity     [n] velocities before the round.   \param approached  contacts with γ < 0.
  /// \param resting      contacts with γ = 0 within the tolerance; their velocities become exactly 0.
  /// \param slip_is_zero [n] below this a tangential velocity counts as 0.
  /// \param noise        rounding error of velocities.
  ImpactCourse(const ScaledImpact& impact, Vector velocity, const std::vector<std::size_t>& approached,
               const std::vector<std::size_t>& resting, const Vector& slip_is_zero, double noise);

  /// \returns false if at some instant no rates satisfy the conditions.
  [[nodiscard]] bool run();

  [[nodiscard]] const Vector& impulse() const { return impulse_; }
  [[nodiscard]] const std::vector<ImpactWork>& work() const { return work_; }
  [[nodiscard]] int pieces() const { return pieces_; }
  /// [n] 1 if the impulse is not unique, because contacts share it.
  [[nodiscard]] const std::vector<char>& shared() const { return shared_; }
  [[nodiscard]] bool are_velocities_unique() const { return are_velocities_unique_; }

 private:
  enum class Stage : char { kAbsent, kCompression, kRestitution, kRest };
  /// Changes during a piece.
  struct Progress {
    Vector impulse;                 ///< [n]
    Vector normal_work, slip_work;  ///< [contacts]
    double error = 0.0;             ///< of the impulses, relative to their size
  };

  [[nodiscard]] const ImpactContact& contact(std::size_t c) const { return impact_.contacts[c]; }
  [[nodiscard]] double normal_velocity(std::size_t c) const { return velocity_[contact(c).normal]; }
  [[nodiscard]] bool is_active(std::size_t c) const { return active_[c] != 0; }
  void find_active();
  [[nodiscard]] bool has_work_to_do() const;
  [[nodiscard]] Vector slip_of(std::size_t c) const;
  [[nodiscard]] std::optional<ImpactRates> rates() const;
  [[nodiscard]] std::optional<ImpactRates> rates_alone(std::size_t c) const;
  [[nodiscard]] double end_of_stage(std::size_t c, const ImpactRates& at) const;
  [[nodiscard]] double end_of_restitution(std::size_t c, const ImpactRates& at) const;
  [[nodiscard]] double end_of_slip(std::size_t c, const ImpactRates& at) const;
  [[nodiscard]] bool turns(const ImpactRates& at) const;
  [[nodiscard]] bool run_straight(const ImpactRates& at, bool& is_over);
  [[nodiscard]] bool run_curved(const ImpactRates& at);
  [[nodiscard]] std::optional<Progress> curve(const ImpactRates& at, double step);
  [[nodiscard]] double distance_to_change(std::size_t c, const Progress& by) const;
  void advance(const Progress& by);
  void change_stage(std::size_t c);

  const ScaledImpact& impact_;
  Vector velocity_, impulse_;
  std::vector<Stage> stage_;      // [contacts]
  std::vector<char> active_;      // [contacts] 1 if the contact may have a force in this piece
  std::vector<char> slips_;       // [contacts] 1 if the contact slips at the beginning of this piece
  Vector approach_;               // [contacts] |γ⁻| of contacts that approached
  Vector compressed_, restored_;  // [contacts] normal impulses in compression and restitution
  std::vector<ImpactWork> work_;
  double size_ = 0.0, noise_;  // largest |γ⁻|; rounding error of velocities
  double step_ = 1.0;          // next step of a piece in which a slip turns
  int pieces_ = 0;
  std::vector<char> shared_;
  bool are_velocities_unique_ = true;
};

}  // namespace vinculum::solve
