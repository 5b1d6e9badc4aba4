// Models with constraints of higher order (theory.md §6.5): J x = r for the highest derivatives, and what a state
// satisfies.
#include "vinculum/motion/higher_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/model/dimensions.hpp"
#include "vinculum/model/sizes.hpp"
#include "vinculum/motion/dynamics_impl.hpp"
#include "vinculum/motion/newton.hpp"
#include "vinculum/numeric/null_space.hpp"

namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr int kMostOfHigher = 12;

/// 1 / the largest of the row or column, 1 where it is zero.
double equilibration(double largest) { return largest > 0.0 && std::isfinite(largest) ? 1.0 / largest : 1.0; }

Dimension dimension_of(const equations::System& system, const equations::HigherOrder::Unknown& unknown) {
  using Kind = equations::HigherOrder::Unknown::Kind;
  const model::Model& model = *system.model;
  const auto i = static_cast<std::size_t>(unknown.index);
  const auto rate = [](int order) { return make_dimension(0, 0, -order); };
  switch (unknown.kind) {
    case Kind::kCoordinate: return model.speeds[i].dimension * rate(unknown.order - 1);
    case Kind::kMultiplier: {
      const equations::Row& row = system.rows[i];
      return model::dimension_of_multiplier(model, row.constraint, static_cast<std::size_t>(row.index)) *
             rate(unknown.order);
    }
    case Kind::kState: return model.states[i].dimension * rate(unknown.order);
    case Kind::kMu: {
      const auto row = static_cast<std::size_t>(system.higher->row_of_mu[i]);
      return model::dimension_of_mu(model, system.higher->constraint_of_mu[i], row) * rate(unknown.order);
    }
  }
  return {};
}

/// Rows whose multipliers the equations leave open whatever the law of the others is: they restrict nothing that the
/// rest leaves free.   \param J  [n×n] of the highest derivatives, rows and columns over their sizes
std::optional<Failure> idle_rows(const CompiledModel& compiled, const Matrix& J) {
  const auto& unknowns = compiled.system->higher->unknowns;
  std::vector<Eigen::Index> places;
  for (std::size_t j = 0; j < unknowns.size(); ++j) {
    if (unknowns[j].kind == equations::HigherOrder::Unknown::Kind::kMultiplier)
      places.push_back(static_cast<Eigen::Index>(j));
  }
  const Matrix idle = numeric::null_space(J(Eigen::all, places), tolerance::kRank);
  if (idle.cols() == 0) return std::nullopt;
  Failure failure;
  failure.kind = FailureKind::kRankDrop;
  std::string names;
  for (std::size_t k = 0; k < places.size(); ++k) {
    if (idle.row(static_cast<Eigen::Index>(k)).norm() < tolerance::kNamed) continue;
    const int row = unknowns[static_cast<std::size_t>(places[k])].index;
    failure.rows.push_back(row);
    names += (names.empty() ? "`" : ", `") + compiled.row_name(row) + "`";
  }
  const bool is_one = failure.rows.size() == 1;
  failure.message = fmt::format(
      "{} {} nothing here that the other equations leave free, so that beside constraints of higher order {} not "
      "determined: leave out what restricts nothing",
      names, is_one ? "restricts" : "restrict", is_one ? "its multiplier is" : "their multipliers are");
  return failure;
}

}  // namespace

Vector highest_derivative_scale(const Binding& bound) {
  const equations::System& system = *bound->system;
  const model::ModelUnits units(*system.model, bound.parameters, model::stated_places(*system.model, bound.parameters));
  Vector sizes(static_cast<Eigen::Index>(system.higher->unknowns.size()));
  for (Eigen::Index j = 0; j < sizes.size(); ++j)
    sizes[j] = units.of(dimension_of(system, nth(system.higher->unknowns, j)));
  return sizes;
}

Dynamics::Impl::Higher::Higher(const Binding& bound)
    : structure(*bound->system->higher),
      n(static_cast<int>(structure.top.size())),
      hidden(static_cast<int>(structure.hidden.size())),
      columns(2 * bound->nu() + bound->nz()),
      lu(n),
      normal(hidden),
      J(Matrix::Zero(n, n)),
      r(Vector::Zero(n)),
      x(Vector::Zero(n)),
      correction(Vector::Zero(n)),
      unknown_size(highest_derivative_scale(bound)),
      row_scale(Vector::Ones(n)),
      column_scale(Vector::Ones(n)),
      H(Matrix::Zero(hidden, columns)),
      violation(Vector::Zero(hidden)),
      weights(Vector::Zero(hidden)),
      step(Vector::Zero(columns)),
      size(Vector::Ones(columns)) {}

void Dynamics::Impl::read_top(double t, const double* y) {
  Higher& h = *higher;
  at_.load(t, y);
  at_.evaluate(at_.bound->top);
  h.J = Eigen::Map<const RowMajor>(at_.result.data() + at_.nq, h.n, h.n);
  h.r = Eigen::Map<const Vector>(at_.result.data() + at_.nq + h.n * h.n, h.n);
  for (int i = 0; i < h.n; ++i)
    h.row_scale[i] = equilibration(h.J.row(i).cwiseAbs().cwiseProduct(h.unknown_size.transpose()).maxCoeff());
  for (int j = 0; j < h.n; ++j) {
    double largest = 0.0;
    for (int i = 0; i < h.n; ++i) largest = std::max(largest, h.row_scale[i] * std::abs(h.J(i, j)));
    h.column_scale[j] = equilibration(largest);
  }
  MatrixRef scaled = h.lu.matrix(h.n);
  for (int j = 0; j < h.n; ++j) {
    for (int i = 0; i < h.n; ++i) scaled(i, j) = h.row_scale[i] * h.J(i, j) * h.column_scale[j];
  }
}

Outcome<void> Dynamics::Impl::solve_top(double t, const double* y) {
  Higher& h = *higher;
  read_top(t, y);
  if (!h.J.allFinite() || !h.r.allFinite() || !std::isfinite(Eigen::Map<const Vector>(at_.result.data(), at_.nq).sum())) {
    return fail(non_finite_top(t, y));
  }
  h.lu.factor(tolerance::kRank);
  if (!h.lu.is_regular()) return fail(singular_top(t));
  // Solve, and once more for what rounding left.
  h.x.setZero();
  for (int pass = 0; pass < 2; ++pass) {
    h.correction = h.r;
    h.correction -= h.J.lazyProduct(h.x);
    h.correction.array() *= h.row_scale.array();
    (void)h.lu.solve(h.correction);
    h.x.array() += h.column_scale.array() * h.correction.array();
  }
  return {};
}

Failure Dynamics::Impl::singular_top(double t) const {
  const Higher& h = *higher;
  if (!h.lu.is_regular()) {
    const Matrix scaled = h.row_scale.asDiagonal() * h.J * h.column_scale.asDiagonal();
    if (auto idle = idle_rows(*at_.compiled, scaled)) {
      idle->t = t;
      return std::move(*idle);
    }
  }
  Failure failure;
  failure.kind = FailureKind::kSingularByMultipliers;
  failure.t = t;
  std::string names;
  for (const model::ConstraintId id : h.structure.constraint_of_mu) {
    const int c = static_cast<int>(id.index());
    if (std::ranges::find(failure.constraints, c) != failure.constraints.end()) continue;
    names += (failure.constraints.empty() ? "`" : ", `") + at_.compiled->model->constraint(id).name + "`";
    failure.constraints.push_back(c);
  }
  const std::string what =
      h.lu.is_regular()
          ? ""
          : fmt::format(", `{}` first", h.structure.unknowns[static_cast<std::size_t>(h.lu.undetermined())].name);
  std::string all;
  for (const auto& unknown : h.structure.unknowns) all += (all.empty() ? "`" : ", `") + unknown.name + "`";
  failure.message = fmt::format(
      "the law of {} does not determine the highest derivatives {} here{}: their system is singular", names, all, what);
  return failure;
}

Failure Dynamics::Impl::non_finite_top(double t, const double* y) const {
  const equations::System& system = *at_.compiled->system;
  std::vector<expr::Expr> roots = system.higher->J, symbols{system.t};
  roots.insert(roots.end(), system.higher->r.begin(), system.higher->r.end());
  roots.insert(roots.end(), system.higher->hidden.begin(), system.higher->hidden.end());
  for (const auto* more : {&system.q, &system.u, &system.z, &system.parameters})
    symbols.insert(symbols.end(), more->begin(), more->end());
  std::vector<double> values{t};
  values.insert(values.end(), y, y + at_.ny);
  values.insert(values.end(), at_.bound->parameters.begin(), at_.bound->parameters.end());
  const std::string culprit = expr::explain_non_finite(roots, symbols, values);
  if (culprit.empty()) return pieces_.non_finite(t, y);
  Failure failure;
  failure.kind = FailureKind::kNonFinite;
  failure.t = t;
  for (const model::ConstraintId id : system.higher->constraint_of_mu)
    failure.constraints.push_back(static_cast<int>(id.index()));
  failure.message = fmt::format("the equations of the highest derivatives are not finite: {}", culprit);
  return failure;
}

Outcome<void> Dynamics::Impl::derivative_of_higher(double t, const double* y, double* y_dot) {
  if (formulation != equations::Formulation::kExplicit) {
    Failure failure;
    failure.kind = FailureKind::kNotUnique;
    failure.t = t;
    failure.message =
        fmt::format("constraints of higher order have one formulation, `{}` is none of theirs", to_string(formulation));
    for (const model::ConstraintId id : higher->structure.constraint_of_mu)
      failure.constraints.push_back(static_cast<int>(id.index()));
    return fail(std::move(failure));
  }
  if (auto done = solve_top(t, y); !done) return done;
  const Higher& h = *higher;
  const auto at = [&](int place) { return place >= 0 ? y[place] : h.x[-1 - place]; };
  std::copy_n(at_.result.data(), at_.nq, y_dot);
  for (int r = 0; r < at_.nu; ++r) y_dot[at_.nq + r] = at(h.structure.u_dot[static_cast<std::size_t>(r)]);
  for (int i = 0; i < at_.nz; ++i) y_dot[at_.nq + at_.nu + i] = at(h.structure.z_dot[static_cast<std::size_t>(i)]);
  return {};
}

Outcome<double> Dynamics::Impl::measure_hidden(double t, const double* y, int& worst_row) {
  Higher& h = *higher;
  at_.load(t, y);
  at_.evaluate(at_.bound->hidden);
  h.violation = Eigen::Map<const Vector>(at_.result.data(), h.hidden);
  h.H = Eigen::Map<const RowMajor>(at_.result.data() + h.hidden, h.hidden, h.columns);
  if (!h.violation.allFinite() || !h.H.allFinite()) return fail(non_finite_top(t, y));
  double worst = 0.0;
  for (int k = 0; k < h.hidden; ++k) {
    double sum = 0.0;
    for (int j = 0; j < h.columns; ++j) sum += std::abs(h.H(k, j) *= h.size[j]);
    const double factor = equilibration(sum);
    h.H.row(k) *= factor;
    h.violation[k] *= factor;
    if (std::abs(h.violation[k]) > worst) worst = std::abs(h.violation[k]), worst_row = k;
  }
  return worst;
}

Failure Dynamics::Impl::missed_hidden(double t, int row, double worst) const {
  const equations::HigherOrder& structure = higher->structure;
  const auto at = static_cast<std::size_t>(row);
  Failure failure;
  failure.kind = FailureKind::kInconsistent;
  failure.t = t;
  failure.size = worst;
  for (const model::ConstraintId id : structure.constraint_of_mu)
    failure.constraints.push_back(static_cast<int>(id.index()));
  failure.message = fmt::format("{} cannot be met any more: derivative {} of it is missed",
                                structure.equations[static_cast<std::size_t>(structure.equation_of_hidden[at])].name,
                                structure.times_of_hidden[at]);
  return failure;
}

Outcome<double> Dynamics::Impl::project_hidden(double t, double* y) {
  Higher& h = *higher;
  double moved = 0.0;
  if (h.hidden == 0) return moved;
  h.size.head(at_.nu) = at_.sizes.displacement;
  h.size.tail(at_.nu + at_.nz) = at_.sizes.scale.tail(at_.nu + at_.nz);
  int worst_row = 0;
  // Least change: dx = −Hᵀ (H Hᵀ)⁻¹ h in units of the typical at_.sizes.
  const auto correct = [&](double) -> Outcome<bool> {
    h.normal.matrix(h.hidden) = h.H.lazyProduct(h.H.transpose());
    h.normal.factor(tolerance::kRank);
    h.weights = h.violation;
    (void)h.normal.solve(h.weights);
    h.step = h.H.transpose().lazyProduct(h.weights);
    h.step.array() *= -h.size.array();
    const double* G = at_.result.data() + h.hidden + h.hidden * h.columns;  // row by row
    for (int i = 0; i < at_.nq; ++i) {
      double change = 0.0;
      for (int r = 0; r < at_.nu; ++r) change += G[i * at_.nu + r] * h.step[r];
      correction[i] = change;
    }
    add_correction(y, 0, correction.head(at_.nq), moved);
    add_correction(y, at_.nq, h.step.tail(at_.nu + at_.nz), moved);
    return false;
  };
  const NewtonRule rule{kMostOfHigher, tolerance::kEqual, tolerance::kStagnation, 3};
  const auto met = iterate_newton(
      rule, [&] { return measure_hidden(t, y, worst_row); },
      [&](double worst) { return std::optional<Outcome<void>>(fail(missed_hidden(t, worst_row, worst))); }, correct);
  return met ? Outcome<double>(moved) : fail(met.error());
}

/// u', λ and the forces behind them, from the highest derivatives.
Outcome<void> Dynamics::Impl::report_of_higher(double t, const double* y, Sample& sample) {
  if (auto done = pieces_.evaluate(t, y, pieces_.matrices); !done) return done;
  if (auto done = solve_top(t, y); !done) return done;
  const Higher& h = *higher;
  const auto at = [&](int place) { return place >= 0 ? y[place] : h.x[-1 - place]; };
  solve::Reaction& reaction = sample.reaction;
  reaction.total.u.resize(at_.nu);
  for (int r = 0; r < at_.nu; ++r) reaction.total.u[r] = at(h.structure.u_dot[static_cast<std::size_t>(r)]);
  reaction.total.lambda.resize(at_.nc);
  for (int i = 0; i < at_.nc; ++i) reaction.total.lambda[i] = at(h.structure.lambda[static_cast<std::size_t>(i)]);
  reaction.total.Q.resize(at_.nu);
  reaction.total.Q.noalias() = pieces_.matrices.A.transpose() * reaction.total.lambda;
  reaction.ideal = reaction.total;
  reaction.Q_c = -pieces_.matrices.f;
  reaction.Q_c.noalias() += pieces_.matrices.M * reaction.total.u;
  reaction.Q_nonideal = reaction.Q_c - reaction.ideal.Q;
  sample.q_dot = pieces_.matrices.q_dot;
  sample.top = h.x;
  sample.z_dot.resize(at_.nz);
  for (int i = 0; i < at_.nz; ++i) sample.z_dot[i] = at(h.structure.z_dot[static_cast<std::size_t>(i)]);
  sample.rank = at_.nc;
  sample.row_unique.assign(static_cast<std::size_t>(at_.nc), 1);  // else J would be singular
  note_all_unique(sample);
  return {};
}

Dynamics::Regularity Dynamics::regularity(const Mode& mode, double t, const double* y) {
  Impl& d = in_copy(mode);
  if (!d.higher) return {};
  d.read_top(t, y);
  if (!d.higher->J.allFinite()) return {0, 0.0};
  d.higher->lu.factor(tolerance::kRank);
  return {d.higher->lu.determinant_sign(), d.higher->lu.is_regular() ? d.higher->lu.last_pivot() : 0.0};
}

Vector Dynamics::row_sizes_of_highest() const {
  const Impl& d = impl_ ? *impl_ : *impl_;
  return d.higher ? Vector(d.higher->row_scale.cwiseInverse()) : Vector();
}

Failure Dynamics::singular(double t) const { return (impl_ ? *impl_ : *impl_).singular_top(t); }

}  // namespace vinculum::sim
