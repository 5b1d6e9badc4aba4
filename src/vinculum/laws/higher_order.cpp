#include "vinculum/laws/higher_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "vinculum/dynamics/lowering.hpp"
#include "vinculum/dynamics/sampling.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/laws/jet_space.hpp"
#include "vinculum/numeric/full_pivot_lu.hpp"
#include "vinculum/numeric/sigma_method.hpp"

namespace vinculum::laws {
namespace {

using dynamics::HigherOrder;
using expr::Expr;
using mechanics::Level;
using Unknown = HigherOrder::Unknown;
using Equation = HigherOrder::Equation;

constexpr double kTolSingular = 1e-11;   // pivots of J at random states of order 1, equilibrated

std::string primes(int count) { return std::string(static_cast<std::size_t>(count), '\''); }

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "`" : i + 1 == names.size() ? " and `" : ", `") + names[i] + "`";
  return text;
}

class Structure {
 public:
  explicit Structure(dynamics::System& system)
      : system_(system), model_(*system.model), graph_(*system.graph), jets_(system), higher_(std::make_shared<HigherOrder>()) {}

  std::optional<Failure> run() {
    write_equations();
    if (auto failure = analyse()) return failure;
    name_states();
    if (auto failure = write_top()) return failure;
    write_hidden();
    write_rates();
    if (auto failure = judge_regularity()) return failure;
    write_reports();
    system_.higher = higher_;
    return std::nullopt;
  }

 private:
  /// Derivatives of an unknown as symbols. Those of a coordinate begin with its speed: the first is of order 1.
  struct Function {
    const JetSpace::Jet* jet;
    int first_order;
    [[nodiscard]] Expr at(int order) const { return (*jet)[static_cast<std::size_t>(order - first_order)]; }
  };

  void write_equations();
  std::optional<Failure> analyse();
  int order_in(Expr equation, std::size_t unknown, const dynamics::Sampler& sampler);
  void name_states();
  std::optional<Failure> write_top();
  void write_hidden();
  void write_rates();
  std::optional<Failure> judge_regularity() const;
  void write_reports();
  std::vector<Expr> settled(std::span<const Expr> values) const { return expr::substitute(values, raw_, final_); }
  Expr settled(Expr value) const { return settled({&value, 1})[0]; }
  Expr equation_at(std::size_t i, int times);
  /// Names the constraints of higher order among the equations, or all of them.
  [[nodiscard]] Failure singular(const std::vector<int>& equations, const std::string& message) const;

  dynamics::System& system_;
  const mechanics::Model& model_;
  expr::Graph& graph_;
  JetSpace jets_;
  std::shared_ptr<HigherOrder> higher_;
  std::vector<Function> functions_;                  ///< [n]
  std::vector<std::vector<Expr>> derivatives_;       ///< [n][times] of the equations
  std::vector<JetSpace::Variation> variations_;      ///< [number of μ]
  std::vector<Expr> F_;                              ///< [number of μ]
  std::vector<Expr> raw_, final_;                    ///< jets as states, highest derivatives and zeros
  std::vector<Expr> raw_top_;
};

void Structure::write_equations() {
  const std::size_t nu = system_.u.size();
  higher_->constraint_of_mu = jets_.constraint_of_mu;
  higher_->row_of_mu = jets_.row_of_mu;
  std::vector<Expr> motion;
  for (std::size_t r = 0; r < nu; ++r) {
    Expr sum = -system_.f[r];
    for (std::size_t s = 0; s < nu; ++s) sum += system_.M[r * nu + s] * system_.u_dot[s];
    for (std::size_t i = 0; i < system_.rows.size(); ++i) sum -= system_.rows[i].A[r] * system_.lambda[i];
    motion.push_back(sum);
  }
  for (std::size_t a = 0; a < jets_.mu.size(); ++a) {
    const mechanics::Constraint& constraint = model_.constraint(jets_.constraint_of_mu[a]);
    F_.push_back(jets_.relation(constraint.rows[static_cast<std::size_t>(jets_.row_of_mu[a])]));
    variations_.push_back(jets_.variation(F_.back(), jets_.mu[a], static_cast<int>(constraint.level)));
    for (std::size_t r = 0; r < nu; ++r) motion[r] -= variations_.back().R[r];
  }
  const auto add = [&](Equation::Kind kind, int index, std::string name, Expr equation) {
    higher_->equations.push_back({kind, index, 0, std::move(name)});
    derivatives_.push_back({equation});
  };
  const auto know = [&](Unknown::Kind kind, int index, std::string name, const JetSpace::Jet& jet) {
    higher_->unknowns.push_back({kind, index, 0, std::move(name)});
    functions_.push_back({&jet, kind == Unknown::Kind::kCoordinate ? 1 : 0});
  };
  for (std::size_t r = 0; r < nu; ++r) {
    const std::string& name = model_.speeds[r].name;
    add(Equation::Kind::kMotion, static_cast<int>(r), "the equation of motion along `" + name + "`", motion[r]);
    know(Unknown::Kind::kCoordinate, static_cast<int>(r), name, jets_.u[r]);
  }
  for (std::size_t i = 0; i < system_.rows.size(); ++i) {
    const dynamics::Row& row = system_.rows[i];
    Expr relation = row.level == Level::kPosition ? row.phi : row.psi;
    if (row.level == Level::kAcceleration) {
      relation = -row.b;
      for (std::size_t r = 0; r < nu; ++r) relation += row.A[r] * system_.u_dot[r];
    }
    const std::string& name = model_.constraint(row.constraint).name;
    add(Equation::Kind::kRow, static_cast<int>(i), "constraint `" + name + "`", relation);
    know(Unknown::Kind::kMultiplier, static_cast<int>(i), "multiplier(" + name + ")", jets_.lambda[i]);
  }
  for (std::size_t i = 0; i < jets_.z.size(); ++i) {
    if (jets_.is_mu[i] != 0) continue;
    add(Equation::Kind::kState, static_cast<int>(i), "state `" + system_.z_names[i] + "`", jets_.z[i][1] - system_.z_dot[i]);
    know(Unknown::Kind::kState, static_cast<int>(i), system_.z_names[i], jets_.z[i]);
  }
  for (std::size_t a = 0; a < jets_.mu.size(); ++a) {
    const mechanics::Constraint& constraint = model_.constraint(jets_.constraint_of_mu[a]);
    add(Equation::Kind::kConstraint, static_cast<int>(a), "constraint `" + constraint.name + "`", F_[a]);
    const auto& law = std::get<mechanics::VakonomicLaw>(constraint.law);
    know(Unknown::Kind::kMu, static_cast<int>(a), model_.states[law.mu[static_cast<std::size_t>(jets_.row_of_mu[a])].index()].name, jets_.mu[a]);
  }
}

/// Highest derivative of the unknown that the equation holds generically. A coordinate counts by its speed's motion.
int Structure::order_in(Expr equation, std::size_t unknown, const dynamics::Sampler& sampler) {
  const Function& function = functions_[unknown];
  const std::vector<expr::Entry> entries = expr::sparse_jacobian({&equation, 1}, *function.jet);
  for (std::size_t k = entries.size(); k-- > 0;) {
    if (!sampler.is_generically_zero(entries[k].value)) return entries[k].column + function.first_order;
  }
  if (function.first_order == 0) return numeric::kNotThere;
  Expr by_coordinates = graph_.constant(0.0);
  const auto r = static_cast<std::size_t>(higher_->unknowns[unknown].index);
  for (const expr::Entry& entry : expr::sparse_jacobian({&equation, 1}, system_.q)) {
    by_coordinates += entry.value * system_.G[static_cast<std::size_t>(entry.column)][r];
  }
  return sampler.is_generically_zero(by_coordinates) ? numeric::kNotThere : 0;
}

std::optional<Failure> Structure::analyse() {
  std::vector<Expr> symbols = jets_.symbols();
  symbols.insert(symbols.end(), system_.parameters.begin(), system_.parameters.end());
  const dynamics::Sampler sampler(symbols, 2001);
  const std::size_t n = functions_.size();
  std::vector<int> sigma;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) sigma.push_back(order_in(derivatives_[i][0], j, sampler));
  }
  const numeric::SigmaAnalysis found = numeric::sigma_method(sigma, static_cast<int>(n));
  if (!found.is_regular()) {
    std::vector<std::string> equations, unknowns;
    for (const int i : found.equations) {
      const std::string& name = higher_->equations[static_cast<std::size_t>(i)].name;
      if (std::ranges::find(equations, name) == equations.end()) equations.push_back(name);
    }
    for (const int j : found.unknowns) unknowns.push_back(higher_->unknowns[static_cast<std::size_t>(j)].name);
    std::string text;
    for (std::size_t i = 0; i < equations.size(); ++i) text += (i == 0 ? "" : i + 1 == equations.size() ? " and " : ", ") + equations[i];
    const std::size_t count = found.equations.size();
    return singular(found.equations, fmt::format("{}: {} equation{} for {}{}", text, count, count == 1 ? "" : "s",
                                                 unknowns.empty() ? "no unknown" : std::to_string(unknowns.size()) + (unknowns.size() == 1 ? " unknown, " : " unknowns, "),
                                                 quoted_list(unknowns)));
  }
  for (std::size_t j = 0; j < n; ++j) {
    Unknown& unknown = higher_->unknowns[j];
    unknown.order = found.d[j];
    const bool is_coordinate = unknown.kind == Unknown::Kind::kCoordinate;
    if (is_coordinate && unknown.order < 2) {
      return singular({}, fmt::format("nothing determines the acceleration of `{}` beside its constraints: give it a mass", unknown.name));
    }
    if (unknown.order + 2 > JetSpace::kHighest || found.c[j] + 2 > JetSpace::kHighest) {
      return singular({}, fmt::format("the structure asks for derivative {} of `{}`", unknown.order, unknown.name));
    }
    // A default speed is "x'", and its own first derivative "x''".
    unknown.name += primes(unknown.order - (is_coordinate ? 1 : 0));
  }
  for (std::size_t i = 0; i < n; ++i) higher_->equations[i].times = found.c[i];
  return std::nullopt;
}

/// Derivatives below the highest are states, those at and above it unknowns and zeros.
void Structure::name_states() {
  HigherOrder& h = *higher_;
  const int nq = system_.nq(), nu = system_.nu();
  const auto component = [&](std::size_t state) { return nq + nu + static_cast<int>(state); };
  h.u_dot.assign(static_cast<std::size_t>(nu), 0);
  h.z_dot.assign(system_.z.size(), 0);
  h.lambda.assign(system_.rows.size(), 0);
  const Dimension per_second = make_dimension(0, 0, -1);
  const auto add_state = [&](const std::string& name, Dimension dimension) {
    system_.z.push_back(graph_.symbol("state " + name));
    system_.z_names.push_back(name);
    system_.z_dimensions.push_back(model_.has_units ? dimension : Dimension{});
    h.z_dot.push_back(0);
    return system_.z.size() - 1;
  };
  for (std::size_t j = 0; j < h.unknowns.size(); ++j) {
    const Unknown& unknown = h.unknowns[j];
    const Function& function = functions_[j];
    const int n = static_cast<int>(j);
    const auto at = static_cast<std::size_t>(unknown.index);
    h.top.push_back(graph_.symbol("top " + unknown.name));
    raw_top_.push_back(function.at(unknown.order));
    // Where the rate of what came before is written.
    std::pair<std::vector<int>*, std::size_t> rate;
    std::string name;
    Dimension dimension{};
    int order = 0;
    switch (unknown.kind) {
      case Unknown::Kind::kCoordinate:
        rate = {&h.u_dot, at};
        name = model_.speeds[at].name + "'";
        dimension = model_.speeds[at].dimension * per_second;
        order = 2;
        break;
      case Unknown::Kind::kMultiplier: {
        const dynamics::Row& row = system_.rows[at];
        const mechanics::Constraint& constraint = model_.constraint(row.constraint);
        rate = {&h.lambda, at};
        name = "multiplier(" + constraint.name + ")" + (constraint.rows.size() == 1 ? "" : "[" + std::to_string(row.index + 1) + "]");
        const Dimension own = constraint.row_dimensions.empty() ? constraint.dimension : constraint.row_dimensions[static_cast<std::size_t>(row.index)];
        dimension = make_dimension(1, 2, -2 - static_cast<int>(row.level)) / own;
        break;
      }
      case Unknown::Kind::kState:
        rate = {&h.z_dot, at};
        name = system_.z_names[at] + "'";
        dimension = system_.z_dimensions[at] * per_second;
        order = 1;
        break;
      case Unknown::Kind::kMu: {
        const auto& law = std::get<mechanics::VakonomicLaw>(model_.constraint(h.constraint_of_mu[at]).law);
        const auto row = static_cast<std::size_t>(h.row_of_mu[at]);
        std::size_t last = law.mu[row].index();
        for (const auto& next : law.mu_rates) last = (h.z_dot[last] = component(next[row].index()), next[row].index());
        rate = {&h.z_dot, last};
        name = system_.z_names[last] + "'";
        dimension = system_.z_dimensions[last] * per_second;
        order = static_cast<int>(law.mu_rates.size()) + 1;
        break;
      }
    }
    for (; order < unknown.order; ++order) {
      const std::size_t state = add_state(name, dimension);
      (*rate.first)[rate.second] = component(state);
      rate = {&h.z_dot, state};
      raw_.push_back(function.at(order));
      final_.push_back(system_.z[state]);
      name += "'";
      dimension = dimension * per_second;
    }
    (*rate.first)[rate.second] = -1 - n;
    raw_.push_back(raw_top_.back());
    final_.push_back(h.top.back());
    for (std::size_t k = static_cast<std::size_t>(unknown.order - function.first_order) + 1; k < function.jet->size(); ++k) {
      raw_.push_back((*function.jet)[k]);
      final_.push_back(graph_.constant(0.0));   // held by form only, and generically not
    }
  }
}

Expr Structure::equation_at(std::size_t i, int times) {
  while (static_cast<int>(derivatives_[i].size()) <= times) derivatives_[i].push_back(jets_.rate(derivatives_[i].back()));
  return derivatives_[i][static_cast<std::size_t>(times)];
}

std::optional<Failure> Structure::write_top() {
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
      return singular({entry.row}, fmt::format("{} is not linear in the derivatives that are to be found from it, `{}` among them", h.equations[i].name,
                                               h.unknowns[static_cast<std::size_t>(entry.column)].name));
    }
    h.J[i * n + static_cast<std::size_t>(entry.column)] = entry.value;
  }
  return std::nullopt;
}

void Structure::write_hidden() {
  HigherOrder& h = *higher_;
  for (std::size_t i = 0; i < h.equations.size(); ++i) {
    for (int k = 0; k < h.equations[i].times; ++k) {
      h.hidden.push_back(equation_at(i, k));
      h.equation_of_hidden.push_back(static_cast<int>(i));
      h.times_of_hidden.push_back(k);
    }
  }
  h.hidden = settled(h.hidden);
  h.hidden = expr::substitute(h.hidden, h.top, std::vector<Expr>(h.top.size(), graph_.constant(0.0)));   // none by structure
  const std::size_t nu = system_.u.size(), columns = 2 * nu + system_.z.size();
  h.hidden_gradient.assign(h.hidden.size() * columns, graph_.constant(0.0));
  for (const expr::Entry& entry : expr::sparse_jacobian(h.hidden, system_.q)) {
    const std::size_t first = static_cast<std::size_t>(entry.row) * columns;
    for (std::size_t r = 0; r < nu; ++r) h.hidden_gradient[first + r] += entry.value * system_.G[static_cast<std::size_t>(entry.column)][r];
  }
  std::vector<Expr> rest = system_.u;
  rest.insert(rest.end(), system_.z.begin(), system_.z.end());
  for (const expr::Entry& entry : expr::sparse_jacobian(h.hidden, rest)) {
    h.hidden_gradient[static_cast<std::size_t>(entry.row) * columns + nu + static_cast<std::size_t>(entry.column)] = entry.value;
  }
}

/// u', z' and λ as expressions: `z_dot` of the System is of states and highest derivatives from here on.
void Structure::write_rates() {
  HigherOrder& h = *higher_;
  std::vector<Expr> y = system_.q;
  y.insert(y.end(), system_.u.begin(), system_.u.end());
  y.insert(y.end(), system_.z.begin(), system_.z.end());
  const auto at = [&](int place) { return place >= 0 ? y[static_cast<std::size_t>(place)] : h.top[static_cast<std::size_t>(-1 - place)]; };
  system_.z_dot.clear();
  for (const int place : h.z_dot) system_.z_dot.push_back(at(place));
  int highest = 0;
  for (const mechanics::ConstraintId id : h.constraint_of_mu) highest = std::max(highest, 2 * static_cast<int>(model_.constraint(id).level));
  const auto rates = jets_.coordinate_rates(highest);
  for (std::size_t k = 1; k < rates.size(); ++k) h.path.push_back(settled(rates[k]));
  for (std::size_t a = 0; a < jets_.mu.size(); ++a) {
    const auto p = static_cast<std::ptrdiff_t>(model_.constraint(h.constraint_of_mu[a]).level);
    h.mu_path.push_back(settled(std::vector<Expr>(jets_.mu[a].begin(), jets_.mu[a].begin() + p + 1)));
  }
  for (std::size_t k = 1; k < 3; ++k) {
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

/// J where states are of order 1: whether it is regular anywhere.
std::optional<Failure> Structure::judge_regularity() const {
  const HigherOrder& h = *higher_;
  const int n = static_cast<int>(h.unknowns.size());
  std::vector<Expr> symbols{system_.t};
  for (const auto* more : {&system_.q, &system_.u, &system_.z, &system_.parameters}) symbols.insert(symbols.end(), more->begin(), more->end());
  numeric::FullPivotLu lu(n);
  std::string name;
  for (const auto& values : dynamics::Sampler(symbols, 1788).sample(h.J)) {
    MatrixRef J = lu.matrix(n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) J(i, j) = values[static_cast<std::size_t>(i * n + j)];
      if (const double largest = J.row(i).cwiseAbs().maxCoeff(); largest > 0.0) J.row(i) /= largest;
    }
    lu.factor(kTolSingular);
    if (lu.is_regular()) return std::nullopt;
    name = h.unknowns[static_cast<std::size_t>(lu.undetermined())].name;
  }
  if (name.empty()) return std::nullopt;   // not finite where sampled: the start will tell
  return singular({}, fmt::format("the equations leave `{}` undetermined, whatever the state", name));
}

Failure Structure::singular(const std::vector<int>& equations, const std::string& message) const {
  Failure failure;
  failure.kind = FailureKind::kVakonomicSingular;
  std::vector<std::string> names;
  const auto name = [&](const HigherOrder& h, int mu) {
    const mechanics::ConstraintId id = h.constraint_of_mu[static_cast<std::size_t>(mu)];
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

void Structure::write_reports() {
  HigherOrder& h = *higher_;
  dynamics::Lowering& lowering = *system_.lowering;
  h.F = settled(F_);
  h.R.assign(model_.constraints.size(), std::vector<Expr>(system_.u.size(), graph_.constant(0.0)));
  std::vector<Expr> energies(model_.constraints.size(), graph_.constant(0.0));
  std::vector<Expr> u_ddot, lambda_ideal = lowering.symbols().lambda_ideal;
  for (std::size_t r = 0; r < jets_.u.size(); ++r) {
    u_ddot.push_back(h.unknowns[r].order > 2 ? settled(jets_.u[r][2]) : graph_.symbol("third " + model_.speeds[r].name));
    if (h.unknowns[r].order <= 2) h.not_known.push_back(u_ddot.back());
  }
  std::vector<std::size_t> first_row;
  std::size_t row = 0;
  for (const mechanics::Constraint& constraint : model_.constraints) {
    first_row.push_back(row);
    row += constraint.rows.size();
  }
  for (std::size_t a = 0; a < variations_.size(); ++a) {
    const std::size_t c = h.constraint_of_mu[a].index();
    const std::vector<Expr> R = settled(variations_[a].R);
    for (std::size_t r = 0; r < R.size(); ++r) h.R[c][r] += R[r];
    energies[c] += settled(variations_[a].h);
    // Of a holonomic constraint differentiated p times R = (−1)^p μ^(p) f_q.
    const auto p = static_cast<std::size_t>(model_.constraints[c].level);
    const Expr highest = settled(jets_.mu[a][p]);
    lambda_ideal[first_row[c] + static_cast<std::size_t>(h.row_of_mu[a])] = p % 2 == 0 ? highest : -highest;
  }
  h.energy = energies;
  lowering.know_higher_order(std::move(u_ddot), std::move(energies), std::move(lambda_ideal));
  std::vector<std::vector<Expr>> forces = lowering.generalized_forces();
  for (std::size_t c = 0; c < forces.size(); ++c) {
    for (std::size_t r = 0; r < forces[c].size(); ++r) forces[c][r] += h.R[c][r];
  }
  lowering.know_generalized_forces(std::move(forces));
  const std::size_t of_model = model_.states.size();
  lowering.know_state_rates({system_.z_dot.begin(), system_.z_dot.begin() + static_cast<std::ptrdiff_t>(of_model)});
}

/// Laws that J is not made for.
std::optional<Failure> refuse_mixtures(const dynamics::System& system) {
  const mechanics::Model& model = *system.model;
  Failure failure;
  failure.kind = FailureKind::kNotUnique;
  std::string name;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    if (!mechanics::is_higher_order(model.constraints[c])) continue;
    if (name.empty()) name = model.constraints[c].name;
    failure.constraints.push_back(static_cast<int>(c));
  }
  const char* other = !system.directed.empty()    ? "constraints kept by efforts"
                      : system.has_nonideal       ? "non-ideal constraints"
                      : system.has_nonlinear_rows ? "rows that are not linear in the accelerations"
                                                  : nullptr;
  if (other != nullptr) {
    failure.message = fmt::format("constraint `{}` of higher order under `law vakonomic` is not solved together with {}", name, other);
    return failure;
  }
  if (model.run && model.run->formulation != "explicit") {
    failure.message = fmt::format("constraint `{}` of higher order has one formulation: leave `formulation {}` out", name, model.run->formulation);
    return failure;
  }
  return std::nullopt;
}

}  // namespace

std::optional<Failure> write_higher_order(dynamics::System& system) {
  if (std::ranges::none_of(system.model->constraints, mechanics::is_higher_order)) return std::nullopt;
  if (auto failure = refuse_mixtures(system)) return failure;
  return Structure(system).run();
}

}  // namespace vinculum::laws
