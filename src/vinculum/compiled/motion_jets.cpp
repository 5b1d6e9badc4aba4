#include "vinculum/compiled/motion_jets.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/index.hpp"

namespace vinculum::sim {

MotionJets::MotionJets(const MotionEquations& of, std::span<const double> parameters, int highest)
    : system_(of.system),
      highest_(highest),
      size_(of.state.size() - 1),
      equation_count_(of.E.size()),
      unknowns_(of, parameters),
      series_(concatenated({of.E, of.S}), concatenated({of.state, of.unknowns, of.system->parameters}), highest - 1),
      state_(static_cast<std::size_t>(highest) + 1, std::vector<double>(size_)) {
  VINCULUM_EXPECTS(highest >= 1);
  for (std::size_t i = 0; i < parameters.size(); ++i) series_.set(1 + size_ + of.unknowns.size() + i, 0, parameters[i]);
}

void MotionJets::set_state(int k) {
  for (std::size_t i = 0; i < size_; ++i) series_.set(1 + i, k, nth(state_, k)[i]);
}

void MotionJets::set_unknowns(int k, const Vector& x) {
  for (Eigen::Index j = 0; j < x.size(); ++j) series_.set(1 + size_ + static_cast<std::size_t>(j), k, x[j]);
}

Vector MotionJets::residual(int k) const {
  Vector E(static_cast<Eigen::Index>(equation_count_));
  for (Eigen::Index i = 0; i < E.size(); ++i) E[i] = series_(static_cast<std::size_t>(i), k);
  return E;
}

bool MotionJets::compute(double t, const double* y, const Vector& u_dot) {
  if (!unknowns_.find(t, y, u_dot)) return false;
  state_[0].assign(y, y + size_);
  series_.set(0, 0, t);
  for (int k = 0; k < highest_; ++k) {
    set_state(k);
    if (k == 0) {
      set_unknowns(0, unknowns_.x());
    } else {
      series_.set(0, k, k == 1 ? 1.0 : 0.0);
      set_unknowns(k, Vector::Zero(unknowns_.x().size()));
      series_.compute(k);
      set_unknowns(k, -unknowns_.solve(residual(k)));
    }
    series_.compute(k);
    for (std::size_t i = 0; i < size_; ++i) nth(state_, k + 1)[i] = series_(equation_count_ + i, k) / (k + 1);
  }
  return std::ranges::all_of(state_.back(), [](double one) { return std::isfinite(one); });
}

double MotionJets::derivative(int i, int k) const {
  double factorial = 1.0;
  for (int j = 2; j <= k; ++j) factorial *= j;
  return factorial * nth(nth(state_, k), i);
}

}  // namespace vinculum::sim
