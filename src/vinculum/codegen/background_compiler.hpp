#pragma once

#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace vinculum::codegen {

/// Executes jobs one by one on a single thread, in their order. Used for compilations whose result is useful but not
/// waited for. The destructor tells the running job to stop, waits for it, and drops the queued jobs.
class BackgroundCompiler {
 public:
  /// \param cancel  becomes true when the job should stop soon. Jobs must not throw.
  using Job = std::function<void(const std::atomic<bool>& cancel)>;

  BackgroundCompiler() = default;
  /// \pre is_of_this_process()
  ~BackgroundCompiler() { end(); }
  BackgroundCompiler(const BackgroundCompiler&) = delete;
  BackgroundCompiler& operator=(const BackgroundCompiler&) = delete;

  /// Queues a job; it starts after the delay `after` at the earliest. The job is dropped if the system grants no
  /// thread, or in a forked process that does not own the thread.
  void submit(Job job, std::chrono::steady_clock::duration after = {});
  /// Cancels the running job, waits for it, and accepts no more jobs. A second call has no effect.
  void end();
  /// Waits until no job is queued or running. Queued jobs start at once, without their delay.
  void wait();
  /// True if this process started the thread, or if there is none yet. False in a forked process, which has a copy of
  /// the object but not the thread.
  [[nodiscard]] bool is_of_this_process() const;

 private:
  void run();
  struct Queued {
    Job job;
    std::chrono::steady_clock::time_point begin;
  };

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Queued> jobs_;
  bool is_busy_ = false;
  bool is_waited_for_ = false;
  bool is_ending_ = false;
  std::atomic<bool> cancel_{false};
  std::thread thread_;
  std::atomic<pid_t> owner_{0};  // process of the thread; 0: none yet
};

/// The background compiler of this process; null on every thread except the main thread.
///
/// The compiler library constructs static objects while it compiles. At the end of a process they are destroyed in an
/// unspecified order relative to ours, possibly while a job still uses them. Only thread-local objects of the main
/// thread are destroyed before all static objects, so one of those ends the background compiler.
[[nodiscard]] BackgroundCompiler* background_compiler();

}  // namespace vinculum::codegen
