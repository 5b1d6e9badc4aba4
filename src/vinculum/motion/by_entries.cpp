// Large models near singular poses: corrections and accelerations by the entries of their matrices, at a price that
// goes with the size of the model. What is not found beyond doubt, and what fails, the pivoted solver decides and
// names.
#include <algorithm>
#include <cmath>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/dynamics_impl.hpp"
#include "vinculum/numeric/rank.hpp"

namespace vinculum::sim {
bool Dynamics::Impl::takes_entries() const {
  return at_.nu + at_.nc >= numeric::RankedRows::kFewest && formulation == equations::Formulation::kExplicit && !implicit &&
         !directed && !higher && at_.compiled->nonlinear.empty() && !at_.compiled->system->has_indefinite_mass;
}

/// \pre pieces with M read at the state, rows judged, nothing evaluated since
bool Dynamics::Impl::factor_entries(const std::vector<int>& rows, double defect) {
  ByEntries& by = *by_entries;
  std::vector<numeric::SparseEntry> entries;
  Vector certainty(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const int row = rows[k];
    nth(certainty, k) = pieces_.matrices.certainty[row];
    for (int at = pieces_.rows.A.pattern->begin(row); at < pieces_.rows.A.pattern->end(row); ++at)
      if (pieces_.rows.A.values[at] != 0.0) entries.emplace_back(pieces_.rows.A.pattern->column_of(at), static_cast<int>(k), pieces_.rows.A.values[at]);
  }
  by.At.resize(at_.nu, certainty.size());
  by.At.setFromTriplets(entries.begin(), entries.end());
  const double finest = numeric::rank_threshold(tolerance::kRank, at_.nu, static_cast<int>(rows.size()));
  if (!by.rows.factor(by.M, by.At, certainty, finest)) return false;
  const double doubt = tolerance::kDoubt * defect;
  const bool is_plain = by.rows.rank() == by.At.cols() && by.rows.conditioning() >= doubt;
  return is_plain || doubt <= finest || by.rows.factor(by.M, by.At, certainty, doubt);
}

bool Dynamics::Impl::correction_by_entries(double t, const double* y, RowSet& set, bool of_positions, double worst) {
  if (!takes_entries()) return false;
  if (!by_entries) by_entries = std::make_unique<ByEntries>();
  ByEntries& by = *by_entries;
  if (!pieces_.read_vectors(t, y, pieces_.matrices)) return false;
  by.M = at_.layout.metric->sparse(at_.result.data());
  if (of_positions) by.G = at_.layout.G.sparse(at_.result.data());
  pieces_.rows.judge(pieces_.matrices);
  pieces_.rows.stir_state(t, y, pieces_.matrices);
  for (const int row : set.rows) {
    // Rounding of a violation over so short a gradient would be a long way: the other rows lead where it holds.
    if (pieces_.rows.row_sums[row] <= tolerance::kNearSingular * at_.sizes.usual_row[row]) pieces_.rows.A.row(row).setZero();
  }
  if (!factor_entries(set.rows, pieces_.rows.seen_by_rows(worst))) return false;
  for (std::size_t k = 0; k < set.rows.size(); ++k)
    nth(set.defect, k) = -(of_positions ? pieces_.matrices.phi : pieces_.matrices.psi)[set.rows[k]];
  by.u = by.rows.least(set.defect);
  if (!by.u.allFinite()) return false;
  if (of_positions) {
    correction.head(at_.nq) = by.G * by.u;
  } else {
    correction.head(at_.nu) = by.u;
  }
  return true;
}

/// Whether rows that are left out agree with those that are kept, as far as the numbers of the state are known.
bool Dynamics::Impl::do_left_out_agree(double defect) const {
  const ByEntries& by = *by_entries;
  const double share = std::max(tolerance::kConsistency, tolerance::kPerDefect * tolerance::kDoubt * defect);
  double of_others = 0.0;
  for (int i = 0; i < at_.nc; ++i) of_others = std::max(of_others, by.rows.scale(i) * pieces_.matrices.doubt[i]);
  for (int i = 0; i < at_.nc; ++i) {
    if (by.rows.is_kept(i)) continue;
    double missed = pieces_.matrices.b[i], scale = std::abs(pieces_.matrices.b[i]);
    for (int at = pieces_.rows.A.pattern->begin(i); at < pieces_.rows.A.pattern->end(i); ++at) {
      const double part = pieces_.rows.A.values[at] * by.u[pieces_.rows.A.pattern->column_of(at)];
      missed -= part;
      scale += std::abs(part);
    }
    const double weight = by.rows.scale(i);
    const double doubt = pieces_.matrices.doubt[i] + (weight > 0.0 ? of_others / weight : 0.0);
    if (!(std::abs(missed) <= share * scale + doubt)) return false;
  }
  return true;
}

bool Dynamics::Impl::derivative_by_entries(double t, const double* y, double* y_dot) {
  if (!takes_entries() || at_.nz > 0) return false;
  if (!by_entries) by_entries = std::make_unique<ByEntries>();
  ByEntries& by = *by_entries;
  std::vector<int> all(static_cast<std::size_t>(at_.nc));
  for (int i = 0; i < at_.nc; ++i) nth(all, i) = i;
  double defect = 0.0;
  const auto solve_at = [&](const double* state) {
    if (!pieces_.read_vectors(t, state, pieces_.matrices)) return false;
    by.M = at_.layout.metric->sparse(at_.result.data());
    pieces_.rows.judge(pieces_.matrices);
    pieces_.rows.stir_state(t, state, pieces_.matrices);
    defect = pieces_.rows.relative_defect(pieces_.matrices);
    if (!factor_entries(all, pieces_.rows.seen_by_rows(defect))) return false;
    by.force = pieces_.matrices.f + pieces_.matrices.C;
    by.rows.solve(by.force, pieces_.matrices.b, by.u, by.lambda);
    return by.u.allFinite();
  };
  const auto is_doubtful = [&] {
    if (by.rows.conditioning() < kNearlyDependent || !do_left_out_agree(pieces_.rows.seen_by_rows(defect))) return true;
    for (int i = 0; i < at_.nc; ++i) {
      const double doubt = std::max(tolerance::kRounded, tolerance::kDoubt * defect);
      if (at_.sizes.usual_row[i] > 0.0 && pieces_.rows.row_sums[i] <= doubt * at_.sizes.usual_row[i]) return true;
    }
    return false;
  };
  if (!solve_at(y)) return false;
  if (defect > tolerance::kRounded && is_doubtful()) {
    at_.mode->calls_on_constraints = kCallsNearSingular;
    projected = Eigen::Map<const Vector>(y, at_.ny);
    if (!project_onto_constraints(t, projected.data()) || !solve_at(projected.data())) return false;
  }
  if (!do_left_out_agree(pieces_.rows.seen_by_rows(defect))) return false;
  at_.mode->counts.lowest_rank =
      at_.mode->counts.lowest_rank < 0 ? by.rows.rank() : std::min(at_.mode->counts.lowest_rank, by.rows.rank());
  std::copy_n(pieces_.matrices.q_dot.data(), at_.nq, y_dot);
  std::copy_n(by.u.data(), at_.nu, y_dot + at_.nq);
  return true;
}

}  // namespace vinculum::sim
