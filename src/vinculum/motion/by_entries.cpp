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
  return nu + nc >= numeric::RankedRows::kFewest && formulation == equations::Formulation::kExplicit && !implicit &&
         !directed && !higher && compiled->nonlinear.empty() && !compiled->system->has_indefinite_mass;
}

/// \pre pieces with M read at the state, rows judged, nothing evaluated since
bool Dynamics::Impl::factor_entries(const std::vector<int>& rows, double defect) {
  ByEntries& by = *by_entries;
  std::vector<numeric::SparseEntry> entries;
  Vector certainty(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const int row = rows[k];
    nth(certainty, k) = matrices.certainty[row];
    for (int at = A.pattern->begin(row); at < A.pattern->end(row); ++at)
      if (A.values[at] != 0.0) entries.emplace_back(A.pattern->column_of(at), static_cast<int>(k), A.values[at]);
  }
  by.At.resize(nu, certainty.size());
  by.At.setFromTriplets(entries.begin(), entries.end());
  const double finest = numeric::rank_threshold(tolerance::kRank, nu, static_cast<int>(rows.size()));
  if (!by.rows.factor(by.M, by.At, certainty, finest)) return false;
  const double doubt = tolerance::kDoubt * defect;
  const bool is_plain = by.rows.rank() == by.At.cols() && by.rows.conditioning() >= doubt;
  return is_plain || doubt <= finest || by.rows.factor(by.M, by.At, certainty, doubt);
}

bool Dynamics::Impl::correction_by_entries(double t, const double* y, RowSet& set, bool of_positions, double worst) {
  if (!takes_entries()) return false;
  if (!by_entries) by_entries = std::make_unique<ByEntries>();
  ByEntries& by = *by_entries;
  if (!read_vectors(t, y, matrices)) return false;
  by.M = layout.metric->sparse(result.data());
  if (of_positions) by.G = layout.G.sparse(result.data());
  judge_rows(matrices);
  stir_state(t, y, matrices);
  for (const int row : set.rows) {
    // Rounding of a violation over so short a gradient would be a long way: the other rows lead where it holds.
    if (row_sums[row] <= tolerance::kNearSingular * sizes.usual_row[row]) A.row(row).setZero();
  }
  if (!factor_entries(set.rows, seen_by_rows(worst))) return false;
  for (std::size_t k = 0; k < set.rows.size(); ++k)
    nth(set.defect, k) = -(of_positions ? matrices.phi : matrices.psi)[set.rows[k]];
  by.u = by.rows.least(set.defect);
  if (!by.u.allFinite()) return false;
  if (of_positions) {
    correction.head(nq) = by.G * by.u;
  } else {
    correction.head(nu) = by.u;
  }
  return true;
}

/// Whether rows that are left out agree with those that are kept, as far as the numbers of the state are known.
bool Dynamics::Impl::do_left_out_agree(double defect) const {
  const ByEntries& by = *by_entries;
  const double share = std::max(tolerance::kConsistency, tolerance::kPerDefect * tolerance::kDoubt * defect);
  double of_others = 0.0;
  for (int i = 0; i < nc; ++i) of_others = std::max(of_others, by.rows.scale(i) * matrices.doubt[i]);
  for (int i = 0; i < nc; ++i) {
    if (by.rows.is_kept(i)) continue;
    double missed = matrices.b[i], scale = std::abs(matrices.b[i]);
    for (int at = A.pattern->begin(i); at < A.pattern->end(i); ++at) {
      const double part = A.values[at] * by.u[A.pattern->column_of(at)];
      missed -= part;
      scale += std::abs(part);
    }
    const double weight = by.rows.scale(i);
    const double doubt = matrices.doubt[i] + (weight > 0.0 ? of_others / weight : 0.0);
    if (!(std::abs(missed) <= share * scale + doubt)) return false;
  }
  return true;
}

bool Dynamics::Impl::derivative_by_entries(double t, const double* y, double* y_dot) {
  if (!takes_entries() || nz > 0) return false;
  if (!by_entries) by_entries = std::make_unique<ByEntries>();
  ByEntries& by = *by_entries;
  std::vector<int> all(static_cast<std::size_t>(nc));
  for (int i = 0; i < nc; ++i) nth(all, i) = i;
  double defect = 0.0;
  const auto solve_at = [&](const double* state) {
    if (!read_vectors(t, state, matrices)) return false;
    by.M = layout.metric->sparse(result.data());
    judge_rows(matrices);
    stir_state(t, state, matrices);
    defect = relative_defect(matrices);
    if (!factor_entries(all, seen_by_rows(defect))) return false;
    by.force = matrices.f + matrices.C;
    by.rows.solve(by.force, matrices.b, by.u, by.lambda);
    return by.u.allFinite();
  };
  const auto is_doubtful = [&] {
    if (by.rows.conditioning() < kNearlyDependent || !do_left_out_agree(seen_by_rows(defect))) return true;
    for (int i = 0; i < nc; ++i) {
      const double doubt = std::max(tolerance::kRounded, tolerance::kDoubt * defect);
      if (sizes.usual_row[i] > 0.0 && row_sums[i] <= doubt * sizes.usual_row[i]) return true;
    }
    return false;
  };
  if (!solve_at(y)) return false;
  if (defect > tolerance::kRounded && is_doubtful()) {
    mode->calls_on_constraints = kCallsNearSingular;
    projected = Eigen::Map<const Vector>(y, ny);
    if (!project_onto_constraints(t, projected.data()) || !solve_at(projected.data())) return false;
  }
  if (!do_left_out_agree(seen_by_rows(defect))) return false;
  mode->counts.lowest_rank =
      mode->counts.lowest_rank < 0 ? by.rows.rank() : std::min(mode->counts.lowest_rank, by.rows.rank());
  std::copy_n(matrices.q_dot.data(), nq, y_dot);
  std::copy_n(by.u.data(), nu, y_dot + nq);
  return true;
}

}  // namespace vinculum::sim
