#include "vinculum/codegen/background_compiler.hpp"

#include <unistd.h>

#include <system_error>
#include <utility>

namespace vinculum::codegen {

BackgroundCompiler::~BackgroundCompiler() {
  if (!thread_.joinable()) return;
  cancel_ = true;
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    jobs_.clear();
  }
  changed_.notify_all();
  thread_.join();
}

bool BackgroundCompiler::is_of_this_process() const { return owner_ == 0 || owner_ == ::getpid(); }

void BackgroundCompiler::submit(Job job) {
  if (!is_of_this_process()) return;
  const std::lock_guard lock(mutex_);
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread([this] { run(); });
      owner_ = ::getpid();
    } catch (const std::system_error&) {
      return;
    }
  }
  jobs_.push_back(std::move(job));
  changed_.notify_all();
}

void BackgroundCompiler::wait() {
  if (!is_of_this_process()) return;
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return jobs_.empty() && !is_busy_; });
}

void BackgroundCompiler::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return is_ending_ || !jobs_.empty(); });
    if (is_ending_) return;
    Job job = std::move(jobs_.front());
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

BackgroundCompiler& background_compiler() {
  struct Holder {
    BackgroundCompiler* compiler = new BackgroundCompiler;
    ~Holder() {
      if (compiler->is_of_this_process()) delete compiler;  // a fork would wait for a thread that it does not have
    }
  };
  static const Holder holder;
  return *holder.compiler;
}

}  // namespace vinculum::codegen
