#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "vinculum/compiled/binding.hpp"
#include "vinculum/motion/friction/slide_motion.hpp"
#include "vinculum/motion/mode.hpp"

namespace vinculum::sim {

/// Evaluates the kernels of a binding at one state at a time. Switching expressions are evaluated in the regions of a
/// mode. Not thread-safe.
class StateKernels {
 public:
  explicit StateKernels(const std::shared_ptr<const Binding>& binding);
  StateKernels(const StateKernels&) = delete;
  StateKernels& operator=(const StateKernels&) = delete;

  /// Sets the mode whose regions and friction directions later evaluations use. The mode must outlive them.
  void go_by(Mode& in);
  void set_scale(const Vector& scale, double tolerance);

  /// Copies t and the state into `input`, followed by the directions of friction: 0 for contacts that stick.
  void load(double t, const double* y);
  /// Evaluates a kernel with the inputs (t, q, u, z, s) into `result`.
  void evaluate(const BoundKernel& kernel) { kernel.evaluate(input.data(), result.data(), workspace.data()); }
  /// Reads the sliding velocities at the state in `input`.
  /// \pre the model has friction contacts
  void read_slides() { slides->read(*bound, *mode, input.data(), sizes.scale); }
  /// Returns the kernel of all vectors and matrices of the equations. If the steps of the run do not need this kernel,
  /// it is compiled at the first call.
  [[nodiscard]] const BoundKernel& kernel_of_matrices();
  [[nodiscard]] const MatricesLayout& layout_of(WithMass with_mass) const {
    return with_mass == WithMass::kYes || !bound->matrices.kernel ? layout : compiled->layout;
  }

  std::shared_ptr<const Binding> bound;  ///< kernels with the constants of the regions in force
  const std::shared_ptr<const CompiledModel> compiled;
  const int nq, nu, nc, nz, ny;  ///< ny = nq + nu + nz
  std::vector<double> input;     ///< input of kernels: t, q, u, z, s
  std::vector<double> result;    ///< output of the kernel evaluated last; large enough for every kernel
  std::vector<double> workspace;
  MatricesLayout layout;  ///< layout of the outputs of `kernel_of_matrices`
  Mode* mode = nullptr;   ///< mode in which kernels are evaluated
  Sizes sizes;
  std::optional<SlideMotion> slides;  ///< set if there are friction contacts
  bool is_without_friction = false;   ///< true: kernels get 0 as directions of friction

 private:
  /// Kernel constants for the regions of a mode. They are cached for the most recent regions, because a sliding mode
  /// evaluates its regions alternately.
  struct OnSides {
    std::vector<double> sides;
    std::vector<std::size_t> along;
    std::shared_ptr<const Binding> bound;
    BoundKernel late;  ///< set if the model has `late_matrices`, once they are needed
  };
  void take_sides(const Mode& in);

  std::vector<OnSides> known_sides_;  ///< in the first element, conditions are evaluated at the state
  std::size_t in_force_ = 0;          ///< index into `known_sides_`
};

}  // namespace vinculum::sim
