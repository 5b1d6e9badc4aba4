#include "vinculum/motion/surface_motion.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/regions.hpp"

namespace vinculum::sim {

SurfaceMotion::SurfaceMotion(const Binding& bound, std::vector<double> sides)
    : watches_(*bound->watches),
      sides_(std::move(sides)),
      held_(watches_.switches.between(sides_)),
      lu_(static_cast<int>(held_.size())) {
  const Eigen::Index ny = bound->nq() + bound->nu() + bound->nz();
  const auto m = static_cast<Eigen::Index>(held_.size());
  const auto steered = static_cast<Eigen::Index>(watches_.steered.size());
  for (const std::size_t k : held_) {
    const auto at = std::ranges::find(watches_.steered, k);
    rows_.push_back(at == watches_.steered.end() ? -1 : at - watches_.steered.begin());
  }
  below_ = above_ = y_dot_ = correction_ = Vector::Zero(ny);
  shares_ = right_ = Vector::Zero(m);
  rates_ = by_time_ = distance_ = Vector::Zero(steered);
  gradient_ = Matrix::Zero(steered, ny);
  jumps_ = Matrix::Zero(ny, m);
  effect_ = Matrix::Zero(m, m);
  if (!watches_.steering) return;
  std::vector<double> fixed = bound.parameters;
  const std::vector<double> more = watches_.switches.values(sides_);
  fixed.insert(fixed.end(), more.begin(), more.end());
  steering_.constants = watches_.steering->prepare(fixed);
  steering_.input.resize(watches_.steering->input_count());
  steering_.result.resize(watches_.steering->output_count());
  steering_.workspace.resize(watches_.steering->workspace_size());
}

/// Sets, in each region of the sliding mode, the sides of nested switches: those that contain a surface of the sliding
/// mode. Called at the first state that is read.
void SurfaceMotion::complete_faces(Dynamics& dynamics, Mode& mode, double t, const double* y) const {
  mode.are_faces_complete = true;
  if (held_.empty() || !watches_.switches.has_nested()) return;
  const auto is_concerned = [&](std::size_t k) { return watches_.switches.holds_any(k, held_); };
  bool is_any = false;
  for (std::size_t k = 0; k < sides_.size(); ++k) is_any = is_any || is_concerned(k);
  for (std::size_t face = 0; is_any && face < mode.faces.size(); ++face)
    complete(dynamics, mode.faces[face], face, t, y);
}

void SurfaceMotion::complete(Dynamics& dynamics, Mode& face, std::size_t number, double t, const double* y) const {
  if (!watches_.switches.has_nested()) return;
  Regions regions(dynamics, 0.0);
  std::vector<double> sides = watches_.switches.sides_of_face(sides_, held_, number);
  const Vector here = Eigen::Map<const Vector>(y, gradient_.cols());
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const bool is_upper = sides[held_[i]] == watches_.switches.surfaces()[held_[i]].upper(sides_[held_[i]]);
    regions.complete_beyond(sides, held_[i], is_upper, t, here);
  }
  face.sides = std::move(sides);
}

void SurfaceMotion::read_surfaces(double t, const double* y) {
  if (!watches_.steering) return;
  const Eigen::Index ny = gradient_.cols();
  steering_.input[0] = t;
  std::copy_n(y, ny, steering_.input.data() + 1);
  watches_.steering->evaluate(steering_.input.data(), steering_.constants.data(), steering_.result.data(),
                              steering_.workspace.data());
  for (Eigen::Index i = 0; i < gradient_.rows(); ++i) {
    const double* row = steering_.result.data() + i * (ny + 2);
    distance_[i] = row[0];
    by_time_[i] = row[1];
    gradient_.row(i) = Eigen::Map<const Eigen::RowVectorXd>(row + 2, ny);
  }
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Switches::Surface& surface = watches_.switches.surfaces()[held_[i]];
    if (rows_[i] >= 0 && surface.is_floor()) distance_[rows_[i]] -= surface.upper(sides_[held_[i]]);
  }
}

Outcome<void> SurfaceMotion::read(Dynamics& dynamics, Mode& mode, double t, const double* y) {
  const auto evaluate = [&](std::size_t number, Vector& into) {
    return dynamics.derivative(mode.faces.empty() ? mode : mode.faces[number], t, y, into.data());
  };
  if (!mode.are_faces_complete) complete_faces(dynamics, mode, t, y);
  if (auto done = evaluate(0, below_); !done) return done;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    if (auto done = evaluate(i + 1, above_); !done) return done;
    jumps_.col(static_cast<Eigen::Index>(i)) = above_ - below_;
  }
  read_surfaces(t, y);
  bool is_regular = true;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const auto row = static_cast<Eigen::Index>(i);
    is_regular = is_regular && rows_[i] >= 0;
    if (!is_regular) break;
    effect_.row(row).noalias() = gradient_.row(rows_[i]) * jumps_;
    shares_[row] = -by_time_[rows_[i]] - gradient_.row(rows_[i]).dot(below_);
  }
  if (is_regular && !held_.empty()) {
    lu_.matrix(static_cast<int>(held_.size())) = effect_;
    lu_.factor(tolerance::kRank);
    is_regular = lu_.is_regular();
    if (is_regular) (void)lu_.solve(shares_);
  }
  if (!is_regular) {
    Failure failure;
    failure.kind = FailureKind::kNotUnique;
    failure.t = t;
    failure.message =
        fmt::format("both sides of `{}` move the state alike across it: the motion along it is not unique",
                    watches_.switches.surfaces()[held_.front()].text);
    return fail(std::move(failure));
  }
  y_dot_ = below_;
  y_dot_.noalias() += jumps_ * shares_;
  rates_ = by_time_;
  rates_.noalias() += gradient_ * y_dot_;
  return {};
}

double SurfaceMotion::margin(std::size_t held) const {
  const auto i = static_cast<Eigen::Index>(held);
  return effect_(i, i) < 0.0 ? shares_[i] * (1.0 - shares_[i]) : -1.0;
}

const Vector& SurfaceMotion::correction() {
  for (std::size_t i = 0; i < held_.size(); ++i) right_[static_cast<Eigen::Index>(i)] = -distance_[rows_[i]];
  (void)lu_.solve(right_);
  correction_.noalias() = jumps_ * right_;
  return correction_;
}

Outcome<bool> SurfaceMotion::is_unique(Dynamics& dynamics, const Mode& mode, double t, const double* y) {
  if (held_.size() < 2) return true;
  Mode above = mode.faces.front();
  above.sides = watches_.switches.sides_of_face(sides_, held_, mode.faces.size());
  complete(dynamics, above, mode.faces.size(), t, y);
  if (auto done = dynamics.derivative(above, t, y, above_.data()); !done) return fail(std::move(done.error()));
  const Vector rest = above_ - below_;
  const Vector part = jumps_ * jumps_.colPivHouseholderQr().solve(rest);
  const Vector size = below_.cwiseAbs() + jumps_.cwiseAbs().rowwise().sum();
  return ((rest - part).array().abs() <= tolerance::kConditioned * size.array()).all();
}

}  // namespace vinculum::sim
