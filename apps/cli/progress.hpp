#pragma once

#include <chrono>
#include <string>

namespace vinculum::cli {

/// Progress of long work on stderr. Nothing is printed for the first half second. On a terminal, one line is then
/// updated at most four times a second; elsewhere a new line is printed every ten seconds. The remaining time is
/// estimated from the average pace so far.
class Progress {
 public:
  Progress() = default;
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Adds a line that is printed when progress is first shown. If the work is too short for that, its report mentions
  /// the fact instead.
  void say(const std::string& line) { unsaid_ += line + "\n"; }
  void show(double t, double until, const std::string& of = "");  ///< times in s; of: text before the progress

 private:
  [[nodiscard]] std::string left(double t, double until) const;

  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
  Clock::time_point part_begin_ = begin_;  ///< begin of the part of the work that `of` names
  std::string part_;
  bool is_shown_ = false;
  std::string unsaid_;
};

}  // namespace vinculum::cli
