#include "vinculum/codegen/background_compiler.hpp"

#include <unistd.h>

#include <system_error>
#include <utility>

namespace vinculum::codegen {

void BackgroundCompiler::end() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    jobs_.clear();
    // Set last: the running job may end at once, and its thread would otherwise start the next job.
    cancel_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

bool BackgroundCompiler::is_of_this_process() const { return owner_ == 0 || owner_ == ::getpid(); }

void BackgroundCompiler::submit(Job job, std::chrono::steady_clock::duration after) {
  if (!is_of_this_process()) return;
  const std::lock_guard lock(mutex_);
  if (is_ending_) return;
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread([this] { run(); });
      owner_ = ::getpid();
    } catch (const std::system_error&) {
      return;
    }
  }
  jobs_.push_back({std::move(job), std::chrono::steady_clock::now() + after});
  changed_.notify_all();
}

void BackgroundCompiler::wait() {
  if (!is_of_this_process()) return;
  std::unique_lock lock(mutex_);
  is_waited_for_ = true;
  changed_.notify_all();
  changed_.wait(lock, [this] { return jobs_.empty() && !is_busy_; });
  is_waited_for_ = false;
}

void BackgroundCompiler::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_ending_ || !jobs_.empty(); });
    if (is_ending_) return;
    if (const auto begin = jobs_.front().begin; !is_waited_for_ && std::chrono::steady_clock::now() < begin) {
      changed_.wait_until(lock, begin);
      continue;
    }
    Job job = std::move(jobs_.front().job);
    jobs_.pop_front();
    is_busy_ = true;
    lock.unlock();
    job(cancel_);
    job = nullptr;
    lock.lock();
    is_busy_ = false;
    changed_.notify_all();
  }
}

#if defined(__linux__)
BackgroundCompiler* background_compiler() {
  struct EndOfMainThread {
    BackgroundCompiler* compiler;
    ~EndOfMainThread() {
      // a forked process does not have the thread, so there is nothing to wait for
      if (compiler->is_of_this_process()) compiler->end();
    }
  };
  if (::getpid() != ::gettid()) return nullptr;
  // The object is never destroyed, because in a forked process its lock may be locked by a thread that does not exist
  // there.
  static BackgroundCompiler* const compiler = new BackgroundCompiler;
  [[maybe_unused]] static thread_local const EndOfMainThread end{compiler};
  return compiler;
}
#else
BackgroundCompiler* background_compiler() { return nullptr; }
#endif

}  // namespace vinculum::codegen
