#include "vinculum/numeric/row_triangle.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace vinculum::numeric {
namespace {

constexpr double kCostOfRotation = 40.0;  // operations per Givens rotation: a square root and two divisions
constexpr double kPerEntry = 6.0;

/// The sign of a column of A in the sketch sums. It is the highest bit of a multiple of the golden section (Fibonacci
/// hashing), so signs have no pattern.
double sign_of(int column) {
  const auto hashed = static_cast<std::uint32_t>(column) * 2654435769u;
  return (hashed & 0x80000000u) != 0 ? -1.0 : 1.0;
}

}  // namespace

RowTriangle::RowTriangle(const SparsePattern& A, const std::vector<int>& rows) {
  std::vector<std::vector<Entry>> columns(static_cast<std::size_t>(A.columns));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (int at = A.begin(rows[k]); at < A.end(rows[k]); ++at)
      columns[static_cast<std::size_t>(A.column_of(at))].push_back({static_cast<int>(k), at});
  }
  for (int j = 0; j < A.columns; ++j)
    if (!columns[static_cast<std::size_t>(j)].empty()) column_.push_back(j);
  std::ranges::stable_sort(column_, {}, [&](int j) { return columns[static_cast<std::size_t>(j)].front().k; });
  column_begins_.push_back(0);
  for (const int j : column_) {
    const std::vector<Entry>& of = columns[static_cast<std::size_t>(j)];
    entries_.insert(entries_.end(), of.begin(), of.end());
    column_begins_.push_back(static_cast<int>(entries_.size()));
  }
  parent_.assign(rows.size(), -1);
  find_patterns(columns);
  R_ = Vector::Zero(static_cast<Eigen::Index>(of_R_.size()));
  joining_ = Vector::Zero(size());
  sketches_.setZero(kSketch, size());
  is_placed_.assign(rows.size(), 0);
}

/// Finds the pattern of each row R_k. The pattern contains the entries of the columns of A that begin in row k, and the
/// pattern (without its first entry) of each row whose `parent_` is k.
void RowTriangle::find_patterns(const std::vector<std::vector<Entry>>& columns) {
  std::vector<std::vector<int>> met(parent_.size());
  for (const int j : column_) {
    const std::vector<Entry>& of = columns[static_cast<std::size_t>(j)];
    for (const Entry& entry : of) met[static_cast<std::size_t>(of.front().k)].push_back(entry.k);
  }
  first_.push_back(0);
  for (int k = 0; k < size(); ++k) {
    std::vector<int>& of = met[static_cast<std::size_t>(k)];
    of.push_back(k);
    std::ranges::sort(of);
    of.erase(std::unique(of.begin(), of.end()), of.end());
    of_R_.insert(of_R_.end(), of.begin(), of.end());
    first_.push_back(static_cast<int>(of_R_.size()));
    if (of.size() < 2) continue;
    parent_[static_cast<std::size_t>(k)] = of[1];
    std::vector<int>& next = met[static_cast<std::size_t>(of[1])];
    next.insert(next.end(), of.begin() + 1, of.end());
    of = {};
  }
  for (std::size_t c = 0; c < column_.size(); ++c) {
    const Entry& last = entries_[static_cast<std::size_t>(column_begins_[c + 1] - 1)];
    for (int k = entries_[static_cast<std::size_t>(column_begins_[c])].k; k >= 0 && k <= last.k;
         k = parent_[static_cast<std::size_t>(k)])
      cost_ += kCostOfRotation + kPerEntry * (diagonal(k + 1) - diagonal(k) + kSketch);
  }
}

void RowTriangle::factor(ConstVector entries) {
  std::ranges::fill(is_placed_, char{0});
  R_.setZero();
  for (std::size_t c = 0; c < column_.size(); ++c) {
    is_left_ = false;
    const int begin = column_begins_[c], end = column_begins_[c + 1];
    for (int i = begin; i < end; ++i) {
      const Entry& entry = entries_[static_cast<std::size_t>(i)];
      joining_[entry.k] = entries[entry.at];
      is_left_ = is_left_ || entries[entry.at] != 0.0;
    }
    joining_sketch_.setZero();
    joining_sketch_[column_[c] % kSketch] = sign_of(column_[c]);
    join(entries_[static_cast<std::size_t>(begin)].k);
  }
}

/// Adds the vector `joining_`, whose nonzero entries begin at row k, to R.
void RowTriangle::join(int k) {
  for (; is_left_; k = parent_[static_cast<std::size_t>(k)]) {
    if (joining_[k] == 0.0) continue;
    if (is_placed_[static_cast<std::size_t>(k)] != 0) {
      turn(k);
      continue;
    }
    for (int i = diagonal(k); i < diagonal(k + 1); ++i)
      R_[i] = std::exchange(joining_[of_R_[static_cast<std::size_t>(i)]], 0.0);
    sketches_.col(k) = joining_sketch_;
    is_placed_[static_cast<std::size_t>(k)] = 1;
    return;
  }
}

/// Rotates R_k and `joining_` so that entry k of `joining_` becomes 0.
void RowTriangle::turn(int k) {
  const int begin = diagonal(k), end = diagonal(k + 1);
  const double a = R_[begin], b = joining_[k];
  const double size = std::max(std::abs(a), std::abs(b)), x = a / size, y = b / size;
  const double length = std::sqrt(x * x + y * y), cosine = x / length, sine = y / length;
  R_[begin] = size * length;
  joining_[k] = 0.0;
  is_left_ = false;
  for (int i = begin + 1; i < end; ++i) {
    double& joins = joining_[of_R_[static_cast<std::size_t>(i)]];
    const double r = R_[i], w = joins;
    R_[i] = cosine * r + sine * w;
    joins = cosine * w - sine * r;
    is_left_ = is_left_ || joins != 0.0;
  }
  const Sketch before = sketches_.col(k);
  sketches_.col(k) = cosine * before + sine * joining_sketch_;
  joining_sketch_ = cosine * joining_sketch_ - sine * before;
}

RowTriangle::Sketch RowTriangle::sketch(int k) const {
  if (is_placed_[static_cast<std::size_t>(k)] == 0) return Sketch::Zero();
  return R_[diagonal(k)] < 0.0 ? Sketch(-sketches_.col(k)) : Sketch(sketches_.col(k));
}

void RowTriangle::solve_transposed(Vector& y) const {
  for (int k = 0; k < size(); ++k) {
    const int begin = diagonal(k), end = diagonal(k + 1);
    y[k] = R_[begin] == 0.0 ? 0.0 : y[k] / R_[begin];
    if (y[k] == 0.0) continue;
    for (int i = begin + 1; i < end; ++i) y[of_R_[static_cast<std::size_t>(i)]] -= R_[i] * y[k];
  }
}

void RowTriangle::solve(Vector& y) const {
  for (int k = size(); k-- > 0;) {
    const int begin = diagonal(k), end = diagonal(k + 1);
    for (int i = begin + 1; i < end; ++i) y[k] -= R_[i] * y[of_R_[static_cast<std::size_t>(i)]];
    y[k] = R_[begin] == 0.0 ? 0.0 : y[k] / R_[begin];
  }
}

void RowTriangle::drop(int k) {
  if (is_placed_[static_cast<std::size_t>(k)] == 0) return;
  is_placed_[static_cast<std::size_t>(k)] = 0;
  R_[diagonal(k)] = 0.0;
  is_left_ = false;
  for (int i = diagonal(k) + 1; i < diagonal(k + 1); ++i) {
    joining_[of_R_[static_cast<std::size_t>(i)]] = std::exchange(R_[i], 0.0);
    is_left_ = is_left_ || joining_[of_R_[static_cast<std::size_t>(i)]] != 0.0;
  }
  joining_sketch_ = sketches_.col(k);
  join(parent_[static_cast<std::size_t>(k)]);
}

}  // namespace vinculum::numeric
