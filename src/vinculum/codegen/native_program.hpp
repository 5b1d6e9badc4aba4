#pragma once

#include <cstdint>
#include <vector>

#include "vinculum/codegen/fingerprint.hpp"
#include "vinculum/codegen/native_abi.hpp"
#include "vinculum/codegen/tape.hpp"

namespace vinculum::codegen {

/// The main program of a tape in the form that the compiler module reads. Every value has its own number instead of a
/// slot. Literals are separate from the constants that the prologue computes.
class NativeProgram {
 public:
  explicit NativeProgram(const Tape& tape);
  /// The program; valid as long as this object exists and is not moved.
  [[nodiscard]] native::Program view() const;
  void add_to(Fingerprint& fingerprint) const;

 private:
  std::uint32_t input_count_;
  std::uint32_t constant_count_;
  std::vector<double> literals_;
  std::vector<native::Instruction> instructions_;
  std::vector<std::uint32_t> outputs_;
};

}  // namespace vinculum::codegen
