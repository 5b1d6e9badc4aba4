#include "vinculum/motion/friction/sticking_response.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {

ContactBasis directions_of_change(ConstMatrix K, ConstMatrix J, double mass) {
  const Eigen::Index n = K.rows();
  Eigen::Matrix3d square = Eigen::Matrix3d::Zero();
  square.topLeftCorner(n, n).noalias() = K * K.transpose();
  ContactBasis all(n, 0);
  const double largest = std::sqrt(square.trace());
  if (!(largest * mass > tolerance::kDerivedRank * J.squaredNorm())) return all;
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> eigen(square);
  for (int k = 2; k >= 0; --k) {
    if (!(std::sqrt(std::max(eigen.eigenvalues()[k], 0.0)) > tolerance::kRoot * largest)) break;
    const Eigen::Index column = all.cols();
    all.conservativeResize(n, column + 1);
    all.col(column) = eigen.eigenvectors().col(k).head(n);
  }
  return all;
}

StickingResponse::StickingResponse(const StateKernels& at, Routes& routes, FreeResponse& free)
    : at_(at), routes_(routes), free_(free), lu_(at.compiled->slide_size()) {
  const int ns = at.compiled->slide_size();
  force = along_ = Vector::Zero(ns);
  U = Matrix::Zero(at.nu, ns);
  L_ = Matrix::Zero(at.nc, ns);
  K_ = T_ = Matrix::Zero(ns, ns);
  owner_.assign(static_cast<std::size_t>(ns), 0);
  total_ = Vector::Zero(at.nu);
  zero_ = lambda_ = Vector::Zero(at.nc);
}

/// Whether the friction bound of a contact depends on reactions that are not unique.
bool StickingResponse::has_free_normal(std::size_t slide) {
  if (routes_.directed || at_.nc == 0) return false;
  const std::vector<char>& unique = routes_.pivoted.rows().unique();
  const solve::ReactionDependence& dependence = at_.compiled->dependence;
  return std::ranges::any_of(dependence.of_slides[slide],
                             [&](int place) { return nth(unique, nth(dependence.rows, place)) == 0; });
}

Outcome<void> StickingResponse::factor(double mass) {
  const SlideMotion& slides = *at_.slides;
  size = 0;
  is_shared = false;
  if (!slides.has_any) return {};
  bool has_left_out = false;  // whether no force can move a contact, or a normal force is not unique
  const std::vector<equations::Slide>& all = at_.compiled->system->slides;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (at_.mode->friction.sticks[i] == 0) continue;
    const int first = all[i].first, count = all[i].count;
    for (int c = first; c < first + count; ++c) {
      total_ = slides.J.row(c).transpose();
      if (auto done = free_.to(total_, zero_, lambda_); !done) return done;
      U.col(c) = free_.solution.u;
      L_.col(c) = lambda_;
      K_.col(c).noalias() = slides.J * free_.solution.u;
    }
    const ContactBasis basis =
        directions_of_change(K_.block(first, first, count, count), slides.J.middleRows(first, count), mass);
    has_left_out = has_left_out || basis.cols() == 0 || has_free_normal(i);
    for (Eigen::Index c = 0; c < basis.cols(); ++c) {
      T_.col(size).setZero();
      T_.col(size).segment(first, count) = basis.col(c);
      owner_[static_cast<std::size_t>(size++)] = static_cast<int>(i);
    }
  }
  MatrixRef system = lu_.matrix(size);
  for (int c = 0; c < size; ++c) {
    // T_.col(c) is zero outside the components of its contact, so only these columns of K are needed.
    const equations::Slide& slide = nth(all, nth(owner_, c));
    along_.noalias() = K_.middleCols(slide.first, slide.count) * T_.col(c).segment(slide.first, slide.count);
    for (int r = 0; r < size; ++r) system(r, c) = T_.col(r).dot(along_);
  }
  lu_.factor(tolerance::kDerivedRank);
  is_shared = has_left_out || !lu_.is_regular();
  return {};
}

void StickingResponse::find_force(const Vector& wanted) {
  for (int c = 0; c < size; ++c) along_[c] = T_.col(c).dot(wanted);
  (void)lu_.solve(along_.head(size));
  force.setZero();
  for (int c = 0; c < size; ++c) force += along_[c] * T_.col(c);
}

void StickingResponse::add_motion_to(Vector& u, Vector& multipliers) const {
  for (std::size_t i = 0; i < at_.compiled->system->slides.size(); ++i) {
    if (at_.mode->friction.sticks[i] == 0) continue;
    const equations::Slide& slide = at_.compiled->system->slides[i];
    for (int c = slide.first; c < slide.first + slide.count; ++c) {
      multipliers += force[c] * L_.col(c);
      u += force[c] * U.col(c);
    }
  }
}

}  // namespace vinculum::sim
