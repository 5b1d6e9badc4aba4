#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace vinculum::cli {

/// The file of a model and the files that its text names: included files and tables. Changes are found by polling,
/// which works on every file system.
class WatchedFiles {
 public:
  explicit WatchedFiles(std::filesystem::path model);
  /// Whether a file has been saved, created or removed since the last call that returned true. Polls at most ten times
  /// a second.
  [[nodiscard]] bool have_changed();

 private:
  struct Stamp {
    std::filesystem::path file;
    std::filesystem::file_time_type saved{};
    std::uintmax_t size = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  [[nodiscard]] static Stamp stamp_of(const std::filesystem::path& file);
  [[nodiscard]] std::vector<Stamp> stamps() const;
  void add(const std::filesystem::path& file);

  std::filesystem::path model_;
  std::vector<Stamp> seen_;
  std::chrono::steady_clock::time_point last_look_{};
};

}  // namespace vinculum::cli
