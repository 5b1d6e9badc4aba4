#include "vinculum/expr/sparse_row.hpp"

#include <algorithm>

#include "vinculum/base/contract.hpp"

namespace vinculum::expr {

SparseRow::SparseRow(std::span<const Expr> all) : size_(all.size()) {
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!all[i].is_zero()) entries_.push_back({i, all[i]});
  }
  if (!all.empty()) zero_ = all.front().graph().constant(0.0);
}

Expr SparseRow::operator[](std::size_t index) const {
  VINCULUM_EXPECTS(index < size_);
  const auto at = std::ranges::lower_bound(entries_, index, {}, &Entry::index);
  return at != entries_.end() && at->index == index ? at->value : zero_;
}

void SparseRow::add(std::size_t index, Expr value) {
  if (!value.is_zero()) set(index, (*this)[index] + value);
}

void SparseRow::set(std::size_t index, Expr value) {
  VINCULUM_EXPECTS(index < size_);
  const auto at = std::ranges::lower_bound(entries_, index, {}, &Entry::index);
  const bool is_known = at != entries_.end() && at->index == index;
  if (is_known && value.is_zero()) {
    entries_.erase(at);
  } else if (is_known) {
    at->value = value;
  } else if (!value.is_zero()) {
    entries_.insert(at, {index, value});
  }
}

bool SparseRow::is_multiple(const SparseRow& other, double factor) const {
  return std::ranges::equal(entries_, other.entries_, [factor](const Entry& own, const Entry& of_other) {
    return own.index == of_other.index && (own.value - factor * of_other.value).is_zero();
  });
}

std::vector<Expr> SparseRow::dense() const {
  std::vector<Expr> all(size_, zero_);
  for (const Entry& entry : entries_) all[entry.index] = entry.value;
  return all;
}

std::vector<Expr> SparseRow::values() const {
  std::vector<Expr> all;
  all.reserve(entries_.size());
  for (const Entry& entry : entries_) all.push_back(entry.value);
  return all;
}

}  // namespace vinculum::expr
