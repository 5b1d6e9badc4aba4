#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen {

/// Compiled code in memory, executable and not writable. The code is position-independent. So bytes from the compiler
/// and bytes that the cache stored in an earlier process are used in the same way: they are copied, without linking.
class CodeImage {
 public:
  /// Checks an image (layout: native_abi.hpp) and maps it into executable memory.
  /// \param program_count  number of programs that the image must contain
  /// \returns null, with the reason in `error`, if the image is not valid or the system grants no executable memory
  [[nodiscard]] static std::shared_ptr<const CodeImage> map(std::span<const unsigned char> image,
                                                            std::size_t program_count, std::string& error);
  ~CodeImage();
  CodeImage(const CodeImage&) = delete;
  CodeImage& operator=(const CodeImage&) = delete;

  /// Functions of a program, in the order in which they must be called; the list ends with null.
  [[nodiscard]] const native::Entry* entries(std::size_t program) const {
    return entries_.data() + first_entry_[program];
  }
  [[nodiscard]] std::size_t workspace_size(std::size_t program) const { return programs_[program].workspace_size; }
  [[nodiscard]] native::Level level() const { return level_; }

 private:
  CodeImage() = default;

  void* memory_ = nullptr;
  std::size_t size_ = 0;
  native::Level level_{};
  std::vector<native::ProgramImage> programs_;
  std::vector<native::Entry> entries_;  // lists of entries of all programs, one after another, each ended by null
  std::vector<std::size_t> first_entry_;
};

}  // namespace vinculum::codegen
