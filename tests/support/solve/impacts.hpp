#pragma once

#include <Eigen/Dense>
#include <random>
#include <vector>

#include "vinculum/solve/contacts/impact_process.hpp"

/// Random numbers and impact problems for the tests of contacts.
namespace vinculum::solve {

using Random = std::mt19937_64;

inline double uniform(Random& random, double from, double to) {
  return std::uniform_real_distribution(from, to)(random);
}

inline Matrix random_entries(Random& random, Eigen::Index rows, Eigen::Index columns) {
  return Matrix::NullaryExpr(rows, columns, [&] { return uniform(random, -1.0, 1.0); });
}

/// Contacts of a system with the mass matrix M and the speeds u. W has the normal row of each contact, followed by its
/// `tangents` tangential rows.
inline ImpactProblem impact_problem(const Matrix& M, const Matrix& W, const Vector& u, int tangents, double e,
                                    double mu) {
  ImpactProblem problem;
  problem.G = W * M.inverse() * W.transpose();
  problem.G = 0.5 * (problem.G + problem.G.transpose()).eval();
  problem.G_size = problem.G.diagonal().cwiseMax(1e-30);
  problem.velocity = W * u;
  problem.velocity_size = (W.cwiseAbs() * u.cwiseAbs()).array() + 1e-30;
  for (int row = 0; row < W.rows(); row += 1 + tangents) {
    ImpactContact one;
    one.normal = row;
    one.first = tangents > 0 ? row + 1 : 0;
    one.count = tangents;
    one.restitution = e;
    one.mu = mu;
    problem.contacts.push_back(one);
  }
  return problem;
}

/// The same impact with other units of speed and mass.
inline ImpactProblem scaled(ImpactProblem problem, double speed, double mass) {
  problem.velocity *= speed;
  problem.velocity_size *= speed;
  problem.G /= mass;
  problem.G_size /= mass;
  return problem;
}

inline double energy_gain(const ImpactProblem& problem, const ImpactResult& result) {
  return 0.5 * result.impulse.dot(problem.velocity + result.velocity);
}

/// Kinetic energy that the velocities of the contacts need at least.
inline double energy_size(const ImpactProblem& problem) {
  const Eigen::CompleteOrthogonalDecomposition<Matrix> factor(problem.G);
  return 0.5 * problem.velocity.dot(factor.solve(problem.velocity));
}

}  // namespace vinculum::solve
