// Compares the marks of outputs that are not unique with a null space that is computed independently of the solver, by
// changing multipliers and friction.
#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/compiled/report_symbols.hpp"
#include "vinculum/motion/report_numbers.hpp"
#include "vinculum/verify/audit/lines.hpp"

namespace vinculum::audit {
namespace {

/// Possible changes of the multipliers and of the friction directions; change k is column k of both matrices.
struct Changes {
  Matrix lambda, direction;  ///< [nc × number of changes], [ns × number of changes] changes of λ; changes of the
                             ///< friction directions
};

/// Lengths of the rows of A. A row that contains only rounding is set to 0 and gets the length 1.
Vector lengths_of_rows(const Evidence& e, Matrix& A) {
  Vector length = A.rowwise().norm();
  for (Eigen::Index row = 0; row < A.rows(); ++row) {
    if (e.at.is_zero_row(row)) A.row(row).setZero();
    if (A.row(row).isZero(0.0)) length[row] = 1.0;
  }
  return length;
}

Matrix kernel_of(const Matrix& columns) {
  if (columns.cols() == 0) return Matrix(0, 0);
  Eigen::FullPivLU<Matrix> lu(columns);
  lu.setThreshold(tolerance::kGeneric);
  return lu.dimensionOfKernel() == 0 ? Matrix(columns.cols(), 0) : Matrix(lu.kernel());
}

/// Marks the rows whose multiplier is determined independently of other rows. These are rows with the multiplier 0
/// (integrals of the motion and rows that do not act) and rows of servo constraints. The latter exert no Aᵀλ, and their
/// efforts are the least possible (theory.md §6.9).
std::vector<char> is_without_share(const Evidence& e) {
  std::vector<char> without = e.at.is_directed;
  for (const int row : e.bound->integrals) nth(without, row) = 1;
  for (std::size_t row = 0; row < without.size(); ++row)
    if (!e.acts(row)) without[row] = 1;
  return without;
}

/// Computes the null space of K, whose first columns belong to rows of A. Entries of rows with a determined multiplier
/// are 0.
Matrix kernel_of_shares(const Evidence& e, const Matrix& K) {
  const std::vector<char> without = is_without_share(e);
  std::vector<Eigen::Index> shares;
  for (Eigen::Index column = 0; column < K.cols(); ++column) {
    if (column >= e.at.A.rows() || nth(without, column) == 0) shares.push_back(column);
  }
  const Matrix of_shares = kernel_of(K(Eigen::all, shares));
  Matrix kernel = Matrix::Zero(K.cols(), of_shares.cols());
  if (of_shares.cols() > 0) kernel(shares, Eigen::all) = of_shares;
  return kernel;
}

/// Computes the changes of the multipliers that do not change Aᵀλ. A row of A that contains only rounding errors may
/// have any multiplier.
Changes free_multipliers(const Evidence& e) {
  Matrix A = values_of(e.at.A);
  const Vector length = lengths_of_rows(e, A);
  const Matrix kernel = kernel_of_shares(e, (length.cwiseInverse().asDiagonal() * A).transpose());
  return {length.cwiseInverse().asDiagonal() * kernel, Matrix::Zero(e.sample.friction.direction.size(), kernel.cols())};
}

/// Computes orthonormal directions in which a contact can slip without violating the rows of its own constraint. [count
/// × k]
Matrix tangents_of(Evidence& e, std::size_t slide) {
  const equations::Slide& at = e.bound->system->slides[slide];
  const model::Term velocity = e.model.slides[slide].velocity;
  const auto value = [&](model::TermValues& values) {
    Vector v(at.count);
    if (velocity.is_scalar()) {
      v[0] = values.series(velocity).value().value;
    } else {
      const model::SeriesVector all = values.series_vector(velocity);
      for (int c = 0; c < at.count; ++c) v[c] = nth(all, c).value().value;
    }
    return v;
  };
  const auto nu = static_cast<Eigen::Index>(e.model.speeds.size());
  Matrix J(at.count, nu);
  for (Eigen::Index r = 0; r < nu; ++r) J.col(r) = value(e.unit(static_cast<std::size_t>(r))) - value(e.held());
  Matrix own(0, nu);
  for (Eigen::Index row = 0; row < e.at.A.rows(); ++row) {
    if (!at.constraint.is_valid() || nth(e.bound->system->rows, row).constraint != at.constraint) continue;
    own.conservativeResize(own.rows() + 1, Eigen::NoChange);
    own.row(own.rows() - 1) = values_of(e.at.A.row(row));
  }
  const Matrix moved = own.rows() == 0 ? J : Matrix(J * kernel_of(own));
  const Eigen::JacobiSVD<Matrix> svd(moved, Eigen::ComputeThinU);
  const auto rank = (svd.singularValues().array() > tolerance::kAtStates * J.norm()).count();
  return svd.matrixU().leftCols(rank);
}

/// Computes the changes of multipliers and of friction forces of sticking contacts that do not change f + Aᵀλ + C, to
/// first order.
Changes free_forces(Evidence& e) {
  Matrix A = values_of(e.at.A);
  const Vector length = lengths_of_rows(e, A);
  const ForceSlopes slopes(e.bound, e.sample);
  const Eigen::Index nc = A.rows(), ns = slopes.by_direction.cols();
  Matrix K = (length.cwiseInverse().asDiagonal() * (A + slopes.by_lambda.transpose())).transpose();
  Matrix unit(ns, 0);  // [ns × further columns of K] friction direction that the column changes
  for (std::size_t i = 0; i < e.bound->system->slides.size(); ++i) {
    if (e.sample.friction.sticks[i] == 0) continue;
    const equations::Slide& at = e.bound->system->slides[i];
    const Matrix T = tangents_of(e, i), along = slopes.by_direction.middleCols(at.first, at.count) * T;
    for (Eigen::Index c = 0; c < T.cols(); ++c) {
      const double size = along.col(c).norm();
      if (!(size > 0.0)) continue;  // the contact has no friction bound
      K.conservativeResize(Eigen::NoChange, K.cols() + 1);
      K.col(K.cols() - 1) = along.col(c) / size;
      unit.conservativeResize(Eigen::NoChange, unit.cols() + 1);
      unit.col(unit.cols() - 1).setZero();
      unit.col(unit.cols() - 1).segment(at.first, at.count) = T.col(c) / size;
    }
  }
  const Matrix kernel = kernel_of_shares(e, K);
  return {length.cwiseInverse().asDiagonal() * kernel.topRows(nc), unit * kernel.bottomRows(unit.cols())};
}

/// Whether the friction bound of a contact that sticks is a rounding error, as where the contact is about to open. Then
/// rounding decides whether it shares a force.
bool has_vanishing_bound(const Evidence& e) {
  const ForceSlopes slopes(e.bound, e.sample);
  const Vector unit = e.at.units(), forces = e.at.sizes();
  const double whole = forces.size() > 0 ? forces.cwiseProduct(unit).maxCoeff() : 0.0;
  for (std::size_t i = 0; i < e.bound->system->slides.size(); ++i) {
    const equations::Slide& at = e.bound->system->slides[i];
    const double size = (unit.asDiagonal() * slopes.by_direction.middleCols(at.first, at.count)).norm();
    if (e.sample.friction.sticks[i] != 0 && size > 0.0 && size <= tolerance::kZero * whole) return true;
  }
  return false;
}

/// Evaluates the model's outputs at a sample with changed multipliers and friction directions.
class ChangedOutputs {
 public:
  explicit ChangedOutputs(const Evidence& e)
      : outputs_(e.bound.outputs), workspace_(outputs_.kernel->workspace_size()) {
    sim::read_report_numbers(e.sample, numbers_);
    first_ = static_cast<std::size_t>(1 + e.bound->nq() + 2 * e.bound->nu() + e.bound->system->nz());
    first_direction_ = first_ + 2 * static_cast<std::size_t>(e.bound->nc()) +
                       static_cast<std::size_t>(e.sample.reaction.effort.size());
  }
  /// \param is_ideal  true: change the ideal part of the multipliers, λ_ideal; false: change λ
  Vector operator()(const Vector& lambda, const Vector& direction, bool is_ideal) {
    std::vector<double> numbers = numbers_;
    const std::size_t begin = first_ + (is_ideal ? static_cast<std::size_t>(lambda.size()) : 0);
    for (Eigen::Index row = 0; row < lambda.size(); ++row)
      nth(numbers, begin + static_cast<std::size_t>(row)) += lambda[row];
    for (Eigen::Index c = 0; c < direction.size(); ++c)
      nth(numbers, first_direction_ + static_cast<std::size_t>(c)) += direction[c];
    Vector values(static_cast<Eigen::Index>(outputs_.kernel->output_count()));
    outputs_.evaluate(numbers.data(), values.data(), workspace_.data());
    return values;
  }

 private:
  const sim::BoundKernel& outputs_;
  std::vector<double> numbers_, workspace_;
  std::size_t first_ = 0, first_direction_ = 0;
};

/// The changes that compliances do not determine: changes of multipliers of rows without compliance.
/// \param scale  typical size of multipliers, by which a change of a friction direction changes a force
Changes left_by_compliance(const Evidence& e, Changes free, double scale) {
  const Vector& compliance = e.bound.compliance;
  if (compliance.size() == 0 || free.lambda.cols() == 0) return free;
  for (Eigen::Index k = 0; k < free.lambda.cols(); ++k) {
    const double size = std::hypot(free.lambda.col(k).norm(), scale * free.direction.col(k).norm());
    if (!(size > 0.0)) continue;
    free.lambda.col(k) /= size;
    free.direction.col(k) /= size;
  }
  const Vector weight = (compliance / compliance.maxCoeff()).cwiseSqrt();
  const Matrix weighted = weight.asDiagonal() * free.lambda;
  const Matrix kernel = kernel_of((weighted.array().abs() > tolerance::kGeneric).select(weighted, 0.0));
  return {free.lambda * kernel, free.direction * kernel};
}

}  // namespace

AuditLine audit_uniqueness(const Case& of) {
  Judge judge("the outputs marked as not unique are those that depend on how constraints and contacts share a force",
              "3.5");
  const model::Model& model = *of.bound->model;
  for (const auto& evidence : of.evidence) {
    Evidence& e = *evidence;
    const bool has_friction = !e.bound->system->slides.empty();
    if (e.sample.outputs.size() == 0 || e.sample.output_unique.empty()) continue;
    if (e.at.A.rows() == 0 && !has_friction) continue;
    Vector changes = Vector::Zero(e.sample.outputs.size());
    ChangedOutputs outputs(e);
    const double scale =
        1.0 + (e.sample.reaction.lambda().size() > 0 ? e.sample.reaction.lambda().cwiseAbs().maxCoeff() : 0.0);
    if (has_friction && has_vanishing_bound(e)) continue;
    // Friction is not linear in these changes, so its derivative is computed as a difference quotient over a small
    // change.
    const double part = has_friction ? tolerance::kDifference : 1.0;
    for (const bool is_ideal : {false, true}) {
      const Changes free =
          left_by_compliance(e, has_friction && !is_ideal ? free_forces(e) : free_multipliers(e), scale);
      for (Eigen::Index k = 0; k < free.lambda.cols(); ++k) {
        double largest = free.lambda.rows() > 0 ? free.lambda.col(k).cwiseAbs().maxCoeff() : 0.0;
        if (free.direction.rows() > 0) largest = std::max(largest, scale * free.direction.col(k).cwiseAbs().maxCoeff());
        if (largest == 0.0) continue;
        const double way = part * scale / largest;
        const Vector lambda = way * free.lambda.col(k), direction = way * free.direction.col(k);
        const Vector there = outputs(lambda, direction, is_ideal), back = outputs(-lambda, -direction, is_ideal);
        changes = changes.cwiseMax((there - back).cwiseAbs() / part);
      }
    }
    for (std::size_t i = 0; i < model.outputs.size(); ++i) {
      const auto [first, count] = of.bound->output_columns[i];
      if (!e.sample.is_free_motion_unique && of.bound->output_is_of_free_motion[i] != 0) continue;
      for (int entry = first; entry < first + count; ++entry) {
        const bool is_marked = nth(e.sample.output_unique, entry) == 0;
        const double size = std::abs(e.sample.outputs[entry]) + scale;
        const bool changes_here = changes[entry] > (has_friction ? tolerance::kRoot : tolerance::kConditioned) * size;
        judge.see(is_marked == changes_here ? 0.0 : 1.0, 1.0, e.sample.t, model.outputs[i].name);
      }
    }
  }
  judge.where_nothing("the model has no outputs, or no constraints with multipliers");
  return judge.verdict();
}

}  // namespace vinculum::audit
