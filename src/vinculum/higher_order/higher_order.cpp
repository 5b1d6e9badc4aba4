#include "vinculum/higher_order/higher_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "vinculum/base/index.hpp"
#include "vinculum/higher_order/higher_order_structure.hpp"
#include "vinculum/numeric/sigma_method.hpp"

namespace vinculum::reaction_laws {

using equations::HigherOrder;
using expr::Expr;
using model::Level;
using Unknown = HigherOrder::Unknown;
using Equation = HigherOrder::Equation;

namespace {

constexpr unsigned kSeed = 2001;

std::string primes(int count) { return std::string(static_cast<std::size_t>(count), '\''); }

}  // namespace

std::string quoted_list(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "`" : i + 1 == names.size() ? " and `" : ", `") + names[i] + "`";
  return text;
}

/// Random values of all derivatives and parameters. An expression vanishes generically if it is 0 at all samples.
equations::Sampler HigherOrderStructure::sampler_of_jets() const {
  std::vector<Expr> symbols = jets_.symbols();
  symbols.insert(symbols.end(), system_.parameters.begin(), system_.parameters.end());
  return {symbols, kSeed};
}

void HigherOrderStructure::write_equations() {
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
    const model::Constraint& constraint = model_.constraint(jets_.constraint_of_mu[a]);
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
  const equations::Sampler sampler = sampler_of_jets();
  for (std::size_t i = 0; i < system_.rows.size(); ++i) {
    const equations::Row& row = system_.rows[i];
    Expr relation = row.level == Level::kPosition ? row.phi : row.psi;
    if (row.level == Level::kAcceleration) {
      relation = -row.b;
      for (const auto& [r, A] : row.A) relation += A * system_.u_dot[r];
    }
    // A row that the coordinates satisfy identically is replaced by the equation λ = 0. If the coordinates contradict
    // the row, the search for a consistent start reports that.
    const bool is_embedded =
        std::ranges::all_of(row.A.values(), [&](Expr one) { return sampler.is_generically_zero(one); });
    if (is_embedded && (row.level != Level::kAcceleration || sampler.is_generically_zero(relation)))
      relation = jets_.lambda[i][0];
    const std::string& name = model_.constraint(row.constraint).name;
    add(Equation::Kind::kRow, static_cast<int>(i), "constraint `" + name + "`", relation);
    know(Unknown::Kind::kMultiplier, static_cast<int>(i), "multiplier(" + name + ")", jets_.lambda[i]);
  }
  for (std::size_t i = 0; i < jets_.z.size(); ++i) {
    if (jets_.is_mu[i] != 0) continue;
    add(Equation::Kind::kState, static_cast<int>(i), "state `" + system_.z_names[i] + "`",
        jets_.z[i][1] - system_.z_dot[i]);
    know(Unknown::Kind::kState, static_cast<int>(i), system_.z_names[i], jets_.z[i]);
  }
  for (std::size_t a = 0; a < jets_.mu.size(); ++a) {
    const model::Constraint& constraint = model_.constraint(jets_.constraint_of_mu[a]);
    add(Equation::Kind::kConstraint, static_cast<int>(a), "constraint `" + constraint.name + "`", F_[a]);
    know(Unknown::Kind::kMu, static_cast<int>(a),
         model_.states[constraint.law->mu()[0][static_cast<std::size_t>(jets_.row_of_mu[a])].index()].name,
         jets_.mu[a]);
  }
}

/// σ_ij: order of the highest derivative of `unknown` on which `equation` depends generically. For an
/// unknown coordinate, order 1 is its speed u_r, and order 0 is a dependence on q along column r of G.
int HigherOrderStructure::order_in(Expr equation, std::size_t unknown, const equations::Sampler& sampler) {
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

std::optional<Failure> HigherOrderStructure::analyse() {
  const equations::Sampler sampler = sampler_of_jets();
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
    for (std::size_t i = 0; i < equations.size(); ++i)
      text += (i == 0 ? "" : i + 1 == equations.size() ? " and " : ", ") + equations[i];
    const std::size_t count = found.equations.size();
    return singular(found.equations,
                    fmt::format("{}: {} equation{} for {}{}", text, count, count == 1 ? "" : "s",
                                unknowns.empty() ? "no unknown"
                                                 : std::to_string(unknowns.size()) +
                                                       (unknowns.size() == 1 ? " unknown, " : " unknowns, "),
                                quoted_list(unknowns)));
  }
  for (std::size_t j = 0; j < n; ++j) {
    Unknown& unknown = higher_->unknowns[j];
    unknown.order = found.d[j];
    const bool is_coordinate = unknown.kind == Unknown::Kind::kCoordinate;
    if (is_coordinate && unknown.order < 2) {
      return singular({},
                      fmt::format("nothing determines the acceleration of `{}` except its constraints: give it a mass",
                                  unknown.name));
    }
    if (unknown.order + 2 > JetSpace::kHighest || found.c[j] + 2 > JetSpace::kHighest) {
      return singular({}, fmt::format("the structure asks for derivative {} of `{}`", unknown.order, unknown.name));
    }
    // The name of a default speed is "x'", so its first derivative is "x''".
    unknown.name += primes(unknown.order - (is_coordinate ? 1 : 0));
  }
  for (std::size_t i = 0; i < n; ++i) higher_->equations[i].times = found.c[i];
  return std::nullopt;
}

/// The component of the System that receives the lowest derivative of the unknown that is not a state yet: u', λ, z' or
/// μ^(p).
HigherOrderStructure::Place HigherOrderStructure::place_of(const Unknown& unknown) {
  HigherOrder& h = *higher_;
  const auto at = static_cast<std::size_t>(unknown.index);
  const Dimension per_second = make_dimension(0, 0, -1);
  switch (unknown.kind) {
    case Unknown::Kind::kCoordinate:
      return {&h.u_dot, at, 2, model_.speeds[at].name + "'", model_.speeds[at].dimension * per_second};
    case Unknown::Kind::kMultiplier: {
      const equations::Row& row = system_.rows[at];
      const model::Constraint& constraint = model_.constraint(row.constraint);
      const std::string index = constraint.rows.size() == 1 ? "" : "[" + std::to_string(row.index + 1) + "]";
      const Dimension own =
          constraint.row_dimensions.empty() ? constraint.dimension : nth(constraint.row_dimensions, row.index);
      return {&h.lambda, at, 0, "multiplier(" + constraint.name + ")" + index,
              make_dimension(1, 2, -2 - static_cast<int>(row.level)) / own};
    }
    case Unknown::Kind::kState:
      return {&h.z_dot, at, 1, system_.z_names[at] + "'", system_.z_dimensions[at] * per_second};
    case Unknown::Kind::kMu: break;
  }
  const auto mu = model_.constraint(h.constraint_of_mu[at]).law->mu();
  const auto row = static_cast<std::size_t>(h.row_of_mu[at]);
  std::size_t last = mu[0][row].index();
  for (const auto& next : mu.subspan(1))
    last = (h.z_dot[last] = component_of_state(next[row].index()), next[row].index());
  return {&h.z_dot, last, static_cast<int>(mu.size()), system_.z_names[last] + "'",
          system_.z_dimensions[last] * per_second};
}

/// For each unknown, derivatives of lower order than the highest become states, the highest becomes an unknown, and
/// derivatives of higher order become zero.
void HigherOrderStructure::name_states() {
  HigherOrder& h = *higher_;
  h.u_dot.assign(static_cast<std::size_t>(system_.nu()), 0);
  h.z_dot.assign(system_.z.size(), 0);
  h.lambda.assign(system_.rows.size(), 0);
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
    h.top.push_back(graph_.symbol("top " + unknown.name));
    raw_top_.push_back(function.at(unknown.order));
    for (Place place = place_of(unknown);; ++place.order) {
      if (place.order >= unknown.order) {
        (*place.rates)[place.at] = -1 - static_cast<int>(j);
        break;
      }
      const std::size_t state = add_state(place.name, place.dimension);
      (*place.rates)[place.at] = component_of_state(state);
      raw_.push_back(function.at(place.order));
      final_.push_back(system_.z[state]);
      place = {&h.z_dot, state, place.order, place.name + "'", place.dimension * make_dimension(0, 0, -1)};
    }
    raw_.push_back(raw_top_.back());
    final_.push_back(h.top.back());
    for (auto k = static_cast<std::size_t>(unknown.order - function.first_order) + 1; k < function.jet->size(); ++k) {
      raw_.push_back((*function.jet)[k]);
      // Derivatives above the highest may occur in the equations, but with coefficients that vanish generically.
      final_.push_back(graph_.constant(0.0));
    }
  }
}

namespace {

/// Fails if the model contains laws that cannot be combined with constraints of higher order: the system J x = r for
/// the highest derivatives does not contain their forces.
std::optional<Failure> refuse_others(const equations::System& system) {
  const model::Model& model = *system.model;
  Failure failure;
  failure.kind = FailureKind::kNotUnique;
  std::string name;
  std::string_view word;
  for (std::size_t c = 0; c < model.constraints.size(); ++c) {
    if (!model::is_higher_order(model.constraints[c])) continue;
    if (name.empty()) name = model.constraints[c].name, word = model.constraints[c].law->word();
    failure.constraints.push_back(static_cast<int>(c));
  }
  const char* other = !system.directed.empty()    ? "constraints kept by efforts"
                      : system.has_nonideal       ? "non-ideal constraints"
                      : system.has_nonlinear_rows ? "rows that are not linear in the accelerations"
                                                  : nullptr;
  if (other != nullptr) {
    failure.message =
        fmt::format("constraint `{}` of higher order under `law {}` is not solved together with {}", name, word, other);
    return failure;
  }
  if (model.run && model.run->formulation != "explicit") {
    failure.message = fmt::format("constraint `{}` of higher order has one formulation: leave `formulation {}` out",
                                  name, model.run->formulation);
    return failure;
  }
  return std::nullopt;
}

}  // namespace

Outcome<std::shared_ptr<equations::System>> close(std::shared_ptr<equations::System> derived) {
  if (std::ranges::none_of(derived->model->constraints, model::is_higher_order)) return derived;
  if (auto failure = refuse_others(*derived)) return fail(std::move(*failure));
  auto system = std::make_shared<equations::System>(*derived);
  system->lowering = std::make_shared<equations::Lowering>(*derived->lowering);
  if (auto failure = HigherOrderStructure(*system).run()) return fail(std::move(*failure));
  return system;
}

}  // namespace vinculum::reaction_laws
