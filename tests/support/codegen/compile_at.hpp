#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "vinculum/codegen/compiler_module.hpp"
#include "vinculum/codegen/native_kernel.hpp"
#include "vinculum/codegen/native_program.hpp"

namespace vinculum::test_support {

/// Native code of this optimization level; null if it is not available.
inline std::shared_ptr<const codegen::Kernel> compile_at(codegen::native::Level level, const codegen::Tape& tape) {
  using namespace codegen;
  std::string error;
  const native::CompileFunction function = open_compiler_module(error);
  if (function == nullptr) return nullptr;
  const NativeProgram program(tape);
  const native::Program view = program.view();
  auto image = CodeImage::map(compile_image(function, std::span(&view, 1), level, nullptr, error), 1, error);
  EXPECT_EQ(error, "");
  return image == nullptr ? nullptr : make_native_kernel(tape, std::make_shared<NativeCode>(std::move(image), 1), 0);
}

inline std::vector<double> evaluate_bound(const codegen::Kernel& kernel, const std::vector<double>& inputs,
                                          const std::vector<double>& constants) {
  std::vector<double> outputs(kernel.output_count()), workspace(kernel.workspace_size(), std::nan(""));
  kernel.evaluate(inputs.data(), constants.data(), outputs.data(), workspace.data());
  return outputs;
}

}  // namespace vinculum::test_support
