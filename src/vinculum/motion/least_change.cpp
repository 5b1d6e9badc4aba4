#include "vinculum/motion/least_change.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/numeric/rank.hpp"
#include "vinculum/numeric/ranked_rows.hpp"
#include "vinculum/solve/pivoted/constrained_solve.hpp"

namespace vinculum::sim {
namespace {

constexpr int kMaxIterations = 200;  // most steps of the search
// A step is long if its component along an unknown exceeds this fraction of max(typical size, |unknown|).
constexpr double kLongStep = 0.5;
// A long step is accepted if it reduces the sum of squares of the residuals to this fraction or less.
constexpr double kGoodLeap = 0.1;
constexpr double kLastDamping = 1e8;  // the search ends if the damping exceeds this

/// Computes the step dx of least length in the metric with J dx = d, by sparse matrices, for many independent
/// equations.
/// \returns the conditioning of the equations (RankedRows::conditioning); nothing if the pivoted solver is to be used.
std::optional<double> step_by_entries(const Matrix& metric, const Matrix& J, const Vector& d, Vector& dx) {
  if (J.rows() + J.cols() < numeric::RankedRows::kFewest) return std::nullopt;
  numeric::RankedRows rows;
  const double tol_rank =
      numeric::rank_threshold(tolerance::kRank, static_cast<int>(J.cols()), static_cast<int>(J.rows()));
  const numeric::SparseMatrix Jt = J.transpose().sparseView();
  if (!rows.factor(metric.sparseView(), Jt, Vector::Ones(J.rows()), tol_rank)) return std::nullopt;
  if (rows.rank() < J.rows()) return std::nullopt;
  dx = rows.least(d);
  return rows.conditioning();
}

class Search {
 public:
  Search(const Equations& equations, const Vector& x0) : equations_(equations) { at_.x = x0; }
  LeastChange run();

 private:
  void weigh();
  [[nodiscard]] double merit(const Vector& r) const { return (r.array() / weight_.array()).matrix().squaredNorm(); }
  enum class Step { kNone, kDoubtful, kLong, kGood };
  [[nodiscard]] Step full_step(Vector& dx);
  [[nodiscard]] bool leap(const Vector& dx);
  void accept_trial() {
    at_.x.swap(trial_x_);
    at_.r.swap(trial_r_);
    at_.J.swap(trial_J_);
  }
  [[nodiscard]] double steps_of_reach(const Vector& dx) const {
    return dx.cwiseAbs().cwiseQuotient(equations_.scale.cwiseMax(at_.x.cwiseAbs())).maxCoeff();
  }
  [[nodiscard]] bool damped_step(double damping, Vector& dx);
  [[nodiscard]] bool line_search(const Vector& dx);
  [[nodiscard]] bool damped_search();

  const Equations& equations_;
  Matrix metric_;
  LeastChange at_;
  Vector weight_;
  Vector usual_;  ///< [equations] largest weight of each equation so far; equations are not compared with each other,
                  ///< because their units may differ
  Vector trial_x_, trial_r_;
  Matrix trial_J_;
};

void Search::weigh() {
  weight_ = at_.J.cwiseAbs() * equations_.scale.cwiseMax(at_.x.cwiseAbs());
  if (usual_.size() == 0) usual_ = equations_.of_row.size() > 0 ? equations_.of_row : Vector::Zero(weight_.size());
  const double largest = weight_.size() > 0 ? weight_.maxCoeff() : 0.0;
  for (Eigen::Index i = 0; i < weight_.size(); ++i) {
    // The residual of an equation whose row of J is 0 cannot be reduced, but it must be zero too. It is divided by the
    // largest earlier weight of the equation.
    usual_[i] = std::max(usual_[i], weight_[i]);
    if (weight_[i] > tolerance::kZero * usual_[i]) continue;
    weight_[i] = usual_[i] > 0.0 ? usual_[i] : largest > 0.0 ? largest : 1.0;
  }
  at_.relative = at_.r.cwiseAbs().cwiseQuotient(weight_);
}

Search::Step Search::full_step(Vector& dx) {
  const int n = static_cast<int>(at_.x.size());
  const int rows = static_cast<int>(at_.r.size());
  if (metric_.size() == 0) metric_ = equations_.metric();
  const auto kind_of_step = [&](double conditioning) {
    if (!dx.allFinite()) return Step::kNone;
    if (conditioning < tolerance::kRoot) return Step::kDoubtful;
    return steps_of_reach(dx) <= kLongStep ? Step::kGood : Step::kLong;
  };
  if (const auto conditioning = step_by_entries(metric_, at_.J, -at_.r, dx)) return kind_of_step(*conditioning);
  solve::ConstrainedSolve solver(n, rows);
  if (!solver.factor(metric_, at_.J)) return Step::kNone;
  solve::Solution solution;
  solver.solve_least_squares(Vector::Zero(n), -at_.r, solution);
  dx = solution.u;
  return kind_of_step(solver.conditioning());
}

/// Tries a long step without reducing it, and accepts it if it removes most of the residual. So linear equations are
/// solved in one step.
bool Search::leap(const Vector& dx) {
  trial_x_ = at_.x + dx;
  if (!equations_.evaluate(trial_x_, trial_r_, trial_J_)) return false;
  if (!(merit(trial_r_) <= kGoodLeap * merit(at_.r))) return false;
  accept_trial();
  return true;
}

/// Solves min |dx|² + |e|² subject to D J dx + √damping e = −D r, with the diagonal D of the inverse weights. The slack
/// variables e make the rows independent.
bool Search::damped_step(double damping, Vector& dx) {
  const Eigen::Index n = at_.x.size();
  const Eigen::Index rows = at_.r.size();
  Matrix metric = Matrix::Zero(n + rows, n + rows);
  metric.diagonal().head(n) = equations_.scale.cwiseAbs2().cwiseInverse();
  metric.diagonal().tail(rows).setOnes();
  Matrix J = Matrix::Zero(rows, n + rows);
  J.leftCols(n) = weight_.cwiseInverse().asDiagonal() * at_.J;
  J.rightCols(rows).diagonal().setConstant(std::sqrt(damping));
  const Vector missed = -at_.r.cwiseQuotient(weight_);
  if (Vector with_slack; step_by_entries(metric, J, missed, with_slack)) {
    dx = with_slack.head(n);
    return dx.allFinite();
  }
  solve::ConstrainedSolve solver(static_cast<int>(n + rows), static_cast<int>(rows));
  if (!solver.factor(metric, J)) return false;
  solve::Solution solution;
  solver.solve_least_squares(Vector::Zero(n + rows), missed, solution);
  dx = solution.u.head(n);
  return dx.allFinite();
}

bool Search::line_search(const Vector& dx) {
  const double before = merit(at_.r);
  for (double part = 1.0; part >= tolerance::kSearch; part *= 0.5) {
    trial_x_ = at_.x + part * dx;
    if (!equations_.evaluate(trial_x_, trial_r_, trial_J_)) continue;
    if (!(merit(trial_r_) <= (1.0 - tolerance::kSearch * part) * before)) continue;
    accept_trial();
    return true;
  }
  return false;
}

bool Search::damped_search() {
  Vector dx;
  for (double damping = tolerance::kSearch * std::min(1.0, merit(at_.r)); damping < kLastDamping;
       damping = 10.0 * damping + tolerance::kZero) {
    if (!damped_step(damping, dx)) return false;
    if (steps_of_reach(dx) > 4.0 * kLongStep) continue;
    if (line_search(dx)) return true;
  }
  return false;
}

LeastChange Search::run() {
  if (!equations_.evaluate(at_.x, at_.r, at_.J)) return at_;
  weigh();
  while (true) {
    const double worst = at_.relative.size() > 0 ? at_.relative.maxCoeff() : 0.0;
    if (worst <= 2.0 * tolerance::kEqual || at_.iterations >= kMaxIterations || at_.x.size() == 0) break;
    Vector dx;
    const Step step = full_step(dx);
    bool moved = (step == Step::kGood && line_search(dx)) || (step == Step::kLong && leap(dx));
    if (!moved && worst > tolerance::kConverged) moved = damped_search();
    if (!moved && step == Step::kDoubtful) moved = line_search(dx);
    if (!moved) break;
    ++at_.iterations;
    weigh();
    if (at_.relative.maxCoeff() > 0.5 * worst && worst <= tolerance::kConverged) break;
  }
  const double worst = at_.relative.size() > 0 ? at_.relative.maxCoeff() : 0.0;
  at_.outcome = worst <= tolerance::kConverged ? LeastChange::Outcome::kSolved : LeastChange::Outcome::kStationary;
  return at_;
}

}  // namespace

LeastChange solve_by_least_change(const Equations& equations, const Vector& x0) { return Search(equations, x0).run(); }

}  // namespace vinculum::sim
