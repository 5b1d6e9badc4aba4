// Flags of uniqueness against a null space found apart from the solver, by changing multipliers.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "vinculum/audit/lines.hpp"
#include "vinculum/base/index.hpp"
#include "vinculum/base/tolerance.hpp"
#include "vinculum/sim/plant/report_symbols.hpp"

namespace vinculum::audit {
namespace {

/// Changes of the multipliers that leave Aᵀλ as it is: columns, each row of A taken by its length. Rows that are zero
/// but for rounding may have any multiplier.
Matrix free_multipliers(const Evidence& e) {
  Matrix A = values_of(e.at.A);
  Vector length = A.rowwise().norm();
  for (Eigen::Index row = 0; row < A.rows(); ++row) {
    const double rounding = errors_of(e.at.A.row(row)).norm() / tolerance::kRounding;
    if (length[row] <= tolerance::kZero * rounding) A.row(row).setZero();
    if (A.row(row).isZero(0.0)) length[row] = 1.0;
  }
  Eigen::FullPivLU<Matrix> lu((length.cwiseInverse().asDiagonal() * A).transpose());
  lu.setThreshold(tolerance::kGeneric);
  if (lu.dimensionOfKernel() == 0) return Matrix(A.rows(), 0);
  return length.cwiseInverse().asDiagonal() * lu.kernel();
}

/// Values of the model's outputs at a sample whose multipliers are changed.
class ChangedOutputs {
 public:
  explicit ChangedOutputs(const Evidence& e)
      : outputs_(e.compiled.outputs), workspace_(outputs_.kernel->workspace_size()) {
    sim::read_report_numbers(e.sample, numbers_);
    first_ = static_cast<std::size_t>(1 + e.compiled.nq() + 2 * e.compiled.nu() + e.compiled.system->nz());
  }
  /// \param is_ideal  changes the multipliers of the ideal part
  Vector operator()(const Vector& change, bool is_ideal) {
    std::vector<double> numbers = numbers_;
    const std::size_t begin = first_ + (is_ideal ? static_cast<std::size_t>(change.size()) : 0);
    for (Eigen::Index row = 0; row < change.size(); ++row)
      nth(numbers, begin + static_cast<std::size_t>(row)) += change[row];
    Vector values(static_cast<Eigen::Index>(outputs_.kernel->output_count()));
    outputs_.evaluate(numbers.data(), values.data(), workspace_.data());
    return values;
  }

 private:
  const sim::BoundKernel& outputs_;
  std::vector<double> numbers_, workspace_;
  std::size_t first_ = 0;
};

}  // namespace

AuditLine audit_uniqueness(const Case& of) {
  Judge judge("outputs that depend on how redundant constraints share a force are those marked so", "3.5");
  const mechanics::Model& model = *of.compiled.model;
  for (const auto& evidence : of.evidence) {
    const Evidence& e = *evidence;
    if (e.sample.outputs.size() == 0 || e.sample.output_unique.empty() || e.at.A.rows() == 0) continue;
    const Matrix N = free_multipliers(e);
    Vector changes = Vector::Zero(e.sample.outputs.size());
    ChangedOutputs outputs(e);
    const double scale =
        1.0 + (e.sample.reaction.lambda().size() > 0 ? e.sample.reaction.lambda().cwiseAbs().maxCoeff() : 0.0);
    for (Eigen::Index k = 0; k < N.cols(); ++k) {
      for (const bool is_ideal : {false, true}) {
        const Vector change = scale / N.col(k).cwiseAbs().maxCoeff() * N.col(k);
        const Vector there = outputs(change, is_ideal), back = outputs(-change, is_ideal);
        changes = changes.cwiseMax((there - back).cwiseAbs());
      }
    }
    for (std::size_t i = 0; i < model.outputs.size(); ++i) {
      const auto [first, count] = of.compiled.output_columns[i];
      if (!e.sample.is_free_motion_unique && of.compiled.output_is_of_free_motion[i] != 0) continue;
      for (int entry = first; entry < first + count; ++entry) {
        const bool is_marked = nth(e.sample.output_unique, entry) == 0;
        const double size = std::abs(e.sample.outputs[entry]) + scale;
        const bool changes_here = changes[entry] > tolerance::kConditioned * size;
        judge.see(is_marked == changes_here ? 0.0 : 1.0, 1.0, e.sample.t, model.outputs[i].name);
      }
    }
  }
  judge.where_nothing("the model has no outputs, or no constraints with multipliers");
  return judge.verdict();
}

}  // namespace vinculum::audit
