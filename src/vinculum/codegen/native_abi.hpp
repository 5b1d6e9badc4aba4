#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "vinculum/expr/operation.hpp"

/// What passes between the engine and the compiler module `vinculum-llvm`, which is loaded only when something has to
/// be compiled. Plain data on both sides; a change of anything here raises kAbiVersion.
namespace vinculum::codegen::native {

inline constexpr std::uint32_t kAbiVersion = 4;
inline constexpr char kModuleFile[] = "vinculum-llvm.so";
inline constexpr char kCompileSymbol[] = "vinculum_llvm_compile";

/// Functions that compiled code calls, as places in Context::functions. The compiled code holds no addresses: it is the
/// same in every process, and every back end calls the same functions (expr/elementary).
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
  kFloor,  ///< double(double)
  kPower,
  kArcTangent2,    ///< double(double, double); expr::evaluate_power
  kSineAndCosine,  ///< expr::elementary::SineAndCosine(double), returned in two registers
  kTable,          ///< double(const Context*, uint32 table, uint32 order, double)
  kCount,
};

/// What compiled code is given besides numbers.
struct Context {
  const void* functions[static_cast<std::size_t>(MathFunction::kCount)];
  const void* const* splines;  ///< for kTable only
};

/// A piece of a compiled kernel. The pieces of a kernel are called one after another with the same arguments: its first
/// input and the others, as of Kernel::evaluate_at; the four arrays must not overlap.
using Entry = void (*)(double first, const double* others, const double* constants, double* outputs, double* workspace,
                       const Context*);

/// One operation. Values are numbered: inputs, constants, literals, then one for each instruction; operands are such
/// numbers, smaller than the instruction's own.
struct Instruction {
  expr::Op op{};
  std::uint8_t derivative_order = 0;  ///< kTable
  std::uint16_t operand_count = 0;
  std::uint32_t table = 0;  ///< kTable
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
  const std::uint32_t* outputs;  ///< numbers of values
};

enum class Level : std::uint32_t {
  kFast = 0,     ///< FastISel: soonest ready where the code is long
  kSoonest = 1,  ///< kFull where the code is short, else kFast
  kFull = 2,     ///< code generation level 2: fastest code
};

struct Request {
  std::uint32_t abi_version;
  std::uint32_t program_count;
  const Program* programs;
  Level level;
  const std::atomic<bool>* cancel;  ///< polled between chunks of about a thousand operations; may be null
  /// Takes the finished image (see code_image.hpp for its layout). Called at most once, before the return.
  void (*accept)(void* receiver, const unsigned char* bytes, std::size_t size);
  void* receiver;
  char* error;  ///< [error_size] text of a failure, ends with 0
  std::size_t error_size;
};

/// \returns 0 after `accept`, otherwise what is in `error` says why not.
using CompileFunction = int (*)(const Request*);

/// Head of an image: then program_count ProgramImages, then entry_count uint32 offsets of entries into the code, then
/// zeros up to code_offset, then the code with its literals: position-independent, without relocations or symbols.
struct ImageHeader {
  std::uint32_t abi_version;
  std::uint32_t program_count;
  std::uint32_t entry_count;
  std::uint32_t code_offset;
  std::uint32_t code_size;
  Level level;  ///< at which it was compiled: kFast or kFull
};

struct ProgramImage {
  std::uint32_t workspace_size;  ///< doubles
  std::uint32_t first_entry;
  std::uint32_t entry_count;
};

}  // namespace vinculum::codegen::native
