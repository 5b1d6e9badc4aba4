#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/sim/plant/dynamics_impl.hpp"

/// Accelerations beside the generated ones: constraints kept by efforts, and the augmented and the minimal formulation.
namespace vinculum::sim {
namespace {

using dynamics::Formulation;
using mechanics::Level;

constexpr double kUnit = std::numeric_limits<double>::epsilon();
constexpr int kMostOfMinimal = 20;
constexpr double kMinimalRoundings = 1.0;
// Speeds are chosen afresh where dependent ones grow this much more than they would by the best choice.
constexpr double kDegraded = 10.0;
// A violation that Newton no longer lowers is rounding up to here.
constexpr double kMinimalStagnation = 1e-11;
constexpr double kTolConsistency = 1e-10;
// A response of a row to the efforts as weak as this where the step size collapses tends to zero.
constexpr double kWeakResponse = 1e-3;
constexpr double kConsistencyPerDefect = 100.0;

std::vector<char> directed_flags(const dynamics::System& system) {
  std::vector<char> flags(system.rows.size(), 0);
  for (const int row : laws::directed_rows(system)) flags[static_cast<std::size_t>(row)] = 1;
  return flags;
}

}  // namespace

Dynamics::Impl::Directed::Directed(const dynamics::System& system)
    : solve(system),
      ideal(system.nu(), static_cast<int>(solve.ideal().size())),
      A(Matrix::Zero(static_cast<Eigen::Index>(solve.ideal().size()), system.nu())) {}

Dynamics::Impl::Augmented::Augmented(const dynamics::System& system)
    : solve(system.nu(), directed_flags(system), laws::effort_scales(system)) {}

Dynamics::Impl::Minimal::Minimal(const CompiledModel& compiled)
    : speeds(compiled.nu(), static_cast<int>(compiled.velocity_rows.size())),
      accelerations(compiled.nu(), compiled.nc()),
      A(Matrix::Zero(static_cast<Eigen::Index>(compiled.velocity_rows.size()), compiled.nu())),
      psi(Vector::Zero(A.rows())),
      u(Vector::Zero(compiled.nu())),
      y(Vector::Zero(compiled.nq() + compiled.nu() + compiled.nz())) {}

Outcome<void> Dynamics::Impl::factor_directed(double defect) {
  const std::vector<int>& rows = directed->solve.ideal();
  for (std::size_t i = 0; i < rows.size(); ++i) directed->A.row(static_cast<Eigen::Index>(i)) = matrices.A.row(rows[i]);
  if (auto done = directed->ideal.factor(matrices.M, directed->A, defect); !done) return done;
  return directed->solve.factor(directed->ideal.solver(), matrices.M, matrices.A, matrices.Gamma);
}

Outcome<void> Dynamics::Impl::factor_by_formulation(double defect) {
  if (takes_augmented()) {
    return compiled->system->has_indefinite_mass
               ? augmented->solve.factor(matrices.M, matrices.metric, matrices.A, matrices.Gamma, defect)
               : augmented->solve.factor(matrices.M, matrices.A, matrices.Gamma, defect);
  }
  switch (formulation) {
    case Formulation::kAugmented: break;
    case Formulation::kMinimal:
      if (!minimal->accelerations.has_choice()) {
        minimal->accelerations.choose(matrices.M, matrices.A, defect);
        ++counts.choices;
      }
      return directed ? factor_directed(defect) : Outcome<void>();
    case Formulation::kExplicit: break;
  }
  return directed ? factor_directed(defect) : solver.factor(matrices.M, matrices.A, defect);
}

Outcome<void> Dynamics::Impl::solve_by_formulation(double defect, Vector& accelerations) {
  auto done = solve_accelerations(defect, accelerations);
  if (!done || !compiled->is_moved_by_multipliers) return done;
  if (takes_augmented()) {
    lambda = augmented->solution.lambda;
  } else if (directed) {
    lambda = directed->solution.lambda;
  } else if (formulation == Formulation::kMinimal) {
    // The reduced equations know no multipliers: those that go with their motion.
    if (auto factored = solver.factor(matrices.M, matrices.A, defect); !factored) return factored;
    if (auto solved = solver.solver().solve(force, matrices.b, solution); !solved) return solved;
    lambda = solution.lambda;
  } else {
    lambda = solution.lambda;
  }
  return done;
}

void Dynamics::Impl::state_rates(double t, const double* y, double* z_dot) {
  state_input[0] = t;
  std::copy_n(y, ny, state_input.data() + 1);
  double* const directions = std::copy_n(lambda.data(), nc, state_input.data() + 1 + ny);
  if (implicit && implicit->sticking) {
    Sticking& k = *implicit->sticking;
    if (!compiled->is_moved_by_multipliers || !fill_directions(k.along)) k.along = k.s;
    std::copy_n(k.along.data(), k.along.size(), directions);
  }
  const BoundKernel& kernel = compiled->state_rates;
  kernel.kernel->evaluate(state_input.data(), kernel.constants.data(), result.data(), workspace.data());
  std::copy_n(result.data(), nz, z_dot);
}

Outcome<void> Dynamics::Impl::indefinite_reaction(laws::Reaction& reaction) {
  const auto solve = [this](ConstVector r_f, solve::Solution& found) -> Outcome<void> {
    auto done = augmented->solve.solve(r_f, matrices.b, augmented->solution);
    if (!done) return done;
    found.u = augmented->solution.u;
    found.lambda = augmented->solution.lambda;
    found.Q = matrices.A.transpose() * found.lambda + matrices.Gamma.transpose() * augmented->solution.effort;
    return done;
  };
  if (auto done = solve(matrices.f, reaction.ideal); !done) return done;
  reaction.total = reaction.ideal;
  if (compiled->system->has_nonideal) {
    force = matrices.f + matrices.C;
    if (auto done = solve(force, reaction.total); !done) return done;
  }
  reaction.effort = augmented->solution.effort;
  reaction.Q_c = matrices.C + reaction.total.Q;
  reaction.Q_nonideal = reaction.Q_c - reaction.ideal.Q;
  return {};
}

Outcome<void> Dynamics::Impl::solve_accelerations(double defect, Vector& accelerations) {
  if (compiled->system->has_implicit_nonideal) {
    if (formulation != Formulation::kExplicit) {
      auto done = directed ? factor_directed(defect) : solver.factor(matrices.M, matrices.A, defect);
      if (!done) return done;
    }
    if (auto done = settle_reaction_forces(); !done) return done;
  }
  force = matrices.f + matrices.C;
  if (takes_augmented()) {
    auto done = augmented->solve.solve(force, matrices.b, augmented->solution);
    if (done) accelerations = augmented->solution.u;
    return done;
  }
  if (directed) {
    auto done = directed->solve.solve(directed->ideal.solver(), force, matrices.b, directed->solution);
    if (!done) return done;
    accelerations = directed->solution.u;
    if (formulation == Formulation::kExplicit) return {};
    force.noalias() += matrices.Gamma.transpose() * directed->solution.effort;
  }
  if (formulation == Formulation::kMinimal) {
    const double tolerance = kTolConsistency + kConsistencyPerDefect * defect;
    auto done = minimal->accelerations.solve(matrices.M, matrices.A, force, matrices.b, tolerance, accelerations);
    if (done || done.error().kind != FailureKind::kInconsistent) return done;
    // Rows that were dependent where the choice was made need not be so here.
    minimal->accelerations.choose(matrices.M, matrices.A, defect);
    ++counts.choices;
    return minimal->accelerations.solve(matrices.M, matrices.A, force, matrices.b, tolerance, accelerations);
  }
  auto done = solver.solver().solve(force, matrices.b, solution);
  if (done) accelerations = solution.u;
  return done;
}

Outcome<void> Dynamics::Impl::direct(laws::Reaction& reaction) {
  if (auto done = factor_directed(relative_defect(matrices)); !done) return done;
  laws::DirectedSolution& found = directed->solution;
  if (auto done = directed->solve.solve(directed->ideal.solver(), matrices.f, matrices.b, found); !done) return done;
  reaction.ideal = {found.u, found.lambda, found.Q};
  if (compiled->system->has_nonideal) {
    force = matrices.f + matrices.C;
    if (auto done = directed->solve.solve(directed->ideal.solver(), force, matrices.b, found); !done) return done;
  }
  reaction.total = {found.u, found.lambda, found.Q};
  reaction.effort = found.effort;
  reaction.Q_c = matrices.C + found.Q;
  reaction.Q_nonideal = reaction.Q_c - reaction.ideal.Q;
  return {};
}

std::optional<Failure> Dynamics::explain_weak_efforts(double t, const double* y) {
  Impl& d = *impl_;
  if (!d.directed || !d.read_matrices(t, y, d.matrices)) return std::nullopt;
  if (auto done = d.factor_directed(d.relative_defect(d.matrices)); !done)
    return d.named(std::move(done.error()), t, Level::kAcceleration);
  if (d.directed->solve.weakest_response() > kWeakResponse) return std::nullopt;
  Failure failure;
  failure.kind = FailureKind::kInconsistent;
  failure.rows = {d.directed->solve.weakest_row()};
  return d.named(std::move(failure), t, Level::kAcceleration);
}

Matrix Dynamics::Impl::indeterminate_multipliers() {
  const Matrix of_ideal = directed->ideal.solver().left_null_space();
  Matrix N = Matrix::Zero(nc, of_ideal.cols());
  const std::vector<int>& rows = directed->solve.ideal();
  for (std::size_t i = 0; i < rows.size(); ++i) N.row(rows[i]) = of_ideal.row(static_cast<Eigen::Index>(i));
  return N;
}

void Dynamics::Impl::normalize_quaternions(double* y) const {
  for (const std::array<int, 4>& e : compiled->system->quaternions) {
    double norm2 = 0.0;
    for (const int i : e) norm2 += y[i] * y[i];
    if (std::abs(norm2 - 1.0) <= 4.0 * kUnit || !(norm2 > 0.0)) continue;
    const double factor = 1.0 / std::sqrt(norm2);
    for (const int i : e) y[i] *= factor;
  }
}

void Dynamics::Impl::read_speed_rows(double t, const double* y) {
  (void)read_matrices(t, y, matrices);
  for (std::size_t k = 0; k < speeds.rows.size(); ++k) {
    minimal->A.row(static_cast<Eigen::Index>(k)) = matrices.A.row(speeds.rows[k]);
    minimal->psi[static_cast<Eigen::Index>(k)] = matrices.psi[speeds.rows[k]];
  }
}

Outcome<void> Dynamics::Impl::settle_speeds(double t, double* y) {
  if (speeds.rows.empty()) return {};
  double* const u = y + nq;
  double previous = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < kMostOfMinimal; ++iteration) {
    read_speed_rows(t, y);
    if (!minimal->psi.allFinite() || !minimal->A.allFinite()) return fail(non_finite(t, y));
    if (!minimal->speeds.has_choice()) {
      minimal->speeds.choose(matrices.M, minimal->A, relative_defect(matrices));
      ++counts.choices;
    }
    double worst = 0.0;
    int worst_row = -1;
    for (const int k : minimal->speeds.choice().rows) {
      const double relative = std::abs(minimal->psi[k]) / speeds.magnitude[k];
      if (relative > worst) {
        worst = relative;
        worst_row = speeds.rows[static_cast<std::size_t>(k)];
      }
    }
    if (worst <= kMinimalRoundings * kUnit || (worst > 0.5 * previous && worst <= kMinimalStagnation)) return {};
    minimal->u = Eigen::Map<const Vector>(u, nu);
    if (iteration + 1 == kMostOfMinimal || !minimal->speeds.correct(minimal->A, minimal->psi, minimal->u) ||
        !minimal->u.allFinite()) {
      Failure failure;
      failure.kind = FailureKind::kInconsistent;
      failure.rows = {worst_row};
      failure.size = worst * speeds.magnitude.maxCoeff();
      return fail(named(std::move(failure), t, Level::kVelocity));
    }
    previous = worst;
    std::copy_n(minimal->u.data(), nu, u);
  }
  return {};
}

void Dynamics::Impl::review_choice(double defect) {
  const auto review = [&](solve::ReducedSolve& reduced, ConstMatrix A) {
    const bool has_other_rank =
        static_cast<int>(reduced.choice().rows.size()) != reduced.rank_here(matrices.M, A, defect);
    if (!has_other_rank && reduced.growth(matrices.M, A) <= kDegraded * reduced.best_growth(matrices.M, A, defect))
      return;
    reduced.choose(matrices.M, A, defect);
    ++counts.choices;
  };
  if (minimal->speeds.has_choice()) review(minimal->speeds, minimal->A);
  if (minimal->accelerations.has_choice()) review(minimal->accelerations, matrices.A);
}

Outcome<double> Dynamics::Impl::project_minimal(double t, double* y) {
  if (speeds.rows.empty()) return 0.0;
  Vector& before = projected;
  before = Eigen::Map<const Vector>(y, ny);
  read_speed_rows(t, y);
  if (!matrices.M.allFinite() || !matrices.A.allFinite()) return fail(non_finite(t, y));
  // Speeds still off ψ = 0 leave A as it is: only the positions' distance makes its rank doubtful.
  review_choice(position_defect(matrices));
  if (auto done = settle_speeds(t, y); !done) return fail(std::move(done.error()));
  double moved = 0.0;
  for (int i = nq; i < nq + nu; ++i) moved = std::max(moved, std::abs(y[i] - before[i]) * inverse_scale[i]);
  // Rows left out as dependent must hold as well.
  for (std::size_t k = 0; k < speeds.rows.size(); ++k) {
    const auto at = static_cast<Eigen::Index>(k);
    if (std::abs(minimal->psi[at]) <= kTolConsistency * speeds.magnitude[at]) continue;
    Failure failure;
    failure.kind = FailureKind::kInconsistent;
    failure.rows = {speeds.rows[k]};
    failure.size = std::abs(minimal->psi[at]);
    return fail(named(std::move(failure), t, Level::kVelocity));
  }
  return moved;
}

void Dynamics::set_formulation(Formulation formulation) {
  Impl& d = *impl_;
  d.formulation = formulation;
  d.augmented.reset();
  d.minimal.reset();
  if (d.implicit) {
    d.implicit->friction.forget();
    d.implicit->gauss.forget();
  }
  if (d.takes_augmented()) d.augmented.emplace(*d.compiled->system);
  if (formulation == Formulation::kMinimal) d.minimal.emplace(*d.compiled);
}

Formulation Dynamics::formulation() const { return impl_->formulation; }

}  // namespace vinculum::sim
