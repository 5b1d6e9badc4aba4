#pragma once

#include <cstddef>
#include <vector>

namespace vinculum::codegen {

/// Pages of machine code that libraries brought into this process: executable, not writable, as their files have them.
class LoadedCode {
 public:
  /// Of all libraries that are loaded now.
  [[nodiscard]] static LoadedCode now();
  /// What has come since `before`.
  [[nodiscard]] LoadedCode since(const LoadedCode& before) const;
  /// Gives the pages back to the system, which has them in its files: whoever runs into one again finds it there, as
  /// any page that was never run. Safe while other threads run this code.
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
