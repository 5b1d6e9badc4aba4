#include "vinculum/sim/run/lifted_motion.hpp"

#include <utility>

#include "vinculum/sim/plant/lifted_equations.hpp"
#include "vinculum/sim/plant/motion_gradient.hpp"
#include "vinculum/sim/plant/watches.hpp"

namespace vinculum::sim {
namespace {

class LiftedMotion final : public integrate::ImplicitProblem {
 public:
  LiftedMotion(const integrate::Problem& problem, const CompiledModel& compiled, const LiftedEquations& equations,
               long& evaluations)
      : plain_(problem),
        of_(compiled),
        evaluations_(evaluations),
        system_(equations.motion.system),
        gradient_(equations.motion, compiled.parameters),
        forces_(equations.force, concatenated({state_symbols(*system_), system_->parameters}), 0),
        size_(compiled.nq() + compiled.nu() + compiled.nz()),
        count_(static_cast<int>(equations.force.size())) {
    for (std::size_t i = 0; i < compiled.parameters.size(); ++i)
      forces_.set(1 + static_cast<std::size_t>(size_) + i, 0, compiled.parameters[i]);
  }

  int algebraic() const override { return count_; }

  Outcome<void> evaluate(double t, const double* x, double* F, Use use) override {
    if (use == Use::kMoves) ++evaluations_;
    if (gradient_.rates_at(t, x, u_dot_, Eigen::Map<Vector>(F, size_ + count_))) return {};
    Failure failure;
    failure.kind = FailureKind::kNonFinite;
    failure.message = "the accelerations with the forces of springs and dampers as unknowns are not finite";
    failure.t = t;
    return fail(std::move(failure));
  }

  bool linearize(double t, const double* x, const double* F, Matrix& F_x) override {
    if (!gradient_.at(t, x, Eigen::Map<const Vector>(F + of_.nq(), of_.nu()))) return false;
    F_x = gradient_.F_y();
    return true;
  }

  Outcome<void> settle(double t, double* x) override {
    forces_.set(0, 0, t);
    for (int i = 0; i < size_; ++i) forces_.set(1 + static_cast<std::size_t>(i), 0, x[i]);
    forces_.compute(0);
    for (int k = 0; k < count_; ++k) x[size_ + k] = forces_(static_cast<std::size_t>(k), 0);
    return {};
  }

  Outcome<void> before_projection(double t, const double* x) override {
    y_dot_.resize(size_);
    return plain_.derivative(t, x, y_dot_.data());
  }

 private:
  const integrate::Problem& plain_;
  const CompiledModel& of_;
  long& evaluations_;
  std::shared_ptr<const dynamics::System> system_;
  MotionGradient gradient_;
  expr::TaylorSeries forces_;
  int size_, count_;
  Vector u_dot_, y_dot_;
};

}  // namespace

std::shared_ptr<integrate::ImplicitProblem> lifted_motion(const integrate::Problem& problem,
                                                          const CompiledModel& compiled, long& evaluations) {
  if (compiled.watches && !compiled.watches->switches.surfaces().empty()) return nullptr;
  const auto equations = lifted_equations(compiled.model, compiled.embedding);
  if (!equations) return nullptr;
  return std::make_shared<LiftedMotion>(problem, compiled, *equations, evaluations);
}

}  // namespace vinculum::sim
