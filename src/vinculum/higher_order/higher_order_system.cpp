// Writes, for constraints of higher order, the linear system for the highest derivatives, the conditions on states, and
// the expressions for reports.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/equations/lowering.hpp"
#include "vinculum/higher_order/higher_order_structure.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"

namespace vinculum::reaction_laws {

using equations::HigherOrder;
using expr::Expr;
using Equation = HigherOrder::Equation;

Expr HigherOrderStructure::equation_at(std::size_t i, int times) {
  while (static_cast<int>(derivatives_[i].size()) <= times)
    derivatives_[i].push_back(jets_.rate(derivatives_[i].back()));
  return derivatives_[i][static_cast<std::size_t>(times)];
}

std::optional<Failure> HigherOrderStructure::write_top() {
  HigherOrder& h = *higher_;
  const std::size_t n = h.unknowns.size();
  std::vector<Expr> highest;
  for (std::size_t i = 0; i < n; ++i) highest.push_back(equation_at(i, h.equations[i].times));
  highest = settled(highest);
  const std::vector<Expr> zeros(n, graph_.constant(0.0));
  h.r = expr::substitute(highest, h.top, zeros);
  for (Expr& r : h.r) r = -r;
  h.J.assign(n * n, graph_.constant(0.0));
  for (const expr::Entry& entry : expr::sparse_jacobian(highest, h.top)) {
    const auto i = static_cast<std::size_t>(entry.row);
    if (expr::depends_on(entry.value, h.top)) {
      return singular({entry.row},
                      fmt::format("{} is not linear in the derivatives that are to be found from it, `{}` among them",
                                  h.equations[i].name, h.unknowns[static_cast<std::size_t>(entry.column)].name));
    }
    h.J[i * n + static_cast<std::size_t>(entry.column)] = entry.value;
  }
  return std::nullopt;
}

/// The greatest order p among the constraints.
int HigherOrderStructure::highest_order() const {
  int highest = 0;
  for (const model::ConstraintId id : higher_->constraint_of_mu)
    highest = std::max(highest, static_cast<int>(model_.constraint(id).level));
  return highest;
}

void HigherOrderStructure::write_hidden() {
  HigherOrder& h = *higher_;
  for (std::size_t i = 0; i < h.equations.size(); ++i) {
    for (int k = 0; k < h.equations[i].times; ++k) {
      h.hidden.push_back(equation_at(i, k));
      h.equation_of_hidden.push_back(static_cast<int>(i));
      h.times_of_hidden.push_back(k);
    }
  }
  h.hidden = settled(h.hidden);
  // Pryce's Σ-method chooses the numbers of differentiations so that these conditions do not depend on the highest
  // derivatives. Terms that contain such a derivative have a coefficient that vanishes generically, so the derivative
  // is replaced by 0.
  h.hidden = expr::substitute(h.hidden, h.top, std::vector<Expr>(h.top.size(), graph_.constant(0.0)));
  const std::size_t nu = system_.u.size(), columns = 2 * nu + system_.z.size();
  h.hidden_gradient.assign(h.hidden.size() * columns, graph_.constant(0.0));
  for (const expr::Entry& entry : expr::sparse_jacobian(h.hidden, system_.q)) {
    const std::size_t first = static_cast<std::size_t>(entry.row) * columns;
    for (std::size_t r = 0; r < nu; ++r)
      h.hidden_gradient[first + r] += entry.value * system_.G[static_cast<std::size_t>(entry.column)][r];
  }
  std::vector<Expr> rest = system_.u;
  rest.insert(rest.end(), system_.z.begin(), system_.z.end());
  for (const expr::Entry& entry : expr::sparse_jacobian(h.hidden, rest)) {
    h.hidden_gradient[static_cast<std::size_t>(entry.row) * columns + nu + static_cast<std::size_t>(entry.column)] =
        entry.value;
  }
}

/// Writes z', and the derivatives of q and μ, as expressions of states and highest derivatives. `System::z_dot` is
/// replaced by them.
void HigherOrderStructure::write_rates() {
  HigherOrder& h = *higher_;
  std::vector<Expr> y = system_.q;
  y.insert(y.end(), system_.u.begin(), system_.u.end());
  y.insert(y.end(), system_.z.begin(), system_.z.end());
  const auto at = [&](int place) {
    return place >= 0 ? y[static_cast<std::size_t>(place)] : h.top[static_cast<std::size_t>(-1 - place)];
  };
  system_.z_dot.clear();
  for (const int place : h.z_dot) system_.z_dot.push_back(at(place));
  const auto rates = jets_.coordinate_rates(2 * highest_order());
  for (std::size_t k = 1; k < rates.size(); ++k) h.path.push_back(settled(rates[k]));
  for (std::size_t a = 0; a < jets_.mu.size(); ++a) {
    const auto p = static_cast<std::ptrdiff_t>(model_.constraint(h.constraint_of_mu[a]).level);
    h.mu_path.push_back(settled(std::vector<Expr>(jets_.mu[a].begin(), jets_.mu[a].begin() + p + 1)));
  }
  for (std::size_t k = 1; k < rates.size(); ++k) {
    std::vector<Expr>& all = h.rates.emplace_back();
    auto& gradients = h.rate_gradients.emplace_back();
    for (const Expr rate : rates[k]) {
      const Expr value = settled(rate);
      const bool is_of_state = !expr::depends_on(value, h.top);
      all.push_back(is_of_state ? value : Expr{});
      gradients.push_back(is_of_state ? expr::gradient(value, system_.z) : std::vector<Expr>());
    }
  }
}

/// Fails if J, the matrix of the highest derivatives, is singular at all sampled states (random numbers of order 1).
std::optional<Failure> HigherOrderStructure::judge_regularity() const {
  const HigherOrder& h = *higher_;
  const int n = static_cast<int>(h.unknowns.size());
  std::vector<Expr> symbols{system_.t};
  for (const auto* more : {&system_.q, &system_.u, &system_.z, &system_.parameters})
    symbols.insert(symbols.end(), more->begin(), more->end());
  numeric::FullPivotLu lu(n);
  std::string name;
  for (const auto& values : equations::Sampler(symbols, 1788).sample(h.J)) {
    MatrixRef J = lu.matrix(n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) J(i, j) = values[static_cast<std::size_t>(i * n + j)];
      if (const double largest = J.row(i).cwiseAbs().maxCoeff(); largest > 0.0) J.row(i) /= largest;
    }
    lu.factor(tolerance::kGeneric);
    if (lu.is_regular()) return std::nullopt;
    name = h.unknowns[static_cast<std::size_t>(lu.undetermined())].name;
  }
  if (name.empty()) return std::nullopt;  // J is not finite at any sampled state; the search for a start reports that
  return singular({}, fmt::format("the equations leave `{}` undetermined, whatever the state", name));
}

Failure HigherOrderStructure::singular(const std::vector<int>& equations, const std::string& message) const {
  Failure failure;
  failure.kind = FailureKind::kSingularByMultipliers;
  std::vector<std::string> names;
  const auto name = [&](const HigherOrder& h, int mu) {
    const model::ConstraintId id = h.constraint_of_mu[static_cast<std::size_t>(mu)];
    if (std::ranges::find(failure.constraints, static_cast<int>(id.index())) != failure.constraints.end()) return;
    failure.constraints.push_back(static_cast<int>(id.index()));
    names.push_back(model_.constraint(id).name);
  };
  for (const int i : equations) {
    const Equation& equation = higher_->equations[static_cast<std::size_t>(i)];
    if (equation.kind == Equation::Kind::kConstraint) name(*higher_, equation.index);
  }
  for (std::size_t a = 0; failure.constraints.empty() && a < jets_.mu.size(); ++a) name(*higher_, static_cast<int>(a));
  failure.message = "the law of " + quoted_list(names) + " gives no motion: " + message;
  return failure;
}

void HigherOrderStructure::write_reports() {
  HigherOrder& h = *higher_;
  equations::Lowering& lowering = *system_.lowering;
  h.F = settled(F_);
  h.R.assign(model_.constraints.size(), std::vector<Expr>(system_.u.size(), graph_.constant(0.0)));
  std::vector<Expr> energies(model_.constraints.size(), graph_.constant(0.0));
  std::vector<Expr> lambda_ideal = lowering.symbols().lambda_ideal;
  std::vector<std::vector<Expr>> u_higher;
  for (int k = 2; k < 2 * highest_order(); ++k) {
    std::vector<Expr>& rates = u_higher.emplace_back();
    for (std::size_t r = 0; r < jets_.u.size(); ++r) {
      const bool is_known = h.unknowns[r].order > k;
      const std::string name = "derivative " + std::to_string(k) + " of " + model_.speeds[r].name;
      rates.push_back(is_known ? settled(jets_.u[r][static_cast<std::size_t>(k)]) : graph_.symbol(name));
      if (!is_known) h.not_known.push_back(rates.back());
    }
  }
  std::vector<std::size_t> first_row;
  std::size_t row = 0;
  for (const model::Constraint& constraint : model_.constraints) {
    first_row.push_back(row);
    row += constraint.rows.size();
  }
  for (std::size_t a = 0; a < variations_.size(); ++a) {
    const std::size_t c = h.constraint_of_mu[a].index();
    const std::vector<Expr> R = settled(variations_[a].R);
    for (std::size_t r = 0; r < R.size(); ++r) h.R[c][r] += R[r];
    energies[c] += settled(variations_[a].h);
    // For a holonomic constraint differentiated p times, R = (−1)^p μ^(p) f_q.
    const auto p = static_cast<std::size_t>(model_.constraints[c].level);
    const Expr highest = settled(jets_.mu[a][p]);
    lambda_ideal[first_row[c] + static_cast<std::size_t>(h.row_of_mu[a])] = p % 2 == 0 ? highest : -highest;
  }
  h.energy = energies;
  lowering.know_higher_order(std::move(u_higher), std::move(energies), std::move(lambda_ideal));
  std::vector<std::vector<Expr>> forces = lowering.generalized_forces();
  for (std::size_t c = 0; c < forces.size(); ++c) {
    for (std::size_t r = 0; r < forces[c].size(); ++r) forces[c][r] += h.R[c][r];
  }
  lowering.know_generalized_forces(std::move(forces));
  const std::size_t of_model = model_.states.size();
  lowering.know_state_rates({system_.z_dot.begin(), system_.z_dot.begin() + static_cast<std::ptrdiff_t>(of_model)});
}

}  // namespace vinculum::reaction_laws
