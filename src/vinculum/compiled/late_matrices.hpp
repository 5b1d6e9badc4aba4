#pragma once

#include <memory>
#include <mutex>

#include "vinculum/codegen/kernel.hpp"
#include "vinculum/compiled/kernel_outputs.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::sim {

/// The kernel of all matrices of a compiled model that moves without them, compiled for whoever asks first: its mass
/// matrix grows with the square of the number of speeds. From a System of its own, so that the compiled model's stays
/// as it is while other threads read it.
class LateMatrices {
 public:
  explicit LateMatrices(std::shared_ptr<const model::Model> model) : model_(std::move(model)) {}

  struct Compiled {
    std::shared_ptr<const codegen::Kernel> kernel;  ///< → MatricesLayout
    MatricesLayout layout;
  };
  /// Any thread may ask.
  [[nodiscard]] const Compiled& get() const;

 private:
  std::shared_ptr<const model::Model> model_;
  mutable std::once_flag once_;
  mutable Compiled compiled_;
};

}  // namespace vinculum::sim
