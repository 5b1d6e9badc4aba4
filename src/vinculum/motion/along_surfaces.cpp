#include <algorithm>
#include <utility>
#include <vector>

#include "vinculum/motion/dynamics_impl.hpp"
#include "vinculum/motion/surface_motion.hpp"

namespace vinculum::sim {
namespace {

constexpr int kMostReturns = 3;  // corrections onto the surfaces; one does not suffice, because surfaces are curved

/// Returns the vectors of a sample that are linear in the forces. In a sliding mode each of them is the convex
/// combination of its values in the regions.
std::vector<Vector*> linear_parts(Sample& sample) {
  solve::Reaction& r = sample.reaction;
  return {&r.total.u,    &r.total.lambda, &r.total.Q, &r.ideal.u,    &r.ideal.lambda, &r.ideal.Q,
          &r.Q_nonideal, &r.Q_c,          &r.effort,  &sample.q_dot, &sample.z_dot,   &sample.vectors};
}

}  // namespace

SurfaceMotion& Dynamics::along(const Mode& mode) {
  if (!along_ || along_->sides() != mode.sides) along_ = std::make_unique<SurfaceMotion>(*bound_, mode.sides);
  return *along_;
}

/// In a sliding mode the state is also moved back onto the surfaces of the sliding mode.
Outcome<double> Dynamics::project(Mode& mode, double t, double* y) {
  const auto moved = in(mode).projection.project(t, y);
  if (!moved || mode.faces.empty()) return moved;
  SurfaceMotion& surfaces = along(mode);
  if (&mode != &copy_) copy_ = mode;  // `read` changes the modes of the regions; those of `mode` must not change
  double further = 0.0;
  for (int i = 0; i < kMostReturns; ++i) {
    if (auto done = surfaces.read(*this, copy_, t, y); !done) return fail(std::move(done.error()));
    const Vector& change = surfaces.correction();
    Eigen::Map<Vector>(y, change.size()) += change;
    const double by = change.cwiseAbs().dot(impl_->at.sizes.inverse_scale);
    further += by;
    if (by <= 1.0) break;  // the correction is within the tolerance, so the next one would be negligible
  }
  return std::max(*moved, further);
}

/// Does the same as `report`, in a sliding mode. Reactions are the convex combination of the reactions in the regions.
/// Outputs are evaluated in each region with the combined reactions, and are then combined with the same weights.
Outcome<void> Dynamics::report_along(Mode& mode, double t, const double* y, Sample& sample) {
  SurfaceMotion& surfaces = along(mode);
  if (auto done = surfaces.read(*this, mode, t, y); !done) return done;
  for (std::size_t i = 0; i < mode.faces.size(); ++i) {
    Sample one;
    Mode face = mode.faces[i];
    if (auto done = in(face).reports.report(t, y, one); !done) return done;
    const std::vector<Vector*> parts = linear_parts(one);
    for (Vector* part : parts) *part *= surfaces.weight(i);
    if (i == 0) {
      sample = std::move(one);
      continue;
    }
    const std::vector<Vector*> sums = linear_parts(sample);
    for (std::size_t k = 0; k < parts.size(); ++k) *sums[k] += *parts[k];
  }
  Vector outputs, expectations;
  for (std::size_t i = 0; i < mode.faces.size(); ++i) {
    Impl& d = in(mode.faces[i]);
    if (auto done = d.reports.fill_results_at(t, y, sample); !done) return done;
    const double weight = surfaces.weight(i);
    outputs = i == 0 ? Vector(weight * sample.outputs) : Vector(outputs + weight * sample.outputs);
    expectations = i == 0 ? Vector(weight * sample.expectations) : Vector(expectations + weight * sample.expectations);
  }
  sample.outputs = std::move(outputs);
  sample.expectations = std::move(expectations);
  return {};
}

}  // namespace vinculum::sim
