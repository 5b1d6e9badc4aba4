#include "vinculum/base/memory_left.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>

namespace vinculum {
namespace {

constexpr std::size_t kUnknown = std::numeric_limits<std::size_t>::max();

/// The first number after the given word in a file, or the first number of the file if the word is empty.
std::size_t number_in(const char* file, const std::string& word = {}) {
  std::ifstream in(file);
  std::string read;
  while (!word.empty() && in >> read && read != word) continue;
  std::size_t number = 0;
  return in >> number ? number : kUnknown;
}

std::size_t difference(std::size_t all, std::size_t taken) {
  return all == kUnknown || taken == kUnknown ? kUnknown : all - std::min(all, taken);
}

std::size_t left_of_own_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kUnknown;
  const std::size_t pages = number_in("/proc/self/statm");
  if (pages == kUnknown) return kUnknown;
  return difference(limit.rlim_cur, pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)));
}

}  // namespace

std::size_t memory_left() {
  const std::size_t kibibytes = number_in("/proc/meminfo", "MemAvailable:");
  const std::size_t of_system = kibibytes == kUnknown ? kUnknown : kibibytes * 1024;
  const std::size_t of_group =
      difference(number_in("/sys/fs/cgroup/memory.max"), number_in("/sys/fs/cgroup/memory.current"));
  return std::min({of_system, of_group, left_of_own_limit()});
}

}  // namespace vinculum
