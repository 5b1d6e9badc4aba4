#pragma once

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

#include "vinculum/codegen/code_image.hpp"
#include "vinculum/codegen/kernel.hpp"
#include "vinculum/codegen/native_abi.hpp"
#include "vinculum/codegen/tape.hpp"

namespace vinculum::codegen {

/// The code that the kernels of one compilation execute. At first it is the code that was available soonest. Later it
/// may be replaced by optimized code for the same programs, at any moment, because both give the same bits. A call that
/// has begun with the first code finishes with it, so that code stays mapped.
class NativeCode {
 public:
  explicit NativeCode(std::shared_ptr<const CodeImage> image, std::size_t program_count);
  /// Replaces the code. Can be called from any thread, at most once.
  void exchange(std::shared_ptr<const CodeImage> better);

  [[nodiscard]] const std::atomic<const native::Entry*>& entries(std::size_t program) const {
    return entries_[program];
  }
  [[nodiscard]] std::size_t workspace_size(std::size_t program) const { return first_->workspace_size(program); }

 private:
  std::shared_ptr<const CodeImage> first_;
  std::shared_ptr<const CodeImage> better_;
  std::vector<std::atomic<const native::Entry*>> entries_;
};

/// Kernel for program `index` of `code`. The tape provides everything except the evaluation.
[[nodiscard]] std::shared_ptr<const Kernel> make_native_kernel(const Tape& tape, std::shared_ptr<const NativeCode> code,
                                                               std::size_t index);

}  // namespace vinculum::codegen
