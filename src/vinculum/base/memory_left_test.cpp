#include "vinculum/base/memory_left.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

namespace vinculum {
namespace {

TEST(MemoryLeft, IsWithinTheLimitOfTheProcess) {
  EXPECT_GT(memory_left(), 0u);
  const pid_t child = ::fork();
  if (child == 0) {
    std::ifstream file("/proc/self/statm");
    std::size_t pages = 0;
    const bool is_told = static_cast<bool>(file >> pages);
    constexpr std::size_t kMore = 256u << 20;
    const std::size_t allowed = pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)) + kMore;
    const rlimit limit{allowed, allowed};
    const bool is_set = ::setrlimit(RLIMIT_AS, &limit) == 0;
    ::_exit(!is_told || (is_set && memory_left() <= kMore) ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace vinculum
