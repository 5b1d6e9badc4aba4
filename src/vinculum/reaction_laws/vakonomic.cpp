// Implements Hamilton's principle for paths that satisfy the constraint F = 0 (Hamilton–Lusternik; Kozlov's
// "variational axiomatic kind"), and Kozlov's family between this law and the ideal law. With multipliers μ as states,
// the reaction R is
//
//   R = −[(μ' + cμ) F_q' + μ (d/dt F_q' − F_q)],   μ' = −λ − cμ,   λ from the solution with rows A u' = b
//
// c = 0 is Hamilton's principle, c → ∞ the ideal law. For a relation of order p ≥ 2 the states are μ, …, μ^(p−1), and
// the module higher_order writes the equations.
//
// If rows contain states z' = g(q, q', z, t), the states are varied too, with multipliers ν: the varied function is L +
// μF + ν(z' − g) (theory.md §6.10), and
//
//   R = λ F_q' + μ (F_q − (F_q')˙) + ν' g_q' − ν (g_q − (g_q')˙),   ν' = μ F_z − ν g_z
//
// For a row φ(q, z, t) = 0, F = φ', in which z' is varied: R = λ φ_q + ν' g_q' − ν (…), ν' = λ φ_z − ν g_z.
//
// Source: [S] 3.28–3.39; theory.md §6.4–6.6, §6.10.
#include "vinculum/reaction_laws/vakonomic.hpp"

#include <algorithm>
#include <map>

#include "vinculum/base/contract.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/dimensions.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/model/traversal.hpp"
#include "vinculum/reaction_laws/laws.hpp"

namespace vinculum::reaction_laws {
namespace {

const Dimension kTime = make_dimension(0, 0, 1);

/// A state on which the rows depend, directly or through the rates of other states, and its multiplier ν.
struct Costate {
  model::StateId of, nu;
};

class VakonomicLaw final : public model::Law {
 public:
  VakonomicLaw(Term c, std::vector<std::vector<model::StateId>> mu, std::vector<Costate> costates)
      : c_(c), mu_(std::move(mu)), costates_(std::move(costates)) {}

  std::string_view word() const override { return c_.is_valid() ? "kozlov" : "vakonomic"; }
  std::string text(const Model& model) const override {
    std::string line = c_.is_valid() ? "law kozlov c = " + model::to_text(model, c_) : "law vakonomic";
    for (std::size_t k = 0; k < mu_.size(); ++k) {
      std::vector<Term> starts;
      for (const model::StateId id : mu_[k]) {
        const Term start = model.states[id.index()].start;
        starts.push_back(start.is_valid() ? start : model.terms->number(0.0));
      }
      line += (k == 0 ? " start mu" : ", mu") + primes_of(static_cast<int>(k)) + " = " + list_text(model, starts);
    }
    for (const Costate& one : costates_) {
      const Term start = model.states[one.nu.index()].start;
      line += ", mu(" + model.states[one.of.index()].name +
              ") = " + model::to_text(model, start.is_valid() ? start : model.terms->number(0.0));
    }
    return line;
  }
  model::Kept kept() const override { return mu_.size() > 1 ? model::Kept::kByDerivatives : model::Kept::kByRows; }
  bool is_ideal() const override { return false; }
  LawRows rows() const override { return {Level::kPosition, Level::kVelocity}; }
  bool keeps_states() const override { return !c_.is_valid(); }
  std::span<const std::vector<model::StateId>> mu() const override { return mu_; }
  Term mu_rate(const Model& model, ConstraintId id, std::size_t row) const override {
    const Term rate = -model.terms->multiplier(id, static_cast<int>(row));
    return c_.is_valid() ? rate - c_ * model.terms->state(mu_[0][row]) : rate;
  }

  /// Adds μ_a (F_a,q − F_a,q'q q' − F_a,q't) to f_q and μ_a F_a,q'q' to M_q for the rows F_a = 0. Position-level rows
  /// contribute nothing: F = φ' is a total derivative, whose Euler–Lagrange expression vanishes identically.
  std::optional<LawChange> change(LawEquations& equations, const Model& model, ConstraintId id) const override {
    expr::Expr Phi = equations.graph().constant(0.0);
    for (std::size_t row = 0; row < mu_[0].size(); ++row) {
      const Term relation = model.constraint(id).rows[row];
      if (model::level_of(model, relation) == Level::kPosition) continue;
      Phi += equations.in_speeds(state(model, row)) * equations.velocity_row(relation);
    }
    for (const Costate& one : costates_) Phi -= equations.in_speeds(nu(model, one)) * rate_of(equations, model, one);
    LawChange change = equations.variation(Phi);
    if (!costates_.empty()) add_states(equations, model, Phi, change);
    return change;
  }
  std::vector<model::VariedState> varied_states(const Model& model, ConstraintId id) const override {
    std::vector<model::VariedState> all;
    for (const Costate& one : costates_)
      all.push_back({model.states[one.of.index()].rate, rate_without_lambda(model, id, one), -nu(model, one)});
    return all;
  }
  RowFactors factors(const Model& model, ConstraintId, std::size_t row) const override {
    return {{}, state(model, row)};
  }
  FactorNames names(const Model& model, ConstraintId id, std::size_t row) const override {
    return {model::to_text(model, model.terms->ideal_multiplier(id, static_cast<int>(row))),
            model::ideal_names(model, id, row).mu};
  }
  Term multiplier(const Model& model, ConstraintId, std::size_t row) const override { return state(model, row); }

  Term stored_energy(const Model& model, ConstraintId id) const override {
    if (kept() == model::Kept::kByDerivatives) return model.terms->law_energy(id);
    Term energy = model.terms->number(0.0);
    for (std::size_t row = 0; row < mu_[0].size(); ++row)
      energy = energy + state(model, row) * stored_by(model, id, row);
    for (const Costate& one : costates_) energy = energy + nu(model, one) * stored_by(model, one);
    return energy;
  }
  /// The part of the power that does not come from stored energy: −μ F_t − c μ F_q'·q' + ν g_t.
  Term rest_of_power(const Model& model, ConstraintId id) const override {
    if (kept() == model::Kept::kByDerivatives) return {};
    model::TermPool& pool = *model.terms;
    Term rest = pool.number(0.0);
    for (std::size_t row = 0; row < mu_[0].size(); ++row) {
      const Term F = rate_of_path(model, id, row);
      rest = rest - state(model, row) * explicit_rate(model, id, row);
      if (c_.is_valid()) rest = rest - c_ * state(model, row) * model::along_the_rates(model, F);
    }
    for (const Costate& one : costates_)
      rest = rest + nu(model, one) * pool.partial(model.states[one.of.index()].rate, pool.time());
    return rest;
  }
  std::optional<StoredRates> stored_at(LawInstant& at) const override {
    if (kept() == model::Kept::kByDerivatives) return std::nullopt;
    StoredRates stored;
    for (std::size_t row = 0; row < mu_[0].size(); ++row) {
      const model::Series along = at.now.series(stored_by(at.model, at.id, row));
      const Rounded F_t = at.now.series(explicit_rate(at.model, at.id, row)).value();
      const Rounded mu = at.z[mu_[0][row].index()];
      stored.add_rate(at.z_dot[mu_[0][row].index()] * along.value());
      stored.add_rate(mu * along.derivative(1));
      stored.add_rest(-mu * F_t);
      if (c_.is_valid()) stored.add_rest(-at.now.series(c_).value() * mu * along.value());
    }
    for (const Costate& one : costates_) {
      const model::Series along = at.now.series(stored_by(at.model, one));
      const Term rate = at.model.states[one.of.index()].rate;
      const Rounded nu = at.z[one.nu.index()];
      stored.add_rate(at.z_dot[one.nu.index()] * along.value());
      stored.add_rate(nu * along.derivative(1));
      stored.add_rest(nu * at.now.series(at.model.terms->partial(rate, at.model.terms->time())).value());
    }
    return stored;
  }

  Term ladder() const override { return c_; }
  std::string limit(const Constraint& own, const Constraint& reference, bool rises) const override {
    if (!c_.is_valid() || own.level == Level::kPosition) return {};
    if (rises) return model::is_ideal(reference) ? "c without bound" : "";
    return is_vakonomic(reference) ? "c to 0" : "";
  }

 private:
  Term state(const Model& model, std::size_t row) const { return model.terms->state(mu_[0][row]); }
  static Term nu(const Model& model, const Costate& one) { return model.terms->state(one.nu); }
  static expr::Expr rate_of(LawEquations& equations, const Model& model, const Costate& one) {
    return equations.scalar(model.states[one.of.index()].rate);
  }
  static bool is_of_positions_and_states(const Model& model, ConstraintId id, std::size_t row) {
    const Term relation = model.constraint(id).rows[row];
    return model::level_of(model, relation) == Level::kPosition && model::holds_state(relation);
  }

  /// The rate ν' without its term λ φ_z: Σ μ F_z − Σ ν g_z.
  Term rate_without_lambda(const Model& model, ConstraintId id, const Costate& of) const {
    model::TermPool& pool = *model.terms;
    const Term z = pool.state(of.of);
    Term rate = pool.number(0.0);
    for (std::size_t row = 0; row < mu_[0].size(); ++row) {
      const Term relation = model.constraint(id).rows[row];
      if (model::level_of(model, relation) != Level::kPosition)
        rate = rate + state(model, row) * pool.partial(relation, z);
    }
    for (const Costate& one : costates_)
      rate = rate - nu(model, one) * pool.partial(model.states[one.of.index()].rate, z);
    return rate;
  }

  /// Adds the part of −d/dt ∂Φ/∂q' that comes from the rates z' = g, and the part of ν' g_q' that does not contain λ.
  void add_states(LawEquations& equations, const Model& model, expr::Expr Phi, LawChange& change) const {
    const std::vector<expr::Expr>& v = equations.q_dot();
    const std::vector<expr::Expr> p = expr::gradient(Phi, v);
    std::vector<expr::Expr> f_q(v.size(), equations.graph().constant(0.0));
    for (const Costate& one : costates_) {
      const expr::Expr z = equations.in_speeds(model.terms->state(one.of)), g = rate_of(equations, model, one);
      const expr::Expr nu_rate = expr::derivative(Phi, z);
      const std::vector<expr::Expr> by_rates = expr::gradient(g, v);
      for (std::size_t i = 0; i < v.size(); ++i) f_q[i] += nu_rate * by_rates[i] - expr::derivative(p[i], z) * g;
    }
    const std::vector<expr::Expr> force = equations.generalized(f_q);
    change.f.resize(force.size(), equations.graph().constant(0.0));
    for (std::size_t r = 0; r < force.size(); ++r) change.f[r] += force[r];
  }

  /// Factor of μ in the stored energy: F_q'·q'. For a row φ(q, z, t) = 0 it is φ_q·q' + φ_z z' = −φ_t.
  static Term stored_by(const Model& model, ConstraintId id, std::size_t row) {
    model::TermPool& pool = *model.terms;
    if (is_of_positions_and_states(model, id, row)) return -pool.partial(model.constraint(id).rows[row], pool.time());
    return model::along_the_rates(model, rate_of_path(model, id, row));
  }
  /// Factor of ν in the stored energy: g − g_q'·q'.
  static Term stored_by(const Model& model, const Costate& one) {
    const Term g = model.states[one.of.index()].rate;
    return g - model::along_the_rates(model, g);
  }
  /// F_t, the explicit time derivative of F. For a row φ(q, z, t) = 0, in which z' is varied, the term with g_t is left
  /// out.
  Term explicit_rate(const Model& model, ConstraintId id, std::size_t row) const {
    model::TermPool& pool = *model.terms;
    Term rate = pool.partial(rate_of_path(model, id, row), pool.time());
    if (!is_of_positions_and_states(model, id, row)) return rate;
    for (const Costate& one : costates_)
      rate = rate - pool.partial(model.constraint(id).rows[row], pool.state(one.of)) *
                        pool.partial(model.states[one.of.index()].rate, pool.time());
    return rate;
  }

  Term c_;                                       ///< [1/s] constant c of Kozlov's family; not valid means 0
  std::vector<std::vector<model::StateId>> mu_;  ///< [order of the derivative][row] the states μ and derivatives of μ
  std::vector<Costate> costates_;                ///< one for each state that the rows depend on
};

/// The rate ν' of the multiplier of a state z, including the terms λ φ_z of position-level rows φ = 0.
Term rate_of_costate(const Model& model, ConstraintId id, std::span<const model::StateId> mu,
                     std::span<const Costate> costates, const Costate& of) {
  model::TermPool& pool = *model.terms;
  const Term z = pool.state(of.of);
  Term rate = pool.number(0.0);
  for (std::size_t row = 0; row < mu.size(); ++row) {
    const Term relation = model.constraint(id).rows[row];
    const bool is_position = model::level_of(model, relation) == Level::kPosition;
    const Term factor = is_position ? pool.multiplier(id, static_cast<int>(row)) : pool.state(mu[row]);
    if (model::holds_state(relation)) rate = rate + factor * pool.partial(relation, z);
  }
  for (const Costate& one : costates)
    rate = rate - pool.state(one.nu) * pool.partial(model.states[one.of.index()].rate, z);
  return rate;
}

}  // namespace

std::vector<model::StateId> states_behind(const Model& model, std::span<const Term> rows) {
  std::vector<model::StateId> states;
  std::vector<Term> open(rows.begin(), rows.end());
  for (std::size_t next = 0; next < open.size(); ++next) {
    for (const Term leaf : model::leaves_as_read(open[next])) {
      const model::StateId id(std::size_t{leaf.index()});
      if (leaf.kind() != model::TermKind::kState || std::ranges::find(states, id) != states.end()) continue;
      states.push_back(id);
      if (model.states[id.index()].rate.is_valid()) open.push_back(model.states[id.index()].rate);
    }
  }
  return states;
}

Dimension dimension_of_nu(const Model& model, model::StateId of) {
  return model.has_units ? make_dimension(1, 2, -1) / model.states[of.index()].dimension : Dimension{};
}

std::string primes_of(int count) { return std::string(static_cast<std::size_t>(count), '\''); }

bool is_vakonomic(const Constraint& constraint) {
  return !constraint.law->mu().empty() && !constraint.law->ladder().is_valid();
}

Term rate_of_path(const Model& model, ConstraintId id, std::size_t row) {
  const Term relation = model.constraint(id).rows[row];
  return model::level_of(model, relation) == Level::kPosition ? model::time_derivative(model, relation) : relation;
}

void set_vakonomic(model::ModelBuilder& builder, ConstraintId id, std::span<const Term> starts, Term c,
                   const std::vector<std::vector<Term>>& starts_of_rates,
                   const std::map<model::StateId, Term>& starts_of_states) {
  const Constraint stated = builder.model().constraint(id);
  VINCULUM_EXPECTS(starts.empty() || starts.size() == stated.rows.size());
  const auto order = stated.level == Level::kPosition ? 1 : static_cast<std::size_t>(stated.level);
  std::vector<std::vector<model::StateId>> mu(order);
  for (std::size_t k = 0; k < order; ++k) {
    for (std::size_t row = 0; row < stated.rows.size(); ++row) {
      const std::string of_row = stated.rows.size() == 1 ? "" : "[" + std::to_string(row + 1) + "]";
      model::State state;
      state.name = "mu(" + stated.name + ")" + of_row + primes_of(static_cast<int>(k));
      if (k == 0 && !starts.empty()) state.start = starts[row];
      if (k > 0 && k <= starts_of_rates.size() && row < starts_of_rates[k - 1].size())
        state.start = starts_of_rates[k - 1][row];
      state.is_start_stated = state.start.is_valid();
      state.range = stated.range;
      if (builder.model().has_units)
        state.dimension =
            model::dimension_of_mu(builder.model(), id, row) / power(kTime, make_rational(static_cast<int>(k), 1));
      mu[k].push_back(builder.add_state(std::move(state)));
    }
  }
  std::vector<Costate> costates;
  if (!c.is_valid() && order == 1) {
    for (const model::StateId of : states_behind(builder.model(), stated.rows)) {
      model::State state;
      state.name = "mu(" + builder.model().states[of.index()].name + ")";
      if (std::ranges::find(builder.model().states, state.name, &model::State::name) != builder.model().states.end())
        state.name = "mu(" + stated.name + ", " + builder.model().states[of.index()].name + ")";
      const auto start = starts_of_states.find(of);
      if (start != starts_of_states.end()) state.start = start->second;
      state.is_start_stated = state.start.is_valid();
      state.range = stated.range;
      state.dimension = dimension_of_nu(builder.model(), of);
      costates.push_back({of, builder.add_state(std::move(state))});
    }
    for (const Costate& one : costates)
      builder.model().states[one.nu.index()].rate = rate_of_costate(builder.model(), id, mu[0], costates, one);
  }
  builder.set_law(id, std::make_shared<VakonomicLaw>(c, std::move(mu), std::move(costates)));
}

}  // namespace vinculum::reaction_laws
