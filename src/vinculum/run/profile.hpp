#pragma once

#include <array>
#include <chrono>
#include <string_view>
#include <utility>

namespace vinculum::sim {

/// Wall-clock time of a run, separated into its activities. If one activity runs inside another, the time counts only
/// for the inner one.
struct Profile {
  enum class Part { kStart, kSteps, kRightSides, kProjection, kEvents, kLooks, kReports, kWriting };
  static constexpr std::array<std::string_view, 8> kNames{
      "start",        ///< assembly of the start, typical sizes, the first report
      "steps",        ///< work of the method itself: sums of stages, errors, linear systems of implicit methods
      "right_sides",  ///< y' in the stages of steps, including rejected ones
      "projection",   ///< projection of steps onto the constraints
      "events",       ///< event sources examining accepted steps
      "looks",        ///< computing states between steps, for samples
      "reports",      ///< accelerations, forces and outputs of samples
      "writing",      ///< sinks: files, memory, audits
  };
  struct Share {
    double seconds = 0.0;
    long calls = 0;
  };
  std::array<Share, kNames.size()> shares;

  [[nodiscard]] Share& of(Part part) { return shares[static_cast<std::size_t>(part)]; }
};

/// Measures the elapsed time from its construction on, and assigns it to the parts of a profile.
class Stopwatch {
 public:
  explicit Stopwatch(Profile& profile) : profile_(profile) {}
  /// Starts a part and counts the call.
  /// \returns the part that was active so far.
  Profile::Part enter(Profile::Part part) {
    const Profile::Part before = give_to(part);
    ++profile_.of(part).calls;
    return before;
  }
  Profile::Part give_to(Profile::Part part) {
    const auto now = Clock::now();
    profile_.of(part_).seconds += std::chrono::duration<double>(now - since_).count();
    since_ = now;
    return std::exchange(part_, part);
  }

 private:
  using Clock = std::chrono::steady_clock;
  Profile& profile_;
  Clock::time_point since_ = Clock::now();
  Profile::Part part_ = Profile::Part::kStart;
};

/// Assigns the time of its own lifetime to a part of a profile. With a null stopwatch it does nothing.
class Timed {
 public:
  Timed(Stopwatch* watch, Profile::Part part) : watch_(watch) {
    if (watch_ != nullptr) before_ = watch_->enter(part);
  }
  ~Timed() {
    if (watch_ != nullptr) watch_->give_to(before_);
  }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  Stopwatch* watch_;
  Profile::Part before_{};
};

}  // namespace vinculum::sim
