// Computes initial guesses of the assembly: rows that determine a single coordinate are solved first, and coordinates
// without a stated guess adapt to coordinates with a stated guess.
#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/start/assembly_impl.hpp"

namespace vinculum::sim {
namespace {

// Weight of a squared change of an unknown without a stated guess. A change by 64 typical magnitudes counts as much as
// a change of a guessed unknown by one.
constexpr double kWeightOfUnstated = 1.0 / 4096.0;
// A start is far from a guess if their distance exceeds this fraction of the plausible range.
constexpr double kFar = 0.5;
constexpr int kMostSteps = 50;
constexpr std::size_t kMostUnstated = 200;  // a dense step with this many unknowns takes milliseconds
// Damping of Levenberg and Marquardt relative to the largest diagonal entry, and the factors by which the damping
// changes after a step.
constexpr double kFirstDamping = 1.0 / 1024.0, kDampingFalls = 8.0, kDampingRises = 4.0;

}  // namespace

Vector Assembly::weights_of(const StartProblem& problem) const {
  Vector weight = problem.scale.cwiseAbs2().cwiseInverse();
  std::vector<char> is_stated(problem.held.size(), 0);
  bool has_stated = false;
  for (std::size_t j = 0; j < is_stated.size(); ++j) {
    is_stated[j] = problem.guess[j] >= 0 ? 1 : 0;
    has_stated = has_stated || (is_stated[j] != 0 && problem.held[j] < 0 && problem.fixed[j] == 0);
  }
  if (!has_stated) return weight;
  // A guess of one component of a quaternion counts as a guess of all four.
  for (const std::array<int, 4>& e : bound_->system->quaternions) {
    if (std::ranges::none_of(e, [&](int i) { return nth(is_stated, i) != 0; })) continue;
    for (const int i : e) nth(is_stated, i) = 1;
  }
  for (std::size_t j = 0; j < is_stated.size(); ++j) {
    if (is_stated[j] == 0) nth(weight, j) *= kWeightOfUnstated;
  }
  return weight;
}

std::vector<Eigen::Index> Assembly::unknowns_of(const StartEquation& equation,
                                                const std::vector<char>& is_known) const {
  std::vector<Eigen::Index> unknowns;
  const auto add = [&](Eigen::Index j) {
    if (nth(is_known, j) == 0 && std::ranges::find(unknowns, j) == unknowns.end()) unknowns.push_back(j);
  };
  if (equation.row >= 0) {
    for (const auto& [j, slope] : nth(bound_->system->rows, equation.row).phi_q) add(static_cast<Eigen::Index>(j));
  } else if (equation.start >= 0) {
    add(static_cast<Eigen::Index>(nth(bound_->model->starts, equation.start).index));
    for (const expr::Entry& entry : bound_->start_gradient)
      if (entry.row == equation.start) add(entry.column);
  }
  return unknowns;
}

bool Assembly::meet(StartProblem& problem, const std::vector<Alone>& found, std::vector<char>& is_known) {
  // Newton's iteration for each unknown separately, with halved steps if the residual grows. An unknown for which no
  // root is found keeps its guess.
  Vector z = problem.z, r;
  Matrix J;
  Vector before(z), missed = Vector::Constant(z.size(), std::numeric_limits<double>::infinity());
  for (int step = 0; step < kMostSteps; ++step) {
    if (!problem.evaluate(z, r, J)) return false;
    double largest = 0.0;
    for (const Alone& one : found) {
      double& at = z[one.unknown];
      const double here = std::abs(r[one.equation]), slope = J(one.equation, one.unknown), start = at;
      if (here > missed[one.unknown]) {
        at = 0.5 * (at + before[one.unknown]);
      } else {
        before[one.unknown] = at, missed[one.unknown] = here;
        if (slope != 0.0) at -= r[one.equation] / slope;
      }
      const double size = std::max(problem.scale[one.unknown], std::abs(start));
      if (!(std::abs(at - start) <= size / tolerance::kFloor)) at = start;
      largest = std::max(largest, std::abs(at - start) / size);
    }
    if (largest <= tolerance::kConverged) break;
  }
  if (!problem.evaluate(z, r, J)) return false;
  bool has_met = false;
  for (const Alone& one : found) {
    const double size = std::max(problem.scale[one.unknown], std::abs(z[one.unknown]));
    const double slope = J(one.equation, one.unknown);
    const bool is_root = std::abs(r[one.equation]) <= tolerance::kZero * std::abs(slope) * size;
    if (!is_root || !std::isfinite(z[one.unknown]) || slope == 0.0) continue;
    problem.z[one.unknown] = z[one.unknown];
    nth(is_known, one.unknown) = 1;
    has_met = true;
  }
  return has_met;
}

void Assembly::meet_rows_alone(StartProblem& problem) {
  const Vector guessed = problem.z;
  const auto count = static_cast<Eigen::Index>(problem.equations.size());
  std::vector<char> is_known(problem.held.size(), 0), is_met(problem.equations.size(), 0), is_turn(is_known);
  for (std::size_t j = 0; j < is_known.size(); ++j) is_known[j] = problem.held[j] >= 0 || problem.fixed[j] != 0 ? 1 : 0;
  for (const std::array<int, 4>& e : bound_->system->quaternions)
    for (const int i : e) nth(is_turn, i) = 1;  // excluded, because the norm is a further equation
  for (bool goes_on = true; goes_on;) {
    std::vector<Alone> found;
    for (Eigen::Index k = 0; k < count; ++k) {
      if (nth(is_met, k) != 0) continue;
      const std::vector<Eigen::Index> unknowns = unknowns_of(nth(problem.equations, k), is_known);
      if (unknowns.size() != 1 || nth(is_turn, unknowns.front()) != 0) continue;
      const auto is_taken = [&](const Alone& one) { return one.unknown == unknowns.front(); };
      if (std::ranges::none_of(found, is_taken)) found.push_back({k, unknowns.front()});
    }
    for (const Alone& one : found) nth(is_met, one.equation) = 1;
    goes_on = !found.empty() && meet(problem, found, is_known);
  }
  // If no equation with several unknowns remains, the solved values need not replace the original guesses.
  const auto follows = [&](Eigen::Index k) {
    return nth(is_met, k) == 0 && unknowns_of(nth(problem.equations, k), is_known).size() > 1;
  };
  bool has_followers = false;
  for (Eigen::Index k = 0; k < count; ++k) has_followers = has_followers || follows(k);
  if (!has_followers) problem.z = guessed;
}

void Assembly::let_unstated_follow(StartProblem& problem) {
  std::vector<char> is_stated(problem.held.size(), 0);
  bool has_stated = false;
  for (std::size_t j = 0; j < is_stated.size(); ++j) {
    const bool is_free = problem.held[j] < 0 && problem.fixed[j] == 0;
    is_stated[j] = problem.guess[j] >= 0 || !is_free || problem.takes_part[j] == 0 ? 1 : 0;
    has_stated = has_stated || (problem.guess[j] >= 0 && is_free);
  }
  for (const std::array<int, 4>& e : bound_->system->quaternions)
    for (const int i : e) nth(is_stated, i) = 1;  // excluded, because their norm is a further equation
  std::vector<int> unstated;
  for (std::size_t j = 0; j < is_stated.size(); ++j)
    if (is_stated[j] == 0) unstated.push_back(static_cast<int>(j));
  Vector z = problem.z, r, r_there;
  Matrix J, J_there;
  if (!has_stated || unstated.empty() || unstated.size() > kMostUnstated || !problem.evaluate(z, r, J)) return;
  // Equations are scaled by the effect of typical changes of the unknowns, and unknowns by their typical magnitudes.
  const Vector weight = (J.cwiseAbs() * problem.scale).unaryExpr([](double x) { return x > 0.0 ? 1.0 / x : 0.0; });
  const Vector size = problem.scale(unstated);
  double missed = r.cwiseProduct(weight).norm(), damping = kFirstDamping;
  for (int step = 0; step < kMostSteps && missed > tolerance::kZero; ++step) {
    const Matrix D = weight.asDiagonal() * J(Eigen::all, unstated) * size.asDiagonal();
    Matrix normal = D.transpose() * D;
    normal.diagonal().array() += damping * (normal.diagonal().maxCoeff() + std::numeric_limits<double>::min());
    const Vector change = normal.ldlt().solve(D.transpose() * r.cwiseProduct(weight));
    Vector there = z;
    for (std::size_t k = 0; k < unstated.size(); ++k) there[unstated[k]] -= nth(change, k) * nth(size, k);
    const bool is_finite = there.allFinite() && problem.evaluate(there, r_there, J_there);
    const double missed_there = is_finite ? r_there.cwiseProduct(weight).norm() : missed;
    if (!(missed_there < missed)) {
      if (damping > 1.0 / tolerance::kZero) break;
      damping *= kDampingRises;
      continue;
    }
    const bool has_settled = missed - missed_there <= tolerance::kRoot * missed;
    z = there, r = r_there, J = J_there, missed = missed_there;
    damping /= kDampingFalls;
    if (has_settled) break;
  }
  problem.z = z;
}

void Assembly::note_far_guesses(const StartProblem& problem, const Vector& found) {
  const model::Model& model = *bound_->model;
  const Vector values = start_values(found);
  for (std::size_t j = 0; j < problem.guess.size(); ++j) {
    const int guess = problem.guess[j];
    if (guess < 0 || problem.held[j] >= 0) continue;
    const double guessed = values[guess], place = nth(found, j);
    if (!(std::abs(place - guessed) > kFar * nth(problem.reach, j))) continue;
    start_.by_chance.push_back(
        fmt::format("the constraints have led the start `{} = {:.6g}` far from its guess `{} ~ {:.6g}`",
                    model.coordinates[j].name, place, model.coordinates[j].name, guessed));
  }
}

}  // namespace vinculum::sim
