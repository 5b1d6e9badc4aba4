#pragma once

#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// A row of expressions that stores only the entries that are not identically zero, with their indices. For a mechanism
/// of n bodies, each row of G, A and ∂φ/∂q has only as many entries as a joint has neighbors.
class SparseRow {
 public:
  struct Entry {
    std::size_t index;
    Expr value;
  };

  SparseRow() = default;
  /// A row of zeros.
  SparseRow(Graph& graph, std::size_t size) : size_(size), zero_(graph.constant(0.0)) {}
  /// \param all  all entries in order, including zeros.
  SparseRow(std::span<const Expr> all);
  // implicit conversion, because a row equals its list of entries
  SparseRow(const std::vector<Expr>& all) : SparseRow(std::span<const Expr>(all)) {}

  [[nodiscard]] std::size_t size() const { return size_; }  ///< number of entries, including zeros
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// The entries that are not zero, by ascending index.
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }
  /// The entry at `index`, which may be zero.   \cost O(log entries)
  [[nodiscard]] Expr operator[](std::size_t index) const;
  /// `row[index] += value`.   \pre index < size
  void add(std::size_t index, Expr value);
  /// `row[index] = value`.   \pre index < size
  void set(std::size_t index, Expr value);
  /// Whether each entry is `factor` times that of the other row as an expression, that is, for all values of the
  /// symbols.
  [[nodiscard]] bool is_multiple(const SparseRow& other, double factor) const;
  /// All entries, including zeros. [size]
  [[nodiscard]] std::vector<Expr> dense() const;
  /// The values that are not zero, by ascending index.
  [[nodiscard]] std::vector<Expr> values() const;

 private:
  std::size_t size_ = 0;
  Expr zero_;
  std::vector<Entry> entries_;
};

}  // namespace vinculum::expr
