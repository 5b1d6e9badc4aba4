#include "vinculum/linear/equilibrium.hpp"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <random>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/linear/linearize.hpp"

namespace vinculum::linear {
namespace {

using Index = Eigen::Index;

constexpr int kMostSteps = 100;
constexpr int kMostHalvings = 30;
constexpr int kAttempts = 9;            // from the start, then from displaced states
constexpr double kDisplacement = 0.25;  // largest displacement in the first repetition, in typical sizes
constexpr double kLongestStep = 0.5;    // in typical sizes, so that angles change by at most half a radian

class Search {
 public:
  Search(LinearEquations& equations, const EquilibriumSearch& search, Vector size)
      : equations_(equations), search_(search), size_(std::move(size)) {
    for (Index i = 0; i < equations.ny(); ++i) {
      const Index z = i - equations.nq() - equations.nu();
      const bool is_held = z >= 0 && equations.is_held()[static_cast<std::size_t>(z)] != 0;
      if (!is_held && search.is_fixed[static_cast<std::size_t>(i)] == 0) unknown_.push_back(i);
    }
  }

  /// Where the forces are largest, they do not change to first order, and Newton's method has no direction. So the
  /// search is repeated from displaced states.
  [[nodiscard]] Outcome<Vector> run(double t, const Vector& y, const Vector& u_dot) {
    if (auto done = equations_.at(t, y, u_dot, near_); !done) return fail(std::move(done.error()));
    find_conditions();
    const NearState at_start = near_;
    Outcome<Vector> first = attempt(t, y);
    std::minstd_rand random(1);
    for (int repetition = 1; !first && repetition < kAttempts; ++repetition) {
      Vector displaced = y;
      for (const Index i : unknown_) {
        const double share = 2.0 * static_cast<double>(random()) / std::minstd_rand::max() - 1.0;
        if (i < equations_.nq()) displaced[i] += repetition * kDisplacement * share * size_[i];
      }
      near_ = at_start;
      if (!equations_.at(t, displaced, u_dot, near_)) continue;
      auto found = attempt(t, std::move(displaced));
      if (!found) continue;
      restore(y, *found);
      if (equations_.at(t, *found, u_dot, near_) && is_met(*found)) return found;
    }
    return first;
  }

 private:
  [[nodiscard]] Outcome<Vector> attempt(double t, Vector y) {
    for (int step = 0; step < kMostSteps; ++step) {
      const Vector change = newton_step(y);
      if (change.size() == 0) return y;
      const double length = change.cwiseAbs().maxCoeff();
      if (!advance(t, y, change) || length <= tolerance::kConverged) break;
    }
    return is_met(y) ? Outcome<Vector>(std::move(y)) : fail(not_found(t, y));
  }

  /// One scalar condition: a component of c, a speed that is 0, or a rate that is 0.
  struct Condition {
    enum class Kind { kConstraint, kSpeed, kRate } kind{};
    Index index = 0;
  };

  /// The coordinate whose rate is the speed; −1 if there is none.
  [[nodiscard]] Index coordinate_of(Index speed) const {
    const Index nq = equations_.nq();
    for (Index i = 0; i < nq; ++i) {
      const auto row = near_.F_y.row(i).segment(nq, equations_.nu());
      if (row[speed] == 1.0 && row.cwiseAbs().sum() == 1.0) return i;
    }
    return -1;
  }
  void find_conditions() {
    using Kind = Condition::Kind;
    const Index nq = equations_.nq(), nu = equations_.nu();
    const auto may_move = [&](Index i) { return i >= 0 && search_.may_move[static_cast<std::size_t>(i)] != 0; };
    for (Index i = 0; i < near_.c.size(); ++i) conditions_.push_back({Kind::kConstraint, i});
    for (Index i = nq; i < nq + nu; ++i) {
      if (may_move(coordinate_of(i - nq))) {
        if (may_move(i)) conditions_.push_back({Kind::kRate, i});
        continue;
      }
      if (!may_move(i)) conditions_.push_back({Kind::kSpeed, i});
      conditions_.push_back({Kind::kRate, i});
    }
    for (Index i = nq + nu; i < equations_.ny(); ++i) {
      if (!may_move(i) && equations_.is_held()[static_cast<std::size_t>(i - nq - nu)] == 0)
        conditions_.push_back({Kind::kRate, i});
    }
  }

  /// Residuals and their derivatives by the unknowns in typical sizes.
  void read(const Vector& y, Vector& residual, Matrix& J) const {
    residual.resize(static_cast<Index>(conditions_.size()));
    J.resize(residual.size(), static_cast<Index>(unknown_.size()));
    const Vector size = size_(unknown_);
    for (Index k = 0; k < residual.size(); ++k) {
      const auto& [kind, index] = conditions_[static_cast<std::size_t>(k)];
      using Kind = Condition::Kind;
      residual[k] = kind == Kind::kConstraint ? near_.c[index] : kind == Kind::kSpeed ? y[index] : near_.F[index];
      Vector row = Vector::Zero(y.size());
      if (kind == Kind::kSpeed)
        row[index] = 1.0;
      else
        row = kind == Kind::kConstraint ? near_.c_y.row(index) : near_.F_y.row(index);
      J.row(k) = row(unknown_).cwiseProduct(size).transpose();
    }
  }
  /// Lengths of the rows of J, by which residuals are divided.
  [[nodiscard]] static Vector weights(const Matrix& J) {
    Vector weight = J.rowwise().norm();
    const double largest = weight.size() > 0 ? weight.maxCoeff() : 0.0;
    for (double& one : weight) one = one > tolerance::kZero * largest ? 1.0 / one : largest > 0.0 ? 1.0 / largest : 1.0;
    return weight;
  }

  /// \returns the step of the unknowns in typical sizes; empty if there is nothing to change
  [[nodiscard]] Vector newton_step(const Vector& y) {
    Vector residual;
    Matrix J;
    read(y, residual, J);
    if (J.size() == 0) return {};
    weight_ = weights(J);
    merit_ = weight_.cwiseProduct(residual).norm();
    Eigen::CompleteOrthogonalDecomposition<Matrix> solver;
    solver.setThreshold(tolerance::kAtStates);
    solver.compute(weight_.asDiagonal() * J);
    return solver.solve(-weight_.cwiseProduct(residual));
  }

  /// Changes y along the step until the residual decreases. \returns false if it does not
  [[nodiscard]] bool advance(double t, Vector& y, const Vector& change) {
    const Vector size = size_(unknown_), u_dot = near_.F.segment(equations_.nq(), equations_.nu());
    double factor = std::min(1.0, kLongestStep / std::max(change.cwiseAbs().maxCoeff(), tolerance::kLeast));
    const NearState before = near_;
    for (int halving = 0; halving < kMostHalvings; ++halving, factor /= 2.0) {
      Vector next = y;
      next(unknown_) += factor * size.cwiseProduct(change);
      if (!equations_.at(t, next, u_dot, near_)) continue;
      Vector residual;
      Matrix J;
      read(next, residual, J);
      if (!(weight_.cwiseProduct(residual).norm() < merit_)) continue;
      y = std::move(next);
      return true;
    }
    near_ = before;
    return false;
  }

  /// Gives components on which no condition depends their values at the start.
  void restore(const Vector& start, Vector& y) const {
    Vector residual;
    Matrix J;
    read(y, residual, J);
    for (Index k = 0; k < J.cols(); ++k) {
      const Index i = unknown_[static_cast<std::size_t>(k)];
      if (J.col(k).cwiseAbs().maxCoeff() <= tolerance::kZero * J.cwiseAbs().maxCoeff()) y[i] = start[i];
    }
  }

  [[nodiscard]] bool is_met(const Vector& y) {
    (void)newton_step(y);
    return merit_ <= tolerance::kQuadratic;
  }

  [[nodiscard]] Failure not_found(double t, const Vector& y) const {
    Vector residual;
    Matrix J;
    read(y, residual, J);
    Index worst = 0;
    weight_.cwiseProduct(residual).cwiseAbs().maxCoeff(&worst);
    const auto& [kind, index] = conditions_[static_cast<std::size_t>(worst)];
    using Kind = Condition::Kind;
    const std::string what =
        kind == Kind::kConstraint ? fmt::format("a constraint is violated by {:.3g}", residual[worst])
        : kind == Kind::kSpeed
            ? fmt::format("the speed `{}` is {:.3g} instead of 0", equations_.name(index), residual[worst])
            : fmt::format("the rate of `{}` is {:.3g} instead of 0", equations_.name(index), residual[worst]);
    Failure failure;
    failure.kind = FailureKind::kAssembly;
    failure.t = t;
    failure.message = "there is no equilibrium near the start: where the search ended, " + what;
    failure.advice = "start nearer to it, leave more unknowns free, or name what moves in a steady motion";
    return failure;
  }

  LinearEquations& equations_;
  const EquilibriumSearch& search_;
  Vector size_;
  std::vector<Index> unknown_;
  std::vector<Condition> conditions_;
  NearState near_;
  Vector weight_;
  double merit_ = 0.0;  ///< norm of the weighted residuals
};

}  // namespace

Outcome<Vector> find_equilibrium(LinearEquations& equations, const sim::Binding& bound, double t, const Vector& y,
                                 const Vector& u_dot, const EquilibriumSearch& search) {
  return Search(equations, search, sizes_near(equations, bound, y)).run(t, y, u_dot);
}

}  // namespace vinculum::linear
