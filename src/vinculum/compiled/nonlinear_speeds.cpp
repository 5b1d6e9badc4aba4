#include "vinculum/compiled/nonlinear_speeds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/LU>
#include <algorithm>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/model/nonlinear_speeds.hpp"

namespace vinculum::sim {
namespace {

std::vector<expr::Expr> equations_of_speeds(const CompiledModel& compiled) {
  std::vector<expr::Expr> roots;
  for (const auto& one : compiled.nonlinear_speeds) roots.push_back(one.value);
  for (const auto& one : compiled.nonlinear_speeds) roots.push_back(one.rest);
  for (const auto& one : compiled.nonlinear_speeds) append(roots, one.by_u);
  return roots;
}

std::vector<expr::Expr> symbols_of_speeds(const equations::System& system) {
  std::vector<expr::Expr> inputs{system.t};
  append(inputs, system.q);
  append(inputs, system.u);
  append(inputs, system.parameters);
  return inputs;
}

Matrix block_in_places(const model::Model& model, const Matrix& by_u) {
  const auto count = static_cast<Eigen::Index>(model.nonlinear_speeds.size());
  Matrix block(count, count);
  for (Eigen::Index k = 0; k < count; ++k)
    block.col(k) = by_u.col(model.nonlinear_speeds[static_cast<std::size_t>(k)].in_place_of.index());
  return block;
}

}  // namespace

NonlinearSpeeds::NonlinearSpeeds(const Binding& compiled)
    : compiled_(compiled), program_(equations_of_speeds(compiled), symbols_of_speeds(*compiled->system)) {}

bool NonlinearSpeeds::are_in(const CompiledModel& compiled) { return !compiled.nonlinear_speeds.empty(); }

NonlinearSpeeds::At NonlinearSpeeds::at(double t, const double* y) const {
  const auto count = static_cast<Eigen::Index>(compiled_->nonlinear_speeds.size());
  std::vector<double> inputs{t};
  inputs.insert(inputs.end(), y, y + compiled_->nq() + compiled_->nu());
  inputs.insert(inputs.end(), compiled_.parameters.begin(), compiled_.parameters.end());
  const std::vector<double> values = program_.at(inputs);
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return {Eigen::Map<const Vector>(values.data(), count),
          Eigen::Map<const RowMajor>(values.data() + 2 * count, count, compiled_->nu()),
          Eigen::Map<const Vector>(values.data() + count, count)};
}

double NonlinearSpeeds::determinant(const At& at) const {
  return block_in_places(*compiled_->model, at.by_u).determinant();
}

Failure NonlinearSpeeds::singular(double t) const {
  std::vector<std::string> speeds, rates;
  Failure failure;
  failure.kind = FailureKind::kSingularKinematics;
  failure.t = t;
  for (const model::NonlinearSpeed& one : compiled_->model->nonlinear_speeds) {
    speeds.push_back("`" + one.speed.name + "`");
    rates.push_back("`" + compiled_->speed_name(static_cast<int>(one.in_place_of.index())) + "`");
    failure.statements.push_back({StatementId::Kind::kNonlinearSpeed, static_cast<int>(failure.statements.size())});
  }
  failure.message = fmt::format(
      "{} {} not determine {} here: the {} by {} vanishes, and beyond it the motion would be on another branch of the "
      "definition{}",
      fmt::join(speeds, ", "), speeds.size() == 1 ? "does" : "do", fmt::join(rates, ", "),
      speeds.size() == 1 ? "derivative" : "determinant of the derivatives", rates.size() == 1 ? "it" : "them",
      speeds.size() == 1 ? "" : "s");
  return failure;
}

std::optional<NonlinearSpeeds::Change> NonlinearSpeeds::change(double t, const double* y) const {
  const At here = at(t, y);
  const auto nu = static_cast<Eigen::Index>(compiled_->nu());
  Change change{Matrix::Zero(nu, nu), {}, Vector::Zero(nu)};
  Eigen::Index row = 0;
  for (const model::ShownSpeed& one : model::shown_speeds(*compiled_->model)) {
    if (one.nonlinear) {
      const auto k = static_cast<Eigen::Index>(*one.nonlinear);
      change.J.row(row) = here.by_u.row(k);
      change.rest[row] = here.rest[k];
    } else {
      change.J(row, static_cast<Eigen::Index>(one.id.index())) = 1.0;
    }
    ++row;
  }
  if (!change.J.allFinite() || !change.rest.allFinite()) return std::nullopt;
  // Full pivoting is used, because rows and columns have different units.
  const Eigen::FullPivLU<Eigen::MatrixXd> lu(change.J);
  if (!lu.isInvertible()) return std::nullopt;
  change.inverse = lu.inverse();
  return change;
}

}  // namespace vinculum::sim
