#include "vinculum/verify/invariants/invariants.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "vinculum/compiled/structure.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/calculus.hpp"
#include "vinculum/model/evaluate.hpp"
#include "vinculum/model/inspect/hamiltonian.hpp"
#include "vinculum/model/inspect/inspection.hpp"
#include "vinculum/verify/invariants/invariants_probe.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;
using model::ConstraintId;
using model::CoordinateId;
using model::Model;
using model::Term;
using What = model::Conserved::What;
using invariants::Contribution;
using invariants::Probe;
using invariants::Verdict;

std::string joined(const std::vector<std::string>& reasons) {
  std::string text;
  for (const std::string& reason : reasons) text += (text.empty() ? "" : "; ") + reason;
  return text;
}

class Finder {
 public:
  Finder(const Binding& bound, equations::System& system)
      : model_(*bound->model),
        pool_(*model_.terms),
        system_(system),
        probe_(bound, system),
        is_identity_(bound->has_identity_kinematics) {
    anywhere_.q.assign(model_.coordinates.size(), 0.5);
    anywhere_.q_dot = anywhere_.q_ddot = anywhere_.q;
    anywhere_.parameters = bound.parameters;
  }

  Invariants all();
  /// \param value  evaluated only if needed. The momenta of all coordinates of a long chain together would have a size
  /// that grows with the square of its length.
  [[nodiscard]] Verdict judge(What what, CoordinateId coordinate, const std::function<Term()>& value);

 private:
  [[nodiscard]] std::vector<Contribution> powers_beside(What what);
  [[nodiscard]] std::vector<char> workless();
  [[nodiscard]] Verdict energy(What what);
  [[nodiscard]] Verdict momentum(CoordinateId coordinate);
  void add_momenta();
  /// Judges any scalar expression, by its total derivative only.
  [[nodiscard]] Verdict expression(Term value);
  /// How the impulses of a row that acts at times only change a quantity; nothing if they do not.
  [[nodiscard]] std::optional<std::string> change_by_impulses(const equations::Row& row, What what);
  /// How the impacts of a unilateral constraint change the energy; nothing if they do not.
  [[nodiscard]] std::optional<std::string> energy_of_impacts(const equations::Row& row);
  [[nodiscard]] bool stores_energy() const;
  [[nodiscard]] bool is_rheonomic();
  void add(What what, CoordinateId coordinate, std::string name, Term value, const Verdict& verdict, std::string why);
  void add_momenta_of_the_whole();

  const Model& model_;
  model::TermPool& pool_;
  equations::System& system_;
  Probe probe_;
  model::Instant anywhere_;  ///< an arbitrary state, for expressions of parameters only
  bool is_identity_;         ///< the speeds are the rates of the coordinates: q' = u
  Invariants result_;
};

/// Returns the power −μ ∂F/∂t of a constraint of higher order, with the multiplier μ and the relation F = 0.
Expr power_of_time(equations::System& system, ConstraintId id) {
  const equations::HigherOrder& higher = *system.higher;
  Expr power = system.graph->constant(0.0);
  for (std::size_t a = 0; a < higher.F.size(); ++a) {
    if (higher.constraint_of_mu[a] == id) power -= higher.mu_path[a][0] * expr::derivative(higher.F[a], system.t);
  }
  return power;
}

bool Finder::stores_energy() const {
  for (std::size_t c = 0; c < model_.constraints.size(); ++c) {
    if (!model::stored_energy(model_, ConstraintId(c)).is_zero()) return true;
  }
  return false;
}

bool Finder::is_rheonomic() {
  const Term difference = model::total_energy(model_) - model::hamiltonian(model_);
  return !probe_.vanishes(equations::lower(system_, difference)[0]);
}

/// Returns the powers of all loads and reactions that are not included in the energy `what`. If a theorem states the
/// power of a constraint's law, that theorem is used.
std::vector<Contribution> Finder::powers_beside(What what) {
  std::vector<Contribution> parts = probe_.powers();
  for (std::size_t c = 0; c < model_.constraints.size(); ++c) {
    const ConstraintId id(c);
    const model::Law& law = *model_.constraints[c].law;
    const bool with_stored = what == What::kEffectiveEnergy;
    Expr& power = probe_.of_constraint(parts, id).value;
    if (with_stored && model::is_higher_order(model_.constraints[c])) {
      power = power_of_time(system_, id);  // power R·q' plus rate of the stored energy is −μ ∂F/∂t (theory.md §6.5)
      continue;
    }
    // On homogeneous rows of degree k, μ F_q'·q' = k μ F = 0. So they store no energy, and `rest` is the whole power of
    // their reaction. (F is the constraint function, μ its multiplier.)
    const Term rest = law.rest_of_power(model_, id), stored = model::stored_energy(model_, id);
    if (rest.is_valid() && (with_stored || (!law.mu().empty() && probe_.is_homogeneous(id)))) {
      power = equations::lower(system_, rest)[0];
    } else if (with_stored && !stored.is_zero()) {
      power += probe_.rate(equations::lower(system_, stored)[0]);
    }
  }
  return parts;
}

/// [constraints] Whether the reaction has zero power in every motion, by its form.
std::vector<char> Finder::workless() {
  std::vector<Contribution> parts = powers_beside(What::kEnergy);
  std::vector<char> all;
  for (std::size_t c = 0; c < model_.constraints.size(); ++c)
    all.push_back(probe_.is_zero_by_form(probe_.of_constraint(parts, ConstraintId(c)).value) ? 1 : 0);
  return all;
}

Verdict Finder::energy(What what) {
  std::vector<Contribution> parts = powers_beside(what);
  bool is_moved_by_form = false;
  if (what != What::kHamiltonian) {
    const Term difference = model::total_energy(model_) - model::hamiltonian(model_);
    const Expr lowered = equations::lower(system_, difference)[0];
    is_moved_by_form = !probe_.is_zero_by_form(lowered);
    if (is_moved_by_form && !probe_.vanishes(lowered))
      parts.push_back({"points that move with the time do work", probe_.rate(lowered)});
  }
  Verdict verdict = probe_.judge_powers(parts);
  verdict.is_by_form = verdict.is_by_form && !is_moved_by_form;
  return verdict;
}

Verdict Finder::momentum(CoordinateId coordinate) {
  for (const auto& e : system_.quaternions) {
    if (std::ranges::find(e, static_cast<int>(coordinate.index())) != e.end()) {
      return {false, {"it is one of four coordinates of a turning frame, whose norm is a gauge"}};
    }
  }
  return probe_.judge_forces(probe_.forces_along(coordinate), coordinate);
}

Verdict Finder::expression(Term value) {
  const Expr lowered = equations::lower(system_, value)[0];
  if (!probe_.is_analytic_model()) {
    return {false,
            {"the equations contain tables or conditions, so a quantity that is constant near the start may change "
             "elsewhere"}};
  }
  if (!equations::is_analytic(lowered)) return {false, {"it contains tables or conditions"}};
  const std::optional<bool> is_constant = probe_.is_constant(lowered);
  if (!is_constant) return {false, {"the equations contain exponentials that are negligible at all examined states"}};
  if (!*is_constant) return {false, {"its rate does not vanish along the motion"}};
  return {true, {}};
}

// Without friction and with e = 1 for all contacts, every law of restitution gives each contact that approaches
// p (γ⁺ + γ⁻) = 0, and each contact at rest p γ⁺ = 0. So the change ½ pᵀ(γ⁻ + γ⁺) of the energy is 0 (theory.md §10.3).
std::optional<std::string> Finder::energy_of_impacts(const equations::Row& row) {
  const model::Constraint& constraint = model_.constraint(row.constraint);
  const double e = model::TermValues(model_, anywhere_).scalar(constraint.unilateral->restitution).value;
  if (e != 1.0)
    return fmt::format("the impacts of `{}` take energy, since its coefficient of restitution is {:.6g}, not 1",
                       constraint.name, e);
  if (!constraint.nonideal.empty()) return fmt::format("the friction of `{}` takes energy", constraint.name);
  const std::vector<Expr> at_rest(system_.u.size(), system_.graph->constant(0.0));
  const Expr moved = expr::substitute({&row.while_acting.psi, 1}, system_.u, at_rest)[0];
  if (!probe_.is_zero_by_form(moved) && !probe_.vanishes(moved))
    return fmt::format("the gap of `{}` moves with the time, so its impacts change the energy", constraint.name);
  return std::nullopt;
}

std::optional<std::string> Finder::change_by_impulses(const equations::Row& row, What what) {
  const model::Constraint& constraint = model_.constraint(row.constraint);
  if (!constraint.unilateral)
    return fmt::format("`{}` acts at times only: where it begins to act, its impulse changes it", constraint.name);
  if (what == What::kMomentum || what == What::kExpression)
    return fmt::format("the impacts of `{}` change it", constraint.name);
  return energy_of_impacts(row);
}

Verdict Finder::judge(What what, CoordinateId coordinate, const std::function<Term()>& value) {
  for (const model::Event& event : model_.events) {
    if (event.is_closing()) continue;  // the row below
    const auto sets = std::ranges::find(event.actions, true, [](const auto& one) { return one.value.is_valid(); });
    if (sets == event.actions.end()) continue;
    return {false,
            {event.is_sample() ? std::string("a state is sampled, and takes other values at once")
                               : fmt::format("event `{}` changes the state at once", event.name)}};
  }
  for (const equations::Row& row : system_.rows) {
    if (!row.acts.is_valid()) continue;
    // The impulse Aᵀp has no component along a coordinate on which the row does not depend.
    if (what == What::kMomentum && is_identity_ && row.while_acting.A[coordinate.index()].is_zero()) continue;
    if (std::optional<std::string> change = change_by_impulses(row, what)) return {false, {*std::move(change)}};
  }
  if (!probe_.is_able()) return {false, {"no consistent states were found near the start at which it could be judged"}};
  Verdict verdict;
  switch (what) {
    case What::kEnergy:
    case What::kHamiltonian:
    case What::kEffectiveEnergy: verdict = energy(what); break;
    case What::kMomentum: verdict = momentum(coordinate); break;
    case What::kExpression: return expression(value());
  }
  // A theorem needs no numerical check.
  if (verdict.holds && verdict.is_by_form) return verdict;
  // Numerical check: the total derivative along the equations of motion, unless the quantity contains highest
  // derivatives.
  const bool is_of_state = !(what == What::kEffectiveEnergy && system_.higher);
  if (verdict.holds && is_of_state && !probe_.is_constant(equations::lower(system_, value())[0]).value_or(true)) {
    return {false, {"its rate along the equations of motion does not vanish"}};
  }
  return verdict;
}

void Finder::add(What what, CoordinateId coordinate, std::string name, Term value, const Verdict& verdict,
                 std::string why) {
  if (verdict.holds) {
    if (verdict.is_balance) why = "the terms that would change it cancel";
    result_.found.push_back({what, coordinate, std::move(name), value, std::move(why)});
  } else {
    result_.missed.push_back({what, coordinate, std::move(name), joined(verdict.reasons)});
  }
}

/// Adds linear and angular momenta of the whole system along the axes and about the first point at rest. Only those are
/// added that are constant and not functions of invariants already found.
void Finder::add_momenta_of_the_whole() {
  Term linear = pool_.zero_vector();
  for (std::size_t i = 0; i < model_.particles.size(); ++i)
    linear = linear + model::momentum(model_, model::ParticleId(i));
  for (std::size_t b = 0; b < model_.bodies.size(); ++b) linear = linear + model::momentum(model_, model::BodyId(b));
  std::vector<std::pair<std::string, Term>> candidates;
  const std::string frame = model_.frames.empty() ? "N" : model_.frames.front().name;
  for (int axis = 0; axis < 3; ++axis) {
    candidates.emplace_back(fmt::format("momentum of the whole along {}.{}", frame, "xyz"[axis]),
                            pool_.dot(linear, pool_.basis_vector(Model::newtonian(), axis)));
  }
  for (std::size_t p = 0; p < model_.points.size(); ++p) {
    const model::Point& point = model_.points[p];
    if (!point.frame.is_valid() || !(point.frame == Model::newtonian()) || point.base.is_valid()) continue;
    const model::PointId about(p);
    Term angular = pool_.zero_vector();
    for (std::size_t i = 0; i < model_.particles.size(); ++i) {
      angular = angular + model::angular_momentum(model_, model::ParticleId(i), about);
    }
    for (std::size_t b = 0; b < model_.bodies.size(); ++b) {
      angular = angular + model::angular_momentum(model_, model::BodyId(b), about);
    }
    for (int axis = 0; axis < 3; ++axis) {
      candidates.emplace_back(
          fmt::format("angular momentum of the whole about {} along {}.{}", point.name, frame, "xyz"[axis]),
          pool_.dot(angular, pool_.basis_vector(Model::newtonian(), axis)));
    }
    break;
  }
  std::vector<Expr> known;
  for (const Invariant& invariant : result_.found) known.push_back(equations::lower(system_, invariant.value)[0]);
  for (auto& [name, value] : candidates) {
    const Expr lowered = equations::lower(system_, value)[0];
    if (probe_.vanishes(lowered) || probe_.is_held_at_zero(lowered) || probe_.is_among(lowered, known) ||
        !expression(value).holds)
      continue;
    known.push_back(lowered);
    result_.found.push_back({What::kExpression, {}, std::move(name), value, "no external load acts along it"});
  }
}

/// Adds the momenta of coordinates that have mass and are not constrained to rest.
void Finder::add_momenta() {
  std::vector<std::vector<Contribution>> parts;
  for (std::size_t i = 0; probe_.is_able() && i < model_.coordinates.size(); ++i)
    parts.push_back(probe_.forces_along(CoordinateId(i)));
  probe_.look_at(parts);
  for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
    const CoordinateId q(i);
    const std::string& name = model_.coordinates[i].name;
    const auto value = [&] { return model::generalized_momentum(model_, q); };
    const Verdict verdict = judge(What::kMomentum, q, value);
    if (verdict.holds) {
      const Expr lowered = equations::lower(system_, value())[0];
      if (probe_.vanishes(lowered) || probe_.is_held_at_zero(lowered)) continue;  // it is 0: no mass, or no motion
    }
    add(What::kMomentum, q, "momentum(" + name + ")", verdict.holds ? value() : Term(), verdict,
        fmt::format("the Lagrangian does not contain {}, and no load or reaction acts along it", name));
  }
}

Invariants Finder::all() {
  const bool is_moved = probe_.is_able() && is_rheonomic();
  const char* still =
      is_moved ? "the Lagrangian does not contain the time, and no load or reaction does work on the coordinates"
               : "nothing depends on the time, and only the potentials do work";
  const auto add_energy = [&](What what, const char* name, Term value, const char* why) {
    add(what, {}, name, value, judge(what, {}, [&] { return value; }), why);
  };
  if (stores_energy()) {
    add_energy(What::kEffectiveEnergy, "effective_energy", model::effective_energy(model_),
               "with what its constraints store; nothing depends on the time, and nothing else does work");
  }
  add_energy(What::kEnergy, "energy", model::total_energy(model_), still);
  if (is_moved) add_energy(What::kHamiltonian, "hamiltonian", model::hamiltonian(model_), still);
  add_momenta();
  if (probe_.is_able() && !(model_.particles.empty() && model_.bodies.empty())) add_momenta_of_the_whole();
  for (const model::Conserved& stated : model_.conserved) {
    if (stated.what == What::kExpression) {
      add(What::kExpression, {}, stated.text, stated.value, judge(What::kExpression, {}, [&] { return stated.value; }),
          "as `conserve` states");
    }
  }
  result_.is_workless = workless();
  return std::move(result_);
}

}  // namespace

Invariants find_invariants(const Binding& bound) {
  auto system = derive_all(bound->model);
  if (!system) return {{}, {}, std::vector<char>(bound->model->constraints.size(), 0)};
  return Finder(bound, **system).all();
}

Outcome<void> judge_conserved(const Binding& bound) {
  if (bound->model->conserved.empty()) return {};
  auto system = derive_all(bound->model);
  if (!system) return fail(std::move(system.error()));
  Finder finder(bound, **system);
  for (std::size_t i = 0; i < bound->model->conserved.size(); ++i) {
    const model::Conserved& stated = bound->model->conserved[i];
    const Verdict verdict = finder.judge(stated.what, stated.coordinate, [&] { return stated.value; });
    if (verdict.holds) continue;
    Failure failure;
    failure.kind = FailureKind::kNotConserved;
    failure.statements = {{StatementId::Kind::kConserved, static_cast<int>(i)}};
    failure.message = fmt::format("`{}` is not an invariant: {}", stated.text, joined(verdict.reasons));
    return fail(std::move(failure));
  }
  return {};
}

}  // namespace vinculum::sim
