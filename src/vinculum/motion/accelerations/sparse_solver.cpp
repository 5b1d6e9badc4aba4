#include "vinculum/motion/accelerations/sparse_solver.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/accelerations/near_singular.hpp"
#include "vinculum/numeric/rank.hpp"

namespace vinculum::sim {

SparseSolver::SparseSolver(StateKernels& at, EquationPieces& pieces, const Routes& routes)
    : at_(at), pieces_(pieces), routes_(routes) {}

bool SparseSolver::takes_entries() const {
  const equations::System& system = *at_.compiled->system;
  return at_.nu + at_.nc >= numeric::RankedRows::kFewest && routes_.is_explicit() && !at_.compiled->is_implicit() &&
         system.directed.empty() && !system.higher && !system.has_indefinite_mass;
}

bool SparseSolver::factor(const std::vector<int>& rows, double defect) {
  std::vector<numeric::SparseEntry> entries;
  Vector certainty(static_cast<Eigen::Index>(rows.size()));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const int row = rows[k];
    nth(certainty, k) = pieces_.matrices.certainty[row];
    for (int at = pieces_.rows.A.pattern->begin(row); at < pieces_.rows.A.pattern->end(row); ++at)
      if (pieces_.rows.A.values[at] != 0.0)
        entries.emplace_back(pieces_.rows.A.pattern->column_of(at), static_cast<int>(k), pieces_.rows.A.values[at]);
  }
  At_.resize(at_.nu, certainty.size());
  At_.setFromTriplets(entries.begin(), entries.end());
  const double finest = numeric::rank_threshold(tolerance::kRank, at_.nu, static_cast<int>(rows.size()));
  if (!rows_.factor(M_, At_, certainty, finest)) return false;
  const double doubt = tolerance::kDoubt * defect;
  const bool is_plain = rows_.rank() == At_.cols() && rows_.conditioning() >= doubt;
  return is_plain || doubt <= finest || rows_.factor(M_, At_, certainty, doubt);
}

bool SparseSolver::correct(double t, const double* y, const std::vector<int>& rows, bool of_positions, double worst,
                           Vector& defect, Vector& correction) {
  if (!takes_entries()) return false;
  if (!pieces_.read_vectors(t, y, pieces_.matrices)) return false;
  M_ = at_.layout.metric->sparse(at_.result.data());
  if (of_positions) G_ = at_.layout.G.sparse(at_.result.data());
  pieces_.rows.judge(pieces_.matrices);
  pieces_.rows.stir_state(t, y, pieces_.matrices);
  for (const int row : rows) {
    // If the gradient of a row is this short compared with its typical length, the rounding error of φ or ψ would give
    // a large correction. So the row is left out, and the other rows correct the state.
    if (pieces_.rows.row_sums[row] <= tolerance::kNearSingular * at_.sizes.usual_row[row])
      pieces_.rows.A.row(row).setZero();
  }
  if (!factor(rows, pieces_.rows.seen_by_rows(worst))) return false;
  for (std::size_t k = 0; k < rows.size(); ++k)
    nth(defect, k) = -(of_positions ? pieces_.matrices.phi : pieces_.matrices.psi)[rows[k]];
  u_ = rows_.least(defect);
  if (!u_.allFinite()) return false;
  if (of_positions) {
    correction.head(at_.nq) = G_ * u_;
  } else {
    correction.head(at_.nu) = u_;
  }
  return true;
}

bool SparseSolver::solve_at(double t, const double* y) {
  std::vector<int> all(static_cast<std::size_t>(at_.nc));
  std::iota(all.begin(), all.end(), 0);
  Matrices& m = pieces_.matrices;
  if (!pieces_.read_vectors(t, y, m)) return false;
  M_ = at_.layout.metric->sparse(at_.result.data());
  pieces_.rows.judge(m);
  pieces_.rows.stir_state(t, y, m);
  defect_ = pieces_.rows.relative_defect(m);
  if (!factor(all, pieces_.rows.seen_by_rows(defect_))) return false;
  force_ = m.f + m.C;
  rows_.solve(force_, m.b, u_, lambda_);
  return u_.allFinite();
}

bool SparseSolver::is_doubtful() const {
  if (rows_.conditioning() < kNearlyDependent || !do_left_out_agree()) return true;
  for (int i = 0; i < at_.nc; ++i) {
    const double doubt = std::max(tolerance::kRounded, tolerance::kDoubt * defect_);
    const double usual = at_.sizes.usual_row[i];
    if (usual > 0.0 && pieces_.rows.row_sums[i] <= doubt * usual) return true;
  }
  return false;
}

bool SparseSolver::do_left_out_agree() const {
  const double defect = pieces_.rows.seen_by_rows(defect_);
  const double share = std::max(tolerance::kConsistency, tolerance::kPerDefect * tolerance::kDoubt * defect);
  double of_others = 0.0;
  for (int i = 0; i < at_.nc; ++i) of_others = std::max(of_others, rows_.scale(i) * pieces_.matrices.doubt[i]);
  for (int i = 0; i < at_.nc; ++i) {
    if (rows_.is_kept(i)) continue;
    double missed = pieces_.matrices.b[i], scale = std::abs(pieces_.matrices.b[i]);
    for (int at = pieces_.rows.A.pattern->begin(i); at < pieces_.rows.A.pattern->end(i); ++at) {
      const double part = pieces_.rows.A.values[at] * u_[pieces_.rows.A.pattern->column_of(at)];
      missed -= part;
      scale += std::abs(part);
    }
    const double weight = rows_.scale(i);
    const double doubt = pieces_.matrices.doubt[i] + (weight > 0.0 ? of_others / weight : 0.0);
    if (!(std::abs(missed) <= share * scale + doubt)) return false;
  }
  return true;
}

}  // namespace vinculum::sim
