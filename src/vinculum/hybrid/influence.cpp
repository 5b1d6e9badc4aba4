#include "vinculum/hybrid/influence.hpp"

#include <limits>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/equations_of.hpp"

namespace vinculum::sim {

void Influence::read(double t, const Vector& y) {
  EquationsOf(dynamics_).matrices_as_they_are(mode_, t, y.data(), matrices_);
  const Eigen::Index nu = matrices_.metric.rows();
  influence_.setConstant(nu, nu, std::numeric_limits<double>::infinity());
  lu_.matrix(static_cast<int>(nu)) = matrices_.metric;
  lu_.factor(tolerance::kRank);
  for (Eigen::Index i = 0; i < nu && lu_.is_regular(); ++i) {
    force_.setUnit(nu, i);
    (void)lu_.solve(force_);
    influence_.col(i) = force_.cwiseAbs();
  }
  change_.setZero(y.size());
}

void Influence::begin() {
  force_.setZero(influence_.rows());
  change_.setZero();
}

void Influence::add(const Watches::Equation& place, double by, const Vector& accelerations) {
  using Kind = Watches::Equation::Kind;
  const Eigen::Index nq = matrices_.q_dot.size(), nu = influence_.rows();
  switch (place.kind) {
    case Kind::kForce: force_[place.row] += by; break;
    case Kind::kMass: force_[place.row] += by * accelerations[place.column]; break;
    case Kind::kRate: change_[place.row] += by; break;
    case Kind::kRightSide:
    case Kind::kRow: {
      const double miss = place.kind == Kind::kRow ? by * accelerations[place.column] : by;
      const auto row = matrices_.A.row(place.row).cwiseAbs();
      for (Eigen::Index j = 0; j < nu; ++j) change_[nq + j] += row[j] > 0.0 ? miss / row.maxCoeff() : 0.0;
      break;
    }
    default: break;
  }
}

const Vector& Influence::rates() {
  change_.segment(matrices_.q_dot.size(), influence_.rows()).noalias() += influence_ * force_;
  return change_;
}

}  // namespace vinculum::sim
