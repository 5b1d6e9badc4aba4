#include "vinculum/codegen/compiler_module.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <string>

#include "vinculum/codegen/native_program.hpp"

namespace vinculum::codegen {
namespace {

using expr::Op;
using native::Level;

TEST(CompilerModule, RefusesAMalformedProgramAndSaysSo) {
  std::string error;
  const native::CompileFunction function = open_compiler_module(error);
  if (function == nullptr) {
    EXPECT_FALSE(error.empty());
    return;
  }
  native::Instruction instruction;
  instruction.op = Op::kNegate;
  instruction.operand_count = 1;
  native::Program program{};
  program.input_count = 1;
  program.instruction_count = 1;
  program.instructions = &instruction;
  const std::uint32_t output = 1;
  program.output_count = 1;
  program.outputs = &output;
  const auto compiles = [&] {
    return !compile_image(function, std::span(&program, 1), Level::kFull, nullptr, error).empty();
  };
  EXPECT_TRUE(compiles());
  instruction.operands[0] = 1;  // itself
  EXPECT_FALSE(compiles());
  EXPECT_EQ(error, "malformed program");
  instruction.operands[0] = 0;
  instruction.op = Op::kSymbol;
  EXPECT_FALSE(compiles());
  const std::atomic<bool> cancel{true};
  instruction.op = Op::kNegate;
  EXPECT_TRUE(compile_image(function, std::span(&program, 1), Level::kFull, &cancel, error).empty());
  EXPECT_EQ(error, "cancelled");
}

}  // namespace
}  // namespace vinculum::codegen
