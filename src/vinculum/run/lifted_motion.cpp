#include "vinculum/run/lifted_motion.hpp"

#include <optional>
#include <utility>

#include "vinculum/compiled/implicit_equations.hpp"
#include "vinculum/compiled/motion_gradient.hpp"
#include "vinculum/compiled/watches.hpp"

namespace vinculum::sim {
namespace {

using integrate::Place;

/// Uses the generated code if its guards accept the state; otherwise interprets the equations.
class LiftedMotion final : public integrate::ImplicitProblem {
 public:
  LiftedMotion(const integrate::Problem& problem, const Binding& bound, const ImplicitEquations::Lifted& lifted,
               long& evaluations)
      : plain_(problem),
        bound_(bound),
        equations_(lifted.equations),
        generated_(lifted.generated),
        rates_(generated_, bound.parameters),
        evaluations_(evaluations),
        size_(bound->nq() + bound->nu() + bound->nz()),
        count_(static_cast<int>(equations_.force.size())) {
    y_dot_.resize(size_);
  }

  int algebraic() const override { return count_; }

  Outcome<void> evaluate(double t, const double* x, double* F, Use use) override {
    if (use == Use::kMoves) ++evaluations_;
    if (rates_.rates(t, {x, whole()}, F)) return {};
    if (as_they_stand().rates_at(t, x, u_dot_, Eigen::Map<Vector>(F, size_ + count_))) return {};
    Failure failure;
    failure.kind = FailureKind::kNonFinite;
    failure.message = "the accelerations with the forces of springs and dampers as unknowns are not finite";
    failure.t = t;
    return fail(std::move(failure));
  }

  bool linearize(double t, const double* x, const double* F, Matrix& F_x) override {
    if (rates_.gradient(t, {x, whole()}, F_x)) return true;
    MotionGradient& gradient = as_they_stand();
    if (!gradient.at(t, x, Eigen::Map<const Vector>(F + bound_->nq(), bound_->nu()))) return false;
    if (generated_.places.empty()) F_x = gradient.F_y();
    for (const Place& place : generated_.places) F_x(place.row, place.column) = gradient.F_y()(place.row, place.column);
    return true;
  }

  std::span<const Place> places() const override { return generated_.places; }

  Outcome<void> settle(double t, double* x) override {
    rates_.forces(t, {x, static_cast<std::size_t>(size_)}, x + size_);
    return {};
  }

  Outcome<void> before_projection(double t, const double* x) override { return plain_.derivative(t, x, y_dot_.data()); }

 private:
  [[nodiscard]] std::size_t whole() const { return static_cast<std::size_t>(size_ + count_); }
  MotionGradient& as_they_stand() {
    if (!gradient_) gradient_.emplace(equations_.motion, bound_.parameters);
    return *gradient_;
  }

  const integrate::Problem& plain_;
  const Binding& bound_;
  const LiftedEquations& equations_;
  const GeneratedRates& generated_;
  RatesAt rates_;
  std::optional<MotionGradient> gradient_;
  long& evaluations_;
  int size_, count_;
  Vector u_dot_, y_dot_;
};

}  // namespace

std::shared_ptr<integrate::ImplicitProblem> lifted_motion(const integrate::Problem& problem, const Binding& bound,
                                                          long& evaluations) {
  if (bound->watches && !bound->watches->switches.surfaces().empty()) return nullptr;
  const ImplicitEquations::Lifted* lifted = bound.implicit_equations->lifted();
  return lifted != nullptr ? std::make_shared<LiftedMotion>(problem, bound, *lifted, evaluations) : nullptr;
}

}  // namespace vinculum::sim
