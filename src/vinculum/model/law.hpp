#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "vinculum/base/rounded.hpp"
#include "vinculum/model/term.hpp"

namespace vinculum::model {

struct Actuator;
struct Constraint;
struct Model;
class LawEquations;
struct LawChange;
struct LawInstant;

/// What holds a constraint.
enum class Kept {
  kByRows,        ///< its rows in A u' = b
  kByPhysics,     ///< nothing holds it: what the law adds to M and f realises it (theory.md §6.8); no rows
  kByDerivatives  ///< as F(q, …, q^(p)) = 0 it raises the order of the equations of motion (theory.md §6.5); no rows
};

/// Rows that a law is stated for.
struct LawRows {
  Level lowest = Level::kPosition, highest = Level::kAcceleration;
  /// In the velocities, of any degree, and of position level free of the time: otherwise its reaction would do work.
  bool are_homogeneous = false;
  bool are_free_of_time = false;  ///< those that are not linear in the velocities
};

/// A row's share of the reaction, λW + μE: W what the row reads (inspect_row), E what its variation leaves beside that
/// (vary_row).
struct RowFactors {
  Term lambda = {};        ///< not valid: the row's multiplier
  Term mu = {};            ///< not valid: no such part
  bool is_frozen = false;  ///< E with explicit time held while coefficients change
  bool is_known = true;    ///< false: the factors have no terms that vectors could be made of
};

/// The share of a reaction that comes from varying a state z' = g beside the coordinates: λ W + μ E of g as if it were
/// a row of velocity level (theory.md §6.10).
struct VariedState {
  Term rate;    ///< g
  Term lambda;  ///< without what the rows' own λ bring, which is in their W
  Term mu;
};

/// What the names of results say in place of λ and μ.
struct FactorNames {
  std::string lambda, mu;
};

/// Rate of what a constraint stores, what its law leaves of R·q' + this rate beside forces that are stated, and the sum
/// of the magnitudes of all shares.
struct StoredRates {
  Rounded rate, rest;
  double size = 0.0;
  void add_rate(Rounded share) { rate += share, size += std::abs(share.value); }
  void add_rest(Rounded share) { rest += share, size += std::abs(share.value); }
};

/// The law of reaction of a constraint: which forces keep it (theory.md §6). This class is d'Alembert's law, the ideal
/// one; others override where they differ (law/). Whoever needs a law asks it, and nobody which law it is. Immutable.
class Law {
 public:
  virtual ~Law() = default;

  /// The word that names it in a clause.
  [[nodiscard]] virtual std::string_view word() const { return "ideal"; }
  /// What it states, as a clause would, "law NAME kappa = 10"; empty where that is nothing, or is told by actuators.
  [[nodiscard]] virtual std::string text(const Model&) const { return {}; }

  [[nodiscard]] virtual Kept kept() const { return Kept::kByRows; }
  /// Whether the reaction does no work along virtual displacements: Aᵀλ and nothing else.
  [[nodiscard]] virtual bool is_ideal() const { return true; }
  [[nodiscard]] virtual LawRows rows() const { return {}; }
  /// Whether it is stated for rows that hold states.
  [[nodiscard]] virtual bool keeps_states() const { return is_ideal(); }

  /// What exerts the reaction in place of the rows: Qc = Γᵀe (theory.md §6.9); empty: the rows do.
  [[nodiscard]] virtual std::span<const Actuator> actuators() const;
  /// Whether actuators are named and have efforts of their own, else the efforts are the multipliers of the rows too.
  [[nodiscard]] virtual bool has_named_actuators() const { return false; }

  /// Multipliers μ that are states with starts of their own, and their derivatives that are: [order][row]; may be
  /// empty.
  [[nodiscard]] virtual std::span<const std::vector<StateId>> mu() const { return {}; }
  /// Rate of the last of them in terms.   \pre μ is there, rows are kept by rows.
  [[nodiscard]] virtual Term mu_rate(const Model& model, ConstraintId id, std::size_t row) const;

  /// What it adds to M and f beside the rows. Here: `coordinate_force`, if that is anywhere.
  [[nodiscard]] virtual std::optional<LawChange> change(LawEquations& equations, const Model& model,
                                                        ConstraintId id) const;
  /// Generalized force on a coordinate that goes with no row; not valid: none.
  [[nodiscard]] virtual Term coordinate_force(const Model&, CoordinateId) const { return {}; }

  [[nodiscard]] virtual RowFactors factors(const Model&, ConstraintId, std::size_t) const { return {}; }
  /// Of the states that its rows hold, and of those that the rates of these hold.
  [[nodiscard]] virtual std::vector<VariedState> varied_states(const Model&, ConstraintId) const { return {}; }
  [[nodiscard]] virtual FactorNames names(const Model& model, ConstraintId id, std::size_t row) const;
  /// What `multiplier(c)` of a row is; not valid: the λ of its row in A u' = b.
  [[nodiscard]] virtual Term multiplier(const Model&, ConstraintId, std::size_t) const { return {}; }
  /// Whether that is a momentum, of the dimension of λ times a time.
  [[nodiscard]] virtual bool multiplies_momentum() const { return !mu().empty(); }
  /// Whether the reaction is stated on coordinates, so that no point can be named where it acts.
  [[nodiscard]] virtual bool acts_on_coordinates(const Model& model) const;

  /// Its share of the effective energy; not valid: none.
  [[nodiscard]] virtual Term stored_energy(const Model&, ConstraintId) const { return {}; }
  /// R·q' + d/dt `stored_energy`, as the law's form tells it (theory.md §9); not valid: it tells nothing.
  [[nodiscard]] virtual Term rest_of_power(const Model&, ConstraintId) const { return {}; }
  /// The same in rates by a route of its own, of jets; nothing where the law stores nothing.
  [[nodiscard]] virtual std::optional<StoredRates> stored_at(LawInstant&) const { return {}; }

  /// The parameter that a ladder towards another law goes along; not valid: none. A law that has one may be fast.
  [[nodiscard]] virtual Term ladder() const { return {}; }
  /// The limit in which one constraint, under this law, becomes another, "kappa without bound"; empty where theory has
  /// none. Asked with whether the values of `ladder` rise.
  [[nodiscard]] virtual std::string limit(const Constraint&, const Constraint&, bool) const { return {}; }
  /// κ where the momentum κF of a row takes the place of a μ, and starts as this; not valid otherwise.
  [[nodiscard]] virtual Term inertia() const { return {}; }
};

/// "multiplier(c)" and its like, of the ideal law's names.
[[nodiscard]] FactorNames ideal_names(const Model& model, ConstraintId id, std::size_t row);

}  // namespace vinculum::model
