#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/expr/evaluation.hpp"
#include "vinculum/expr/greatest_size.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/numeric/cholesky.hpp"
#include "vinculum/numeric/rank.hpp"
#include "vinculum/numeric/ranked_rows.hpp"
#include "vinculum/numeric/semidefinite_mass.hpp"
#include "vinculum/solve/generated/dependent_speeds.hpp"
#include "vinculum/solve/generated/static_ldlt.hpp"

namespace vinculum::solve {
namespace {

using numeric::SparseEntry;
using numeric::SparseMatrix;

struct Sample {
  SparseMatrix M;
  SparseMatrix A;  ///< [nu × nc] the transpose of A: one column per row of A
  Vector b;
  /// [nu × nc] Aᵀ with row j divided by the root of the inertia of speed j, so that speeds of unlike dimensions become
  /// comparable.
  SparseMatrix rows;
  Vector weights;  ///< [nc] weights W from `semidefinite_weights`
};

/// [nu × nc] Aᵀ with row j divided by √(M_jj + (AᵀWA)_jj), for each speed j.
SparseMatrix over_inertia(const Sample& of) {
  Vector inertia = of.M.diagonal().cwiseAbs();
  SparseMatrix rows = of.A;
  for (Eigen::Index i = 0; i < rows.cols(); ++i) {
    for (SparseMatrix::InnerIterator entry(rows, i); entry; ++entry)
      inertia[entry.row()] += entry.value() * entry.value() * of.weights[i];
  }
  for (Eigen::Index i = 0; i < rows.cols(); ++i) {
    for (SparseMatrix::InnerIterator entry(rows, i); entry; ++entry) {
      const double along = inertia[entry.row()];
      if (along > 0.0 && std::isfinite(along)) entry.valueRef() /= std::sqrt(along);
    }
  }
  return rows;
}

std::vector<Sample> evaluate(const SymbolicSystem& system, std::span<const expr::Expr> b,
                             std::span<const expr::Expr> inputs, std::span<const std::vector<double>> states) {
  const auto nu = static_cast<std::size_t>(system.nu), nc = system.A.size();
  std::vector<expr::Expr> roots;
  struct Place {
    int row, column;
  };
  std::vector<Place> of_M, of_A;
  for (std::size_t k = 0; k < system.M.size(); ++k) {
    if (system.M[k].is_zero()) continue;
    of_M.push_back({static_cast<int>(k / nu), static_cast<int>(k % nu)});
    roots.push_back(system.M[k]);
  }
  for (std::size_t i = 0; i < nc; ++i) {
    for (const auto& [j, entry] : system.A[i]) {
      of_A.push_back({static_cast<int>(j), static_cast<int>(i)});
      roots.push_back(entry);
    }
  }
  roots.insert(roots.end(), b.begin(), b.end());
  const expr::Evaluation evaluation(roots, inputs);
  std::vector<Sample> samples;
  for (const std::vector<double>& state : states) {
    const std::vector<double> values = evaluation.at(state);
    if (!std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); })) continue;
    const double* next = values.data();
    const auto read = [&next](const std::vector<Place>& places, int rows, std::size_t columns) {
      std::vector<SparseEntry> entries;
      entries.reserve(places.size());
      for (const Place& place : places) entries.emplace_back(place.row, place.column, *next++);
      SparseMatrix matrix(rows, static_cast<int>(columns));
      matrix.setFromTriplets(entries.begin(), entries.end());
      return matrix;
    };
    Sample& sample = samples.emplace_back();
    sample.M = read(of_M, system.nu, nu);
    sample.A = read(of_A, system.nu, nc);
    sample.b = Eigen::Map<const Vector>(next, static_cast<Eigen::Index>(nc));
    sample.weights = numeric::semidefinite_weights(sample.M, sample.A);
    sample.rows = over_inertia(sample);
  }
  return samples;
}

/// The sample at which a row of A is longest, and the speed of its largest entry there.
struct Longest {
  const Sample* sample = nullptr;
  Eigen::Index column = 0;
};

Longest longest_of(const std::vector<Sample>& samples, int k) {
  Longest found;
  double longest = 0.0;
  for (const Sample& s : samples) {
    const double length = s.rows.col(k).norm();
    if (!(length > longest)) continue;
    longest = length;
    found.sample = &s;
    double largest = 0.0;
    for (SparseMatrix::InnerIterator entry(s.rows, k); entry; ++entry) {
      if (!(std::abs(entry.value()) > largest)) continue;
      largest = std::abs(entry.value());
      found.column = entry.row();
    }
  }
  return found;
}

/// Factor by which row i of A and b is a multiple of row k at every sample; 0 if it is no multiple.
double find_factor(const std::vector<Sample>& samples, int i, int k, const Longest& of_k) {
  if (of_k.sample == nullptr) return 0.0;
  const SparseMatrix& A = of_k.sample->A;
  // If row i was written as a multiple of row k, this quotient is exact.
  const double factor = A.coeff(of_k.column, i) / A.coeff(of_k.column, k);
  if (factor == 0.0) return 0.0;
  double largest_b = 0.0;
  for (const Sample& s : samples) largest_b = std::max(largest_b, std::abs(s.b[i]));
  for (const Sample& s : samples) {
    if ((s.rows.col(i) - factor * s.rows.col(k)).norm() > tolerance::kIdentity * s.rows.col(i).norm()) return 0.0;
    if (std::abs(s.b[i] - factor * s.b[k]) > tolerance::kIdentity * largest_b) return 0.0;
  }
  return factor;
}

/// Sets `representative` and `factor` of rows that are multiples of earlier rows. A row is compared only with rows
/// whose largest entry is in a column in which it has an entry too.
void find_multiples(const SymbolicSystem& system, const std::vector<Sample>& samples, StaticStructure& structure) {
  const int nc = static_cast<int>(system.A.size());
  structure.factor.assign(system.A.size(), 1.0);
  std::vector<Longest> longest;
  // For each column, the representatives whose largest entry is in this column.
  std::vector<std::vector<int>> by_column(static_cast<std::size_t>(system.nu));
  for (int i = 0; i < nc; ++i) {
    longest.push_back(longest_of(samples, i));
    std::vector<int> candidates;
    for (const auto& [column, entry] : nth(system.A, i))
      candidates.insert(candidates.end(), by_column[column].begin(), by_column[column].end());
    std::ranges::sort(candidates);
    int representative = i;
    for (const int k : candidates) {
      if (const double factor = find_factor(samples, i, k, nth(longest, k)); factor != 0.0) {
        representative = k;
        nth(structure.factor, i) = factor;
        break;
      }
    }
    structure.representative.push_back(representative);
    const Longest& own = longest.back();
    if (representative == i && own.sample != nullptr) nth(by_column, own.column).push_back(i);
  }
}

/// Rows of one sample after subtracting their components along the chosen rows, and the lengths of these remainders.
struct Rest {
  Matrix columns;  ///< [nu × nc] remainder of each row; initially the row, scaled to unit length
  Vector lengths;

  explicit Rest(const Sample& sample) : columns(sample.rows), lengths(columns.colwise().norm()) {
    Vector scales(lengths.size());
    numeric::equilibrate_rows(lengths, scales);
    for (Eigen::Index i = 0; i < lengths.size(); ++i) columns.col(i) *= lengths[i] > 0.0 ? scales[i] : 0.0;
    lengths = columns.colwise().norm();
  }

  /// Subtracts from all rows their component along `row`. Rows that share no speed with `row` do not change.
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

/// True if all candidates are clearly independent at one of the samples.
bool are_independent(const std::vector<Sample>& samples, const std::vector<int>& candidates) {
  numeric::RankedRows rows;
  return std::ranges::any_of(samples, [&](const Sample& sample) {
    SparseMatrix some(sample.rows.rows(), static_cast<Eigen::Index>(candidates.size()));
    for (std::size_t c = 0; c < candidates.size(); ++c)
      some.col(static_cast<Eigen::Index>(c)) = sample.rows.col(candidates[c]);
    SparseMatrix unit(some.rows(), some.rows());
    unit.setIdentity();
    return rows.factor(unit, some, Vector::Ones(some.cols()), tolerance::kFloor) && rows.rank() == some.cols();
  });
}

/// A subset of `candidates` that spans all candidates at the samples, chosen greedily: in each turn the row with the
/// longest remainders is added.
std::vector<int> independent_rows(const std::vector<Sample>& samples, std::vector<int> candidates) {
  if (are_independent(samples, candidates)) return candidates;
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
      // Among rows with equally long remainders the earlier one is chosen.
      if (largest > tolerance::kAtStates && sum > most * (1.0 + tolerance::kTie)) {
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
    if (numeric::is_regular(s.M, tolerance::kWeakMass)) return;
    for (Eigen::Index i = 0; i < nc; ++i) weights[static_cast<std::size_t>(i)].push_back(s.weights[i]);
  }
  structure.is_mass_singular = !samples.empty() && nc > 0;
  if (!structure.is_mass_singular) return;
  for (auto& of_row : weights) {
    const auto middle = of_row.begin() + static_cast<std::ptrdiff_t>(of_row.size() / 2);
    std::nth_element(of_row.begin(), middle, of_row.end());
    structure.weights.push_back(*middle);
  }
}

/// True if the kept rows determine speeds with constant coefficients (DependentSpeeds), and the remaining mass matrix
/// can be eliminated at all states with pivots ten times as large as the guard requires.
bool can_take_speeds(const SymbolicSystem& system, const std::vector<int>& kept, std::span<const expr::Expr> inputs,
                     std::span<const std::vector<double>> states) {
  constexpr std::size_t kMostRows = 24;  // with more rows the mass matrix of the remaining speeds is almost full
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

/// The argument `greatest` of `judge_by_form`.   \param state  any state, because the bounds are the same at all
/// states.
Matrix greatest_of(const std::vector<expr::SparseRow>& rows, const SymbolicSystem& system,
                   std::span<const expr::Expr> inputs, std::span<const double> state) {
  std::vector<expr::Expr> entries, sizes;
  for (const expr::SparseRow& row : rows) {
    for (const auto& [j, entry] : row) entries.push_back(entry);
  }
  const std::vector<expr::Expr> found = expr::greatest_sizes(entries, system.parameters);
  const expr::Expr none = system.M.front().graph().constant(std::numeric_limits<double>::infinity());
  for (const expr::Expr size : found) sizes.push_back(size.is_valid() ? size : none);
  const std::vector<double> values = expr::interpret(sizes, inputs, state);
  Matrix greatest = Matrix::Zero(static_cast<Eigen::Index>(rows.size()), system.nu);
  auto value = values.begin();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const auto& [j, entry] : rows[i])
      greatest(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) = *value++;
  }
  return greatest;
}

SpeedBlocks blocks_of_kept(const SymbolicSystem& system, std::vector<int> kept, const std::vector<Sample>& samples,
                           std::span<const expr::Expr> inputs, std::span<const double> state) {
  constexpr int kMostSpeeds = 24;  // with more speeds there are too many choices of blocks
  if (system.nu > kMostSpeeds) return {};
  std::ranges::sort(kept);
  std::vector<expr::SparseRow> rows;
  for (const int row : kept) rows.push_back(nth(system.A, row));
  std::vector<Matrix> M, A;
  for (const Sample& sample : samples) {
    M.emplace_back(sample.M);
    Matrix& at = A.emplace_back(static_cast<Eigen::Index>(kept.size()), system.nu);
    for (std::size_t k = 0; k < kept.size(); ++k)
      at.row(static_cast<Eigen::Index>(k)) = Vector(sample.A.col(kept[k])).transpose();
  }
  SpeedBlocks blocks = find_speed_blocks(rows, M, A);
  if (!blocks.is_empty()) judge_by_form(blocks, A, greatest_of(rows, system, inputs, state));
  return blocks;
}

}  // namespace

StaticStructure analyze_structure(const SymbolicSystem& system, std::span<const expr::Expr> b,
                                  std::span<const expr::Expr> inputs, std::span<const std::vector<double>> states) {
  VINCULUM_EXPECTS(b.size() == system.A.size());
  const int nc = static_cast<int>(system.A.size());
  if (nc == 0) return {};  // without rows, the guard `contraction` of each solution checks M
  const std::vector<Sample> samples = evaluate(system, b, inputs, states);
  StaticStructure structure;
  find_multiples(system, samples, structure);
  if (samples.empty()) {
    structure.generic_rank = std::min(nc, system.nu);
    return structure;
  }
  std::vector<int> candidates;
  for (int i = 0; i < nc; ++i) {
    if (nth(structure.representative, i) == i && longest_of(samples, i).sample != nullptr) candidates.push_back(i);
  }
  const std::vector<int> kept = independent_rows(samples, std::move(candidates));
  structure.generic_rank = static_cast<int>(kept.size());
  std::vector<char> is_kept(static_cast<std::size_t>(nc), 0);
  for (const int row : kept) nth(is_kept, row) = 1;
  for (int& representative : structure.representative) {
    if (nth(is_kept, representative) == 0) representative = StaticStructure::kDependent;
  }
  analyze_mass(samples, structure);
  if (structure.is_mass_singular) return structure;
  structure.gives_speeds = can_take_speeds(system, kept, inputs, states);
  structure.blocks = blocks_of_kept(system, kept, samples, inputs, states.front());
  return structure;
}

}  // namespace vinculum::solve
