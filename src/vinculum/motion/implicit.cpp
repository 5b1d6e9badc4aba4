#include <algorithm>
#include <limits>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/dynamics_impl.hpp"

/// Accelerations that are no linear problem: forces stated by reactions, and rows that are not linear in u'.
namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

}  // namespace

Dynamics::Impl::Implicit::Implicit(const Binding& bound)
    : friction(bound->nu(), bound->nc(), bound->dependence, bound->slide_size()),
      slope(Matrix::Zero(bound->nu(), static_cast<Eigen::Index>(bound->dependence.rows.size()))) {
  for (Vector* v : {&solution.u, &solution.Q}) v->setZero(bound->nu());
  solution.lambda.setZero(bound->nc());
  solution.effort.setZero(bound->effort_count());
  if (const auto& kernel = bound.reaction_force.kernel) {
    input.resize(kernel->input_count(), 0.0);
    result.resize(kernel->output_count());
    workspace.resize(kernel->workspace_size());
  }
  if (!bound->system->slides.empty()) sticking.emplace(bound);
}

void Dynamics::Impl::make_implicit() {
  implicit = std::make_unique<Implicit>(*at_.bound);
  Implicit& s = *implicit;
  s.respond = [this](ConstVector r_f, ConstVector r_b, Vector& multipliers) {
    return respond_sticking(r_f, r_b, multipliers);
  };
  s.evaluate_force = [this](const Vector& actual, const Vector& ideal, Vector& C, Matrix& C_lambda) {
    Implicit& i = *implicit;
    double* const multipliers = i.input.data() + 1 + at_.ny + at_.nu;
    std::copy_n(actual.data(), at_.nc, multipliers);
    const bool sticks = i.sticking && at_.slides->has_any;  // the ideal reaction knows no friction
    std::copy_n((sticks ? i.sticking->lambda_ideal : ideal).data(), at_.nc, multipliers + at_.nc);
    at_.bound->reaction_force.evaluate(i.input.data(), i.result.data(), i.workspace.data());
    C = Eigen::Map<const Vector>(i.result.data(), at_.nu);
    C_lambda = Eigen::Map<const RowMajor>(i.result.data() + at_.nu, at_.nu,
                                          static_cast<Eigen::Index>(at_.compiled->dependence.rows.size()));
  };
}

void Dynamics::set_accelerations(Mode& mode, const Sample& sample) const {
  if (bound_->compiled->nonlinear.empty()) return;
  impl_->go_by(mode);  // makes room
  solve::GaussSolve::Answer& from = mode.branch.answers.front();
  from.t = sample.t;
  from.u_dot = sample.reaction.u_dot();
  from.lambda = sample.reaction.lambda();
  mode.branch.followed = 1;
  mode.branch.size = std::max(from.u_dot.lpNorm<Eigen::Infinity>(), tolerance::kLeast);
  mode.branch.sign = 0;  // there is no other answer yet to compare with
}

Outcome<void> Dynamics::Impl::settle_reaction_forces() {
  Implicit& i = *implicit;
  std::copy_n(at_.input.begin(), 1 + at_.ny, i.input.begin());
  if (i.sticking) {
    if (auto done = settle_sticking(); !done) return done;
  } else if (auto done = i.friction.solve(i.respond, i.evaluate_force, pieces_.matrices.f, pieces_.matrices.b); !done) {
    return done;
  } else {
    pieces_.matrices.C = i.friction.C();
  }
  return directed ? Outcome<void>() : check_reactions_are_unique();
}

Outcome<void> Dynamics::look_for_other_reactions(const Mode& mode, double t, const double* y) {
  auto done = in_copy(mode).factor_for_report(t, y);
  if (done || done.error().kind != FailureKind::kFrictionManySolutions) return {};
  return done;
}

/// Where rows depend on each other a law may be stated with a reaction that is any of many.
Outcome<void> Dynamics::Impl::check_reactions_are_unique() {
  const solve::ConstrainedSolve& factored = pivoted.rows();
  const std::vector<int>& rows = at_.compiled->dependence.rows;
  if (factored.rank() == at_.nc ||
      std::ranges::all_of(rows, [&](int row) { return factored.unique()[static_cast<std::size_t>(row)] != 0; })) {
    return {};
  }
  const Matrix N = factored.left_null_space();
  Matrix of_rows(static_cast<Eigen::Index>(rows.size()), N.cols());
  for (std::size_t k = 0; k < rows.size(); ++k) of_rows.row(static_cast<Eigen::Index>(k)) = N.row(rows[k]);
  const Matrix& slope = implicit->friction.C_lambda();
  if (!slope.allFinite()) return {};  // no reaction at all
  if ((slope * of_rows).lpNorm<Eigen::Infinity>() <= tolerance::kUnique * slope.lpNorm<Eigen::Infinity>()) return {};
  Failure failure;
  failure.kind = FailureKind::kFrictionManySolutions;
  failure.rows = rows;
  failure.message = "a force is stated by the reaction of `" + at_.compiled->row_name(rows.front()) +
                    "`, which is not unique: constraints depend on each other";
  return fail(std::move(failure));
}

}  // namespace vinculum::sim
