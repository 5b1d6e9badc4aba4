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
  kByPhysics,     ///< by no rows: terms that the law adds to M and f realize the constraint (theory.md §6.8)
  kByDerivatives  ///< by no rows in A: F(q, …, q^(p)) = 0 raises the order of the equations of motion (theory.md §6.5)
};

/// Properties that the rows of a constraint must have so that the law is defined.
struct LawRows {
  Level lowest = Level::kPosition, highest = Level::kAcceleration;
  /// Rows must be homogeneous in the velocities (of any degree), and rows of position level independent of time;
  /// otherwise the reaction would do work.
  bool are_homogeneous = false;
  bool are_free_of_time = false;  ///< rows that are not linear in the velocities must not depend on time
};

/// Factors of one row in the reaction λW + μE (theory.md §5.9). `inspect_row` returns W, the forces of a unit
/// multiplier; `vary_row` returns E, the forces that follow from varying the row.
struct RowFactors {
  Term lambda = {};        ///< λ of the reaction; invalid: it is the multiplier of the row
  Term mu = {};            ///< μ of the reaction; invalid: the law has no μ
  bool is_frozen = false;  ///< E is formed with the time held fixed wherever it occurs explicitly in the coefficients
  bool is_known = true;    ///< false: the factors cannot be written as terms, so no vectors can be formed
};

/// Contribution λ W + μ E to a reaction, from varying a state z' = g in addition to the coordinates. W and E are formed
/// for g as if it were a row of velocity level (theory.md §6.10).
struct VariedState {
  Term rate;    ///< the rate g of z' = g
  Term lambda;  ///< without the contribution of the rows' λ, which is part of the force λW of those rows
  Term mu;
};

/// Names that replace λ and μ in listings and messages.
struct FactorNames {
  std::string lambda, mu;
};

/// Energy balance of the energy V that a constraint stores, with its reaction R. `rate` is dV/dt. `rest` is R·q' +
/// dV/dt, which is not zero if the constraint depends on time, for example. `size` is the sum of the magnitudes of all
/// contributions.
struct StoredRates {
  Rounded rate, rest;
  double size = 0.0;
  void add_rate(Rounded share) { rate += share, size += std::abs(share.value); }
  void add_rest(Rounded share) { rest += share, size += std::abs(share.value); }
};

/// The reaction law of a constraint: the rule for the forces that enforce it (theory.md §6). The base class is
/// d'Alembert's ideal law; derived classes override the differences from it (reaction_laws/). Callers query the law;
/// they never test which law it is. Immutable.
class Law {
 public:
  virtual ~Law() = default;

  /// The word of the law in a `law` clause.
  [[nodiscard]] virtual std::string_view word() const { return "ideal"; }
  /// The law as a clause of the model language, "law NAME kappa = 10". Empty for the ideal law, and if the actuators
  /// state it.
  [[nodiscard]] virtual std::string text(const Model&) const { return {}; }

  [[nodiscard]] virtual Kept kept() const { return Kept::kByRows; }
  /// Whether the reaction is Aᵀλ alone and does no work along virtual displacements.
  [[nodiscard]] virtual bool is_ideal() const { return true; }
  [[nodiscard]] virtual LawRows rows() const { return {}; }
  /// Whether the law is defined for rows that contain extra states z.
  [[nodiscard]] virtual bool keeps_states() const { return is_ideal(); }

  /// The actuators that exert the reaction instead of the rows: Qc = Γᵀe with efforts e (theory.md §6.9). Empty: the
  /// rows exert it.
  [[nodiscard]] virtual std::span<const Actuator> actuators() const;
  /// Whether actuators are named and have efforts of their own; otherwise the efforts are also the multipliers of the
  /// rows.
  [[nodiscard]] virtual bool has_named_actuators() const { return false; }

  /// Multipliers μ that are states with start values, followed by those of their time derivatives that are states:
  /// [order][row]. May be empty.
  [[nodiscard]] virtual std::span<const std::vector<StateId>> mu() const { return {}; }
  /// Time derivative of the last entry of `mu()` for a row.   \pre mu() is not empty and the constraint has rows.
  [[nodiscard]] virtual Term mu_rate(const Model& model, ConstraintId id, std::size_t row) const;

  /// Terms that the law adds to M and f in addition to the rows. The default is `coordinate_force`, if there is any.
  [[nodiscard]] virtual std::optional<LawChange> change(LawEquations& equations, const Model& model,
                                                        ConstraintId id) const;
  /// Generalized force of the law on a coordinate that does not come from a row; invalid: none.
  [[nodiscard]] virtual Term coordinate_force(const Model&, CoordinateId) const { return {}; }

  [[nodiscard]] virtual RowFactors factors(const Model&, ConstraintId, std::size_t) const { return {}; }
  /// One entry for each state in the rows, and for each state in the rates of those states.
  [[nodiscard]] virtual std::vector<VariedState> varied_states(const Model&, ConstraintId) const { return {}; }
  [[nodiscard]] virtual FactorNames names(const Model& model, ConstraintId id, std::size_t row) const;
  /// Value of `multiplier(c)` in the model language, for a row. Invalid: it is the λ of the row in A u' = b.
  [[nodiscard]] virtual Term multiplier(const Model&, ConstraintId, std::size_t) const { return {}; }
  /// Whether `multiplier` is a momentum, with the dimension of λ times a time.
  [[nodiscard]] virtual bool multiplies_momentum() const { return !mu().empty(); }
  /// Whether the law defines the reaction as generalized forces on coordinates, so that it acts at no point.
  [[nodiscard]] virtual bool acts_on_coordinates(const Model& model) const;

  /// Energy that the constraint stores: its contribution to the effective energy (theory.md §6.4). Invalid: none.
  [[nodiscard]] virtual Term stored_energy(const Model&, ConstraintId) const { return {}; }
  /// The part of the power of the reaction R that the stored energy does not supply: R·q' + d/dt `stored_energy`, as a
  /// term written from the formula of the law (theory.md §9). Invalid: unknown.
  [[nodiscard]] virtual Term rest_of_power(const Model&, ConstraintId) const { return {}; }
  /// The rates of `stored_energy` and `rest_of_power` as numbers, computed independently with jets. Nothing if the law
  /// stores no energy.
  [[nodiscard]] virtual std::optional<StoredRates> stored_at(LawInstant&) const { return {}; }

  /// The parameter whose limit turns this law into another one; invalid: none. A law with such a parameter may have
  /// fast motions.
  [[nodiscard]] virtual Term ladder() const { return {}; }
  /// Description of the limit in which the first constraint becomes the second, "kappa without bound". Empty if the
  /// theory has no such limit. The last argument tells whether the values of `ladder` increase.
  [[nodiscard]] virtual std::string limit(const Constraint&, const Constraint&, bool) const { return {}; }
  /// Factor κ of a law in which the momentum κF of a row F = 0 takes the place of the multiplier μ, so that μ needs no
  /// start value; invalid for other laws.
  [[nodiscard]] virtual Term inertia() const { return {}; }
  /// Whether an impulse of the constraint has the directions of its rows, as under the ideal law: all other forces of
  /// the law are bounded, and the terms that it adds to M are those of an inertia.
  [[nodiscard]] virtual bool has_ideal_impulses(const Model&, ConstraintId) const { return is_ideal(); }
};

/// Names of λ and μ under the ideal law: "multiplier(c)" and so on.
[[nodiscard]] FactorNames ideal_names(const Model& model, ConstraintId id, std::size_t row);

}  // namespace vinculum::model
