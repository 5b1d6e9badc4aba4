#include "vinculum/motion/equations_of.hpp"

#include <utility>

#include "vinculum/base/tolerance.hpp"
#include "vinculum/motion/dynamics_impl.hpp"

namespace vinculum::sim {

void EquationsOf::show_integrals(double t, const double* y, Matrices& matrices) {
  dynamics_.in(dynamics_.mode_).pieces.show_integrals(t, y, matrices);
}

void EquationsOf::matrices_as_they_are(const Mode& mode, double t, const double* y, Matrices& matrices,
                                       WithMass with_mass) {
  (void)dynamics_.in_copy(mode).pieces.read_matrices(t, y, matrices, with_mass);
}

void EquationsOf::gradients(const Mode& mode, double t, const double* y, numeric::SparseRows& A, Vector& residual) {
  dynamics_.in_copy(mode).pieces.gradients(t, y, A, residual);
}

Outcome<void> EquationsOf::react(const Mode& mode, double t, const double* y, Sample& sample) {
  return dynamics_.in_copy(mode).reports.react(t, y, sample);
}

Outcome<MotionGeometry> EquationsOf::geometry(double t, const double* y) {
  return dynamics_.in_copy(dynamics_.mode_).reports.vectors.geometry(t, y);
}

Outcome<MotionGeometry> EquationsOf::shown_geometry(double t, const double* y) {
  auto over = geometry(t, y);
  return over ? sim::shown_geometry(dynamics_.binding(), t, y, *std::move(over)) : over;
}

std::optional<Failure> EquationsOf::explain_weak_efforts(const Mode& mode, double t, const double* y) {
  Dynamics::Impl& d = dynamics_.in_copy(mode);
  Directed* const directed = d.routes.directed.get();
  if (directed == nullptr || !d.pieces.read_matrices(t, y, d.pieces.matrices)) return std::nullopt;
  if (auto done = directed->factor(d.pieces.matrices, d.pieces.rows.seen_defect(d.pieces.matrices)); !done)
    return d.pieces.named(std::move(done.error()), t, model::Level::kAcceleration);
  if (directed->weakest_response() > tolerance::kFloor) return std::nullopt;
  Failure failure;
  failure.kind = FailureKind::kInconsistent;
  failure.rows = {directed->weakest_row()};
  return d.pieces.named(std::move(failure), t, model::Level::kAcceleration);
}

Regularity EquationsOf::regularity(const Mode& mode, double t, const double* y) {
  Dynamics::Impl& d = dynamics_.in_copy(mode);
  return d.highest ? d.highest->regularity(t, y) : Regularity();
}

Vector EquationsOf::row_sizes_of_highest() const {
  return dynamics_.impl_->highest ? dynamics_.impl_->highest->row_sizes() : Vector();
}

Failure EquationsOf::singular(double t) const { return dynamics_.impl_->highest->singular(t); }

}  // namespace vinculum::sim
