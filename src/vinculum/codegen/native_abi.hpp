#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "vinculum/expr/operation.hpp"

/// Binary interface between the engine and the compiler module `vinculum-llvm`, which is loaded only when a kernel must
/// be compiled. Engine and module exchange plain data. Every change in this file requires a new kAbiVersion.
namespace vinculum::codegen::native {

inline constexpr std::uint32_t kAbiVersion = 4;
inline constexpr char kModuleFile[] = "vinculum-llvm.so";
inline constexpr char kCompileSymbol[] = "vinculum_llvm_compile";

/// Functions that compiled code calls, as indices into Context::functions. Compiled code contains no addresses, so it
/// is the same in every process. All back ends call the same functions (expr/elementary).
enum class MathFunction : std::uint32_t {
  kExponential,
  kLogarithm,
  kSine,
  kCosine,
  kTangent,
  kArcSine,
  kArcCosine,
  kArcTangent,
  kHyperbolicSine,
  kHyperbolicCosine,
  kHyperbolicTangent,
  kFloor,  ///< this and all functions above: double(double)
  kPower,
  kArcTangent2,    ///< kPower and kArcTangent2: double(double, double); kPower is expr::evaluate_power
  kSineAndCosine,  ///< expr::elementary::SineAndCosine(double), returned in two registers
  kTable,          ///< double(const Context*, uint32 table, uint32 order, double)
  kCount,
};

/// Data that compiled code receives in addition to numbers.
struct Context {
  const void* functions[static_cast<std::size_t>(MathFunction::kCount)];
  const void* const* splines;  ///< used by kTable only
};

/// One function of a compiled kernel. The functions of a kernel are called in their order, all with the arguments of
/// Kernel::evaluate_at. The four arrays must not overlap.
using Entry = void (*)(double first, const double* others, const double* constants, double* outputs, double* workspace,
                       const Context*);

/// One operation. Values are numbered: first inputs, then constants, literals, and the results of the instructions. The
/// numbers of the operands are smaller than the number of the instruction's own result.
struct Instruction {
  expr::Op op{};
  std::uint8_t derivative_order = 0;  ///< used by kTable only: order of the spline's derivative
  std::uint16_t operand_count = 0;
  std::uint32_t table = 0;  ///< for kTable only: index of the spline
  std::uint32_t operands[3] = {0, 0, 0};
};

struct Program {
  std::uint32_t input_count;
  std::uint32_t constant_count;
  std::uint32_t literal_count;
  std::uint32_t instruction_count;
  std::uint32_t output_count;
  const double* literals;
  const Instruction* instructions;
  const std::uint32_t* outputs;  ///< numbers of the output values
};

enum class Level : std::uint32_t {
  kFast = 0,     ///< FastISel of LLVM: shortest compile time for long code
  kSoonest = 1,  ///< kFull if the code is short, otherwise kFast
  kFull = 2,     ///< code generation level 2 of LLVM: fastest code
};

struct Request {
  std::uint32_t abi_version;
  std::uint32_t program_count;
  const Program* programs;
  Level level;
  const std::atomic<bool>* cancel;  ///< checked between chunks of about a thousand operations; may be null
  /// Receives the finished image (layout: ImageHeader). Called at most once, before the return.
  void (*accept)(void* receiver, const unsigned char* bytes, std::size_t size);
  void* receiver;
  char* error;  ///< [error_size] receives the reason of a failure, terminated by 0
  std::size_t error_size;
};

/// \returns 0 if `accept` was called; otherwise nonzero, with the reason in `error`
using CompileFunction = int (*)(const Request*);

/// Header of an image. It is followed by `program_count` objects ProgramImage, by `entry_count` offsets (uint32) of
/// functions in the code, by zeros up to `code_offset`, and by the code with its literals. The code is
/// position-independent, without relocations or symbols.
struct ImageHeader {
  std::uint32_t abi_version;
  std::uint32_t program_count;
  std::uint32_t entry_count;
  std::uint32_t code_offset;
  std::uint32_t code_size;
  Level level;  ///< level at which the code was compiled: kFast or kFull
};

struct ProgramImage {
  std::uint32_t workspace_size;  ///< number of doubles in the workspace
  std::uint32_t first_entry;
  std::uint32_t entry_count;
};

}  // namespace vinculum::codegen::native
