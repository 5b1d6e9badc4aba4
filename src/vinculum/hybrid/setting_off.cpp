#include "vinculum/hybrid/setting_off.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "vinculum/base/index.hpp"
#include "vinculum/hybrid/friction_state.hpp"
#include "vinculum/model/sizes.hpp"
#include "vinculum/motion/friction_of.hpp"

namespace vinculum::sim {
namespace {

constexpr std::string_view kImplicit = "radau";
// Duration of implicit steps, in lengths of the time for which directions are held.
constexpr double kAwayFromRest = 1e4;
constexpr double kStretchFromRest = 10.0;  // end of a stretch: this many times the time since rest
constexpr double kSlowly = 0.01;  // gain of speed counts as slow below this part of the terms of the acceleration

/// [ny] for each speed: the value that, by itself, would give a contact in a plane its present velocity; the smallest
/// over the contacts. An error of the speed relative to this value turns the friction direction by about as much. 0 for
/// components that move no such contact.
Vector sizes_beside_slides(Dynamics& dynamics, const Mode& mode, double t, const Vector& y) {
  const auto nq = static_cast<Eigen::Index>(dynamics.binding()->nq()),
             nu = static_cast<Eigen::Index>(dynamics.binding()->nu());
  Vector sizes = Vector::Zero(y.size()), v, v_without, v_of, size, moving = y;
  FrictionOf(dynamics).read_slides(mode, t, y.data(), v, size);
  moving.segment(nq, nu).setZero();
  FrictionOf(dynamics).read_slides(mode, t, moving.data(), v_without, size);
  for (Eigen::Index i = nq; i < nq + nu; ++i) {
    moving[i] = 1.0;
    FrictionOf(dynamics).read_slides(mode, t, moving.data(), v_of, size);
    moving[i] = 0.0;
    double least = std::numeric_limits<double>::infinity();
    for (const equations::Slide& slide : dynamics.binding()->system->slides) {
      const double of_one = (v_of - v_without).segment(slide.first, slide.count).norm();
      const double speed = v.segment(slide.first, slide.count).norm();
      if (slide.count > 1 && of_one > 0.0 && speed > 0.0) least = std::min(least, speed / of_one);
    }
    if (std::isfinite(least)) sizes[i] = least;
  }
  return sizes;
}

/// Whether a contact starts to slide with an acceleration much smaller than the terms of which it is the sum.
bool gains_slowly(Dynamics& dynamics, const Mode& mode, double t, const Vector& y) {
  const Vector& until = mode.friction.held_until;
  std::vector<char> sets_off(static_cast<std::size_t>(until.size()));
  for (Eigen::Index i = 0; i < until.size(); ++i) sets_off[static_cast<std::size_t>(i)] = until[i] > t ? 1 : 0;
  const auto read = FrictionOf(dynamics).read_contacts(mode, t, y.data(), sets_off, {});
  const double after = until.maxCoeff() - t;
  Vector ahead = Vector::Zero(y.size()), v, size;
  if (!read || !dynamics.derivative(mode, t, y.data(), ahead.data())) return false;
  ahead = y + after * ahead;
  FrictionOf(dynamics).read_slides(mode, t + after, ahead.data(), v, size);
  for (std::size_t c = 0; c < read->slides.size(); ++c) {
    const int i = read->slides[c];
    if (nth(sets_off, i) == 0) continue;
    const solve::Contact& contact = read->problem.contacts[c];
    const equations::Slide& slide = slide_of(dynamics, i);
    const double terms = read->problem.w_size.segment(contact.first, contact.count).maxCoeff();
    if (v.segment(slide.first, slide.count).norm() <= kSlowly * after * terms) return true;
  }
  return false;
}

}  // namespace

void SettingOff::note(Dynamics& dynamics, const Mode& mode, double t, const Vector& y) {
  const Vector& until = mode.friction.held_until;
  rest_at_ = held_until_ = away_at_ = t;
  if (until.size() == 0 || !(until.maxCoeff() > t)) return;
  held_until_ = until.maxCoeff();
  if (gains_slowly(dynamics, mode, t, y)) away_at_ = t + kAwayFromRest * (held_until_ - t);
}

std::optional<SettingOff::Stretch> SettingOff::next(Dynamics& dynamics, const Mode& mode, double t, const Vector& y,
                                                    std::string_view method, integrate::MethodTable methods,
                                                    const integrate::Problem& problem) const {
  if (t < held_until_) {
    Vector ahead = Vector::Zero(y.size());
    if (dynamics.derivative(mode, t, y.data(), ahead.data())) ahead = y + (held_until_ - t) * ahead;
    const Vector sizes = sizes_beside_slides(dynamics, mode, t, ahead).cwiseMax(problem.beside);
    return Stretch{held_until_, method, problem.reached.cwiseMax(sizes), problem.beside};
  }
  const bool is_explicit = integrate::find_method(method, methods)->runge_kutta.stages > 0;
  const std::string_view implicit = is_explicit ? kImplicit : method;
  if (!(t < away_at_) || integrate::find_method(implicit, methods) == nullptr) return std::nullopt;
  Stretch stretch{std::min(away_at_, rest_at_ + kStretchFromRest * (t - rest_at_)), implicit,
                  problem.reached.cwiseMax(problem.beside), problem.beside};
  const auto nq = static_cast<Eigen::Index>(dynamics.binding()->nq()),
             nu = static_cast<Eigen::Index>(dynamics.binding()->nu());
  stretch.beside.segment(nq, nu) = model::largest_of_kind(problem.kind, y.cwiseAbs()).segment(nq, nu);
  return stretch;
}

}  // namespace vinculum::sim
