#include <algorithm>
#include <utility>
#include <vector>

#include "vinculum/motion/dynamics_impl.hpp"

namespace vinculum::sim {
namespace {

constexpr int kMostReturns = 3;  // to surfaces that are not flat

/// What is linear in the forces of an instant.
std::vector<Vector*> linear_parts(Sample& sample) {
  solve::Reaction& r = sample.reaction;
  return {&r.total.u,    &r.total.lambda, &r.total.Q, &r.ideal.u,    &r.ideal.lambda, &r.ideal.Q,
          &r.Q_nonideal, &r.Q_c,          &r.effort,  &sample.q_dot, &sample.z_dot,   &sample.vectors};
}

}  // namespace

void Dynamics::Impl::bind(std::vector<double> sides) {
  bound->sides = std::move(sides);
  bound->prepare_kernels();
}

void Dynamics::set_sides(std::span<const double> sides) {
  const Binding& own = *impl_->bound;
  if (own.sides.empty()) return;
  const Switches& switches = own->watches->switches;
  ++impl_->changes;
  impl_->along.reset();
  const std::vector<std::size_t> held = switches.between(sides);
  impl_->bind(sides.empty() ? switches.live_values() : switches.values(sides, held));
  if (held.empty()) return;
  impl_->along = std::make_unique<SurfaceMotion>(*this, std::vector<double>(sides.begin(), sides.end()));
  for (Dynamics& face : impl_->along->faces()) {
    std::vector<double> values = face.impl_->bound->sides;
    std::copy_n(impl_->bound->sides.end() - static_cast<std::ptrdiff_t>(sides.size()), sides.size(),
                values.end() - static_cast<std::ptrdiff_t>(sides.size()));
    face.impl_->bind(std::move(values));
  }
}

void Dynamics::change_sides(std::span<const double> sides) {
  const Binding& own = *impl_->bound;
  if (own.sides.empty()) return;
  ++impl_->changes;
  std::vector<double> values = own.sides;
  for (std::size_t k = 0; k < sides.size(); ++k) values[1 + k] = own->watches->switches.in_kernel(k, sides[k]);
  impl_->bind(std::move(values));
}

Outcome<void> Dynamics::Impl::derivative_along(double t, const double* y, double* y_dot, SurfaceMotion::Use use) {
  if (auto done = along->read(t, y, use); !done) return done;
  std::copy_n(along->y_dot().data(), ny, y_dot);
  return {};
}

Outcome<double> Dynamics::Impl::return_to_surfaces(double t, double* y) {
  double moved = 0.0;
  for (int i = 0; i < kMostReturns; ++i) {
    if (auto done = along->read(t, y, SurfaceMotion::Use::kLooks); !done) return fail(std::move(done.error()));
    const Vector& change = along->correction();
    Eigen::Map<Vector>(y, ny) += change;
    const double by = change.cwiseAbs().dot(w.inverse_scale);
    moved += by;
    if (by <= 1.0) break;  // a tolerance, whose square is left
  }
  return moved;
}

Outcome<void> Dynamics::Impl::report_along(double t, const double* y, Sample& sample) {
  if (auto done = along->read(t, y, SurfaceMotion::Use::kLooks); !done) return done;
  std::vector<Dynamics>& faces = along->faces();
  for (std::size_t i = 0; i < faces.size(); ++i) {
    Sample one;
    if (auto done = faces[i].report(t, y, one); !done) return done;
    const std::vector<Vector*> parts = linear_parts(one);
    for (Vector* part : parts) *part *= along->weight(i);
    if (i == 0) {
      sample = std::move(one);
      continue;
    }
    const std::vector<Vector*> sums = linear_parts(sample);
    for (std::size_t k = 0; k < parts.size(); ++k) *sums[k] += *parts[k];
  }
  Vector outputs, expectations;
  for (std::size_t i = 0; i < faces.size(); ++i) {
    Impl& d = faces[i].looking();
    d.fill_report_input(t, y, sample);
    if (auto done = d.fill_results(sample); !done) return done;
    if (i == 0) outputs = expectations = Vector();
    const double weight = along->weight(i);
    outputs = i == 0 ? Vector(weight * sample.outputs) : Vector(outputs + weight * sample.outputs);
    expectations = i == 0 ? Vector(weight * sample.expectations) : Vector(expectations + weight * sample.expectations);
  }
  sample.outputs = std::move(outputs);
  sample.expectations = std::move(expectations);
  return {};
}

}  // namespace vinculum::sim
