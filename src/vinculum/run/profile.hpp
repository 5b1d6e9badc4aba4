#pragma once

#include <array>
#include <chrono>
#include <string_view>
#include <utility>

namespace vinculum::sim {

/// Where the wall-clock time of a run went. Every instant counts for the innermost part that is at work.
struct Profile {
  enum class Part { kStart, kSteps, kRightSides, kProjection, kEvents, kLooks, kReports, kWriting };
  static constexpr std::array<std::string_view, 8> kNames{
      "start",        ///< the consistent start, sizes, the first report
      "steps",        ///< what methods do beside evaluating: sums of stages, errors, Newton's systems of implicit ones
      "right_sides",  ///< y' in the stages of steps, rejected ones included
      "projection",   ///< of steps onto the constraints
      "events",       ///< what event sources look for in accepted steps
      "looks",        ///< states between the steps, for samples
      "reports",      ///< accelerations, forces and outputs of samples
      "writing",      ///< what takes samples: files, memory, audits
  };
  struct Share {
    double seconds = 0.0;
    long calls = 0;
  };
  std::array<Share, kNames.size()> shares;

  [[nodiscard]] Share& of(Part part) { return shares[static_cast<std::size_t>(part)]; }
};

/// Gives the time to parts of a profile, from its making on.
class Stopwatch {
 public:
  explicit Stopwatch(Profile& profile) : profile_(profile) {}
  /// \returns the part that the time went to so far.
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

/// The time of its life is a part's. Without a stopwatch nothing is measured.
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
