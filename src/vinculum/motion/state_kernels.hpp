#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/motion/friction/slide_motion.hpp"
#include "vinculum/motion/mode.hpp"

namespace vinculum::sim {

/// Kernels of a binding at one state at a time, in a mode and on the sides of that mode. Scratch of one thread.
class StateKernels {
 public:
  explicit StateKernels(const std::shared_ptr<const Binding>& binding);
  StateKernels(const StateKernels&) = delete;
  StateKernels& operator=(const StateKernels&) = delete;

  /// Evaluations that follow are in this mode, which outlives them, and on its sides.
  void go_by(Mode& in);
  void set_scale(const Vector& scale, double tolerance);

  /// The state into `input`, and after it the directions of friction: 0 of contacts that stick.
  void load(double t, const double* y);
  /// A kernel of (t, q, u, z, s) into `result`.
  void evaluate(const BoundKernel& kernel) { kernel.evaluate(input.data(), result.data(), workspace.data()); }
  /// Velocities of sliding at the state in `input`.   \pre friction contacts
  void read_slides() { slides->read(*bound, *mode, input.data(), sizes.scale); }
  /// The kernel of all pieces, compiled now where no step needs it and nobody has asked before.
  [[nodiscard]] const BoundKernel& kernel_of_matrices();
  [[nodiscard]] const MatricesLayout& layout_of(WithMass with_mass) const {
    return with_mass == WithMass::kYes || !bound->matrices.kernel ? layout : compiled->layout;
  }

  std::shared_ptr<const Binding> bound;  ///< of the sides in force
  const std::shared_ptr<const CompiledModel> compiled;
  const int nq, nu, nc, nz, ny;  ///< ny = nq + nu + nz
  std::vector<double> input;     ///< t, q, u, z, s
  std::vector<double> result;    ///< large enough for every kernel
  std::vector<double> workspace;
  MatricesLayout layout;  ///< of `kernel_of_matrices`
  Mode* mode = nullptr;   ///< that is evaluated in
  Sizes sizes;
  std::optional<SlideMotion> slides;  ///< where there are friction contacts
  bool is_without_friction = false;   ///< all directions are 0

 private:
  /// Constants on the sides of a mode. Those met last are kept: a motion along a surface takes them in turn.
  struct OnSides {
    std::vector<double> sides;
    std::vector<std::size_t> along;
    std::shared_ptr<const Binding> bound;
    BoundKernel late;  ///< where the model has `late_matrices`, once asked for
  };
  void take_sides(const Mode& in);

  std::vector<OnSides> known_sides_;  ///< the first as stated
  std::size_t in_force_ = 0;          ///< of these
};

}  // namespace vinculum::sim
