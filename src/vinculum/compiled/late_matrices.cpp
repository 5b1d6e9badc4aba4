#include "vinculum/compiled/late_matrices.hpp"

#include "vinculum/base/contract.hpp"

namespace vinculum::sim {

const LateMatrices::Compiled& LateMatrices::get() const {
  std::call_once(once_, [this] {
    const auto system = derive_all(model_);
    VINCULUM_EXPECTS(system.has_value());  // the compiled model was made from the same model
    const codegen::KernelSpec spec{model_->name + ".matrices", motion_symbols(**system), (*system)->parameters,
                                   matrices_outputs(**system, WithMass::kYes, compiled_.layout)};
    compiled_.kernel = codegen::compile(std::span(&spec, 1), {codegen::Backend::kTape, {}}).front();
  });
  return compiled_;
}

}  // namespace vinculum::sim
