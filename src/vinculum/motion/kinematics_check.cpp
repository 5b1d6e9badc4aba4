#include "vinculum/motion/kinematics_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "vinculum/base/linear_algebra.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/equations/lowering.hpp"
#include "vinculum/expr/interpreter.hpp"
#include "vinculum/model/evaluate.hpp"

namespace vinculum::sim {
namespace {

using expr::Expr;

// A speed or coordinate takes part in a singularity if its component of the null vector is at least this fraction of
// the largest component.
constexpr double kShareInvolved = 0.1;

bool is_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
}

bool is_kinematics_finite(const Binding& bound, double t, const double* y) {
  const equations::System& system = *bound->system;
  std::vector<Expr> roots = system.q_dot;
  for (const auto& row : system.G) append(roots, row.values());
  std::vector<Expr> symbols{system.t};
  for (const auto* more : {&system.q, &system.u, &system.parameters})
    symbols.insert(symbols.end(), more->begin(), more->end());
  std::vector<double> values{t};
  values.insert(values.end(), y, y + bound->nq() + bound->nu());
  values.insert(values.end(), bound.parameters.begin(), bound.parameters.end());
  return is_finite(expr::interpret(roots, symbols, values));
}

/// Evaluates the matrix Y of the definitions u = Y q' + y0 at a state: one row per speed, followed by one row for the
/// norm of each quaternion. Nothing if Y or y0 is not finite.
std::optional<Matrix> definitions_at(const Binding& bound, double t, const double* q) {
  const model::Model& model = *bound->model;
  const int nq = bound->nq(), nu = bound->nu();
  expr::Graph graph;
  equations::LeafSymbols leaves;
  leaves.t = graph.symbol("t");
  for (const auto& parameter : model.parameters) leaves.parameters.push_back(graph.symbol(parameter.name));
  for (const auto& coordinate : model.coordinates) {
    leaves.q.push_back(graph.symbol(coordinate.name));
    leaves.q_dot.push_back(graph.symbol("d(" + coordinate.name + ")/dt"));
  }
  std::vector<Expr> symbols{leaves.t};
  std::vector<double> values{t};
  symbols.insert(symbols.end(), leaves.q.begin(), leaves.q.end());
  values.insert(values.end(), q, q + nq);
  symbols.insert(symbols.end(), leaves.parameters.begin(), leaves.parameters.end());
  values.insert(values.end(), bound.parameters.begin(), bound.parameters.end());
  // Each column belongs to the q' of a coordinate. A quaternion has its three angular velocities in three of its four
  // columns; the fourth column belongs to its norm.
  std::vector<Expr> rates = leaves.q_dot;
  for (const model::Frame& frame : model.frames) {
    if (!frame.quaternion) continue;
    equations::ExprVector omega;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      omega[axis] = graph.symbol("angular velocity of " + frame.name + ", " + "xyz"[axis]);
      rates[frame.quaternion->e[axis + 1].index()] = omega[axis];
    }
    leaves.quaternion_rates[model::FrameId(static_cast<std::size_t>(&frame - model.frames.data()))] = omega;
  }
  symbols.insert(symbols.end(), rates.begin(), rates.end());
  values.insert(values.end(), rates.size(), 0.0);

  equations::Lowering lowering(model, graph, std::move(leaves));
  std::vector<Expr> roots;
  for (const auto& speed : model.speeds) roots.push_back(lowering.scalar(speed.definition));
  const std::vector<expr::Entry> entries = expr::sparse_jacobian(roots, rates);
  for (const expr::Entry& entry : entries) roots.push_back(entry.value);
  const std::vector<double> results = expr::interpret(roots, symbols, values);
  if (!is_finite(results)) return std::nullopt;
  const auto& quaternions = bound->system->quaternions;
  Matrix Y = Matrix::Zero(nu + static_cast<Eigen::Index>(quaternions.size()), nq);
  for (std::size_t k = 0; k < quaternions.size(); ++k) {
    Y(nu + static_cast<Eigen::Index>(k), quaternions[k][0]) = 1.0;
  }
  for (std::size_t k = 0; k < entries.size(); ++k) {
    Y(entries[k].row, entries[k].column) = results[static_cast<std::size_t>(nu) + k];
  }
  return Y;
}

/// Whether the axes of rotation of these angles are linearly dependent at this state: two are parallel, or three are in
/// a plane. False if one of the angles does not rotate `frame`, because it belongs to another branch of the frames.
/// \param frame  the last of the frames that the angles rotate
bool do_axes_coincide(const Binding& bound, const std::vector<int>& coordinates, model::FrameId frame, double t,
                      const double* q) {
  const model::Model& model = *bound->model;
  model::Instant at;
  at.t = t;
  at.is_time_held = true;
  at.parameters = bound.parameters;
  at.q.assign(q, q + bound->nq());
  at.q_dot.assign(at.q.size(), 0.0);
  at.q_ddot = at.q_dot;
  Matrix axes(3, static_cast<Eigen::Index>(coordinates.size()));
  for (std::size_t k = 0; k < coordinates.size(); ++k) {
    model::Instant turning = at;
    turning.q_dot[static_cast<std::size_t>(coordinates[k])] = 1.0;
    const model::JetVector omega = model::TermValues(model, std::move(turning))
                                       .vector(model.terms->angular_velocity(frame, model::Model::newtonian()));
    for (std::size_t i = 0; i < 3; ++i)
      axes(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = omega[i].value;
    if (!(axes.col(static_cast<Eigen::Index>(k)).norm() > 0.0)) return false;
  }
  if (!axes.allFinite()) return false;
  const Vector lengths = Eigen::JacobiSVD<Eigen::MatrixXd>(axes).singularValues();
  return axes.cols() > 3 || lengths[axes.cols() - 1] <= tolerance::kFloor * lengths[0];
}

/// Returns a text that says that these coordinates are angles of successive frames whose axes of rotation coincide at
/// this state. Empty if this is not true, or if a coordinate is not such an angle.
std::string coinciding_axes(const Binding& bound, const std::vector<int>& coordinates, double t, const double* q) {
  const model::Model& model = *bound->model;
  std::vector<std::string> angles, frames;
  model::FrameId last;
  for (std::size_t f = 0; f < model.frames.size(); ++f) {
    const model::Frame& frame = model.frames[f];
    for (const model::SimpleRotation& rotation : frame.rotations) {
      if (rotation.angle.kind() != model::TermKind::kCoordinate || rotation.angle.order() != 0) continue;
      const auto index = static_cast<int>(rotation.angle.index());
      if (std::ranges::find(coordinates, index) == coordinates.end()) continue;
      angles.push_back("`" + model.coordinates[static_cast<std::size_t>(index)].name + "`");
      if (frames.empty() || frames.back() != "`" + frame.name + "`") frames.push_back("`" + frame.name + "`");
      last = model::FrameId(f);
    }
  }
  if (angles.size() < 2 || angles.size() != coordinates.size() || !do_axes_coincide(bound, coordinates, last, t, q))
    return {};
  return fmt::format("the rotations by {} of frame{} {} turn about one axis (gimbal lock; a quaternion has none)",
                     fmt::join(angles, " and "), frames.size() > 1 ? "s" : "", fmt::join(frames, " and "));
}

}  // namespace

std::optional<Failure> explain_undetermined_angles(const Binding& bound, const std::vector<int>& speeds, double t,
                                                   const double* y, ConstMatrix M) {
  // If a speed of these angles has no inertia of its own (its diagonal entry of M is not positive), that is the reason,
  // and not the axes.
  if (std::ranges::any_of(speeds, [&](int j) { return !(M(j, j) > 0.0); })) return std::nullopt;
  Failure failure;
  failure.t = t;
  failure.kind = FailureKind::kSingularKinematics;
  for (int i = 0; i < bound->nq(); ++i) {
    for (const int j : speeds) {
      const equations::System& system = *bound->system;
      if (system.q_dot[static_cast<std::size_t>(i)] == system.u[static_cast<std::size_t>(j)])
        failure.coordinates.push_back(i);
    }
  }
  failure.message = coinciding_axes(bound, failure.coordinates, t, y);
  if (failure.message.empty()) return std::nullopt;
  return failure;
}

std::optional<Failure> explain_lost_inertia(const Binding& bound, double t, const double* y, ConstMatrix M) {
  const auto nu = static_cast<Eigen::Index>(bound->nu());
  if (nu < 2 || !M.allFinite() || !((M.diagonal().array() > 0.0).all())) return std::nullopt;
  const Vector scale = M.diagonal().cwiseSqrt().cwiseInverse();
  const Matrix scaled = scale.asDiagonal() * M * scale.asDiagonal();
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled);
  if (eigen.eigenvalues()[0] > tolerance::kAtStates * eigen.eigenvalues()[nu - 1]) return std::nullopt;
  const Vector share = eigen.eigenvectors().col(0).cwiseAbs();
  std::vector<int> speeds;
  for (int j = 0; j < bound->nu(); ++j) {
    if (share[j] >= kShareInvolved * share.maxCoeff()) speeds.push_back(j);
  }
  return explain_undetermined_angles(bound, speeds, t, y, M);
}

std::optional<Failure> explain_singular_kinematics(const Binding& bound, double t, const double* y, double tol_rank) {
  if (bound->has_identity_kinematics) return std::nullopt;
  if (tol_rank == 0.0 && is_kinematics_finite(bound, t, y)) return std::nullopt;
  auto Y = definitions_at(bound, t, y);
  if (!Y || Y->rows() != Y->cols()) return std::nullopt;
  for (Eigen::Index i = 0; i < Y->rows(); ++i) {
    if (const double length = Y->row(i).norm(); length > 0.0) Y->row(i) /= length;
  }
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(*Y, Eigen::ComputeFullU | Eigen::ComputeFullV);
  if (tol_rank > 0.0 && svd.singularValues().tail(1)[0] > tol_rank * svd.singularValues()[0]) return std::nullopt;
  const Vector dependent = svd.matrixU().rightCols(1).cwiseAbs();
  const Vector open = svd.matrixV().rightCols(1).cwiseAbs();

  Failure failure;
  failure.kind = FailureKind::kSingularKinematics;
  failure.t = t;
  // The message names a speed that the user defined rather than a default speed.
  int speed = -1;
  for (int i = 0; i < bound->nu(); ++i) {
    const bool is_stated = !bound->model->speeds[static_cast<std::size_t>(i)].is_default;
    if (!is_stated || dependent[i] < kShareInvolved * dependent.maxCoeff()) continue;
    if (speed < 0 || dependent[i] > dependent[speed]) speed = i;
  }
  if (speed < 0) return std::nullopt;
  failure.statements = {{StatementId::Kind::kSpeed, speed}};
  std::vector<std::string> rates;
  for (int j = 0; j < bound->nq(); ++j) {
    if (open[j] < kShareInvolved * open.maxCoeff()) continue;
    failure.coordinates.push_back(j);
    rates.push_back("`" + bound->model->coordinates[static_cast<std::size_t>(j)].name + "'`");
  }
  failure.message = fmt::format("the definition of `{}` cannot be solved for {} here", bound->speed_name(speed),
                                fmt::join(rates, ", "));
  if (const std::string axes = coinciding_axes(bound, failure.coordinates, t, y); !axes.empty())
    failure.message += ": " + axes;
  return failure;
}

std::vector<int> rows_with_inertia(const equations::System& system) {
  std::vector<int> rows;
  for (int row = 0; row < system.nc(); ++row) {
    const auto concerns = [&](const equations::LawChange& change) {
      return !change.M.empty() && change.constraint == system.rows[static_cast<std::size_t>(row)].constraint;
    };
    if (std::ranges::any_of(system.changes, concerns)) rows.push_back(row);
  }
  return rows;
}

}  // namespace vinculum::sim
