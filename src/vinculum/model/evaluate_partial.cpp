// Computes partial derivatives of terms by perturbing the motion. They are independent of the symbolic derivatives of
// expressions.
#include <cmath>
#include <utility>

#include "vinculum/base/contract.hpp"
#include "vinculum/model/evaluate.hpp"

namespace vinculum::model {
namespace {

/// The first columns of the inverse of A, by elimination with row pivoting.   \pre A is regular.
std::vector<std::vector<Series>> inverse_of(std::vector<std::vector<Series>> A, std::size_t columns) {
  const std::size_t n = A.size();
  std::vector<std::vector<Series>> X(n, std::vector<Series>(columns));
  for (std::size_t r = 0; r < columns; ++r) X[r][r] = 1.0;
  const auto size = [](const Series& x) { return std::fabs(x.value().value); };
  const auto is_zero = [](const Series& x) { return x.is_constant() && x.value().is_zero(); };
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (size(A[i][k]) > size(A[pivot][k])) pivot = i;
    }
    std::swap(A[k], A[pivot]);
    std::swap(X[k], X[pivot]);
    for (std::size_t i = k + 1; i < n; ++i) {
      if (is_zero(A[i][k])) continue;
      const Series factor = A[i][k] / A[k][k];
      for (std::size_t j = k; j < n; ++j) A[i][j] = A[i][j] - factor * A[k][j];
      for (std::size_t j = 0; j < columns; ++j) X[i][j] = X[i][j] - factor * X[k][j];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t c = 0; c < columns; ++c) {
      for (std::size_t j = k + 1; j < n; ++j) {
        if (!is_zero(A[k][j])) X[k][c] = X[k][c] - A[k][j] * X[j][c];
      }
      X[k][c] = X[k][c] / A[k][k];
    }
  }
  return X;
}

}  // namespace

const std::vector<std::vector<Series>>& TermValues::rates_of_speeds() {
  if (!rates_of_speeds_.empty()) return rates_of_speeds_;
  TermPool& pool = *model_.terms;
  const std::size_t n = model_.coordinates.size();
  std::vector<std::vector<Series>> A;
  for (const Speed& speed : model_.speeds) {
    std::vector<Series>& row = A.emplace_back();
    for (std::size_t i = 0; i < n; ++i) row.push_back(partial(speed.definition, pool.coordinate(CoordinateId(i), 1)));
  }
  for (const Frame& frame : model_.frames) {
    if (!frame.quaternion) continue;
    std::vector<Series>& row = A.emplace_back(n);  // the constant norm e·e gives the missing row e·e' = 0
    for (const CoordinateId q : frame.quaternion->e) row[q.index()] = coordinate(q.index());
  }
  VINCULUM_EXPECTS(A.size() == n);
  return rates_of_speeds_ = inverse_of(std::move(A), model_.speeds.size());
}

TermValues& TermValues::beside(Term by) {
  std::shared_ptr<TermValues>& place = beside_[by.id()];
  if (!place) {
    place = std::make_shared<TermValues>(model_, at_);
    place->changes_ = changes_;
    place->changes_.push_back(by);
    place->state_depth_ = state_depth_;
  }
  return *place;
}

/// The partial derivative of `of` at fixed other arguments, as a function along the motion. A constant change ε of
/// q^(l) means the path q + ε s^l/l!, where s is the time since the instant. This also changes q^(m), m < l, by ε
/// s^(l−m)/(l−m)!; the loop subtracts these contributions.
Series TermValues::partial(Term of, Term by) {
  const auto change = static_cast<int>(changes_.size());
  if (by.kind() == TermKind::kSpeed) {
    Series sum;
    for (std::size_t i = 0; i < model_.coordinates.size(); ++i) {
      const Series& rate = rates_of_speeds()[i][by.index()];
      if (rate.is_constant() && rate.value().is_zero()) continue;
      sum = sum + partial(of, of.pool().coordinate(CoordinateId(i), 1)) * rate;
    }
    return sum;
  }
  Series whole = beside(by).series(of).by_change(change);
  for (int m = 0; by.kind() == TermKind::kCoordinate && m < by.order(); ++m) {
    const Series below = partial(of, of.pool().coordinate(CoordinateId(std::size_t{by.index()}), m));
    whole = whole - below * Series::power_of_time(by.order() - m, known());
  }
  return whole;
}

}  // namespace vinculum::model
