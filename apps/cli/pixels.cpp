#include "pixels.hpp"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace vinculum::cli {
namespace {

constexpr const char* kProgram = "rsvg-convert";

/// An anonymous file in memory, which exists as long as this object.
class Unnamed {
 public:
  Unnamed() : file_(::memfd_create("vinculum", MFD_CLOEXEC)) {}
  Unnamed(const Unnamed&) = delete;
  Unnamed& operator=(const Unnamed&) = delete;
  ~Unnamed() {
    if (file_ >= 0) ::close(file_);
  }
  [[nodiscard]] int number() const { return file_; }
  [[nodiscard]] bool write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t done = ::write(file_, text.data(), text.size());
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(done));
    }
    return ::lseek(file_, 0, SEEK_SET) == 0;
  }
  [[nodiscard]] std::string read() const {
    std::string text;
    std::array<char, 1 << 16> part{};
    ssize_t count = 0;
    for (off_t at = 0; (count = ::pread(file_, part.data(), part.size(), at)) > 0; at += count)
      text.append(part.data(), static_cast<std::size_t>(count));
    return text;
  }

 private:
  int file_;
};

Unexpected<Error> failure(std::string message) {
  Error error{Error::About::kCall, "call", std::move(message)};
  error.set_text("vinculum: " + error.message + "\n");
  return Unexpected<Error>{std::move(error)};
}

}  // namespace

bool has_pixels() {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (!folder.empty() && ::access((std::filesystem::path(folder) / kProgram).c_str(), X_OK) == 0) return true;
  return false;
}

Result<std::string> png_of(std::string_view svg) {
  const Unnamed from, to, said;
  if (!from.write(svg)) return failure("the picture could not be sent to " + std::string(kProgram));
  posix_spawn_file_actions_t files;
  ::posix_spawn_file_actions_init(&files);
  ::posix_spawn_file_actions_adddup2(&files, from.number(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, to.number(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&files, said.number(), STDERR_FILENO);
  std::array<std::string, 3> words = {kProgram, "--format=png", "--zoom=2"};
  std::array<char*, 4> arguments = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  pid_t child = 0;
  const int why = ::posix_spawnp(&child, kProgram, &files, nullptr, arguments.data(), environ);
  ::posix_spawn_file_actions_destroy(&files);
  if (why == ENOENT) return failure(kWithoutPixels);
  if (why != 0) return failure(std::string(kProgram) + ": " + std::generic_category().message(why));
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  std::string png = to.read();
  if (status != 0 || !png.starts_with("\x89PNG")) {
    const std::string reason = said.read();
    return failure(std::string(kProgram) + ": " + reason.substr(0, reason.find('\n')));
  }
  return png;
}

}  // namespace vinculum::cli
