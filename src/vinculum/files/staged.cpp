#include "vinculum/files/staged.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <ostream>
#include <streambuf>
#include <system_error>
#include <utility>

#include "vinculum/files/descriptor.hpp"

namespace vinculum::files {

/// Stream buffer that writes to a file descriptor and stores the error number of the first write that failed.
class FileBuffer final : public std::streambuf {
 public:
  explicit FileBuffer(int file) : file_(file) { setp(room_.data(), room_.data() + room_.size()); }
  [[nodiscard]] int error() const { return error_; }

 protected:
  int_type overflow(int_type one) override {
    if (sync() != 0) return traits_type::eof();
    if (traits_type::eq_int_type(one, traits_type::eof())) return traits_type::not_eof(one);
    *pptr() = traits_type::to_char_type(one);
    pbump(1);
    return one;
  }
  int sync() override {
    for (const char* from = pbase(); error_ == 0 && from < pptr();) {
      const ssize_t written = ::write(file_, from, static_cast<std::size_t>(pptr() - from));
      if (written >= 0) {
        from += written;
      } else if (errno != EINTR) {
        error_ = errno;
      }
    }
    setp(room_.data(), room_.data() + room_.size());
    return error_ == 0 ? 0 : -1;
  }

 private:
  int file_;
  int error_ = 0;
  std::array<char, 1 << 16> room_{};
};

namespace {

constexpr mode_t kMode = 0666;  // reduced by the user's umask

/// Creates a file under a name that does not exist yet.
Descriptor create(int folder, std::string_view prefix, std::string& name) {
  static std::atomic<unsigned> count = 0;
  for (;;) {
    name = fmt::format("{}{}-{}{}", prefix, ::getpid(), ++count, Staged::kEnding);
    Descriptor file(::openat(folder, name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, kMode));
    if (file || errno != EEXIST) return file;
  }
}

}  // namespace

std::string reason_of_system() { return std::generic_category().message(errno); }

struct Unfinished::Own {
  Own(Descriptor its_file, Staged its_place)
      : file(std::move(its_file)), place(std::move(its_place)), buffer(file.number()), stream(&buffer) {}
  Descriptor file;
  Staged place;
  FileBuffer buffer;
  std::ostream stream;
};

Unfinished::Unfinished(std::unique_ptr<Own> own) : own_(std::move(own)) {}
Unfinished::Unfinished(Unfinished&&) noexcept = default;
Unfinished::~Unfinished() = default;

Done<Unfinished> Unfinished::begin(int folder, std::string_view prefix) {
  std::string name;
  Descriptor file = create(folder, prefix, name);
  if (!file) return Unexpected<std::string>{reason_of_system()};
  return Unfinished(std::make_unique<Own>(std::move(file), Staged(folder, std::move(name))));
}

std::ostream& Unfinished::stream() { return own_->stream; }
bool Unfinished::has_failed() const { return own_->buffer.error() != 0; }

Done<Staged> Unfinished::finish() {
  own_->stream.flush();
  errno = own_->buffer.error();
  if (errno != 0 || ::fsync(own_->file.number()) != 0) return Unexpected<std::string>{reason_of_system()};
  return std::move(own_->place);
}

Done<Staged> Staged::make(int folder, std::string_view prefix, const std::function<void(std::ostream&)>& write) {
  auto file = Unfinished::begin(folder, prefix);
  if (!file) return Unexpected<std::string>{file.error()};
  write(file->stream());
  return file->finish();
}

Staged::Staged(Staged&& other) noexcept : folder_(other.folder_), hidden_(std::exchange(other.hidden_, {})) {}

Staged::~Staged() {
  if (!hidden_.empty()) ::unlinkat(folder_, hidden_.c_str(), 0);
}

void Staged::permit(mode_t mode) {
  constexpr mode_t kAll = S_IRWXU | S_IRWXG | S_IRWXO;
  ::fchmodat(folder_, hidden_.c_str(), mode & kAll, 0);
}

Done<void> Staged::place(const std::string& name) {
  if (::renameat(folder_, hidden_.c_str(), folder_, name.c_str()) != 0)
    return Unexpected<std::string>{reason_of_system()};
  hidden_.clear();
  return {};
}

}  // namespace vinculum::files
