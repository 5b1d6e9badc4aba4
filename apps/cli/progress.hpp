#pragma once

#include <chrono>
#include <string>

namespace vinculum::cli {

/// Progress of long work on stderr. Silent for the first half second. Then on one line of a terminal, at most four
/// times a second; elsewhere on a new line every ten seconds. The remaining time is estimated from the average pace so
/// far.
class Progress {
 public:
  Progress() = default;
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// Prints a line of its own as soon as progress is shown at all. Shorter work mentions it in its report instead.
  void say(const std::string& line) { unsaid_ += line + "\n"; }
  void show(double t, double until, const std::string& of = "");  ///< [s]; of: text before the progress

 private:
  [[nodiscard]] std::string left(double t, double until) const;

  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
  Clock::time_point part_begin_ = begin_;  ///< begin of the part named by `of`
  std::string part_;
  bool is_shown_ = false;
  std::string unsaid_;
};

}  // namespace vinculum::cli
