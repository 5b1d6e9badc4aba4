#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/base/rounded.hpp"
#include "vinculum/compiled/structure.hpp"

namespace vinculum::sim {

/// Why rows are rows, or not, so that other values of the parameters are judged anew only where they may matter.
struct RowEvidence {
  struct Row {
    expr::Expr entry;              ///< of its gradient, and not zero at `state`; invalid where there is none
    std::uint64_t parameters = 0;  ///< bit i mod 64 for each that the entry depends on; where there is none, the row
  };
  std::vector<Row> rows;           ///< [nc]
  std::vector<expr::Expr> inputs;  ///< t, q, u, z, parameters
  std::vector<Rounded> state;      ///< their values; none where the equations are finite nowhere near the start
  [[nodiscard]] bool still_holds(std::span<const double> parameters, std::span<const char> has_changed) const;
};

struct JudgedRows {
  std::vector<Embedding> embedding;  ///< [nc]
  RowEvidence evidence;
};

/// What the choice of coordinates leaves of each row with these values of the parameters [nc]: the plane of an upright
/// wheel whose height is a number, a ball that is an ellipsoid of equal axes, the mesh of a gear whose ratio the angles
/// have already.
///
/// Such a row is no number 0 but what rounding leaves of terms that cancel. So every entry is measured by its own
/// terms: it is zero where 0 is as good a value at all states tried, in whatever units, and however small the terms of
/// the row are beside those of others; a row that is only much smaller than its neighbours is a row. Numbers that a
/// text states are taken to be known as well as they can be written: sin(180 deg) is 0. Only expressions without
/// branches are judged: for others what holds at some states need not hold at all. Source: numerics.md (rows that the
/// coordinates hold).   Law: embedded_rows_test.cpp.
[[nodiscard]] JudgedRows embedding_of_rows(const Structure& structure, std::span<const double> parameters);

}  // namespace vinculum::sim
