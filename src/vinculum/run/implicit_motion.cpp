#include "vinculum/run/implicit_motion.hpp"

#include <utility>

#include "vinculum/compiled/implicit_equations.hpp"
#include "vinculum/compiled/motion_gradient.hpp"
#include "vinculum/compiled/watches.hpp"
#include "vinculum/integrate/by_differences.hpp"
#include "vinculum/run/lifted_motion.hpp"

namespace vinculum::sim {
namespace {

class ImplicitMotion final : public integrate::ImplicitProblem {
 public:
  ImplicitMotion(const integrate::Problem& problem, const Binding& bound, const Mode& mode)
      : bound_(bound),
        mode_(mode),
        plain_(problem),
        generated_(bound.implicit_equations->plain()),
        rates_(generated_, bound.parameters) {}

  Outcome<void> evaluate(double t, const double* x, double* F, Use use) override {
    return plain_.evaluate(t, x, F, use);
  }

  bool linearize(double t, const double* x, const double* F, Matrix& F_x) override {
    const bool is_along = !mode_.along.empty();
    const auto size = static_cast<std::size_t>(bound_->nq() + bound_->nu() + bound_->nz());
    if (!has_places_) F_x.setZero();
    has_places_ = !is_along && rates_.gradient(t, {x, size}, F_x);
    if (has_places_) return true;
    MotionGradient* const gradient = is_along ? nullptr : as_they_stand();
    if (gradient != nullptr && gradient->at(t, x, Eigen::Map<const Vector>(F + bound_->nq(), bound_->nu()))) {
      F_x = gradient->F_y();
      return true;
    }
    return plain_.linearize(t, x, F, F_x);
  }

  std::span<const integrate::Place> places() const override {
    return has_places_ ? generated_.places : std::span<const integrate::Place>();
  }

 private:
  /// Returns the gradient of the equations, evaluated by interpretation; null if exact derivatives are not available.
  MotionGradient* as_they_stand() {
    if (!std::exchange(has_asked_, true)) {
      if (const auto equations = motion_equations(bound_->model, bound_.embedding()))
        gradient_ = std::make_unique<MotionGradient>(*equations, bound_.parameters);
    }
    return gradient_.get();
  }

  const Binding& bound_;
  const Mode& mode_;
  integrate::ByDifferences plain_;
  const GeneratedRates& generated_;
  RatesAt rates_;
  bool has_places_ = false;  ///< F_x was last computed by the generated code
  bool has_asked_ = false;
  std::unique_ptr<MotionGradient> gradient_;
};

}  // namespace

std::shared_ptr<integrate::ImplicitProblem> implicit_motion(const integrate::Problem& problem, const Binding& bound,
                                                            const Mode& mode, long& evaluations) {
  if (auto lifted = lifted_motion(problem, bound, evaluations)) return lifted;
  return std::make_shared<ImplicitMotion>(problem, bound, mode);
}

}  // namespace vinculum::sim
