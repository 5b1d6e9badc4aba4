#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "vinculum/codegen/native_abi.hpp"

namespace vinculum::codegen {

/// Compiled code in memory, executable and never writable again. The same bytes serve right after compilation and, read
/// from the cache, in a later process: they are position-independent and need a copy, no linking.
class CodeImage {
 public:
  /// Checks and maps an image (layout: native_abi.hpp). \param program_count what the image must hold.
  /// \returns null, and why in `error`, when anything about it is wrong or the system grants no executable memory.
  [[nodiscard]] static std::shared_ptr<const CodeImage> map(std::span<const unsigned char> image,
                                                            std::size_t program_count, std::string& error);
  ~CodeImage();
  CodeImage(const CodeImage&) = delete;
  CodeImage& operator=(const CodeImage&) = delete;

  /// Functions of a program, to be called in this order; null ends them.
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
  std::vector<native::Entry> entries_;  // of all programs, each list ended by null
  std::vector<std::size_t> first_entry_;
};

}  // namespace vinculum::codegen
