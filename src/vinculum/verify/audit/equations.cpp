#include "vinculum/verify/audit/equations.hpp"

#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/expr/derivative.hpp"
#include "vinculum/expr/series.hpp"
#include "vinculum/motion/higher_order.hpp"
#include "vinculum/motion/report_numbers.hpp"
#include "vinculum/solve/pivoted/directed.hpp"
#include "vinculum/verify/audit/conditioning.hpp"

namespace vinculum::audit {
namespace {

using expr::Expr;
using expr::Series;

void append_all(std::vector<Expr>& all, const std::vector<Expr>& more) {
  all.insert(all.end(), more.begin(), more.end());
}

/// Values of expressions at a sample, with bounds of their rounding errors.
class AtSample {
 public:
  /// \param doubt  relative error of the values of all symbols.
  AtSample(const Binding& bound, const Sample& sample, double doubt = 0.0)
      : symbols_(sim::report_symbols(*bound->system)) {
    std::vector<double> numbers;
    sim::read_report_numbers(sample, numbers);
    append_all(symbols_, bound->system->parameters);
    numbers.insert(numbers.end(), bound.parameters.begin(), bound.parameters.end());
    for (const double number : numbers) numbers_.emplace_back(Rounded(number, doubt * std::abs(number)));
  }
  RoundedVector operator()(const std::vector<Expr>& roots) const {
    const std::vector<Series> all = expr::interpret_series(roots, symbols_, numbers_);
    RoundedVector values(static_cast<Eigen::Index>(all.size()));
    for (std::size_t i = 0; i < all.size(); ++i) nth(values, i) = all[i].value();
    return values;
  }

 private:
  std::vector<Expr> symbols_;
  std::vector<Series> numbers_;
};

RoundedVector with_miss(const Vector& found, const Vector& miss) {
  RoundedVector all(found.size());
  for (Eigen::Index i = 0; i < found.size(); ++i) all[i] = {found[i], i < miss.size() ? miss[i] : 0.0};
  return all;
}

/// Reads consecutive numbers, vectors and matrices from one array.
class Reading {
 public:
  explicit Reading(const RoundedVector& all) : all_(all) {}
  RoundedVector vector(Eigen::Index n) { return next_ += n, RoundedVector(all_.segment(next_ - n, n)); }
  RoundedMatrix rows(Eigen::Index count, Eigen::Index n) {
    RoundedMatrix all(count, n);
    for (Eigen::Index i = 0; i < count; ++i) all.row(i) = vector(n).transpose();
    return all;
  }
  Rounded number() { return all_[next_++]; }

 private:
  const RoundedVector& all_;
  Eigen::Index next_ = 0;
};

/// Returns the rows of a system as they act at a sample. At the instant of an event, the sample belongs to the time
/// before the event.
std::vector<equations::Row> rows_at(const equations::System& system, const Sample& sample) {
  std::vector<equations::Row> rows = system.rows;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    equations::Row& row = rows[i];
    if (!row.acts.is_valid() || i >= sample.acts.size()) continue;
    const Expr zero = system.graph->constant(0.0);
    const bool acts = sample.acts[i] != 0;
    const auto& stated = row.while_acting;
    const bool has_gradient = !row.phi_q.empty();
    row.A = acts ? stated.A : expr::SparseRow(*system.graph, system.u.size());
    row.b = acts ? stated.b : zero;
    if (has_gradient) row.phi_q = acts ? stated.phi_q : expr::SparseRow(*system.graph, system.q.size());
  }
  return rows;
}

}  // namespace

Equations::Equations(const Binding& bound, const Sample& sample) {
  const equations::System& system = *bound->system;
  const std::vector<equations::Row> rows = rows_at(system, sample);
  std::vector<Expr> roots;
  const Expr zero = system.graph->constant(0.0);
  append_all(roots, system.q_dot);
  append_all(roots, system.g);
  append_all(roots, system.f);
  append_all(roots, system.C);
  append_all(roots, system.M);
  for (const auto& row : system.G) append_all(roots, row.dense());
  for (const equations::Row& row : rows) {
    append_all(roots, row.A.dense());
    roots.push_back(row.b);
    append_all(roots, row.phi_q.empty() ? std::vector<Expr>(system.q.size(), zero) : row.phi_q.dense());
  }
  const auto directions = solve::effort_directions(system);
  for (const auto& direction : directions) append_all(roots, direction);
  for (const equations::LawChange& change : system.changes) {
    append_all(roots, change.f);
    append_all(roots, change.M);
  }
  const RoundedVector values = AtSample(bound, sample)(roots);
  Reading reading(values);
  const Eigen::Index nq = system.nq(), nu = system.nu(), nc = system.nc();
  q_dot = reading.vector(nq);
  g = reading.vector(nq);
  f = reading.vector(nu);
  C = reading.vector(nu);
  M = reading.rows(nu, nu);
  G = reading.rows(nq, nu);
  A.resize(nc, nu), b.resize(nc), phi_q.resize(nc, nq);
  for (Eigen::Index i = 0; i < nc; ++i) {
    A.row(i) = reading.vector(nu).transpose();
    b[i] = reading.number();
    phi_q.row(i) = reading.vector(nq).transpose();
  }
  doubt_dependent_rows(bound, sample);
  Gamma = reading.rows(static_cast<Eigen::Index>(directions.size()), nu);
  is_directed.assign(system.rows.size(), 0);
  for (const int row : solve::directed_rows(system)) nth(is_directed, row) = 1;
  solve_errors(bound, sample);
  for (const equations::LawChange& change : system.changes) {
    RoundedVector force = reading.vector(nu);
    if (!change.M.empty()) force -= reading.rows(nu, nu) * u_dot;
    law_forces.push_back(std::move(force));
  }
  law_reaction = RoundedVector::Constant(nu, Rounded());
  if (system.higher) read_higher_order(bound, sample);
}

/// Sets the deviations from 0 of redundant rows: if the other rows hold, these rows hold up to the precision of the
/// numbers of the state. In rows that the coordinates satisfy identically, entries that are only rounding are set to
/// exactly 0.
void Equations::doubt_dependent_rows(const Binding& bound, const Sample& sample) {
  doubt_of_phi = doubt_of_psi = doubt_of_rate = Vector::Zero(A.rows());
  doubt_of_A = Matrix::Zero(A.rows(), A.cols());
  const AtSample as_written(bound, sample, tolerance::kEqual);
  const auto drop = [](Rounded& x, const Rounded& own) {
    if (own.may_be_zero()) x = Rounded();
  };
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    const equations::Row& row = nth(bound->system->rows, i);
    const sim::Embedding embedding = nth(bound.embedding(), i);
    const bool is_embedded = !sim::restricts_speeds(embedding);
    const bool depends = static_cast<std::size_t>(i) < sample.row_unique.size() && nth(sample.row_unique, i) == 0;
    if (row.chi.is_valid() || (!is_embedded && !depends)) continue;
    const Expr zero = bound->system->graph->constant(0.0);
    std::vector<Expr> roots = row.A.dense();
    append_all(roots, row.phi_q.empty() ? std::vector<Expr>(bound->system->q.size(), zero) : row.phi_q.dense());
    for (const Expr one : {row.b, row.psi, row.phi}) roots.push_back(one.is_valid() ? one : zero);
    const RoundedVector values = as_written(roots);
    Reading reading(values);
    for (Eigen::Index r = 0; r < A.cols(); ++r) {
      const Rounded own = reading.number();
      if (is_embedded) {
        drop(A(i, r), own);
        doubt_of_A(i, r) = own.error;
      }
      doubt_of_rate[i] += own.error * std::abs(sample.reaction.u_dot()[r]);
    }
    for (Eigen::Index k = 0; k < phi_q.cols(); ++k) {
      const Rounded own = reading.number();
      if (is_embedded) drop(phi_q(i, k), own);
    }
    if (embedding == sim::Embedding::kGradient) continue;
    const Rounded own = reading.number();
    if (is_embedded) drop(b[i], own);
    doubt_of_rate[i] += own.error;
    doubt_of_psi[i] = reading.number().error;
    doubt_of_phi[i] = reading.number().error;
  }
}

/// Computes the error bounds of the solution of M u' − Aᵀλ − Γᵀe = f + C(λ), A u' = b. For a model with constraints of
/// higher order, error bounds of the solution of J x = r.
void Equations::solve_errors(const Binding& bound, const Sample& sample) {
  const equations::System& system = *bound->system;
  const solve::Reaction& reaction = sample.reaction;
  const AtSample evaluated(bound, sample);
  const Eigen::Index nu = f.size(), nc = A.rows(), ne = Gamma.rows();
  if (const auto& higher = system.higher) {
    const auto n = static_cast<Eigen::Index>(higher->top.size());
    const RoundedVector entries = evaluated(higher->J);
    LinearSystem linear{RoundedMatrix(n, n), evaluated(higher->r), sample.top, 0, sim::highest_derivative_scale(bound)};
    for (Eigen::Index i = 0; i < n; ++i) linear.K.row(i) = entries.segment(i * n, n).transpose();
    const Miss miss = miss_of_solve(linear, true);
    missed_force = Vector::Zero(nu);
    condition = miss.condition;
    top = with_miss(sample.top, miss.of_x);
    const auto missed = [&](const std::vector<int>& where, const Vector& found) {
      RoundedVector all = with_miss(found, {});
      for (std::size_t i = 0; i < where.size(); ++i) {
        if (where[i] < 0) nth(all, i).error = nth(miss.of_x, -1 - where[i]);
      }
      return all;
    };
    u_dot = missed(higher->u_dot, reaction.u_dot());
    lambda = missed(higher->lambda, reaction.lambda());
    lambda_ideal = with_miss(reaction.lambda_ideal(), Vector(errors_of(lambda)));
    effort = with_miss(reaction.effort, {});
    doubt = Vector(errors_of(u_dot));
    for (Eigen::Index r = 0; r < nu; ++r) missed_force[r] = Vector(values_of(M.row(r))).cwiseAbs().dot(doubt);
    return;
  }
  LinearSystem linear{RoundedMatrix::Constant(nu + nc, nu + nc + ne, Rounded()), RoundedVector(nu + nc),
                      Vector(nu + nc + ne)};
  linear.inertial = nu;
  linear.K.topLeftCorner(nu, nu) = M;
  linear.K.bottomLeftCorner(nc, nu) = A;
  for (Eigen::Index i = 0; i < nc; ++i) {
    if (nth(is_directed, i) == 0) linear.K.col(nu + i).head(nu) = -A.row(i).transpose();
  }
  for (Eigen::Index k = 0; k < ne; ++k) linear.K.col(nu + nc + k).head(nu) = -Gamma.row(k).transpose();
  linear.r << f + C, b;
  linear.x << reaction.u_dot(), reaction.lambda(), reaction.effort;
  for (Eigen::Index i = 0; i < nc; ++i) linear.x[nu + i] = nth(is_directed, i) == 0 ? linear.x[nu + i] : 0.0;
  if (system.has_implicit_nonideal) {
    std::vector<Expr> slopes;
    for (const Expr one : system.C) append_all(slopes, expr::gradient(one, system.lambda));
    const RoundedVector by_lambda = evaluated(slopes);
    for (Eigen::Index r = 0; r < nu; ++r) {
      const RoundedVector own = by_lambda.segment(r * nc, nc);
      linear.K.row(r).segment(nu, nc) -= own.transpose();
      linear.r[r] -= own.dot(with_miss(reaction.lambda(), {}));
    }
  }
  const bool is_iterated = system.has_implicit_nonideal || system.has_nonlinear_rows;
  const Miss miss = miss_of_solve(linear, nc > 0, is_iterated ? tolerance::kConverged : 0.0);
  condition = miss.condition;
  u_dot = with_miss(reaction.u_dot(), miss.of_x.head(nu));
  lambda = with_miss(reaction.lambda(), miss.of_x.segment(nu, nc));
  lambda_ideal = with_miss(reaction.lambda_ideal(), miss.of_x.segment(nu, nc));
  effort = with_miss(reaction.effort, miss.of_x.tail(ne));
  missed_force = miss.of_terms.head(nu);
  doubt = miss.of_entries.head(nu);
}

bool Equations::is_zero_row(Eigen::Index row) const {
  const double terms = errors_of(A.row(row)).norm() / tolerance::kRounding;
  return values_of(A.row(row)).norm() <= tolerance::kZero * terms;
}

RoundedVector Equations::pull(const RoundedVector& of_rows) const {
  RoundedVector Q = RoundedVector::Constant(f.size(), Rounded());
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    if (nth(is_directed, i) == 0) Q += A.row(i).transpose() * of_rows[i];
  }
  return Q;
}

RoundedVector Equations::reported(const Vector& Q) const {
  return with_miss(Q, missed_force + tolerance::kRounding * Q.cwiseAbs());
}

RoundedVector Equations::reaction(const Binding& bound, model::ConstraintId constraint) const {
  const equations::System& system = *bound->system;
  RoundedVector Q = RoundedVector::Constant(f.size(), Rounded());
  for (std::size_t i = 0; i < system.rows.size(); ++i) {
    const auto k = static_cast<Eigen::Index>(i);
    if (system.rows[i].constraint == constraint) Q += A.row(k).transpose() * lambda[k];
  }
  for (std::size_t i = 0; i < system.changes.size(); ++i) {
    if (system.changes[i].constraint == constraint) Q += law_forces[i];
  }
  return Q;
}

Vector Equations::sizes() const {
  const auto size = [](const auto& all) -> Matrix { return values_of(all).cwiseAbs(); };
  Vector sum = size(M) * size(u_dot) + size(f) + size(C) + size(law_reaction);
  for (Eigen::Index i = 0; i < A.rows(); ++i) {
    if (nth(is_directed, i) == 0) sum += size(A.row(i)).transpose() * std::abs(lambda[i].value);
  }
  if (Gamma.rows() > 0) sum += size(Gamma).transpose() * size(effort);
  return sum;
}

Vector Equations::units() const {
  Vector unit = values_of(M.diagonal()).cwiseAbs();
  const double largest = unit.size() > 0 ? unit.maxCoeff() : 0.0;
  for (double& m : unit) m = 1.0 / std::sqrt(m > 0.0 ? m : largest > 0.0 ? largest : 1.0);
  return unit;
}

ForceSlopes::ForceSlopes(const Binding& bound, const Sample& sample) {
  const equations::System& system = *bound->system;
  std::vector<Expr> forces = system.f;
  for (std::size_t r = 0; r < forces.size(); ++r) forces[r] += system.C[r];
  const AtSample evaluated(bound, sample);
  const auto by = [&](const std::vector<Expr>& symbols) {
    Matrix slopes = Matrix::Zero(system.nu(), static_cast<Eigen::Index>(symbols.size()));
    std::vector<Expr> values;
    const std::vector<expr::Entry> entries = expr::sparse_jacobian(forces, symbols);
    for (const expr::Entry& entry : entries) values.push_back(entry.value);
    const RoundedVector numbers = evaluated(values);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      const double slope = nth(numbers, i).value;
      // The derivative is not finite if the reaction is exactly 0.
      slopes(entries[i].row, entries[i].column) = std::isfinite(slope) ? slope : 0.0;
    }
    return slopes;
  };
  by_lambda = by(system.lambda);
  by_direction = by(system.slide_direction);
}

}  // namespace vinculum::audit
