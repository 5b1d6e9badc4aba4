#include "vinculum/hybrid/run_record.hpp"

#include <cmath>

#include "vinculum/base/tolerance.hpp"

namespace vinculum::sim {
namespace {

void join(double residual, double t, Eigen::Index constraint, RunRecord& run) {
  if (residual <= run.worst_residual[constraint]) return;
  run.worst_residual[constraint] = residual;
  run.worst_residual_t[constraint] = t;
}

}  // namespace

bool ContactImpact::creates_energy() const {
  if (law == model::RestitutionLaw::kEnergetic) return false;
  const double size = work.restitution - work.compression + std::abs(work.tangential);
  return work.total() > tolerance::kConditioned * size;
}

void RunRecord::note_residuals(double t, const Vector& of_rows, const CompiledModel& compiled) {
  for (int row = 0; row < compiled.nc(); ++row) {
    const auto& of = compiled.system->rows[static_cast<std::size_t>(row)];
    join(of_rows[row], t, static_cast<Eigen::Index>(of.constraint.index()), *this);
  }
}

void RunRecord::note_residuals(const Sample& sample) {
  for (Eigen::Index i = 0; i < sample.residual.size(); ++i) join(sample.residual[i], sample.t, i, *this);
}

}  // namespace vinculum::sim
