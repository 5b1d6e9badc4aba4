#include "vinculum/exports/derive_additional.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "vinculum/base/contract.hpp"
#include "vinculum/equations/derive.hpp"
#include "vinculum/exports/derive_reduction.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/model/inspect/inspection.hpp"

namespace vinculum::report {
namespace {

using expr::Expr;
using Expressions = std::vector<Expr>;
using model::Model;
using model::Term;
using Rectangle = std::vector<Expressions>;

// Adds the variable w = Σ rate_k direction_k, and its derivative with respect to the speeds at fixed direction.
void add_inertial(AdditionalRows& rows, equations::System& system, Term rate, Term direction) {
  const Expressions v = equations::lower(system, rate), W = equations::lower(system, direction);
  Expr w = system.graph->constant(0.0);
  for (std::size_t k = 0; k < 3; ++k) w += v[k] * W[k];
  Expressions B(system.u.size(), system.graph->constant(0.0));
  for (const expr::Entry& e : expr::sparse_jacobian(v, system.u)) B[at(e.column)] += e.value * W[at(e.row)];
  const bool is_speed = std::ranges::none_of(
      W, [&](Expr e) { return expr::depends_on(e, system.u) || expr::depends_on(e, system.u_dot); });
  rows.B.push_back(std::move(B));
  rows.w.push_back(is_speed ? w : Expr{});
}

// Returns the name of the variable of a row, formed in the same way as the name of the row's multiplier.
std::string name_of(const equations::System& system, int row) {
  constexpr std::string_view kMultiplier = "multiplier";
  return "u" + system.graph->symbol_name(system.lambda[at(row)].node()).substr(kMultiplier.size());
}

// Computes ∂u_D/∂w: the inverse of the columns of B that belong to the dependent speeds, by elimination in an order
// with nonzero pivots.
Rectangle inverse(const Rectangle& B, const std::vector<int>& dependent,
                  const std::vector<std::pair<int, int>>& order) {
  const std::size_t m = order.size();
  Rectangle D(m), X(m), G(m, Expressions(m));
  for (std::size_t a = 0; a < m; ++a) {
    const Expressions& row = B[at(order[a].first)];
    for (const auto& pivot : order) D[a].push_back(row[at(dependent[at(pivot.second)])]);
    expr::Graph& graph = row[0].graph();
    X[a].assign(m, graph.constant(0.0));
    X[a][a] = graph.constant(1.0);
  }
  eliminate(D, X);
  for (std::size_t k = 0; k < m; ++k) {
    for (std::size_t a = 0; a < m; ++a) G[at(order[k].second)][at(order[a].first)] = X[k][a];
  }
  return G;
}

// Returns entry r of f + C + Γᵀe, plus Aᵀλ of the rows of constraints with a `when` clause.
Expr force_on(const Derivation& derivation, std::size_t r) {
  const equations::System& system = *derivation.system;
  Expr sum = system.f[r] + system.C[r];
  for (const int row : derivation.switched_rows) sum += system.rows[at(row)].A[r] * system.lambda[at(row)];
  for (const auto& directed : system.directed) {
    for (std::size_t k = 0; k < directed.Gamma.size(); ++k)
      sum += directed.Gamma[k][r] * system.effort[at(directed.first_effort) + k];
  }
  return sum;
}

// Returns entry r of M u' minus `force_on`. It equals Aᵀλ of the rows of constraints without a `when` clause.
Expr left_of_reactions(const Derivation& derivation, std::size_t r) {
  const equations::System& system = *derivation.system;
  Expr sum = -force_on(derivation, r);
  for (std::size_t s = 0; s < system.u.size(); ++s) sum += system.M[r * system.u.size() + s] * system.u_dot[s];
  return sum;
}

}  // namespace

Outcome<AdditionalRows> additional_rows(const Derivation& derivation) {
  equations::System& system = *derivation.system;
  const Model& model = *system.model;
  AdditionalRows rows;
  for (const int index : derivation.ideal_rows) {
    const equations::Row& row = system.rows[at(index)];
    if (derivation.additional == Additional::kVanishing) {
      rows.B.push_back(row.A.dense());
      rows.w.push_back(row.psi);
      continue;
    }
    const model::RowInspection named = model::inspect_row(model, row.constraint, at(row.index));
    if (!named.forces.empty()) {
      const auto& first = named.forces.front();
      add_inertial(rows, system, model.terms->velocity(first.point, Model::newtonian()), first.W);
    } else if (!named.torques.empty()) {
      const auto& first = named.torques.front();
      add_inertial(rows, system, model.terms->angular_velocity(first.body, Model::newtonian()), first.tau);
    } else {
      Failure failure;
      failure.kind = FailureKind::kSingularKinematics;
      failure.constraints = {static_cast<int>(row.constraint.index())};
      failure.message = "`" + model.constraint(row.constraint).name +
                        "` names no point or body whose velocity could be an additional motion variable; "
                        "`--additional vanishing` takes the row itself";
      return fail(std::move(failure));
    }
  }
  return rows;
}

AdditionalVariables additional_variables(const Derivation& derivation) {
  VINCULUM_EXPECTS(derivation.form == equations::Formulation::kMinimal);
  const equations::System& system = *derivation.system;
  const Expr zero = system.graph->constant(0.0), one = system.graph->constant(1.0);
  const std::size_t m = derivation.dependent.size();
  AdditionalVariables all;
  Rectangle B(m, Expressions(system.u.size(), zero));
  std::vector<std::pair<int, int>> order = derivation.additional_pivots;
  std::vector<std::size_t> place;  // position of pivot row k among the ideal rows
  for (const int row : derivation.pivot_rows)
    place.push_back(
        at(static_cast<int>(std::ranges::find(derivation.ideal_rows, row) - derivation.ideal_rows.begin())));
  if (derivation.additional == Additional::kSpeeds) {
    for (std::size_t k = 0; k < m; ++k) {
      const int speed = derivation.dependent[k];
      B[k][at(speed)] = one;
      all.names.push_back(system.model->speeds[at(speed)].name);
      all.w.push_back(system.u[at(speed)]);
    }
  } else {
    const auto rows = additional_rows(derivation);
    VINCULUM_EXPECTS(rows.has_value());
    for (std::size_t k = 0; k < m; ++k) {
      B[k] = rows->B[place[k]];
      all.names.push_back(name_of(system, derivation.pivot_rows[k]));
      all.w.push_back(rows->w[place[k]]);
    }
  }
  if (order.empty()) {
    for (int k = 0; k < static_cast<int>(m); ++k) order.emplace_back(k, k);
  }
  all.G = inverse(B, derivation.dependent, order);
  for (std::size_t k = 0; k < m; ++k) {
    all.B.emplace_back();
    for (const int speed : derivation.independent) all.B[k].push_back(B[k][at(speed)]);
  }
  for (const int row : derivation.ideal_rows) {
    all.E.emplace_back(m, zero);
    for (std::size_t d = 0; d < m; ++d) {
      for (std::size_t k = 0; k < m; ++k)
        all.E.back()[k] += system.rows[at(row)].A[at(derivation.dependent[d])] * all.G[d][k];
    }
  }
  if (derivation.additional == Additional::kVanishing) {  // E is the product A_D A_D⁻¹ = 1
    for (std::size_t k = 0; k < m; ++k) {
      all.E[place[k]].assign(m, zero);
      all.E[place[k]][k] = one;
    }
  }
  for (std::size_t k = 0; k < m; ++k) {
    Expr sum = zero;
    for (std::size_t d = 0; d < m; ++d) sum += all.G[d][k] * left_of_reactions(derivation, at(derivation.dependent[d]));
    all.R.push_back(sum);
  }
  return all;
}

namespace {

// Writes the section on additional variables.
class Section {
 public:
  Section(Lines& lines, const Derivation& derivation)
      : lines_(lines),
        derivation_(derivation),
        system_(*derivation.system),
        model_(*system_.model),
        all_(additional_variables(derivation)),
        by_rates_(!std::ranges::all_of(all_.w, &Expr::is_valid)) {}

  void definitions() {
    const bool vanishes = derivation_.additional == Additional::kVanishing;
    lines_.heading("Additional motion variables");
    lines_.note(vanishes
                    ? "The rows' own expressions, which are 0 along the motion (after Djerassi): one multiplier in"
                    : "Velocities in the newtonian frame of what each row names first (after Banerjee); they do not");
    lines_.note(vanishes ? "each of their equations, none in those of the independent speeds."
                         : "vanish, and the multipliers stand in the equations of the independent speeds too.");
    if (by_rates_)
      lines_.note("A constraint is not linear in the speeds: the variables are rates, and have partial accelerations.");
    for (std::size_t k = 0; k < all_.names.size(); ++k) {
      if (all_.w[k].is_valid()) lines_.result(all_.names[k], all_.w[k]);
    }
  }

  void partial_velocities() {
    const auto point = [&](const std::string& name, model::PointId id) {
      partials(fmt::format("{}({})", by_rates_ ? "acc" : "vel", name), model_.terms->velocity(id, Model::newtonian()),
               Model::newtonian());
    };
    for (const model::Particle& particle : model_.particles) point(particle.name, particle.point);
    for (const model::Body& body : model_.bodies) {
      point(body.name, body.center);
      partials(fmt::format("{}({})", by_rates_ ? "alpha" : "omega", body.name),
               model_.terms->angular_velocity(body.frame, Model::newtonian()), body.frame);
    }
  }

  // Equations of the variables w, and of the independent speeds if these equations contain multipliers.
  void equations() {
    lines_.heading("Kane's equations of the additional variables");
    const std::size_t m = all_.names.size();
    for (std::size_t k = 0; k < m; ++k) {
      Expressions share(system_.u.size(), lines_.number(0.0));
      for (std::size_t d = 0; d < m; ++d) share[at(derivation_.dependent[d])] = all_.G[d][k];
      equation(share, [&](std::size_t row) { return all_.E[row][k]; });
    }
    if (derivation_.additional == Additional::kVanishing || derivation_.independent.empty()) return;
    lines_.heading("Kane's equations of the independent speeds, the additional variables held");
    for (std::size_t i = 0; i < derivation_.independent.size(); ++i) {
      const std::size_t speed = at(derivation_.independent[i]);
      Expressions share(system_.u.size(), lines_.number(0.0));
      share[speed] = lines_.number(1.0);
      for (std::size_t d = 0; d < m; ++d) {
        for (std::size_t k = 0; k < m; ++k) share[at(derivation_.dependent[d])] -= all_.G[d][k] * all_.B[k][i];
      }
      equation(share, [&](std::size_t row) {
        Expr sum = system_.rows[at(derivation_.ideal_rows[row])].A[speed];
        for (std::size_t k = 0; k < m; ++k) sum -= all_.E[row][k] * all_.B[k][i];
        return sum;
      });
    }
  }

 private:
  void partials(const std::string& name, Term rate, model::FrameId frame) {
    const Expressions value = equations::lower(system_, rate, frame);
    Rectangle by_w(all_.names.size(), Expressions(3, lines_.number(0.0)));
    for (const expr::Entry& e : expr::sparse_jacobian(value, system_.u)) {
      const auto dependent = std::ranges::find(derivation_.dependent, e.column);
      if (dependent == derivation_.dependent.end()) continue;
      const auto d = static_cast<std::size_t>(dependent - derivation_.dependent.begin());
      for (std::size_t k = 0; k < by_w.size(); ++k) by_w[k][at(e.row)] += e.value * all_.G[d][k];
    }
    for (std::size_t k = 0; k < by_w.size(); ++k) {
      if (std::ranges::all_of(by_w[k], [](Expr e) { return e.is_zero(); })) continue;
      lines_.vector(fmt::format("d {} / d {}{}", name, all_.names[k], by_rates_ ? "'" : ""), by_w[k], frame);
    }
  }

  // Adds the equation Σ share_r (M u' − f − C − Aᵀλ − Γᵀe)_r = 0 to the listing.
  void equation(const Expressions& share, const auto& factor_of_multiplier) {
    const std::size_t nu = system_.u.size();
    Expressions masses(nu, lines_.number(0.0));
    Expr right = lines_.number(0.0);
    for (std::size_t r = 0; r < nu; ++r) {
      if (share[r].is_zero()) continue;
      for (std::size_t s = 0; s < nu; ++s) masses[s] += share[r] * system_.M[r * nu + s];
      right += share[r] * force_on(derivation_, r);
    }
    for (std::size_t row = 0; row < derivation_.ideal_rows.size(); ++row)
      right += factor_of_multiplier(row) * system_.lambda[at(derivation_.ideal_rows[row])];
    lines_.linear_equation(masses, system_.u_dot, right);
  }

  Lines& lines_;
  const Derivation& derivation_;
  equations::System& system_;
  const Model& model_;
  AdditionalVariables all_;
  bool by_rates_;  // some variables have only rates, so partial accelerations are used
};

}  // namespace

void list_additional(Lines& lines, const Derivation& derivation) {
  Section section(lines, derivation);
  section.definitions();
  section.partial_velocities();
  section.equations();
}

}  // namespace vinculum::report
