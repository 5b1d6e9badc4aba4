#pragma once

#include <span>
#include <vector>

#include "vinculum/expr/graph.hpp"

namespace vinculum::expr {

/// A row of expressions of which few are not identically zero: those, and their places. Of a mechanism of n bodies the
/// rows of G, A and ∂φ/∂q have as many entries as a joint has neighbours.
class SparseRow {
 public:
  struct Entry {
    std::size_t index;
    Expr value;
  };

  SparseRow() = default;
  /// Zeros.
  SparseRow(Graph& graph, std::size_t size) : size_(size), zero_(graph.constant(0.0)) {}
  /// \param all  every entry in its order, the zeros too.
  SparseRow(std::span<const Expr> all);
  SparseRow(const std::vector<Expr>& all) : SparseRow(std::span<const Expr>(all)) {}  // it is these entries

  [[nodiscard]] std::size_t size() const { return size_; }  ///< with the zeros
  [[nodiscard]] bool empty() const { return size_ == 0; }
  /// Those that are not zero, by ascending index.
  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] auto begin() const { return entries_.begin(); }
  [[nodiscard]] auto end() const { return entries_.end(); }
  /// \cost O(log entries)
  [[nodiscard]] Expr operator[](std::size_t index) const;
  /// row[index] += value.   \pre index < size
  void add(std::size_t index, Expr value);
  /// row[index] = value.   \pre index < size
  void set(std::size_t index, Expr value);
  /// Whether it is `factor` times another by its form, whatever the values.
  [[nodiscard]] bool is_multiple(const SparseRow& other, double factor) const;
  /// All of them, the zeros too. [size]
  [[nodiscard]] std::vector<Expr> dense() const;
  /// Those that are not zero, in their order.
  [[nodiscard]] std::vector<Expr> values() const;

 private:
  std::size_t size_ = 0;
  Expr zero_;
  std::vector<Entry> entries_;
};

}  // namespace vinculum::expr
