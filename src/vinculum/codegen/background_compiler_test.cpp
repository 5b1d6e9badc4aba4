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

TEST(BackgroundCompiler, JobsForLaterBeginOnlyWhenTheyAreWaitedFor) {
  std::atomic<bool> ran{false}, dropped{true};
  const auto job = [](std::atomic<bool>& flag, bool value) { return [&flag, value](const auto&) { flag = value; }; };
  {
    BackgroundCompiler compiler;
    compiler.submit(job(ran, true), std::chrono::hours(1));
    EXPECT_FALSE(ran);
    compiler.wait();
    EXPECT_TRUE(ran);
    compiler.submit(job(dropped, false), std::chrono::hours(1));
  }
  EXPECT_TRUE(dropped);
}

}  // namespace
}  // namespace vinculum::codegen
