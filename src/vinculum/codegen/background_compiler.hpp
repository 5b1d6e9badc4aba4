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

/// Executes jobs one after another on a single thread, in the order of their submission. It is used for compilations
/// whose result is useful but for which no caller waits. The destructor cancels the running job, waits for it, and
/// drops the queued jobs.
class BackgroundCompiler {
 public:
  /// \param cancel  becomes true when the job should stop soon.   \pre jobs do not throw
  using Job = std::function<void(const std::atomic<bool>& cancel)>;

  BackgroundCompiler() = default;
  /// \pre is_of_this_process()
  ~BackgroundCompiler() { end(); }
  BackgroundCompiler(const BackgroundCompiler&) = delete;
  BackgroundCompiler& operator=(const BackgroundCompiler&) = delete;

  /// Queues a job. It starts after the delay `after` at the earliest. The job is dropped if the system grants no
  /// thread, or in a forked process that does not own the thread.
  void submit(Job job, std::chrono::steady_clock::duration after = {});
  /// Cancels the running job, waits for it, and accepts no more jobs. A second call has no effect.
  void end();
  /// Waits until no job is queued or running. Queued jobs start at once, without the rest of their delay.
  void wait();
  /// Whether this process started the thread, or no thread exists yet. False in a forked process, which has a copy of
  /// this object but not the thread.
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
/// The compiler library constructs static objects while it compiles. When a process ends, static objects are destroyed
/// in an unspecified order, possibly while a job still uses them. Only thread-local objects of the main thread are
/// destroyed before all static objects. Therefore such an object ends the background compiler.
[[nodiscard]] BackgroundCompiler* background_compiler();

}  // namespace vinculum::codegen
