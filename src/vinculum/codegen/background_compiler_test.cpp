#include "vinculum/codegen/background_compiler.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace vinculum::codegen {
namespace {

TEST(BackgroundCompiler, DropsWaitingJobsAndCancelsTheRunningOneAtItsEnd) {
  std::atomic<bool> has_started{false}, was_cancelled{false}, second_ran{false};
  {
    BackgroundCompiler compiler;
    compiler.submit([&](const std::atomic<bool>& cancel) {
      has_started = true;
      while (!cancel) std::this_thread::yield();
      was_cancelled = true;
    });
    compiler.submit([&](const std::atomic<bool>&) { second_ran = true; });
    while (!has_started) std::this_thread::yield();
  }
  EXPECT_TRUE(was_cancelled);
  EXPECT_FALSE(second_ran);
}

}  // namespace
}  // namespace vinculum::codegen
