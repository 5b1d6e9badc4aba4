#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "vinculum/base/rounded.hpp"
#include "vinculum/compiled/structure.hpp"

namespace vinculum::sim {

/// Data from which `still_holds` decides whether the result of `embedding_of_rows` is valid for other parameter values
/// too.
struct RowEvidence {
  struct Row {
    expr::Expr entry;  ///< a gradient entry of the row that is not zero at `state`; not valid if all entries are zero
    /// Bit i mod 64 is set for each parameter i on which `entry` depends (or the row, if `entry` is not valid).
    std::uint64_t parameters = 0;
  };
  std::vector<Row> rows;           ///< [nc] evidence for each row
  std::vector<expr::Expr> inputs;  ///< symbols t, q, u, z, parameters
  std::vector<Rounded> state;      ///< [inputs] values; empty if the equations are finite at no state near the start
  /// False if the embedding of a row may differ for these parameter values.
  /// \param has_changed  [parameters] 1 if the value differs from that of the earlier result
  [[nodiscard]] bool still_holds(std::span<const double> parameters, std::span<const char> has_changed) const;
};

struct JudgedRows {
  std::vector<Embedding> embedding;  ///< [nc] result for each row
  RowEvidence evidence;
};

/// Finds the rows that the choice of coordinates satisfies identically, wholly or in part, for given parameter values
/// [nc]. Examples: an upright wheel whose height is a constant satisfies the contact with the plane; an ellipsoid with
/// equal axes is a ball; the angles of a gear may already have the gear ratio.
///
/// Numerically such a row is not 0 but the rounding error of terms that cancel. So every entry is compared with the
/// rounding error of its own terms. It counts as zero if it may be 0 within that error at all sampled states. This test
/// does not depend on units or on the size of other rows, so a row that is only much smaller than others remains a row.
/// Constants of the model text count as exact up to the rounding of their notation: sin(180 deg) is 0. Expressions with
/// branches are not tested, because samples do not prove an identity for them. Source: numerics.md (identically
/// satisfied rows).   Test: embedded_rows_test.cpp.
[[nodiscard]] JudgedRows embedding_of_rows(const Structure& structure, std::span<const double> parameters);

}  // namespace vinculum::sim
