#include "vinculum/motion/equation_pieces.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <utility>

#include "vinculum/base/index.hpp"

namespace vinculum::sim {
namespace {

// Largest distance of each component of the neighboring states from y, as a multiple of its typical size.
constexpr double kPerturbationOfStart = 0.05;
constexpr int kNeighboursOfStart = 4;

}  // namespace

EquationPieces::EquationPieces(StateKernels& at, const Mode& start) : rows(at, start), at_(at) {
  matrices.q_dot = Vector::Zero(at.nq);
  matrices.f = matrices.C = Vector::Zero(at.nu);
  matrices.certainty = Vector::Ones(at.nc);
  matrices.compliance = at.bound->compliance;
  matrices.b = matrices.doubt = matrices.phi = matrices.psi = Vector::Zero(at.nc);
  if (!at.compiled->nonlinear.empty()) nonlinear = std::make_unique<NonlinearRows>(at);
}

bool EquationPieces::read_vectors(double t, const double* y, Matrices& m, WithMass with_mass) {
  at_.load(t, y);
  const bool has_all = with_mass == WithMass::kYes || !at_.bound->matrices.kernel;
  at_.evaluate(has_all ? at_.kernel_of_matrices() : at_.bound->matrices);
  const MatricesLayout& layout = at_.layout_of(with_mass);
  const double* r = at_.result.data();
  m.q_dot = Eigen::Map<const Vector>(r + layout.q_dot, at_.nq);
  m.f = Eigen::Map<const Vector>(r + layout.f, at_.nu);
  m.C = Eigen::Map<const Vector>(r + layout.C, at_.nu);
  m.b = Eigen::Map<const Vector>(r + layout.b, at_.nc);
  m.phi = Eigen::Map<const Vector>(r + layout.phi, at_.nc);
  m.psi = Eigen::Map<const Vector>(r + layout.psi, at_.nc);
  rows.read(layout, m);
  return std::all_of(r, r + layout.size, [](double x) { return std::isfinite(x); });
}

bool EquationPieces::read_pieces(double t, const double* y, Matrices& m, WithMass with_mass) {
  const bool is_finite = read_vectors(t, y, m, with_mass);
  const MatricesLayout& layout = at_.layout_of(with_mass);
  const double* r = at_.result.data();
  layout.G.read(r + layout.G.first, m.G);
  if (layout.M) layout.M->read(r + layout.M->first, m.M);
  if (layout.metric) layout.metric->read(r + layout.metric->first, m.metric);
  layout.A.read(rows.A.values.data(), m.A);
  layout.phi_q.read(rows.phi_q.values.data(), m.phi_q);
  layout.Gamma.read(r + layout.Gamma.first, m.Gamma);
  for (const int row : at_.compiled->nonlinear) m.A.row(row).setZero();  // NonlinearRows fills these rows
  return is_finite;
}

bool EquationPieces::read_matrices(double t, const double* y, Matrices& m, WithMass with_mass) {
  const bool is_finite = read_pieces(t, y, m, with_mass);
  rows.judge(m);
  for (int i = 0; i < at_.nc; ++i)
    if (rows.is_rounding(i)) m.A.row(i).setZero();
  if (with_mass == WithMass::kYes) rows.forget_rounding_of_massless(m);
  rows.stir_state(t, y, m);
  return is_finite;
}

void EquationPieces::learn_sizes_at(double t, const double* y) {
  if (!read_vectors(t, y, matrices, WithMass::kNo)) return;
  rows.judge(matrices);
  rows.learn_sizes(matrices);
}

void EquationPieces::raise_to_switched_rows(double t, const Vector& y, Vector& row, Vector& gradient) {
  const std::vector<int>& switched = at_.compiled->switched;
  if (switched.empty()) return;
  at_.load(t, y.data());
  at_.evaluate(at_.bound->switched_rows);
  const double* next = at_.result.data();
  const auto raise_by = [&next](double& size, ConstVector scale) {
    const double here = Eigen::Map<const Vector>(next, scale.size()).cwiseAbs().dot(scale);
    if (std::isfinite(here)) size = std::max(size, here);
    next += scale.size();
  };
  for (const int i : switched) {
    next += 3;  // the three values before the gradients: whether the row acts, φ, ψ
    raise_by(row[i], at_.sizes.scale.segment(at_.nq, at_.nu));
    raise_by(gradient[i], at_.sizes.scale.head(at_.nq));
  }
}

void EquationPieces::learn_usual_sizes(double t, const Vector& y) {
  at_.sizes.usual_row.setZero();
  at_.sizes.usual_gradient.setZero();
  if (at_.nc == 0) return;
  Vector row = at_.sizes.usual_row, gradient = at_.sizes.usual_gradient, near = y;
  // If q' = u, ∂φ/∂q is the row of A, so a faster kernel that evaluates only A suffices.
  const bool has_both = at_.compiled->has_identity_kinematics && at_.compiled->nonlinear.empty();
  numeric::SparseRows A;
  Vector residual;
  const auto raise_to_row = [&](Vector& size_of, int i, int first) {
    double size = 0.0;
    for (int at = A.pattern->begin(i); at < A.pattern->end(i); ++at)
      size += std::abs(A.values[at]) * at_.sizes.scale[first + A.pattern->column_of(at)];
    size_of[i] = std::max(size_of[i], size);
  };
  const auto look_at = [&](const Vector& state) {
    raise_to_switched_rows(t, state, row, gradient);
    if (has_both) {
      gradients(t, state.data(), A, residual);
      if (!A.values.allFinite()) return;
      for (int i = 0; i < at_.nc; ++i) raise_to_row(row, i, at_.nq);
      for (const int i : at_.compiled->position_rows) raise_to_row(gradient, i, 0);
      return;
    }
    if (!read_vectors(t, state.data(), matrices, WithMass::kNo)) return;
    row = row.cwiseMax(rows.row_sums);
    gradient = gradient.cwiseMax(rows.gradient_sums);
  };
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  look_at(y);
  for (int neighbour = 0; neighbour < kNeighboursOfStart; ++neighbour) {
    for (Eigen::Index i = 0; i < y.size(); ++i)
      near[i] = y[i] + kPerturbationOfStart * at_.sizes.scale[i] * uniform(random);
    look_at(near);
  }
  at_.sizes.usual_row = std::move(row);
  at_.sizes.usual_gradient = std::move(gradient);
  learn_sizes_at(t, y.data());
}

void EquationPieces::show_integrals(double t, const double* y, Matrices& m) {
  if (at_.compiled->integrals.empty()) return;
  at_.load(t, y);
  at_.evaluate(at_.bound->matrices);
  const MatricesLayout& layout = at_.compiled->layout;
  for (const int row : at_.compiled->integrals) {
    m.b[row] = at_.result[static_cast<std::size_t>(layout.b + row)];
    for (int entry = layout.A.pattern.begin(row); entry < layout.A.pattern.end(row); ++entry)
      m.A(row, layout.A.pattern.column_of(entry)) = at_.result[static_cast<std::size_t>(layout.A.first + entry)];
  }
}

void EquationPieces::gradients(double t, const double* y, numeric::SparseRows& A, Vector& residual) {
  const numeric::SparsePattern& pattern = at_.compiled->gradient_pattern;
  const auto entries = static_cast<Eigen::Index>(pattern.column.size());
  A.pattern = &pattern;
  A.values.resize(entries);
  residual.resize(at_.nc);
  if (at_.nc == 0) return;
  at_.load(t, y);
  at_.evaluate(at_.bound->gradients);
  A.values = Eigen::Map<const Vector>(at_.result.data(), entries);
  residual = Eigen::Map<const Vector>(at_.result.data() + entries, at_.nc).cwiseAbs();
  for (int i = 0; i < at_.nc; ++i) {
    const Embedding embedding = nth(at_.bound->embedding(), i);
    if (embedding != Embedding::kNone) A.row(i).setZero();
    if (embedding == Embedding::kWhole) residual[i] = 0.0;
  }
  if (at_.compiled->nonlinear.empty()) return;
  // Rows nonlinear in u' need the branch of accelerations. If it cannot be followed to this state, the evaluation of
  // accelerations reports that; A of the last accepted accelerations is used here.
  const Matrix& of_rows = evaluate(t, y, matrices) ? matrices.A : nonlinear->followed_A();
  for (const int row : at_.compiled->nonlinear)
    for (int at = pattern.begin(row); at < pattern.end(row); ++at) A.values[at] = of_rows(row, pattern.column_of(at));
}

Outcome<void> EquationPieces::evaluate(double t, const double* y, Matrices& m) {
  if (!read_matrices(t, y, m)) return fail(non_finite(t, y));
  return nonlinear ? nonlinear->settle(m) : Outcome<void>();
}

}  // namespace vinculum::sim
