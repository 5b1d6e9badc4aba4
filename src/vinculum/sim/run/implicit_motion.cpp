#include "vinculum/sim/run/implicit_motion.hpp"

#include "vinculum/integrate/by_differences.hpp"
#include "vinculum/sim/plant/motion_gradient.hpp"
#include "vinculum/sim/plant/watches.hpp"
#include "vinculum/sim/run/lifted_motion.hpp"

namespace vinculum::sim {
namespace {

class ImplicitMotion final : public integrate::ImplicitProblem {
 public:
  ImplicitMotion(const integrate::Problem& problem, const Dynamics& dynamics) : dynamics_(dynamics), plain_(problem) {
    const CompiledModel& compiled = dynamics.compiled();
    if (const auto equations = motion_equations(compiled.model, compiled.embedding))
      gradient_ = std::make_unique<MotionGradient>(*equations, compiled.parameters);
  }

  Outcome<void> evaluate(double t, const double* x, double* F, Use use) override {
    return plain_.evaluate(t, x, F, use);
  }

  bool linearize(double t, const double* x, const double* F, Matrix& F_x) override {
    const CompiledModel& compiled = dynamics_.compiled();
    const bool is_along = compiled.watches && compiled.watches->switches.is_along(compiled.sides);
    if (gradient_ && !is_along && gradient_->at(t, x, Eigen::Map<const Vector>(F + compiled.nq(), compiled.nu()))) {
      F_x = gradient_->F_y();
      return true;
    }
    return plain_.linearize(t, x, F, F_x);
  }

 private:
  const Dynamics& dynamics_;
  integrate::ByDifferences plain_;
  std::unique_ptr<MotionGradient> gradient_;  ///< null: the equations have none
};

}  // namespace

std::shared_ptr<integrate::ImplicitProblem> implicit_motion(const integrate::Problem& problem, const Dynamics& dynamics,
                                                            long& evaluations) {
  if (auto lifted = lifted_motion(problem, dynamics.compiled(), evaluations)) return lifted;
  return std::make_shared<ImplicitMotion>(problem, dynamics);
}

}  // namespace vinculum::sim
