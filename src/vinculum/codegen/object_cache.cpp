#include "vinculum/codegen/object_cache.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <memory>
#include <string_view>
#include <utility>

namespace vinculum::codegen {
namespace {

constexpr char kMagic[8] = {'v', 'n', 'c', 'k', 'e', 'r', 'n', '1'};
constexpr std::string_view kSuffix = ".kernel";
constexpr std::string_view kTemporarySuffix = ".tmp";
constexpr std::uint64_t kLargestFile = 1u << 30;
// Age in seconds from which a temporary file counts as abandoned by its writer and is deleted.
constexpr std::time_t kAbandonedAfter = 3600;
// Least number of seconds between two updates of a file's time of last use. An hour is accurate enough to choose the
// files to delete.
constexpr std::time_t kUseRecordedEvery = 3600;

struct FileHeader {
  char magic[8];
  Fingerprint::Value key;
  std::uint64_t size;
  Fingerprint::Value checksum;
};

class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { close(); }
  bool close() { return fd_ >= 0 && ::close(std::exchange(fd_, -1)) == 0; }
  [[nodiscard]] int get() const { return fd_; }
  [[nodiscard]] bool is_open() const { return fd_ >= 0; }

 private:
  int fd_;
};

bool is_ours_alone(const struct stat& status) {
  return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

Descriptor open_folder(const std::string& folder) {
  Descriptor opened(folder.empty() ? -1 : ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  struct stat status{};
  if (opened.is_open() && (::fstat(opened.get(), &status) != 0 || !is_ours_alone(status))) opened.close();
  return opened;
}

void make_folder(const std::string& folder) {
  for (std::size_t end = folder.find('/', 1);; end = folder.find('/', end + 1)) {
    ::mkdir(folder.substr(0, end).c_str(), S_IRWXU);
    if (end == std::string::npos) return;
  }
}

bool read_all(int fd, void* to, std::size_t size) {
  auto* at = static_cast<char*>(to);
  while (size > 0) {
    const ssize_t got = ::read(fd, at, size);
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(int fd, const void* from, std::size_t size) {
  const auto* at = static_cast<const char*>(from);
  while (size > 0) {
    const ssize_t put = ::write(fd, at, size);
    if (put <= 0) return false;
    at += put;
    size -= static_cast<std::size_t>(put);
  }
  return true;
}

Fingerprint::Value checksum(const std::vector<unsigned char>& content) {
  Fingerprint fingerprint;
  fingerprint.add_array(content.data(), content.size());
  return fingerprint.value();
}

bool is_entry(std::string_view name) { return name.ends_with(kSuffix) || name.ends_with(kTemporarySuffix); }

struct Kept {
  std::string name;
  std::uint64_t size;
  std::time_t used;
};

void trim(int folder, std::uint64_t limit) {
  const int again = ::openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (again < 0) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> listing(::fdopendir(again), ::closedir);
  if (listing == nullptr) {
    ::close(again);
    return;
  }
  std::vector<Kept> kept;
  std::uint64_t total = 0;
  const std::time_t now = std::time(nullptr);
  while (const dirent* entry = ::readdir(listing.get())) {
    const std::string_view name = entry->d_name;
    struct stat status{};
    if (!is_entry(name) || ::fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (name.ends_with(kTemporarySuffix)) {
      if (now - status.st_mtime > kAbandonedAfter) ::unlinkat(folder, entry->d_name, 0);
      continue;
    }
    kept.push_back({std::string(name), static_cast<std::uint64_t>(status.st_size), status.st_mtime});
    total += kept.back().size;
  }
  if (total <= limit) return;
  std::sort(kept.begin(), kept.end(), [](const Kept& a, const Kept& b) { return a.used < b.used; });
  for (const Kept& file : kept) {
    if (total <= limit) return;
    if (::unlinkat(folder, file.name.c_str(), 0) == 0) total -= file.size;
  }
}

}  // namespace

ObjectCache::ObjectCache(std::string folder, std::uint64_t limit) : folder_(std::move(folder)), limit_(limit) {}

std::string ObjectCache::path_of(const Fingerprint::Value& key) const {
  return folder_ + "/" + to_hex(key) + std::string(kSuffix);
}

std::vector<unsigned char> ObjectCache::load(const Fingerprint::Value& key) const {
  const Descriptor folder = open_folder(folder_);
  if (!folder.is_open()) return {};
  const std::string name = to_hex(key) + std::string(kSuffix);
  const Descriptor file(::openat(folder.get(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status{};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || !is_ours_alone(status))
    return {};
  FileHeader header{};
  if (!read_all(file.get(), &header, sizeof header) || std::memcmp(header.magic, kMagic, sizeof kMagic) != 0 ||
      header.key != key || header.size > kLargestFile ||
      header.size + sizeof header != static_cast<std::uint64_t>(status.st_size)) {
    return {};
  }
  std::vector<unsigned char> content(header.size);
  if (!read_all(file.get(), content.data(), content.size()) || checksum(content) != header.checksum) return {};
  if (std::time(nullptr) - status.st_mtime > kUseRecordedEvery) ::futimens(file.get(), nullptr);
  return content;
}

void ObjectCache::store(const Fingerprint::Value& key, const std::vector<unsigned char>& content) const {
  if (folder_.empty() || content.size() > limit_) return;
  make_folder(folder_);
  const Descriptor folder = open_folder(folder_);
  if (!folder.is_open()) return;
  // makes names of temporary files unique, because two threads may store one key at the same time
  static std::atomic<unsigned> serial{0};
  const std::string name = to_hex(key) + std::string(kSuffix);
  const std::string temporary =
      to_hex(key) + "." + std::to_string(::getpid()) + "." + std::to_string(serial++) + std::string(kTemporarySuffix);
  Descriptor file(::openat(folder.get(), temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                           S_IRUSR | S_IWUSR));
  if (!file.is_open()) return;
  FileHeader header{};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  header.key = key;
  header.size = content.size();
  header.checksum = checksum(content);
  const bool is_whole =
      write_all(file.get(), &header, sizeof header) && write_all(file.get(), content.data(), content.size());
  if (!file.close() || !is_whole || ::renameat(folder.get(), temporary.c_str(), folder.get(), name.c_str()) != 0) {
    ::unlinkat(folder.get(), temporary.c_str(), 0);
    return;
  }
  trim(folder.get(), limit_);
}

}  // namespace vinculum::codegen
