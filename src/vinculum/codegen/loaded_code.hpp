#pragma once

#include <cstddef>
#include <vector>

namespace vinculum::codegen {

/// The pages of machine code that loaded libraries have in this process. They are executable, not writable, and
/// identical to the files of the libraries.
class LoadedCode {
 public:
  /// The code of all libraries that are loaded at present.
  [[nodiscard]] static LoadedCode now();
  /// The code in this object that is not in `before`.
  [[nodiscard]] LoadedCode since(const LoadedCode& before) const;
  /// Returns the pages to the system. When they are next executed, they are read from their files again. Safe while
  /// other threads execute this code.
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
