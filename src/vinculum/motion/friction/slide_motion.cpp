#include "vinculum/motion/friction/slide_motion.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// If the cosine between the stored and the present direction of a contact is below this, its velocity has passed
// through zero and reversed.
constexpr double kTurnedAbout = -0.9;

}  // namespace

SlideMotion::SlideMotion(const Binding& bound)
    : result_(bound.slide_motion.kernel->output_count()), workspace_(bound.slide_motion.kernel->workspace_size()) {
  v = beta = s = Vector::Zero(bound->slide_size());
  J = Matrix::Zero(bound->slide_size(), bound->nu());
}

void SlideMotion::read(const Binding& bound, const Mode& mode, const double* input, const Vector& scale) {
  bound.slide_motion.evaluate(input, result_.data(), workspace_.data());
  const Eigen::Index ns = v.size(), nu = J.cols();
  v = Eigen::Map<const Vector>(result_.data(), ns);
  J = Eigen::Map<const RowMajor>(result_.data() + ns, ns, nu);
  beta = Eigen::Map<const Vector>(result_.data() + ns + ns * nu, ns);
  has_any = false;
  for (std::size_t i = 0; i < bound->system->slides.size(); ++i) {
    const equations::Slide& slide = bound->system->slides[i];
    auto direction = s.segment(slide.first, slide.count);
    if (mode.friction.sticks[i] != 0) {
      direction.setZero();
      has_any = true;
      continue;
    }
    const auto velocity = v.segment(slide.first, slide.count);
    const auto held = mode.friction.direction.segment(slide.first, slide.count);
    double size = 0.0;
    for (int c = slide.first; c < slide.first + slide.count; ++c)
      size = std::max(size, J.row(c).cwiseAbs().dot(scale.segment(bound->nq(), nu)));
    const double speed = velocity.norm();
    const Vector& until = mode.friction.held_until;
    const bool sets_off = until.size() > 0 && *input < until[static_cast<Eigen::Index>(i)];
    if (sets_off || !(speed > tolerance::kZero * size)) {
      direction = held;
      continue;
    }
    direction = velocity / speed;
    if (direction.dot(held) < kTurnedAbout)
      direction = -direction;  // so the force is smooth within a step; the event source
                               // of friction then finds the instant of v = 0
  }
}

void SlideMotion::fill_directions(const Binding& bound, const Mode& mode, const double* input, const Vector& scale,
                                  double* to) {
  bool needs_velocity = false;
  for (std::size_t i = 0; i < mode.friction.sticks.size(); ++i) {
    const equations::Slide& slide = bound->system->slides[i];
    if (mode.friction.sticks[i] != 0) continue;
    const double held = mode.friction.direction[slide.first];
    needs_velocity = needs_velocity || slide.count > 1 || std::isnan(held);
    to[slide.first] = held;
  }
  if (!needs_velocity) return;
  read(bound, mode, input, scale);
  std::copy_n(s.data(), s.size(), to);
}

}  // namespace vinculum::sim
