#include "vinculum/integrate/step_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::integrate {
namespace {

enum Kind : char { kRest, kPlace, kForce };

/// Kind of each unknown: coordinate or force to be eliminated, or remaining unknown. Coordinates are selected greedily,
/// in the order of the unknowns.
std::vector<Kind> kinds_of(int differential, int size, std::span<const Place> places) {
  const auto n = static_cast<std::size_t>(size);
  std::vector<std::vector<int>> in_row(n), in_column(n);
  for (const Place& place : places) {
    in_row[static_cast<std::size_t>(place.row)].push_back(place.column);
    in_column[static_cast<std::size_t>(place.column)].push_back(place.row);
  }
  std::vector<Kind> kinds(n, kRest);
  const auto is = [&](Kind kind) { return [&, kind](int i) { return kinds[static_cast<std::size_t>(i)] == kind; }; };
  const auto has_no_rate = [&](int i) { return i >= differential; };
  for (int i = 0; i < size; ++i) {
    const std::vector<int>& row = in_row[static_cast<std::size_t>(i)];
    const std::vector<int>& column = in_column[static_cast<std::size_t>(i)];
    if (has_no_rate(i)) {
      const bool is_alone = std::ranges::count_if(row, has_no_rate) == 1 && std::ranges::find(row, i) != row.end();
      if (is_alone) kinds[static_cast<std::size_t>(i)] = kForce;
    } else if (std::ranges::none_of(row, [&](int j) { return j == i || has_no_rate(j); }) &&
               std::ranges::none_of(row, is(kPlace)) && std::ranges::none_of(column, is(kPlace))) {
      kinds[static_cast<std::size_t>(i)] = kPlace;
    }
  }
  return kinds;
}

}  // namespace

Condensation::Condensation(int differential, int size, std::span<const Place> places) {
  const std::vector<Kind> kinds = kinds_of(differential, size, places);
  const auto kind_of = [&](int i) { return kinds[static_cast<std::size_t>(i)]; };
  std::vector<int> local(kinds.size());
  for (int i = 0; i < size; ++i) {
    std::vector<int>& list = kind_of(i) == kPlace ? places_ : kind_of(i) == kForce ? forces_ : rest_;
    local[static_cast<std::size_t>(i)] = static_cast<int>(list.size());
    list.push_back(i);
    if (kind_of(i) == kRest) has_rate_.push_back(i < differential ? 1 : 0);
  }
  per_force_.assign(forces_.size(), 1.0);
  for (const Place& place : places) {
    const Kind row = kind_of(place.row), column = kind_of(place.column);
    if (row == kForce && column == kForce) continue;
    std::vector<Item>& block = row == kPlace      ? qu_
                               : row == kForce    ? (column == kPlace ? sq_ : su_)
                               : column == kPlace ? uq_
                               : column == kForce ? us_
                                                  : uu_;
    block.push_back({local[static_cast<std::size_t>(place.row)], local[static_cast<std::size_t>(place.column)], place});
  }
  const auto firsts = [&](std::vector<Item>& block, std::vector<int>& first) {
    std::ranges::stable_sort(block, {}, &Item::row);
    first.assign(forces_.size() + 1, 0);
    for (const Item& item : block) ++first[static_cast<std::size_t>(item.row) + 1];
    for (std::size_t k = 0; k < forces_.size(); ++k) first[k + 1] += first[k];
  };
  firsts(su_, first_of_force_);
  firsts(sq_, first_place_of_force_);
  const auto m = static_cast<Eigen::Index>(rest_.size());
  by_places_ = Matrix::Zero(m, static_cast<Eigen::Index>(places_.size()));
  constant_ = over_sigma_ = Matrix::Zero(m, m);
}

void Condensation::condense(const Matrix& J) {
  for (std::size_t k = 0; k < forces_.size(); ++k) per_force_[k] = -1.0 / J(forces_[k], forces_[k]);
  const auto read = [&](std::vector<Item>& block) {
    for (Item& item : block) item.value = J(item.at.row, item.at.column);
  };
  for (auto* block : {&qu_, &uq_, &us_, &uu_}) read(*block);
  for (auto* block : {&sq_, &su_}) {
    read(*block);
    for (Item& item : *block) item.value *= per_force_[static_cast<std::size_t>(item.row)];
  }
  by_places_.setZero();
  constant_.setZero();
  over_sigma_.setZero();
  for (const Item& item : uu_) constant_(item.row, item.column) += item.value;
  for (const Item& item : uq_) by_places_(item.row, item.column) += item.value;
  for (const Item& item : us_) {
    const auto k = static_cast<std::size_t>(item.column);
    for (int i = first_of_force_[k]; i < first_of_force_[k + 1]; ++i) {
      const Item& by = nth(su_, i);
      constant_(item.row, by.column) += item.value * by.value;
    }
    for (int i = first_place_of_force_[k]; i < first_place_of_force_[k + 1]; ++i) {
      const Item& by = nth(sq_, i);
      by_places_(item.row, by.column) += item.value * by.value;
    }
  }
  for (const Item& item : qu_) over_sigma_.col(item.column) += item.value * by_places_.col(item.row);
}

bool Condensation::is_fit_for(double sigma) const {
  if (forces_.empty()) return true;
  const double largest =
      constant_.diagonal().cwiseAbs().maxCoeff() + over_sigma_.diagonal().cwiseAbs().maxCoeff() / sigma;
  return tolerance::kRounding * largest <= tolerance::kBeside * sigma;
}

template <class Scalar>
void Condensation::matrix(Scalar sigma, Eigen::Matrix<Scalar, Eigen::Dynamic, Eigen::Dynamic>& N) const {
  const Scalar inverse = Scalar(1.0) / sigma;
  const Eigen::Index m = rest();
  for (Eigen::Index j = 0; j < m; ++j) {
    for (Eigen::Index i = 0; i < m; ++i) N(i, j) = -constant_(i, j) - inverse * over_sigma_(i, j);
    if (nth(has_rate_, static_cast<int>(j)) != 0) N(j, j) += sigma;
  }
}

template <class Scalar>
void Condensation::reduce(Scalar sigma, const Scalar* r, Scalar* reduced) const {
  const Scalar inverse = Scalar(1.0) / sigma;
  const Eigen::Index m = rest();
  for (Eigen::Index i = 0; i < m; ++i) reduced[i] = r[rest_[static_cast<std::size_t>(i)]];
  for (const Item& item : us_) {
    const auto k = static_cast<std::size_t>(item.column);
    reduced[item.row] += item.value * per_force_[k] * r[forces_[k]];
  }
  for (std::size_t k = 0; k < places_.size(); ++k) {
    const Scalar moved = inverse * r[places_[k]];
    const double* column = by_places_.data() + static_cast<Eigen::Index>(k) * m;
    for (Eigen::Index i = 0; i < m; ++i) reduced[i] += column[i] * moved;
  }
}

template <class Scalar>
void Condensation::expand(Scalar sigma, const Scalar* r, const Scalar* rest, Scalar* x) const {
  const Scalar inverse = Scalar(1.0) / sigma;
  for (std::size_t i = 0; i < rest_.size(); ++i) x[rest_[i]] = rest[i];
  for (const int place : places_) x[place] = r[place];
  for (const Item& item : qu_) x[item.at.row] += item.value * rest[item.column];
  for (const int place : places_) x[place] *= inverse;
  for (std::size_t k = 0; k < forces_.size(); ++k) x[forces_[k]] = per_force_[k] * r[forces_[k]];
  for (const auto* block : {&sq_, &su_})
    for (const Item& item : *block) x[item.at.row] += item.value * x[item.at.column];
}

template <class Scalar>
bool StepMatrix<Scalar>::factor(Scalar sigma, int differential, const Matrix& J, const Condensation* condensed) {
  sigma_ = sigma;
  const Eigen::Index size = condensed != nullptr ? condensed->rest() : J.rows();
  matrix_.resize(size, size);
  if (condensed != nullptr) {
    condensed->matrix(sigma, matrix_);
  } else {
    matrix_ = (-J).template cast<Scalar>();
    for (int i = 0; i < differential; ++i) matrix_(i, i) += sigma;
  }
  if (size == 0) return true;
  lu_.compute(matrix_);
  const auto diagonal = lu_.matrixLU().diagonal().array().abs();
  return diagonal.isFinite().all() && diagonal.minCoeff() > 0.0;
}

template <class Scalar>
void StepMatrix<Scalar>::solve(const Condensation* condensed, const ScalarVector& r, ScalarVector& x) {
  if (condensed == nullptr) {
    if (r.size() > 0) x = lu_.solve(r);
    return;
  }
  reduced_.resize(condensed->rest());
  condensed->reduce(sigma_, r.data(), reduced_.data());
  if (reduced_.size() > 0) rest_ = lu_.solve(reduced_);
  condensed->expand(sigma_, r.data(), rest_.data(), x.data());
}

template class StepMatrix<double>;
template class StepMatrix<std::complex<double>>;

}  // namespace vinculum::integrate
