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

/// How a constraint is enforced.
enum class Kept {
  kByRows,        ///< by its rows in A u' = b
  kByPhysics,     ///< by no rows: terms of the law in M and f realize it (theory.md §6.8)
  kByDerivatives  ///< by no rows in A: F(q, …, q^(p)) = 0 raises the order of the equations of motion (theory.md §6.5)
};

/// Properties of rows that a law is defined for.
struct LawRows {
  Level lowest = Level::kPosition, highest = Level::kAcceleration;
  /// Rows must be homogeneous in the velocities (of any degree), and rows of position level independent of time;
  /// otherwise the reaction would do work.
  bool are_homogeneous = false;
  bool are_free_of_time = false;  ///< rows that are not linear in the velocities must not depend on time
};

/// Factors of one row in the reaction λW + μE. W is the result of `inspect_row`; E is the additional result of
/// `vary_row`.
struct RowFactors {
  Term lambda = {};        ///< invalid: the multiplier of the row
  Term mu = {};            ///< invalid: there is no μ
  bool is_frozen = false;  ///< E is formed with explicit time held fixed in the coefficients
  bool is_known = true;    ///< false: the factors cannot be written as terms, so no vectors can be formed
};

/// The part of a reaction that comes from varying a state z' = g in addition to the coordinates: λ W + μ E, with W and
/// E formed for g as if it were a row of velocity level (theory.md §6.10).
struct VariedState {
  Term rate;    ///< g
  Term lambda;  ///< without the contribution of the rows' own λ, which is contained in their W
  Term mu;
};

/// Names in results that replace λ and μ.
struct FactorNames {
  std::string lambda, mu;
};

/// Rate of the energy that a constraint stores; the remainder of R·q' + this rate apart from stated forces; and the sum
/// of the magnitudes of all contributions.
struct StoredRates {
  Rounded rate, rest;
  double size = 0.0;
  void add_rate(Rounded share) { rate += share, size += std::abs(share.value); }
  void add_rest(Rounded share) { rest += share, size += std::abs(share.value); }
};

/// The reaction law of a constraint: the forces that enforce it (theory.md §6). The base class is d'Alembert's law, the
/// ideal one; derived classes override the differences (reaction_laws/). Callers query the law; they never test which
/// law it is. Immutable.
class Law {
 public:
  virtual ~Law() = default;

  /// The word of the law in a `law` clause.
  [[nodiscard]] virtual std::string_view word() const { return "ideal"; }
  /// The law as a clause, "law NAME kappa = 10"; empty if there is nothing to state or the actuators state it.
  [[nodiscard]] virtual std::string text(const Model&) const { return {}; }

  [[nodiscard]] virtual Kept kept() const { return Kept::kByRows; }
  /// Whether the reaction is Aᵀλ alone and does no work along virtual displacements.
  [[nodiscard]] virtual bool is_ideal() const { return true; }
  [[nodiscard]] virtual LawRows rows() const { return {}; }
  /// Whether it is defined for rows that contain states.
  [[nodiscard]] virtual bool keeps_states() const { return is_ideal(); }

  /// The actuators that exert the reaction instead of the rows: Qc = Γᵀe (theory.md §6.9); empty: the rows exert it.
  [[nodiscard]] virtual std::span<const Actuator> actuators() const;
  /// Whether actuators are named and have efforts of their own; otherwise the efforts are also the multipliers of the
  /// rows.
  [[nodiscard]] virtual bool has_named_actuators() const { return false; }

  /// Multipliers μ that are states with start values, and their derivatives that are states: [order][row]; may be
  /// empty.
  [[nodiscard]] virtual std::span<const std::vector<StateId>> mu() const { return {}; }
  /// Rate of the highest of these derivatives.   \pre mu() is not empty and the constraint has rows.
  [[nodiscard]] virtual Term mu_rate(const Model& model, ConstraintId id, std::size_t row) const;

  /// Terms that the law adds to M and f in addition to the rows. The default is `coordinate_force`, if there is any.
  [[nodiscard]] virtual std::optional<LawChange> change(LawEquations& equations, const Model& model,
                                                        ConstraintId id) const;
  /// Generalized force on a coordinate that belongs to no row; invalid: none.
  [[nodiscard]] virtual Term coordinate_force(const Model&, CoordinateId) const { return {}; }

  [[nodiscard]] virtual RowFactors factors(const Model&, ConstraintId, std::size_t) const { return {}; }
  /// For the states in its rows, and for the states in the rates of those.
  [[nodiscard]] virtual std::vector<VariedState> varied_states(const Model&, ConstraintId) const { return {}; }
  [[nodiscard]] virtual FactorNames names(const Model& model, ConstraintId id, std::size_t row) const;
  /// Value of `multiplier(c)` for a row; invalid: the λ of the row in A u' = b.
  [[nodiscard]] virtual Term multiplier(const Model&, ConstraintId, std::size_t) const { return {}; }
  /// Whether `multiplier` is a momentum, with the dimension of λ times a time.
  [[nodiscard]] virtual bool multiplies_momentum() const { return !mu().empty(); }
  /// Whether the reaction is defined on coordinates, so that it acts at no point.
  [[nodiscard]] virtual bool acts_on_coordinates(const Model& model) const;

  /// Contribution to the effective energy; invalid: none.
  [[nodiscard]] virtual Term stored_energy(const Model&, ConstraintId) const { return {}; }
  /// R·q' + d/dt `stored_energy` from the form of the law (theory.md §9); invalid: unknown.
  [[nodiscard]] virtual Term rest_of_power(const Model&, ConstraintId) const { return {}; }
  /// The same rates by an independent computation with jets; nothing if the law stores no energy.
  [[nodiscard]] virtual std::optional<StoredRates> stored_at(LawInstant&) const { return {}; }

  /// The parameter whose variation leads to another law in the limit; invalid: none. A law with such a parameter may
  /// have fast motions.
  [[nodiscard]] virtual Term ladder() const { return {}; }
  /// The limit in which the first constraint becomes the second, "kappa without bound"; empty if the theory has none.
  /// The last argument is whether the values of `ladder` increase.
  [[nodiscard]] virtual std::string limit(const Constraint&, const Constraint&, bool) const { return {}; }
  /// κ, if the momentum κF of a row replaces μ and its start value; otherwise invalid.
  [[nodiscard]] virtual Term inertia() const { return {}; }
};

/// The names of the ideal law: "multiplier(c)" and so on.
[[nodiscard]] FactorNames ideal_names(const Model& model, ConstraintId id, std::size_t row);

}  // namespace vinculum::model
