// Partial derivatives of terms by finite differences: the second route beside the derivatives of expressions.
#include <array>
#include <cmath>
#include <functional>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/mechanics/calculus.hpp"
#include "vinculum/mechanics/evaluate.hpp"

namespace vinculum::mechanics {
namespace {

constexpr double kAlongStep = 0.05;  // of differences of differences along a motion
constexpr std::array<double, 5> kFirst{0.0, 4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0};
constexpr std::array<double, 5> kSecond{-205.0 / 72.0, 8.0 / 5.0, -1.0 / 5.0, 8.0 / 315.0, -1.0 / 560.0};

template <class Function>
double first_derivative(const Function& f, double step = tolerance::kDifference8) {
  double sum = 0.0;
  for (std::size_t k = 1; k < kFirst.size(); ++k) {
    const double x = step * static_cast<double>(k);
    sum += kFirst[k] * (f(x) - f(-x));
  }
  return sum / step;
}

template <class Function>
double second_derivative(const Function& f, double step) {
  double sum = kSecond[0] * f(0.0);
  for (std::size_t k = 1; k < kSecond.size(); ++k) {
    const double x = step * static_cast<double>(k);
    sum += kSecond[k] * (f(x) + f(-x));
  }
  return sum / (step * step);
}

/// x of A x = b by elimination with row pivoting; A regular.
std::vector<double> solved(std::vector<std::vector<double>> A, std::vector<double> b) {
  const std::size_t n = b.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::fabs(A[i][k]) > std::fabs(A[pivot][k])) pivot = i;
    }
    std::swap(A[k], A[pivot]);
    std::swap(b[k], b[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      const double factor = A[i][k] / A[k][k];
      if (factor == 0.0) continue;
      for (std::size_t j = k; j < n; ++j) A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
  return b;
}

}  // namespace

double TermValues::value_at(Instant at, Term scalar) const {
  return TermValues(model_, std::move(at)).scalar(scalar).value;
}

std::vector<double> TermValues::rates_of_unit_speed(const Instant& at, std::size_t speed) const {
  const std::size_t n = model_.coordinates.size();
  std::vector<std::vector<double>> A;
  std::vector<double> b;
  const auto definition = [&](std::size_t r, const std::vector<double>& q_dot) {
    Instant instant = at;
    instant.q_dot = q_dot;
    return value_at(std::move(instant), model_.speeds[r].definition);
  };
  for (std::size_t r = 0; r < model_.speeds.size(); ++r) {
    const double rest = definition(r, std::vector<double>(n, 0.0));
    std::vector<double>& row = A.emplace_back(n);
    for (std::size_t i = 0; i < n; ++i) {
      std::vector<double> one(n, 0.0);
      one[i] = 1.0;
      row[i] = definition(r, one) - rest;
    }
    b.push_back(r == speed ? 1.0 : 0.0);
  }
  for (const Frame& frame : model_.frames) {
    if (!frame.quaternion) continue;
    std::vector<double>& row = A.emplace_back(n, 0.0);  // the norm stays
    for (const CoordinateId q : frame.quaternion->e) row[q.index()] = at.q[q.index()];
    b.push_back(0.0);
  }
  VINCULUM_EXPECTS(A.size() == n);
  return solved(std::move(A), std::move(b));
}

double TermValues::partial_value(const Instant& at, Term of, Term by) const {
  if (by.kind() == TermKind::kSpeed) {
    const std::vector<double> direction = rates_of_unit_speed(at, by.index());
    return first_derivative([&](double x) {
      Instant shifted = at;
      for (std::size_t i = 0; i < direction.size(); ++i) shifted.q_dot[i] += x * direction[i];
      return value_at(std::move(shifted), of);
    });
  }
  return first_derivative([&](double x) {
    Instant shifted = at;
    if (by.kind() == TermKind::kTime) {
      shifted.t += x;
    } else {
      (by.order() == 0 ? shifted.q : shifted.q_dot)[by.index()] += x;
    }
    return value_at(std::move(shifted), of);
  });
}

double TermValues::rate_along(Term of, int order) const {
  const std::size_t n = at_.q.size(), highest = at_.order_known();
  const auto along = [&](double s) {
    Instant moved = at_, here = at_;
    moved.t += s;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k <= highest; ++k) {  // Horner: Σ q^(k+l) s^l / l!
        double value = here.derivative(i, highest);
        for (std::size_t l = highest; l-- > k;)
          value = here.derivative(i, l) + s / static_cast<double>(l - k + 1) * value;
        moved.derivative(i, k) = value;
      }
    }
    return value_at(std::move(moved), of);
  };
  if (order == 1) return first_derivative(along);
  // Differences of differences, each of eighth order.
  const std::function<double(double, int)> derivative = [&](double s, int times) -> double {
    if (times == 0) return along(s);
    return first_derivative([&](double x) { return derivative(s + x, times - 1); }, kAlongStep);
  };
  return derivative(0.0, order);
}

Jet TermValues::partial(Term of, Term by) {
  // Along the motion q'' is known and no more: a term of velocity level has one rate, one of position level two.
  const auto along = [&](double s) {
    Instant moved = at_;
    moved.t += s;
    for (std::size_t i = 0; i < at_.q.size(); ++i) {
      moved.q[i] += s * (at_.q_dot[i] + 0.5 * s * at_.q_ddot[i]);
      moved.q_dot[i] += s * at_.q_ddot[i];
    }
    return partial_value(moved, of, by);
  };
  const Level level = level_of(model_, of.pool().partial(of, by));
  const double unknown = std::nan("");
  return {along(0.0), level < Level::kAcceleration ? first_derivative(along) : unknown,
          level == Level::kPosition ? second_derivative(along, 4.0 * tolerance::kDifference8) : unknown};
}

}  // namespace vinculum::mechanics
