#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/base/rounded.hpp"
#include "vinculum/compiled/structure.hpp"

namespace vinculum::sim {

/// Evidence for the judgment of each row. With it, a change of parameter values requires a new judgment only of rows
/// that may be affected.
struct RowEvidence {
  struct Row {
    expr::Expr entry;  ///< a gradient entry that is not zero at `state`; not valid if there is none
    /// Bit i mod 64 for each parameter i that the entry (or without entry the row) depends on.
    std::uint64_t parameters = 0;
  };
  std::vector<Row> rows;           ///< [nc]
  std::vector<expr::Expr> inputs;  ///< t, q, u, z, parameters
  std::vector<Rounded> state;      ///< their values; empty if the equations are finite at no state near the start
  [[nodiscard]] bool still_holds(std::span<const double> parameters, std::span<const char> has_changed) const;
};

struct JudgedRows {
  std::vector<Embedding> embedding;  ///< [nc]
  RowEvidence evidence;
};

/// Finds the rows that the choice of coordinates satisfies identically, wholly or in part, for given parameter values
/// [nc]. Examples: the plane of an upright wheel whose height is a constant; a ball that is an ellipsoid with equal
/// axes; the mesh of a gear whose ratio the angles already have.
///
/// Numerically such a row is not 0 but the rounding error of terms that cancel. So every entry is compared with the
/// rounding error of its own terms: it counts as zero if 0 is within that error at all sampled states. This is
/// independent of units and of the size of other rows: a row that is merely much smaller than others remains a row.
/// Constants of the model text count as exact up to the rounding of their notation: sin(180 deg) is 0. Only expressions
/// without branches are judged; for others, samples do not prove an identity. Source: numerics.md (identically
/// satisfied rows).   Test: embedded_rows_test.cpp.
[[nodiscard]] JudgedRows embedding_of_rows(const Structure& structure, std::span<const double> parameters);

}  // namespace vinculum::sim
