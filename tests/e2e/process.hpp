#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "e2e/command.hpp"

namespace vinculum::test_support {

/// Waits until a condition is true. \returns whether it became true within ten seconds.
inline bool wait_until(const std::function<bool()>& is_so) {
  for (int i = 0; i < 1000; ++i) {
    if (is_so()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return is_so();
}

/// Runs `vinculum ARGUMENTS` as a process next to the test, which can send it the signals of a terminal; killed at
/// the end.
class Process {
 public:
  Process(const Folder& folder, const std::string& arguments, const std::string& name = "beside")
      : folder_(folder), name_(name) {
    const std::string line =
        in_folder(folder, "exec \"$VINCULUM\" " + arguments + " >." + name + ".out 2>." + name + ".err");
    process_ = ::fork();
    if (process_ != 0) return;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_DFL);
    ::execl("/bin/sh", "sh", "-c", line.c_str(), static_cast<char*>(nullptr));
    ::_exit(127);
  }
  ~Process() {
    if (process_ <= 0) return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  void send(int signal) const { ::kill(process_, signal); }
  /// The status as a shell reports it: 128 plus the signal if a signal ended it.
  [[nodiscard]] Ran wait() {
    int status = 0;
    ::waitpid(process_, &status, 0);
    process_ = 0;
    return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), folder_.read("." + name_ + ".out"),
            folder_.read("." + name_ + ".err")};
  }

 private:
  const Folder& folder_;
  std::string name_;
  pid_t process_ = 0;
};

}  // namespace vinculum::test_support
