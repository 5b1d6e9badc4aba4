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

/// One thread that works off jobs in their order: compilations whose result is welcome but not waited for.
/// Its end cancels them: the running job is told through `cancel` and waited for, the others are dropped.
class BackgroundCompiler {
 public:
  /// \param cancel  becomes true when the job should end soon. Jobs must not throw.
  using Job = std::function<void(const std::atomic<bool>& cancel)>;

  BackgroundCompiler() = default;
  /// \pre is_of_this_process()
  ~BackgroundCompiler() { end(); }
  BackgroundCompiler(const BackgroundCompiler&) = delete;
  BackgroundCompiler& operator=(const BackgroundCompiler&) = delete;

  /// Queues the job, to begin after a while at the earliest; it is dropped when the system grants no thread, or in a
  /// fork of the process that owns the thread.
  void submit(Job job, std::chrono::steady_clock::duration after = {});
  /// Cancels what runs, waits for it, and takes no job any more. Nothing happens the second time.
  void end();
  /// Waits until no job is queued or running; those that are queued begin at once.
  void wait();
  /// Whether this process started the thread, or there is none yet; false in a fork, which has the object alone.
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

/// The one of this process; null on every thread but the main one.
///
/// The compiler library constructs static objects while it compiles, and a process that ends destroys them in any order
/// relative to ours, under the feet of a running job. Only thread-local objects of the main thread are sure to be
/// destroyed before everything static, so the end of the background compiler hangs on one of those.
[[nodiscard]] BackgroundCompiler* background_compiler();

}  // namespace vinculum::codegen
