#include "vinculum/motion/higher_order/highest_derivatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/motion/higher_order.hpp"
#include "vinculum/numeric/null_space.hpp"

namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Returns the failure that names redundant rows. The equations do not determine their multipliers, because these rows
/// restrict nothing that the other equations do not restrict.
/// \param J [n×n]  equilibrated
/// \returns nothing if there are no such rows.
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
      "{} {} nothing here that the other equations leave free, so that together with constraints of higher order {} "
      "not determined: leave out what restricts nothing",
      names, is_one ? "restricts" : "restrict", is_one ? "its multiplier is" : "their multipliers are");
  return failure;
}

}  // namespace

HighestDerivatives::HighestDerivatives(StateKernels& at, EquationPieces& pieces)
    : at_(at),
      pieces_(pieces),
      structure_(*at.compiled->system->higher),
      n_(static_cast<int>(structure_.top.size())),
      lu_(n_),
      J_(Matrix::Zero(n_, n_)),
      r_(Vector::Zero(n_)),
      x_(Vector::Zero(n_)),
      correction_(Vector::Zero(n_)),
      unknown_size_(highest_derivative_scale(*at.bound)),
      row_scale_(Vector::Ones(n_)),
      column_scale_(Vector::Ones(n_)) {}

std::vector<int> HighestDerivatives::constraints() const {
  std::vector<int> all;
  for (const model::ConstraintId id : structure_.constraint_of_mu) all.push_back(static_cast<int>(id.index()));
  return all;
}

void HighestDerivatives::read(double t, const double* y) {
  at_.load(t, y);
  at_.evaluate(at_.bound->top);
  J_ = Eigen::Map<const RowMajor>(at_.result.data() + at_.nq, n_, n_);
  r_ = Eigen::Map<const Vector>(at_.result.data() + at_.nq + n_ * n_, n_);
  for (int i = 0; i < n_; ++i)
    row_scale_[i] = equilibration(J_.row(i).cwiseAbs().cwiseProduct(unknown_size_.transpose()).maxCoeff());
  for (int j = 0; j < n_; ++j) {
    double largest = 0.0;
    for (int i = 0; i < n_; ++i) largest = std::max(largest, row_scale_[i] * std::abs(J_(i, j)));
    column_scale_[j] = equilibration(largest);
  }
  MatrixRef scaled = lu_.matrix(n_);
  for (int j = 0; j < n_; ++j) {
    for (int i = 0; i < n_; ++i) scaled(i, j) = row_scale_[i] * J_(i, j) * column_scale_[j];
  }
}

Outcome<void> HighestDerivatives::solve(double t, const double* y) {
  read(t, y);
  if (!J_.allFinite() || !r_.allFinite() || !std::isfinite(Eigen::Map<const Vector>(at_.result.data(), at_.nq).sum())) {
    return fail(non_finite(t, y));
  }
  lu_.factor(tolerance::kRank);
  if (!lu_.is_regular()) return fail(singular(t));
  // The second pass corrects x by its residual (iterative refinement).
  x_.setZero();
  for (int pass = 0; pass < 2; ++pass) {
    correction_ = r_;
    correction_ -= J_.lazyProduct(x_);
    correction_.array() *= row_scale_.array();
    (void)lu_.solve(correction_);
    x_.array() += column_scale_.array() * correction_.array();
  }
  return {};
}

Failure HighestDerivatives::singular(double t) const {
  if (!lu_.is_regular()) {
    const Matrix scaled = row_scale_.asDiagonal() * J_ * column_scale_.asDiagonal();
    if (auto idle = idle_rows(*at_.compiled, scaled)) {
      idle->t = t;
      return std::move(*idle);
    }
  }
  Failure failure;
  failure.kind = FailureKind::kSingularByMultipliers;
  failure.t = t;
  std::string names;
  for (const model::ConstraintId id : structure_.constraint_of_mu) {
    const int c = static_cast<int>(id.index());
    if (std::ranges::find(failure.constraints, c) != failure.constraints.end()) continue;
    names += (failure.constraints.empty() ? "`" : ", `") + at_.compiled->model->constraint(id).name + "`";
    failure.constraints.push_back(c);
  }
  const std::string what =
      lu_.is_regular()
          ? ""
          : fmt::format(", `{}` first", structure_.unknowns[static_cast<std::size_t>(lu_.undetermined())].name);
  std::string all;
  for (const auto& unknown : structure_.unknowns) all += (all.empty() ? "`" : ", `") + unknown.name + "`";
  failure.message = fmt::format(
      "the law of {} does not determine the highest derivatives {} here{}: their system is singular", names, all, what);
  return failure;
}

Failure HighestDerivatives::non_finite(double t, const double* y) const {
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

Outcome<void> HighestDerivatives::derivative(double t, const double* y, double* y_dot) {
  if (auto done = solve(t, y); !done) return done;
  const auto at = [&](int place) { return place >= 0 ? y[place] : x_[-1 - place]; };
  std::copy_n(at_.result.data(), at_.nq, y_dot);
  for (int r = 0; r < at_.nu; ++r) y_dot[at_.nq + r] = at(structure_.u_dot[static_cast<std::size_t>(r)]);
  for (int i = 0; i < at_.nz; ++i) y_dot[at_.nq + at_.nu + i] = at(structure_.z_dot[static_cast<std::size_t>(i)]);
  return {};
}

Regularity HighestDerivatives::regularity(double t, const double* y) {
  read(t, y);
  if (!J_.allFinite()) return {0, 0.0};
  lu_.factor(tolerance::kRank);
  return {lu_.determinant_sign(), lu_.is_regular() ? lu_.last_pivot() : 0.0};
}

Outcome<void> HighestDerivatives::report(double t, const double* y, Sample& sample) {
  if (auto done = pieces_.evaluate(t, y, pieces_.matrices); !done) return done;
  if (auto done = solve(t, y); !done) return done;
  const auto at = [&](int place) { return place >= 0 ? y[place] : x_[-1 - place]; };
  solve::Reaction& reaction = sample.reaction;
  reaction.total.u.resize(at_.nu);
  for (int r = 0; r < at_.nu; ++r) reaction.total.u[r] = at(structure_.u_dot[static_cast<std::size_t>(r)]);
  reaction.total.lambda.resize(at_.nc);
  for (int i = 0; i < at_.nc; ++i) reaction.total.lambda[i] = at(structure_.lambda[static_cast<std::size_t>(i)]);
  reaction.total.Q.resize(at_.nu);
  reaction.total.Q.noalias() = pieces_.matrices.A.transpose() * reaction.total.lambda;
  reaction.ideal = reaction.total;
  reaction.Q_c = -pieces_.matrices.f;
  reaction.Q_c.noalias() += pieces_.matrices.M * reaction.total.u;
  reaction.Q_nonideal = reaction.Q_c - reaction.ideal.Q;
  sample.q_dot = pieces_.matrices.q_dot;
  sample.top = x_;
  sample.z_dot.resize(at_.nz);
  for (int i = 0; i < at_.nz; ++i) sample.z_dot[i] = at(structure_.z_dot[static_cast<std::size_t>(i)]);
  sample.rank = at_.nc;
  // If a multiplier were not unique, J would be singular.
  sample.row_unique.assign(static_cast<std::size_t>(at_.nc), 1);
  return {};
}

}  // namespace vinculum::sim
