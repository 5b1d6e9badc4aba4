#include "vinculum/codegen/compiler_module.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <vector>

#include "vinculum/codegen/native_program.hpp"

namespace vinculum::codegen {
namespace {

using expr::Op;
using native::Level;

/// A program that computes −x. Tests make it invalid in various ways.
struct Negation {
  Negation() {
    instruction.op = Op::kNegate;
    instruction.operand_count = 1;
    program.input_count = program.instruction_count = program.output_count = 1;
    program.instructions = &instruction;
    program.outputs = &output;
  }
  Negation(const Negation&) = delete;
  Negation& operator=(const Negation&) = delete;
  native::Instruction instruction;
  std::uint32_t output = 1;
  native::Program program{};
};

TEST(CompilerModule, RefusesAMalformedProgramAndSaysSo) {
  std::string error;
  const native::CompileFunction function = open_compiler_module(error);
  if (function == nullptr) {
    EXPECT_FALSE(error.empty());
    return;
  }
  Negation negation;
  native::Instruction& instruction = negation.instruction;
  const auto compiles = [&] {
    return !compile_image(function, std::span(&negation.program, 1), Level::kFull, nullptr, error).empty();
  };
  EXPECT_TRUE(compiles());
  // The number 1 is the result of the instruction itself, so it cannot be its operand.
  instruction.operands[0] = 1;
  EXPECT_FALSE(compiles());
  EXPECT_EQ(error, "malformed program");
  instruction.operands[0] = 0;
  instruction.op = Op::kSymbol;
  EXPECT_FALSE(compiles());
  const std::atomic<bool> cancel{true};
  instruction.op = Op::kNegate;
  EXPECT_TRUE(compile_image(function, std::span(&negation.program, 1), Level::kFull, &cancel, error).empty());
  EXPECT_EQ(error, "cancelled");
}

/// Number of bytes of mapped files that are resident in memory for this process; 0 if the system does not report it.
std::size_t resident_of_files() {
  std::ifstream statm("/proc/self/statm");
  std::size_t all = 0, resident = 0, of_files = 0;
  statm >> all >> resident >> of_files;
  return of_files * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

TEST(CompilerModule, LeavesItsCodeInItsFile) {
  std::string error;
  const native::CompileFunction function = open_compiler_module(error);
  if (function == nullptr || resident_of_files() == 0) GTEST_SKIP() << "no compiler, or no /proc";
  const Negation negation;
  const auto image = [&] {
    return compile_image(function, std::span(&negation.program, 1), Level::kFull, nullptr, error);
  };
  const std::vector<unsigned char> first = image();
  ASSERT_FALSE(first.empty()) << error;
  const std::size_t behind_compiling = resident_of_files();
  release_compiler_memory();
  const std::size_t released = behind_compiling - resident_of_files();
  EXPECT_LT(resident_of_files(), behind_compiling);
  EXPECT_GT(released, std::size_t{5} << 20);  // at least the code that one compilation executes
  EXPECT_EQ(image(), first);                  // the code is loaded again
}

}  // namespace
}  // namespace vinculum::codegen
