#include "vinculum/motion/row_conditioning.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {
namespace {

// Largest error of the direction of a row, as a fraction of the rank tolerance. So the remainder that such an error
// causes is too small to count as an independent row.
constexpr double kCertain = 0.1;

// Perturbation of each component of the state, relative to max(|component|, typical size): √ε. Differences are then
// accurate to half of their digits.
constexpr double kStir = tolerance::kHalfDigits;
// Safety factor for measured changes: one perturbation does not show the largest possible change, and the error of a
// state is a few rounding errors.
constexpr double kStirred = 10.0;
// Golden ratio: fractional parts of its multiples are spread evenly, so perturbations of coordinates do not cancel.
constexpr double kGolden = 0.6180339887498949;

// Returns the size by which violations of a row are divided: the length of the row at this state (`here`) or, if this
// is negligible compared with the typical length (`usual`), the typical length.
double size_of_row(double here, double usual, double without_gradient) {
  if (here > tolerance::kVanished * usual) return here;
  return usual > 0.0 ? usual : without_gradient;
}

}  // namespace

RowConditioning::RowConditioning(StateKernels& at, const Mode& start)
    : at_(at), position_without_gradient_(start.position_size), velocity_without_gradient_(start.velocity_size) {}

void RowConditioning::read(const MatricesLayout& layout, Matrices& m) {
  const double* r = at_.result.data();
  const auto entries = [r](const MatricesLayout::Entries& of, numeric::SparseRows& rows) {
    rows.pattern = &of.pattern;
    rows.values = Eigen::Map<const Vector>(r + of.first, static_cast<Eigen::Index>(of.pattern.column.size()));
  };
  entries(layout.A, A);
  entries(layout.phi_q, phi_q);
  row_sums.resize(at_.nc);
  gradient_sums.resize(at_.nc);
  for (int i = 0; i < at_.nc; ++i) {
    const Embedding embedding = nth(at_.bound->embedding(), i);
    if (embedding != Embedding::kNone) {
      A.row(i).setZero();
      phi_q.row(i).setZero();
    }
    if (embedding == Embedding::kWhole) m.b[i] = m.phi[i] = m.psi[i] = 0.0;
    if (embedding == Embedding::kIntegral) m.b[i] = 0.0;
    row_sums[i] = A.absolute_row_sum(i, at_.sizes.scale.segment(at_.nq, at_.nu));
    gradient_sums[i] = phi_q.absolute_row_sum(i, at_.sizes.scale.head(at_.nq));
  }
}

double RowConditioning::size_in_place_of(int row, double size) const {
  return nth(at_.bound->embedding(), row) == Embedding::kWhole ? std::numeric_limits<double>::infinity() : size;
}

void RowConditioning::learn_sizes(const Matrices& m) {
  const auto learn = [&](const std::vector<int>& rows, const Vector& without_gradient, const Vector& sums,
                         const Vector& usual, Vector& to) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const int row = rows[k];
      const double size = size_of_row(sums[row], usual[row], nth(without_gradient, k));
      nth(to, k) = size_in_place_of(row, size / m.certainty[row]);
    }
  };
  Mode& mode = *at_.mode;
  learn(at_.compiled->position_rows, position_without_gradient_, gradient_sums, at_.sizes.usual_gradient,
        mode.position_size);
  learn(at_.compiled->velocity_rows, velocity_without_gradient_, row_sums, at_.sizes.usual_row, mode.velocity_size);
  mode.knows_sizes = true;
}

void RowConditioning::judge(Matrices& m) {
  m.certainty.setOnes(at_.nc);
  const double defect = at_.nc > 1 && at_.mode->knows_sizes ? relative_defect(m) : 0.0;
  const double known = std::max(tolerance::kRounding, defect);
  const double certain = kCertain * std::max(tolerance::kRank, tolerance::kDoubt * defect);
  for (int i = 0; i < at_.nc; ++i) {
    const double here = row_sums[i], error = known * at_.sizes.usual_row[i];
    if (is_rounding(i)) {
      A.row(i).setZero();
    } else if (error > certain * here) {
      m.certainty[i] = certain * here / error;
    }
  }
}

void RowConditioning::forget_rounding_of_massless(Matrices& m) const {
  for (int j = 0; j < at_.nu; ++j) {
    if (m.M.rows() != at_.nu || !m.M.row(j).head(j + 1).isZero(0.0) || !m.M.col(j).tail(at_.nu - j).isZero(0.0))
      continue;
    for (int i = 0; i < at_.nc; ++i) {
      if (std::abs(m.A(i, j)) * at_.sizes.scale[at_.nq + j] <= tolerance::kEqual * row_sums[i]) m.A(i, j) = 0.0;
    }
  }
}

/// The change of A and b is measured and not estimated from typical sizes, for two reasons. First, an angle of many
/// turns has a rounding error in proportion to the angle, although its sine is at most 1. Second, the terms of b may
/// cancel.
void RowConditioning::stir_state(double t, const double* y, Matrices& m) {
  turning_ = 1.0;
  m.doubt.setZero(at_.nc);
  if (at_.nc < 2) return;
  const double known = kStirred * std::max(tolerance::kRounding, at_.mode->knows_sizes ? relative_defect(m) : 0.0);
  const auto s_u = at_.sizes.scale.segment(at_.nq, at_.nu);
  double part = 0.0;
  for (int i = 0; i < at_.nq + at_.nu; ++i) {
    part += kGolden;
    part -= std::floor(part);
    at_.input[static_cast<std::size_t>(1 + i)] += kStir * (part - 0.5) * std::max(std::abs(y[i]), at_.sizes.scale[i]);
  }
  at_.evaluate(at_.bound->matrices);
  at_.load(t, y);
  // Terms of b may cancel at every state. Then b is a rounding error of terms of the size `usual_row` × `rate`, and a
  // perturbation of the state does not show it.
  const double rate = at_.nq > 0 ? m.q_dot.cwiseAbs().cwiseQuotient(at_.sizes.scale.head(at_.nq)).maxCoeff() : 0.0;
  const MatricesLayout& at = at_.compiled->layout;
  const double* stirred = at_.result.data() + at.A.first;
  const Eigen::Map<const Vector> b(at_.result.data() + at.b, at_.nc);
  for (int i = 0; i < at_.nc; ++i) {
    double here = 0.0, by = 0.0;
    for (int entry = A.pattern->begin(i); entry < A.pattern->end(i); ++entry) {
      const double size = s_u[A.pattern->column_of(entry)];
      here += std::abs(A.values[entry]) * size;
      by += std::abs(stirred[entry] - A.values[entry]) * size / kStir;
    }
    const double of_b = std::abs(b[i] - m.b[i]) / kStir;
    if (nth(at_.bound->embedding(), i) != Embedding::kNone) continue;
    if (here > 0.0 && std::isfinite(by)) turning_ = std::max(turning_, m.certainty[i] * by / here);
    if (std::isfinite(of_b)) m.doubt[i] = known * of_b + tolerance::kPerStep * at_.sizes.usual_row[i] * rate;
  }
}

double RowConditioning::seen_by_rows(double defect) const {
  return turning_ > 1.0 ? turning_ * std::max(defect, tolerance::kRounding) : defect;
}

bool RowConditioning::has_doubtful_row(const Matrices& m, double defect) const {
  const auto s_u = at_.sizes.scale.segment(at_.nq, at_.nu);
  for (int i = 0; i < at_.nc; ++i) {
    if (at_.sizes.usual_row[i] > 0.0 &&
        m.A.row(i).cwiseAbs().dot(s_u) <= tolerance::kDoubt * defect * at_.sizes.usual_row[i])
      return true;
  }
  return false;
}

double RowConditioning::position_defect(const Matrices& m) const {
  const std::vector<int>& rows = at_.compiled->position_rows;
  double worst = 0.0;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    worst = std::max(worst, std::abs(m.phi[rows[k]]) / at_.mode->position_size[static_cast<Eigen::Index>(k)]);
  }
  return worst;
}

double RowConditioning::relative_defect(const Matrices& m) const {
  const std::vector<int>& rows = at_.compiled->velocity_rows;
  double worst = position_defect(m);
  for (std::size_t k = 0; k < rows.size(); ++k) {
    worst = std::max(worst, std::abs(m.psi[rows[k]]) / at_.mode->velocity_size[static_cast<Eigen::Index>(k)]);
  }
  return worst;
}

bool RowConditioning::do_left_out_agree() const {
  const double* place = at_.result.data() + at_.ny + 2;
  const double disagreement = *place++;
  if (disagreement <= tolerance::kConsistency) return true;
  double defect = 0.0;
  for (const Vector* all : {&at_.mode->position_size, &at_.mode->velocity_size}) {
    for (const double magnitude : *all) defect = std::max(defect, std::abs(*place++) / magnitude);
  }
  return disagreement <= tolerance::kPerDefect * defect;
}

}  // namespace vinculum::sim
