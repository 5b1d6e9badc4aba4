#pragma once

#include <chrono>
#include <string>

namespace vinculum::cli {

/// Progress of long work on stderr: silent for the first half second, then at most four times a second on one line of
/// a terminal, elsewhere every ten seconds on a line of its own. The time left is told at the pace that there was so
/// far.
class Progress {
 public:
  Progress() = default;
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  /// A line of its own, as soon as progress is shown at all: what is over sooner says it in its report.
  void say(const std::string& line) { unsaid_ += line + "\n"; }
  void show(double t, double until, const std::string& of = "");  ///< [s]; of: said before

 private:
  [[nodiscard]] std::string left(double t, double until) const;

  using Clock = std::chrono::steady_clock;
  Clock::time_point begin_ = Clock::now();
  Clock::time_point last_ = begin_;
  Clock::time_point part_begin_ = begin_;  ///< of what `of` names
  std::string part_;
  bool is_shown_ = false;
  std::string unsaid_;
};

}  // namespace vinculum::cli
