#include "vinculum/linear/symmetry.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <random>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/linear/linearize.hpp"

namespace vinculum::linear {
namespace {

using Index = Eigen::Index;

constexpr Index kMostUnknowns = 500;        // entries of S and s; the cost grows with their cube
constexpr Index kSurplus = 3;               // conditions per unknown
constexpr double kSpread = 0.4;             // displacements of the random states, in typical sizes
constexpr int kMostSteadySteps = 60;        // Newton steps
constexpr int kMostSteadyHalvings = 30;     // of a Newton step
constexpr double kLongestSteadyStep = 0.5;  // in typical sizes

/// An unknown of S, which turns `from` into `to` and back, or of s, which shifts `to`.
struct Unknown {
  Index from = -1;  ///< −1: a shift
  Index to = -1;
};

std::vector<Dimension> dimensions_of(const LinearEquations& equations) {
  std::vector<Dimension> all;
  for (const auto& coordinate : equations.system().model->coordinates) all.push_back(coordinate.dimension);
  for (const auto& speed : equations.system().model->speeds) all.push_back(speed.dimension);
  return all;
}

std::vector<Unknown> unknowns_of(const LinearEquations& equations) {
  const Index nq = equations.nq(), nu = equations.nu();
  const std::vector<Dimension> dimension = dimensions_of(equations);
  std::vector<Unknown> all;
  for (Index i = 0; i < nq; ++i) all.push_back({-1, i});
  for (Index i = 0; i < nq + nu; ++i) {
    for (Index j = i + 1; j < (i < nq ? nq : nq + nu); ++j) {
      if (dimension[static_cast<std::size_t>(i)] == dimension[static_cast<std::size_t>(j)]) all.push_back({i, j});
    }
  }
  return all;
}

/// S F − F_y (S y + s), then c_y (S y + s), one column per unknown, in typical sizes.
Matrix conditions_at(const std::vector<Unknown>& unknowns, const NearState& near, const Vector& size, double time,
                     const Vector& y) {
  const Index ny = y.size(), nc = near.c.size();
  Matrix all = Matrix::Zero(ny + nc, static_cast<Index>(unknowns.size()));
  const Vector unit = size.cwiseInverse() * time;
  Vector row_size = Vector::Ones(nc);
  for (Index i = 0; i < nc; ++i) {
    const double norm = near.c_y.row(i).transpose().cwiseProduct(size).norm();
    row_size[i] = norm > 0.0 ? 1.0 / norm : 1.0;
  }
  const auto of_state = [&](const Vector& X, const Vector& S_F, Index column) {
    all.col(column).head(ny) = (S_F - near.F_y * X).cwiseProduct(unit);
    all.col(column).tail(nc) = (near.c_y * X).cwiseProduct(row_size);
  };
  for (std::size_t k = 0; k < unknowns.size(); ++k) {
    const auto& [from, to] = unknowns[k];
    Vector X = Vector::Zero(ny), S_F = Vector::Zero(ny);
    if (from < 0) {
      X[to] = size[to];
    } else {
      X[to] = y[from], X[from] = -y[to];
      S_F[to] = near.F[from], S_F[from] = -near.F[to];
    }
    of_state(X, S_F, static_cast<Index>(k));
  }
  return all;
}

Vector along(const Symmetry& symmetry, const Vector& y) { return symmetry.S * y + symmetry.s; }

/// One column per symmetry: its direction at y, in typical sizes per typical time.
Matrix directions(const std::vector<Symmetry>& symmetries, const Vector& size, double time, const Vector& y) {
  Matrix all(y.size(), static_cast<Index>(symmetries.size()));
  for (std::size_t k = 0; k < symmetries.size(); ++k)
    all.col(static_cast<Index>(k)) = along(symmetries[k], y).cwiseQuotient(size) * time;
  return all;
}

Symmetry combined(const std::vector<Symmetry>& symmetries, const Vector& c, Index ny) {
  Symmetry sum{Matrix::Zero(ny, ny), Vector::Zero(ny)};
  for (std::size_t k = 0; k < symmetries.size(); ++k) {
    sum.S += c[static_cast<Index>(k)] * symmetries[k].S;
    sum.s += c[static_cast<Index>(k)] * symmetries[k].s;
  }
  return sum;
}

/// Newton's method for a steady motion.
class SteadySearch {
 public:
  SteadySearch(LinearEquations& equations, const std::vector<Symmetry>& symmetries, const Vector& size, double time)
      : equations_(equations), symmetries_(symmetries), size_(size), time_(time) {}

  [[nodiscard]] Outcome<Vector> run(double t, Vector y, const Vector& u_dot, const std::vector<char>& is_fixed) {
    for (Index i = 0; i < y.size(); ++i) {
      const Index z = i - equations_.nq() - equations_.nu();
      if (is_fixed[static_cast<std::size_t>(i)] == 0 &&
          (z < 0 || equations_.is_held()[static_cast<std::size_t>(z)] == 0))
        unknown_.push_back(i);
    }
    if (auto done = equations_.at(t, y, u_dot, near_); !done) return fail(std::move(done.error()));
    c_ = Vector::Zero(static_cast<Index>(symmetries_.size()));
    if (c_.size() > 0)
      c_ = directions(symmetries_, size_, time_, y)
               .completeOrthogonalDecomposition()
               .solve(near_.F.cwiseQuotient(size_) * time_);
    const bool has_unknowns = !unknown_.empty();
    for (int step = 0; has_unknowns && step < kMostSteadySteps; ++step) {
      const Vector change = newton_step(y);
      if (!advance(t, y, change) || change.cwiseAbs().maxCoeff() <= tolerance::kConverged) break;
    }
    if (residual(y).norm() <= tolerance::kQuadratic) return y;
    Failure failure;
    failure.kind = FailureKind::kAssembly;
    failure.t = t;
    failure.message = "there is no steady motion near the start";
    failure.advice = "start nearer to it, or hold fewer coordinates and speeds";
    return fail(std::move(failure));
  }

 private:
  [[nodiscard]] Vector row_units() const {
    Vector unit(near_.c.size());
    for (Index i = 0; i < unit.size(); ++i) {
      const double norm = near_.c_y.row(i).transpose().cwiseProduct(size_).norm();
      unit[i] = norm > 0.0 ? 1.0 / norm : 1.0;
    }
    return unit;
  }
  [[nodiscard]] Vector residual(const Vector& y) const {
    Vector all(y.size() + near_.c.size());
    all << near_.F.cwiseQuotient(size_) * time_ - directions(symmetries_, size_, time_, y) * c_,
        near_.c.cwiseProduct(row_units());
    return all;
  }
  [[nodiscard]] Vector newton_step(const Vector& y) const {
    const auto count = static_cast<Index>(symmetries_.size()), n = static_cast<Index>(unknown_.size());
    const Vector r = residual(y);
    Matrix J = Matrix::Zero(r.size(), n + count);
    const Matrix rates = time_ * size_.cwiseInverse().asDiagonal() *
                         (near_.F_y - combined(symmetries_, c_, y.size()).S) * size_.asDiagonal();
    J.topLeftCorner(y.size(), n) = rates(Eigen::all, unknown_);
    const Matrix rows = row_units().asDiagonal() * near_.c_y * size_.asDiagonal();
    J.bottomLeftCorner(rows.rows(), n) = rows(Eigen::all, unknown_);
    J.topRightCorner(y.size(), count) = -directions(symmetries_, size_, time_, y);
    Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
    solver.setThreshold(tolerance::kAtStates);
    solver.compute(J);
    return solver.solve(-r);
  }
  /// \returns false if the residual does not decrease along the step
  [[nodiscard]] bool advance(double t, Vector& y, const Vector& change) {
    const auto n = static_cast<Index>(unknown_.size());
    const double before = residual(y).norm();
    const NearState near = near_;
    const Vector c = c_, u_dot = near_.F.segment(equations_.nq(), equations_.nu());
    double factor =
        std::min(1.0, kLongestSteadyStep / std::max(change.head(n).cwiseAbs().maxCoeff(), tolerance::kLeast));
    for (int halving = 0; halving < kMostSteadyHalvings; ++halving, factor /= 2.0) {
      Vector next = y;
      next(unknown_) += factor * Vector(size_(unknown_)).cwiseProduct(change.head(n));
      if (!equations_.at(t, next, u_dot, near_)) continue;
      c_ = c + factor * change.tail(c.size());
      if (!(residual(next).norm() < before)) continue;
      y = std::move(next);
      return true;
    }
    near_ = near;
    c_ = c;
    return false;
  }

  LinearEquations& equations_;
  const std::vector<Symmetry>& symmetries_;
  const Vector& size_;
  double time_;
  std::vector<Index> unknown_;
  NearState near_;
  Vector c_;  ///< [symmetries] speeds along them, per typical time
};

}  // namespace

std::vector<Symmetry> find_symmetries(LinearEquations& equations, const Tangent& tangent, const Vector& size,
                                      double time, double t, const Vector& y, const NearState& near) {
  const std::vector<Unknown> unknowns = unknowns_of(equations);
  const auto count = static_cast<Index>(unknowns.size());
  if (count == 0 || count > kMostUnknowns) return {};
  const Index per_state = y.size() + near.c.size(), states = 2 + kSurplus * count / per_state;
  Matrix all = Matrix::Zero(states * per_state, count);
  std::minstd_rand random(1);
  const auto drawn = [&] { return 2.0 * static_cast<double>(random()) / std::minstd_rand::max() - 1.0; };
  Index found = 0;
  for (Index attempt = 0; found < states && attempt < 3 * states; ++attempt) {
    Vector at = y;
    for (const Index i : tangent.independent) at[i] += kSpread * drawn() * size[i];
    NearState there = near;
    const double when = t + std::abs(drawn()) * time;
    if (!meet_conditions(equations, tangent, size, when, at, there)) continue;
    all.middleRows(per_state * found++, per_state) = conditions_at(unknowns, there, size, time, at);
  }
  if (found < states) return {};
  Eigen::ColPivHouseholderQR<Matrix> solver;
  solver.setThreshold(tolerance::kAtStates);
  solver.compute(all.transpose());
  const Matrix basis = Matrix(solver.householderQ()).rightCols(count - solver.rank());
  std::vector<Symmetry> symmetries;
  for (Index k = 0; k < basis.cols(); ++k) {
    Symmetry one{Matrix::Zero(y.size(), y.size()), Vector::Zero(y.size())};
    for (Index i = 0; i < count; ++i) {
      const auto& [from, to] = unknowns[static_cast<std::size_t>(i)];
      const double value = std::abs(basis(i, k)) <= tolerance::kUnique ? 0.0 : basis(i, k);
      if (from < 0)
        one.s[to] = value * size[to];
      else
        one.S(to, from) = value, one.S(from, to) = -value;
    }
    symmetries.push_back(std::move(one));
  }
  return symmetries;
}

std::optional<Symmetry> symmetry_of_motion(const std::vector<Symmetry>& symmetries, const Vector& size, double time,
                                           const Vector& y, const Vector& F) {
  if (symmetries.empty()) return std::nullopt;
  const Matrix X = directions(symmetries, size, time, y);
  const Vector rates = F.cwiseQuotient(size) * time;
  Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
  solver.setThreshold(tolerance::kAtStates);
  solver.compute(X);
  const Vector c = solver.solve(rates);
  if ((X * c - rates).cwiseAbs().maxCoeff() > tolerance::kConditioned) return std::nullopt;
  return combined(symmetries, c, y.size());
}

Outcome<Vector> find_steady_motion(LinearEquations& equations, const sim::Binding& bound, double t, const Vector& y,
                                   const Vector& u_dot, const std::vector<char>& is_fixed) {
  auto at = linearize(equations, bound, t, y, u_dot, {});
  if (!at) return fail(std::move(at.error()));
  NearState near;
  if (auto done = equations.at(t, y, u_dot, near); !done) return fail(std::move(done.error()));
  const Index nq = equations.nq();  // speeds are relative to the typical time
  const double time = equations.nu() > 0 ? sizes_near(equations, bound, y)[nq] / at->scale[nq] : 1.0;
  const auto symmetries = find_symmetries(equations, at->tangent, at->scale, time, t, y, near);
  return SteadySearch(equations, symmetries, at->scale, time).run(t, y, u_dot, is_fixed);
}

}  // namespace vinculum::linear
