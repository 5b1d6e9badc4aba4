#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

namespace vinculum::cli {

/// A model's file and the files that its text names: included ones, tables. They are looked at, not listened to: that
/// works wherever files lie.
class WatchedFiles {
 public:
  explicit WatchedFiles(std::filesystem::path model);
  /// Whether one has been saved, made or removed since the last time that this was true; looks at most ten times a
  /// second.
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
