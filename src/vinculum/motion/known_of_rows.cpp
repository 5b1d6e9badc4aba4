// What is known of rows: how large they are, and how well their numbers and those of the state are known.
#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/dynamics_impl.hpp"

namespace vinculum::sim {
namespace {

// Error in the direction of a row, as a part of the tolerance of rank, up to which none is mistaken for a rank.
constexpr double kCertain = 0.1;

// By which part of its size a number of the state is changed to see what rows owe to it: differences are right to half
// of their digits.
constexpr double kStir = tolerance::kHalfDigits;
// Changes seen so fall short of the largest possible; and states are off their constraints by a few roundings.
constexpr double kStirred = 10.0;
// Stirs of coordinates are as unlike as the fractions of multiples of the golden section: none hides another.
constexpr double kGolden = 0.6180339887498949;

// States around the start, this part of typical sizes away.
constexpr double kPerturbationOfStart = 0.05;
constexpr int kNeighboursOfStart = 4;

// What violations of a row are relative to: its size here, or its usual one where it vanishes.
double size_of_row(double here, double usual, double without_gradient) {
  if (here > tolerance::kVanished * usual) return here;
  return usual > 0.0 ? usual : without_gradient;
}

}  // namespace

double Dynamics::Impl::size_in_place_of(int row, double size) const {
  return nth(bound->embedding(), row) == Embedding::kWhole ? std::numeric_limits<double>::infinity() : size;
}

void Dynamics::Impl::learn_sizes_at(double t, const double* y) {
  if (!read_vectors(t, y, matrices, WithMass::kNo)) return;
  judge_rows(matrices);
  learn_sizes();
}

void Dynamics::Impl::learn_sizes() {
  const auto learn = [&](const RowSet& set, const Vector& sums, const Vector& usual, Vector& sizes) {
    for (std::size_t k = 0; k < set.rows.size(); ++k) {
      const int row = set.rows[k];
      const double size = size_of_row(sums[row], usual[row], nth(set.size_without_gradient, k));
      nth(sizes, k) = size_in_place_of(row, size / matrices.certainty[row]);
    }
  };
  learn(positions, gradient_sums, sizes.usual_gradient, mode->position_size);
  learn(speeds, row_sums, sizes.usual_row, mode->velocity_size);
  mode->knows_sizes = true;
}

bool Dynamics::Impl::is_rounding(int row) const { return row_sums[row] <= tolerance::kRounded * sizes.usual_row[row]; }

void Dynamics::Impl::judge_rows(Matrices& m) {
  m.certainty.setOnes(nc);
  const double defect = nc > 1 && mode->knows_sizes ? relative_defect(m) : 0.0;
  const double known = std::max(tolerance::kRounding, defect);
  const double certain = kCertain * std::max(tolerance::kRank, tolerance::kDoubt * defect);
  for (int i = 0; i < nc; ++i) {
    const double here = row_sums[i], error = known * sizes.usual_row[i];
    if (is_rounding(i)) {
      A.row(i).setZero();
    } else if (error > certain * here) {
      m.certainty[i] = certain * here / error;
    }
  }
}

void Dynamics::Impl::forget_rounding_of_massless(Matrices& m) {
  for (int j = 0; j < nu; ++j) {
    if (m.M.rows() != nu || !m.M.row(j).head(j + 1).isZero(0.0) || !m.M.col(j).tail(nu - j).isZero(0.0)) continue;
    for (int i = 0; i < nc; ++i) {
      if (std::abs(m.A(i, j)) * sizes.scale[nq + j] <= tolerance::kEqual * row_sums[i]) m.A(i, j) = 0.0;
    }
  }
}

/// An angle of many turns rounds beside its turns, its sine beside 1; the terms of b may cancel. So what rows owe to
/// the numbers of the state is measured.
void Dynamics::Impl::stir_state(double t, const double* y, Matrices& m) {
  turning = 1.0;
  m.doubt.setZero(nc);
  if (nc < 2) return;
  const double known = kStirred * std::max(tolerance::kRounding, mode->knows_sizes ? relative_defect(m) : 0.0);
  const auto s_u = sizes.scale.segment(nq, nu);
  double part = 0.0;
  for (int i = 0; i < nq + nu; ++i) {
    part += kGolden;
    part -= std::floor(part);
    input[static_cast<std::size_t>(1 + i)] += kStir * (part - 0.5) * std::max(std::abs(y[i]), sizes.scale[i]);
  }
  evaluate(bound->matrices);
  load(t, y);
  // Terms of b of usual size may cancel at every state: what their rounding leaves does not depend on the state.
  const double rate = nq > 0 ? m.q_dot.cwiseAbs().cwiseQuotient(sizes.scale.head(nq)).maxCoeff() : 0.0;
  const MatricesLayout& at = compiled->layout;
  const double* stirred = result.data() + at.A.first;
  const Eigen::Map<const Vector> b(result.data() + at.b, nc);
  for (int i = 0; i < nc; ++i) {
    double here = 0.0, by = 0.0;
    for (int entry = A.pattern->begin(i); entry < A.pattern->end(i); ++entry) {
      const double size = s_u[A.pattern->column_of(entry)];
      here += std::abs(A.values[entry]) * size;
      by += std::abs(stirred[entry] - A.values[entry]) * size / kStir;
    }
    const double of_b = std::abs(b[i] - m.b[i]) / kStir;
    if (nth(bound->embedding(), i) != Embedding::kNone) continue;
    if (here > 0.0 && std::isfinite(by)) turning = std::max(turning, m.certainty[i] * by / here);
    if (std::isfinite(of_b)) m.doubt[i] = known * of_b + tolerance::kPerStep * sizes.usual_row[i] * rate;
  }
}

double Dynamics::Impl::seen_by_rows(double defect) const {
  return turning > 1.0 ? turning * std::max(defect, tolerance::kRounding) : defect;
}

bool Dynamics::Impl::has_doubtful_row(const Matrices& m, double defect) const {
  const auto s_u = sizes.scale.segment(nq, nu);
  for (int i = 0; i < nc; ++i) {
    if (sizes.usual_row[i] > 0.0 && m.A.row(i).cwiseAbs().dot(s_u) <= tolerance::kDoubt * defect * sizes.usual_row[i])
      return true;
  }
  return false;
}

bool Dynamics::Impl::do_rows_agree() const {
  const double* place = result.data() + ny + 2;
  const double disagreement = *place++;
  if (disagreement <= tolerance::kConsistency) return true;
  double defect = 0.0;
  for (const Vector* sizes : {&mode->position_size, &mode->velocity_size}) {
    for (const double magnitude : *sizes) defect = std::max(defect, std::abs(*place++) / magnitude);
  }
  return disagreement <= tolerance::kPerDefect * defect;
}

void Dynamics::learn_row_sizes(Mode& mode, double t, const Vector& y) {
  Impl& d = in(mode);
  d.sizes.usual_row.setZero();
  d.sizes.usual_gradient.setZero();
  if (d.nc == 0) return;
  Vector row = d.sizes.usual_row, gradient = d.sizes.usual_gradient, near = y;
  // Where q' = u the gradient of φ is its row of A, which native code has.
  const bool has_both = d.compiled->has_identity_kinematics && d.compiled->nonlinear.empty();
  numeric::SparseRows A;
  Vector residual;
  const auto raise_to_row = [&](Vector& sizes, int i, int first) {
    double size = 0.0;
    for (int at = A.pattern->begin(i); at < A.pattern->end(i); ++at)
      size += std::abs(A.values[at]) * d.sizes.scale[first + A.pattern->column_of(at)];
    sizes[i] = std::max(sizes[i], size);
  };
  const auto look_at = [&](const Vector& state) {
    if (has_both) {
      gradients(mode, t, state.data(), A, residual);
      if (!A.values.allFinite()) return;
      for (int i = 0; i < d.nc; ++i) raise_to_row(row, i, d.nq);
      for (const int i : d.positions.rows) raise_to_row(gradient, i, 0);
      return;
    }
    if (!d.read_vectors(t, state.data(), d.matrices, WithMass::kNo)) return;
    row = row.cwiseMax(d.row_sums);
    gradient = gradient.cwiseMax(d.gradient_sums);
  };
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  look_at(y);
  for (int neighbour = 0; neighbour < kNeighboursOfStart; ++neighbour) {
    for (Eigen::Index i = 0; i < y.size(); ++i)
      near[i] = y[i] + kPerturbationOfStart * d.sizes.scale[i] * uniform(random);
    look_at(near);
  }
  d.sizes.usual_row = std::move(row);
  d.sizes.usual_gradient = std::move(gradient);
  in(mode).learn_sizes_at(t, y.data());
}

}  // namespace vinculum::sim
