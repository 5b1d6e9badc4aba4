#pragma once

#include <cstddef>
#include <vector>

namespace vinculum::codegen {

/// Pages of machine code that loaded libraries have in this process: executable, not writable, identical to their
/// files.
class LoadedCode {
 public:
  /// Code of all libraries that are loaded now.
  [[nodiscard]] static LoadedCode now();
  /// Code that was loaded after `before`.
  [[nodiscard]] LoadedCode since(const LoadedCode& before) const;
  /// Returns the pages to the system. They are read from their files again when they are next executed, as on first
  /// use. Safe while other threads execute this code.
  void release() const;
  [[nodiscard]] bool is_empty() const { return segments_.empty(); }

 private:
  struct Segment {
    std::byte* begin;
    std::size_t size;
  };
  std::vector<Segment> segments_;
};

}  // namespace vinculum::codegen
