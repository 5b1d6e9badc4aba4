#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "command.hpp"

namespace vinculum::cli {

void guard_streams() {
  std::signal(SIGPIPE, SIG_IGN);  // writing to a closed pipe, or to a file that must not grow, then returns an error
  std::signal(SIGXFSZ, SIG_IGN);
  // If a standard stream is closed, the first file that is opened would get its number. So /dev/null, opened in the
  // opposite direction, takes its place: every access to the stream then fails.
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) == -1) (void)::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

void print(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0) return;
  throw std::system_error(errno, std::generic_category(), "the standard output cannot be written");
}

void print_warning(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stderr); }

}  // namespace vinculum::cli
