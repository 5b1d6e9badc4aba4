#include <algorithm>
#include <cmath>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/evaluation.hpp"
#include "vinculum/numeric/cholesky.hpp"
#include "vinculum/numeric/rank.hpp"
#include "vinculum/numeric/semidefinite_mass.hpp"
#include "vinculum/solve/dependent_speeds.hpp"
#include "vinculum/solve/static_ldlt.hpp"

namespace vinculum::solve {
namespace {

struct Sample {
  Matrix M, A;
  Vector b;
  Matrix rows;  ///< those of A over the inertia along each speed: speeds of unlike dimensions are compared by it
};

/// A over √(M_jj + (AᵀWA)_jj), speed by speed.
Matrix over_inertia(const Matrix& M, const Matrix& A) {
  Vector W = Vector::Zero(A.rows());
  if (A.rows() > 0) numeric::semidefinite_weights(M, A, W);
  Matrix rows = A;
  for (Eigen::Index j = 0; j < A.cols(); ++j) {
    const double inertia = std::abs(M(j, j)) + A.col(j).cwiseAbs2().dot(W);
    if (inertia > 0.0 && std::isfinite(inertia)) rows.col(j) /= std::sqrt(inertia);
  }
  return rows;
}

std::vector<Sample> evaluate(const SymbolicSystem& system, std::span<const expr::Expr> b,
                             std::span<const expr::Expr> inputs, std::span<const std::vector<double>> states) {
  const Eigen::Index nu = system.nu;
  const auto nc = static_cast<Eigen::Index>(system.A.size());
  std::vector<expr::Expr> roots = system.M;
  for (const auto& row : system.A) roots.insert(roots.end(), row.begin(), row.end());
  roots.insert(roots.end(), b.begin(), b.end());
  const expr::Evaluation evaluation(roots, inputs);
  std::vector<Sample> samples;
  for (const std::vector<double>& state : states) {
    const std::vector<double> values = evaluation.at(state);
    if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); })) continue;
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const double* data = values.data();
    samples.push_back({Eigen::Map<const RowMajor>(data, nu, nu), Eigen::Map<const RowMajor>(data + nu * nu, nc, nu),
                       Eigen::Map<const Vector>(data + nu * nu + nc * nu, nc), Matrix()});
    samples.back().rows = over_inertia(samples.back().M, samples.back().A);
  }
  return samples;
}

/// Where a row is longest: the sample, and the column of its largest entry.
struct Longest {
  const Sample* sample = nullptr;
  Eigen::Index column = 0;
};

Longest longest_of(const std::vector<Sample>& samples, int k) {
  Longest found;
  double longest = 0.0;
  for (const Sample& s : samples) {
    const double length = s.rows.row(k).norm();
    if (!(length > longest)) continue;
    longest = length;
    found.sample = &s;
    s.rows.row(k).cwiseAbs().maxCoeff(&found.column);
  }
  return found;
}

/// The factor by which row i is row k in A and b at every sample; 0 if there is none.
double find_factor(const std::vector<Sample>& samples, int i, int k, const Longest& of_k) {
  if (of_k.sample == nullptr) return 0.0;
  const Matrix& A = of_k.sample->A;
  const double factor = A(i, of_k.column) / A(k, of_k.column);  // exact where row i was written as a multiple
  if (factor == 0.0) return 0.0;
  double largest_b = 0.0;
  for (const Sample& s : samples) largest_b = std::max(largest_b, std::abs(s.b[i]));
  for (const Sample& s : samples) {
    if ((s.rows.row(i) - factor * s.rows.row(k)).norm() > tolerance::kIdentity * s.rows.row(i).norm()) return 0.0;
    if (std::abs(s.b[i] - factor * s.b[k]) > tolerance::kIdentity * largest_b) return 0.0;
  }
  return factor;
}

/// Rows of one sample, made orthogonal to those chosen, and what is left of their lengths.
struct Rest {
  Matrix columns;  ///< [nu × nc] of unit length at first
  Vector lengths;

  explicit Rest(const Sample& sample) : columns(sample.rows.transpose()), lengths(columns.colwise().norm()) {
    Vector scales(lengths.size());
    numeric::equilibrate_rows(lengths, scales);
    for (Eigen::Index i = 0; i < lengths.size(); ++i) columns.col(i) *= lengths[i] > 0.0 ? scales[i] : 0.0;
    lengths = columns.colwise().norm();
  }

  /// Rows that share no speed with it stay as they are.
  void free_from(int row) {
    if (lengths[row] <= tolerance::kAtStates) return;
    const Vector direction = columns.col(row) / lengths[row];
    std::vector<Eigen::Index> support;
    for (Eigen::Index j = 0; j < direction.size(); ++j) {
      if (direction[j] != 0.0) support.push_back(j);
    }
    for (Eigen::Index i = 0; i < columns.cols(); ++i) {
      auto x = columns.col(i);
      bool has_changed = false;
      for (int pass = 0; pass < 2; ++pass) {
        double share = 0.0;
        for (const Eigen::Index j : support) share += x[j] * direction[j];
        if (share == 0.0) break;
        has_changed = true;
        for (const Eigen::Index j : support) x[j] -= share * direction[j];
      }
      if (has_changed) lengths[i] = x.norm();
    }
  }
};

/// Rows of `candidates` that span all of them at the samples, chosen greedily by how far they stick out.
std::vector<int> independent_rows(const std::vector<Sample>& samples, std::vector<int> candidates) {
  std::vector<Rest> rest(samples.begin(), samples.end());
  std::vector<int> chosen;
  while (!candidates.empty()) {
    std::size_t best = candidates.size();
    double most = 0.0;
    for (std::size_t c = 0; c < candidates.size(); ++c) {
      double largest = 0.0;
      double sum = 0.0;
      for (const Rest& of_sample : rest) {
        const double length = of_sample.lengths[candidates[c]];
        largest = std::max(largest, length);
        sum += length;
      }
      if (largest > tolerance::kAtStates &&
          sum > most * (1.0 + tolerance::kTie)) {  // the earlier row where they are alike
        most = sum;
        best = c;
      }
    }
    if (best == candidates.size()) break;
    for (Rest& of_sample : rest) of_sample.free_from(candidates[best]);
    chosen.push_back(candidates[best]);
    candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return chosen;
}

void analyze_mass(const std::vector<Sample>& samples, StaticStructure& structure) {
  const auto nc = static_cast<Eigen::Index>(structure.representative.size());
  std::vector<std::vector<double>> weights(static_cast<std::size_t>(nc));
  for (const Sample& s : samples) {
    if (numeric::Cholesky(static_cast<int>(s.M.rows())).factor(s.M, tolerance::kWeakMass) < 0) return;
    Vector W(nc);
    numeric::semidefinite_weights(s.M, s.A, W);
    for (Eigen::Index i = 0; i < nc; ++i) weights[static_cast<std::size_t>(i)].push_back(W[i]);
  }
  structure.is_mass_singular = !samples.empty() && nc > 0;
  if (!structure.is_mass_singular) return;
  for (auto& of_row : weights) {
    const auto middle = of_row.begin() + static_cast<std::ptrdiff_t>(of_row.size() / 2);
    std::nth_element(of_row.begin(), middle, of_row.end());
    structure.weights.push_back(*middle);
  }
}

/// Whether the rows that are kept give speeds by constants, and what is left of M can be eliminated at all states with
/// pivots ten times as large as the guard asks for.
bool can_take_speeds(const SymbolicSystem& system, const std::vector<int>& kept, std::span<const expr::Expr> inputs,
                     std::span<const std::vector<double>> states) {
  constexpr std::size_t kMostRows = 24;  // further ones leave an M that is all but full
  if (kept.empty() || kept.size() > kMostRows) return false;
  SymbolicSystem of_kept{system.nu, system.M, {}};
  std::vector<int> in_order = kept;
  std::ranges::sort(in_order);
  for (const int row : in_order) of_kept.A.push_back(nth(system.A, row));
  const DependentSpeeds dependent(of_kept);
  if (dependent.is_empty()) return false;
  const SymbolicSystem rest = dependent.rest();
  if (rest.nu == 0) return true;
  const expr::Evaluation evaluation(rest.M, inputs);
  return std::ranges::all_of(states, [&](const std::vector<double>& state) {
    const std::vector<double> values = evaluation.at(state);
    const Eigen::Map<const Matrix> M(values.data(), rest.nu, rest.nu);
    return M.allFinite() && numeric::Cholesky(rest.nu).factor(M, 10.0 * tolerance::kWeakMass) < 0;
  });
}

}  // namespace

StaticStructure analyze_structure(const SymbolicSystem& system, std::span<const expr::Expr> b,
                                  std::span<const expr::Expr> inputs, std::span<const std::vector<double>> states) {
  VINCULUM_EXPECTS(b.size() == system.A.size());
  const int nc = static_cast<int>(system.A.size());
  if (nc == 0) return {};  // what M is alone is told by the pivots of each solve
  const std::vector<Sample> samples = evaluate(system, b, inputs, states);
  StaticStructure structure;
  structure.factor.assign(static_cast<std::size_t>(nc), 1.0);
  std::vector<int> representatives;
  std::vector<Longest> longest;
  for (int i = 0; i < nc; ++i) longest.push_back(longest_of(samples, i));
  for (int i = 0; i < nc; ++i) {
    int representative = i;
    for (const int k : representatives) {
      if (const double factor = find_factor(samples, i, k, nth(longest, k)); factor != 0.0) {
        representative = k;
        structure.factor[static_cast<std::size_t>(i)] = factor;
        break;
      }
    }
    structure.representative.push_back(representative);
    if (representative == i) representatives.push_back(i);
  }
  if (samples.empty()) {
    structure.generic_rank = std::min(nc, system.nu);
    return structure;
  }
  const std::vector<int> kept = independent_rows(samples, representatives);
  structure.generic_rank = static_cast<int>(kept.size());
  for (int& representative : structure.representative) {
    if (std::find(kept.begin(), kept.end(), representative) == kept.end()) representative = StaticStructure::kDependent;
  }
  analyze_mass(samples, structure);
  if (!structure.is_mass_singular) structure.gives_speeds = can_take_speeds(system, kept, inputs, states);
  return structure;
}

}  // namespace vinculum::solve
