// Implements the penalty realizations: a constraint φ = 0 or ψ = 0 is not enforced exactly, but replaced by a force
// with a large parameter κ.
//
//   stiff      a potential ½κφ², f_q −= κφ φ_q. Tends to the holonomic constraint, for which all laws agree, if the
//              motion starts with φ = φ' = 0 (Rubin and Ungar 1957).
//   viscous    friction, f_q −= κψ ψ_q'. Tends to the ideal law (Carathéodory 1933, Karapetian 1981).
//   inertial   added inertia, ½κψ² in the Lagrangian. Tends to Hamilton's principle with multiplier μ = κψ (Kozlov
//   1983).
//
// Source: theory.md §6.8.
#include <algorithm>

#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/dimensions.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/nonlinear_speeds.hpp"
#include "vinculum/reaction_laws/kinds.hpp"
#include "vinculum/reaction_laws/laws.hpp"
#include "vinculum/reaction_laws/vakonomic.hpp"

namespace vinculum::reaction_laws {
namespace {

using expr::Expr;

/// Base class of the three penalty laws.
class RealisedLaw : public model::Law {
 public:
  explicit RealisedLaw(Term kappa) : kappa_(kappa) {}
  std::string text(const Model& model) const override {
    return "law " + std::string(word()) + " kappa = " + model::to_text(model, kappa_);
  }
  model::Kept kept() const override { return model::Kept::kByPhysics; }
  bool is_ideal() const override { return false; }
  LawRows rows() const override { return {Level::kPosition, Level::kVelocity}; }
  Term ladder() const override { return kappa_; }
  std::string limit(const Constraint&, const Constraint& reference, bool) const override {
    return tends_to(reference) ? "kappa without bound" : "";
  }

 protected:
  /// True if the law of the constraint `reference` is known to be the limit of this law for κ → ∞.
  [[nodiscard]] virtual bool tends_to(const Constraint& reference) const = 0;
  /// Generalized force f_q = −κF ∂F/∂x, summed over the rows F = 0. x are the coordinates if F is φ, the rates q' if F
  /// is ψ.
  LawChange force(LawEquations& equations, const Model& model, ConstraintId id, bool is_by_rates) const {
    const Expr kappa = equations.scalar(kappa_);
    const Constraint& constraint = model.constraint(id);
    LawChange change;
    for (std::size_t row = 0; row < constraint.rows.size(); ++row) {
      const Term relation = constraint.rows[row];
      const Expr value = is_by_rates ? equations.velocity_row(relation) : equations.scalar(relation);
      std::vector<Expr> f_q = expr::gradient(value, is_by_rates ? equations.q_dot() : equations.q());
      const Expr held = equations.held(multiplier(model, id, row));
      const Expr force = held.is_valid() ? held : -(kappa * value);
      for (Expr& entry : f_q) entry = force * entry;
      const std::vector<Expr> along = equations.generalized(f_q);
      change.f.resize(along.size(), equations.graph().constant(0.0));
      for (std::size_t r = 0; r < along.size(); ++r) change.f[r] += along[r];
    }
    return change;
  }
  /// The relation ψ of a row; for a position-level row φ = 0 its rate φ'.
  static Term velocity_row(const Model& model, ConstraintId id, std::size_t row) {
    const Term relation = model.constraint(id).rows[row];
    return model::level_of(model, relation) == Level::kPosition ? model.terms->rate(relation) : relation;
  }

  Term kappa_;  ///< constant scalar > 0
};

class StiffLaw final : public RealisedLaw {
 public:
  using RealisedLaw::RealisedLaw;
  std::string_view word() const override { return "stiff"; }
  bool has_ideal_impulses(const Model&, ConstraintId) const override { return true; }
  LawRows rows() const override { return {Level::kPosition, Level::kPosition}; }
  std::optional<LawChange> change(LawEquations& equations, const Model& model, ConstraintId id) const override {
    return force(equations, model, id, false);
  }
  Term multiplier(const Model& model, ConstraintId id, std::size_t row) const override {
    return -(kappa_ * model.constraint(id).rows[row]);
  }
  Term stored_energy(const Model& model, ConstraintId id) const override {
    Term energy = model.terms->number(0.0);
    for (const Term relation : model.constraint(id).rows) energy = energy + kappa_ * relation * relation / 2.0;
    return energy;
  }
  /// The part of the power that does not come from stored energy: κ φ φ_t, with φ_t the explicit time derivative.
  Term rest_of_power(const Model& model, ConstraintId id) const override {
    Term rest = model.terms->number(0.0);
    for (const Term relation : model.constraint(id).rows)
      rest = rest + kappa_ * relation * model.terms->partial(relation, model.terms->time());
    return rest;
  }
  std::optional<StoredRates> stored_at(LawInstant& at) const override {
    StoredRates stored;
    const Rounded kappa = at.now.series(kappa_).value();
    for (const Term relation : at.model.constraint(at.id).rows) {
      const model::Series phi = at.now.series(relation);
      stored.add_rate(kappa * phi.value() * phi.derivative(1));
      stored.add_rest(kappa * phi.value() * at.rest.series(relation).derivative(1));
    }
    return stored;
  }

 private:
  bool tends_to(const Constraint& reference) const override {
    return reference.level == Level::kPosition && reference.nonideal.empty() && reference.law->actuators().empty() &&
           !is_realised(reference);
  }
};

class ViscousLaw final : public RealisedLaw {
 public:
  using RealisedLaw::RealisedLaw;
  std::string_view word() const override { return "viscous"; }
  bool has_ideal_impulses(const Model&, ConstraintId) const override { return true; }
  std::optional<LawChange> change(LawEquations& equations, const Model& model, ConstraintId id) const override {
    return force(equations, model, id, true);
  }
  Term multiplier(const Model& model, ConstraintId id, std::size_t row) const override {
    return -(kappa_ * velocity_row(model, id, row));
  }

 private:
  bool tends_to(const Constraint& reference) const override { return model::is_ideal(reference); }
};

class InertialLaw final : public RealisedLaw {
 public:
  using RealisedLaw::RealisedLaw;
  std::string_view word() const override { return "inertial"; }
  bool has_ideal_impulses(const Model& model, ConstraintId id) const override {
    return std::ranges::all_of(model.constraint(id).rows,
                               [&](Term row) { return model::is_affine_in_rates(model, row); });
  }
  std::optional<LawChange> change(LawEquations& equations, const Model& model, ConstraintId id) const override {
    const Expr kappa = equations.scalar(kappa_);
    Expr Phi = equations.graph().constant(0.0);
    for (const Term relation : model.constraint(id).rows) {
      const Expr F = equations.velocity_row(relation);
      Phi += 0.5 * kappa * (F * F);
    }
    LawChange change = equations.variation(Phi);
    change.is_inertia = equations.is_affine(model.constraint(id));
    return change;
  }
  /// Returns the multipliers with which the reaction λW + μE equals the force of this law, for a row F = 0: λ = −κF', μ
  /// = κF.
  RowFactors factors(const Model& model, ConstraintId id, std::size_t row) const override {
    const Term relation = model.constraint(id).rows[row];
    const bool is_position = model::level_of(model, relation) == Level::kPosition;
    const Term F = is_position ? model::time_derivative(model, relation) : relation;
    const Term rate = F.is_valid() ? model::time_derivative(model, F) : Term{};
    RowFactors factors;
    factors.is_known = rate.is_valid();
    factors.lambda = -(kappa_ * (rate.is_valid() ? rate : model.terms->rate(relation, is_position ? 2 : 1)));
    if (!is_position) factors.mu = kappa_ * relation;
    return factors;
  }
  FactorNames names(const Model& model, ConstraintId id, std::size_t row) const override {
    const std::string multiplier = model::ideal_names(model, id, row).mu;
    return {"-dt(" + multiplier + ")", multiplier};
  }
  Term multiplier(const Model& model, ConstraintId id, std::size_t row) const override {
    return kappa_ * velocity_row(model, id, row);
  }
  bool multiplies_momentum() const override { return true; }
  Term inertia() const override { return kappa_; }
  /// Stored energy Φ_q'·q' − Φ of the added term Φ = ½κF² in the Lagrangian.
  Term stored_energy(const Model& model, ConstraintId id) const override {
    Term energy = model.terms->number(0.0);
    for (std::size_t row = 0; row < model.constraint(id).rows.size(); ++row) {
      const Term F = rate_of_path(model, id, row);
      energy = energy + kappa_ * F * (model::along_the_rates(model, F) - F / 2.0);
    }
    return energy;
  }
  /// The part of the power that does not come from stored energy: −Φ_t, with Φ = ½κF².
  Term rest_of_power(const Model& model, ConstraintId id) const override {
    Term rest = model.terms->number(0.0);
    for (std::size_t row = 0; row < model.constraint(id).rows.size(); ++row) {
      const Term F = rate_of_path(model, id, row);
      rest = rest - kappa_ * F * model.terms->partial(F, model.terms->time());
    }
    return rest;
  }
  std::optional<StoredRates> stored_at(LawInstant& at) const override {
    StoredRates stored;
    const Rounded kappa = at.now.series(kappa_).value();
    for (std::size_t row = 0; row < at.model.constraint(at.id).rows.size(); ++row) {
      const Term F = rate_of_path(at.model, at.id, row);
      const model::Series along = at.now.series(model::along_the_rates(at.model, F)), value = at.now.series(F);
      stored.add_rate(kappa * value.derivative(1) * along.value());
      stored.add_rate(kappa * value.value() * along.derivative(1));
      stored.add_rate(-kappa * value.value() * value.derivative(1));
      const Term by_time = at.model.terms->partial(F, at.model.terms->time());
      stored.add_rest(-kappa * value.value() * at.now.series(by_time).value());
    }
    return stored;
  }

 private:
  bool tends_to(const Constraint& reference) const override { return is_vakonomic(reference); }
};

/// Table entry for `law NAME kappa = EXPR`. The dimension of κ follows from `NAME`: ½κφ² and ½κψ² are energies, but κψ²
/// of `viscous` is a power.
/// \param level        required level of all rows.
/// \param is_momentum  κF is a generalized momentum; otherwise it is a generalized force.
Kind realised(std::string_view word, std::string_view meaning, Level level, bool is_momentum, LawPtr (*make)(Term)) {
  const auto read = [=](Reader& reader) {
    if (!reader.has_rows({level, level})) return false;
    const Constraint& constraint = reader.constraint();
    const auto dimension_of = [&](std::size_t row) {
      const Dimension of_multiplier = model::dimension_of_multiplier(reader.model(), reader.id(), row);
      return (is_momentum ? of_multiplier * make_dimension(0, 0, 1) : of_multiplier) /
             model::dimension_of_row(constraint, row);
    };
    const Dimension dimension = dimension_of(0);
    for (std::size_t row = 1; reader.model().has_units && row < constraint.rows.size(); ++row) {
      if (dimension_of(row) == dimension) continue;
      reader.error(diag::Kind::kDimensionMismatch, reader.range(),
                   "rows of `" + constraint.name + "` differ in dimension, so one `kappa` does not suit them all",
                   "state them as separate constraints");
      return false;
    }
    const lang::LawArgument& written = *reader.argument("kappa");
    const auto term = reader.scalar(written, dimension, "`kappa`", MayHold::kMotion);
    const auto kappa = term ? reader.constant(written, *term, "`kappa`") : std::nullopt;
    if (!kappa) return false;
    if (*kappa > 0.0)
      reader.builder().set_law(reader.id(), make(*term));
    else
      reader.error(diag::Kind::kBadValue, range_of(written), "`kappa` must be positive");
    return *kappa > 0.0;
  };
  return {.form = {word, meaning, {{.word = "kappa", .is_ladder = true}}}, .read = read};
}

}  // namespace

LawPtr stiff(Term kappa) { return std::make_shared<StiffLaw>(kappa); }
LawPtr viscous(Term kappa) { return std::make_shared<ViscousLaw>(kappa); }
LawPtr inertial(Term kappa) { return std::make_shared<InertialLaw>(kappa); }
Kind stiff_kind() { return realised("stiff", "realisation by a stiff spring", Level::kPosition, false, stiff); }
Kind viscous_kind() { return realised("viscous", "realisation by viscous friction", Level::kVelocity, false, viscous); }
Kind inertial_kind() { return realised("inertial", "realisation by added inertia", Level::kVelocity, true, inertial); }

}  // namespace vinculum::reaction_laws
