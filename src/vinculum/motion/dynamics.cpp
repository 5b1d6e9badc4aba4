#include "vinculum/motion/dynamics.hpp"

#include <algorithm>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/dynamics_impl.hpp"
#include "vinculum/motion/surface_motion.hpp"

namespace vinculum::sim {
namespace {

double largest(const Vector& v) { return v.size() > 0 ? v.maxCoeff() : 0.0; }

}  // namespace

Dynamics::Impl::Impl(const std::shared_ptr<const Binding>& bound, const Mode& start)
    : at(bound),
      pieces(at, start),
      routes(*at.compiled),
      forces(at.compiled->has_reaction_forces() ? std::make_unique<DependentForces>(at, pieces, routes) : nullptr),
      highest(at.compiled->system->higher ? std::make_unique<HighestDerivatives>(at, pieces) : nullptr),
      sparse(at, pieces, routes),
      constraints(at, pieces, routes, sparse, forces.get(), highest.get()),
      levels(at.compiled->level_count() > 0 ? std::make_unique<KeptLevels>(at, pieces, constraints) : nullptr),
      projection(at, constraints, levels.get()),
      problem(at, pieces, routes, forces.get(), constraints.solver_of_speeds()),
      accelerations(at, pieces, routes, forces.get(), highest.get(), sparse, constraints, problem),
      reports(at, pieces, routes, forces.get(), highest.get(), constraints.conditions(), problem) {}

void Dynamics::Impl::go_by(Mode& in) {
  at.go_by(in);
  if (routes.minimal) routes.minimal->remember_in(in);
  if (forces) forces->remember_in(in.reaction);
  if (pieces.nonlinear) pieces.nonlinear->remember_in(in.branch);
}

Dynamics::Dynamics(const std::shared_ptr<const Binding>& bound)
    : bound_(bound), mode_(mode_at_start(*bound)), impl_(std::make_unique<Impl>(bound, mode_)) {}
Dynamics::~Dynamics() = default;
Dynamics::Dynamics(Dynamics&&) noexcept = default;
Dynamics& Dynamics::operator=(Dynamics&&) noexcept = default;

Dynamics::Impl& Dynamics::in(Mode& mode) {
  impl_->go_by(mode);
  return *impl_;
}

Dynamics::Impl& Dynamics::in_copy(const Mode& mode) {
  copy_ = mode;
  return in(copy_);
}

std::shared_ptr<const Binding> Dynamics::binding_of(const Mode& mode) { return in_copy(mode).at.bound; }

Outcome<void> Dynamics::derivative(Mode& mode, double t, const double* y, double* y_dot) {
  if (mode.faces.empty()) return in(mode).accelerations.derivative(t, y, y_dot);
  SurfaceMotion& surfaces = along(mode);
  if (auto done = surfaces.read(*this, mode, t, y); !done) return done;
  std::copy_n(surfaces.y_dot().data(), surfaces.y_dot().size(), y_dot);
  return {};
}

Outcome<void> Dynamics::derivative(const Mode& mode, double t, const double* y, double* y_dot) {
  copy_ = mode;
  return derivative(copy_, t, y, y_dot);
}

Outcome<double> Dynamics::project(const Mode& mode, double t, double* y) {
  copy_ = mode;
  return project(copy_, t, y);
}

Outcome<void> Dynamics::report(const Mode& mode, double t, const double* y, Sample& sample) {
  copy_ = mode;
  if (!copy_.faces.empty()) return report_along(copy_, t, y, sample);
  return in(copy_).reports.report(t, y, sample);
}

void Dynamics::keep_levels(Mode& mode, double t, const Vector& y, bool with_conserved) {
  if (Impl& d = in(mode); d.levels) mode.levels = d.levels->start_at(t, y, with_conserved);
}

void Dynamics::set_accelerations(Mode& mode, const Sample& sample) const {
  if (bound_->compiled->nonlinear.empty()) return;
  impl_->go_by(mode);  // allocates the memory of `mode.branch`
  solve::GaussSolve::Answer& from = mode.branch.answers.front();
  from.t = sample.t;
  from.u_dot = sample.reaction.u_dot();
  from.lambda = sample.reaction.lambda();
  mode.branch.followed = 1;
  mode.branch.size = std::max(from.u_dot.lpNorm<Eigen::Infinity>(), tolerance::kLeast);
  mode.branch.sign = 0;  // not known yet; the next solution sets it
}

Outcome<void> Dynamics::matrices(const Mode& mode, double t, const double* y, Matrices& matrices) {
  Impl& d = in_copy(mode);
  if (!d.forces) {
    if (auto done = d.pieces.evaluate(t, y, matrices); !done) return done;
    d.pieces.show_integrals(t, y, matrices);
    return {};
  }
  if (auto done = d.reports.reactions.factor(t, y); !done) return done;
  matrices = d.pieces.matrices;
  return {};
}

void Dynamics::learn_row_sizes(Mode& mode, double t, const Vector& y) { in(mode).pieces.learn_usual_sizes(t, y); }

void Dynamics::set_scale(const Vector& scale, double tolerance) {
  VINCULUM_EXPECTS(scale.size() == impl_->at.ny && largest(-scale) < 0.0);
  impl_->at.set_scale(scale, tolerance);
  mode_.knows_sizes = false;
}

const Vector& Dynamics::scale() const { return impl_->at.sizes.scale; }
Sizes& Dynamics::sizes() { return impl_->at.sizes; }

void Dynamics::set_formulation(equations::Formulation formulation) {
  impl_->routes.set_formulation(formulation);
  mode_.reaction.has_last = false;
  mode_.branch.followed = 0;
  mode_.speeds.reset();
  mode_.accelerations.reset();
}
equations::Formulation Dynamics::formulation() const { return impl_->routes.formulation(); }

}  // namespace vinculum::sim
