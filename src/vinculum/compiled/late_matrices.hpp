#pragma once

#include <memory>
#include <mutex>

#include "vinculum/codegen/kernel.hpp"
#include "vinculum/compiled/kernel_outputs.hpp"
#include "vinculum/model/model.hpp"

namespace vinculum::sim {

/// Kernel of all matrices of a compiled model whose accelerations are computed without M. It is compiled at the first
/// request, because the mass matrix grows with the square of the number of speeds. It has a System of its own, so that
/// other threads can read the compiled model at the same time.
class LateMatrices {
 public:
  explicit LateMatrices(std::shared_ptr<const model::Model> model) : model_(std::move(model)) {}

  struct Compiled {
    std::shared_ptr<const codegen::Kernel> kernel;  ///< outputs as described by `layout`
    MatricesLayout layout;
  };
  /// Thread-safe.
  [[nodiscard]] const Compiled& get() const;

 private:
  std::shared_ptr<const model::Model> model_;
  mutable std::once_flag once_;
  mutable Compiled compiled_;
};

}  // namespace vinculum::sim
