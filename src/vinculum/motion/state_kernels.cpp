#include "vinculum/motion/state_kernels.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "vinculum/compiled/late_matrices.hpp"
#include "vinculum/compiled/scales.hpp"
#include "vinculum/compiled/watches.hpp"

namespace vinculum::sim {
namespace {

constexpr std::size_t kMostSidesKnown = 16;  // regions whose kernel constants are cached

/// Whether two vectors have the same bits. Called at each evaluation, and models may have thousands of sides.
bool are_same(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

std::size_t needed(const Binding& bound_kernels, std::size_t (codegen::Kernel::*count)() const) {
  std::size_t most = 1;
  for (const auto kernel : kKernels) {
    if (const auto& bound = bound_kernels.*kernel; bound.kernel) most = std::max(most, ((*bound.kernel).*count)());
  }
  return most;
}

}  // namespace

StateKernels::StateKernels(const std::shared_ptr<const Binding>& binding)
    : bound(binding),
      compiled(bound->compiled),
      nq(compiled->nq()),
      nu(compiled->nu()),
      nc(compiled->nc()),
      nz(compiled->nz()),
      ny(nq + nu + nz),
      input(static_cast<std::size_t>(1 + ny + compiled->slide_size()), 0.0),
      result(needed(*bound, &codegen::Kernel::output_count)),
      workspace(needed(*bound, &codegen::Kernel::workspace_size)),
      layout(compiled->layout) {
  sizes.scale = stated_scale(*bound);
  sizes.inverse_scale = sizes.scale.cwiseInverse();
  sizes.displacement = displacement_scale(*bound, sizes.scale.head(nq));
  sizes.usual_row = sizes.usual_gradient = Vector::Zero(nc);
  if (!compiled->system->slides.empty()) slides.emplace(*bound);
  known_sides_.push_back({{}, {}, bound, {}});
}

void StateKernels::set_scale(const Vector& scale, double tolerance) {
  sizes.scale = scale;
  sizes.tolerance = tolerance;
  sizes.inverse_scale = (tolerance * scale).cwiseInverse();
  sizes.displacement = displacement_scale(*bound, scale.head(nq));
}

void StateKernels::load(double t, const double* y) {
  input[0] = t;
  std::copy_n(y, ny, input.data() + 1);
  if (!slides) return;
  double* const s = input.data() + 1 + ny;
  std::fill_n(s, slides->s.size(), 0.0);
  if (!is_without_friction) slides->fill_directions(*bound, *mode, input.data(), sizes.scale, s);
}

const BoundKernel& StateKernels::kernel_of_matrices() {
  if (!compiled->late_matrices) return bound->matrices;
  BoundKernel& late = known_sides_[in_force_].late;
  if (!late.kernel) {
    const LateMatrices::Compiled& found = compiled->late_matrices->get();
    late = {found.kernel, found.kernel->prepare(bound->bound_values())};
    layout = found.layout;
    result.resize(std::max(result.size(), late.kernel->output_count()));
    workspace.resize(std::max(workspace.size(), late.kernel->workspace_size()));
  }
  return late;
}

/// Sets the kernel constants for the sides of a mode, from the cache if they are there.
void StateKernels::take_sides(const Mode& in) {
  const auto is_of_it = [&](const OnSides& one) { return are_same(one.sides, in.sides) && one.along == in.along; };
  if (is_of_it(known_sides_[in_force_])) return;
  // The search begins at the end, because a sliding mode alternates between the regions added last.
  const auto found = std::find_if(known_sides_.rbegin(), known_sides_.rend(), is_of_it);
  if (found == known_sides_.rend()) {
    auto own = std::make_shared<Binding>(*bound);
    const Switches& switches = compiled->watches->switches;
    own->sides = in.sides.empty() ? switches.live_values() : switches.values(in.sides, in.along);
    own->prepare_kernels();
    if (!in.sides.empty()) own->judge_switched_rows();
    if (known_sides_.size() == kMostSidesKnown) known_sides_.erase(known_sides_.begin() + 1);
    known_sides_.push_back({in.sides, in.along, std::move(own), {}});
    in_force_ = known_sides_.size() - 1;
  } else {
    in_force_ = static_cast<std::size_t>(known_sides_.rend() - found) - 1;
  }
  bound = known_sides_[in_force_].bound;
}

void StateKernels::go_by(Mode& in) {
  mode = &in;
  if (!in.sides.empty() || in_force_ != 0) take_sides(in);
}

}  // namespace vinculum::sim
