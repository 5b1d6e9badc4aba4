#pragma once

#include <cstdlib>

// For sources of a test program: every allocation of the program is counted, those of `new` and those of Eigen,
// which bypass it. Sanitizers bring a malloc of their own, and other C libraries do not let theirs be replaced so.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if !defined(__has_feature)
#define VINCULUM_COUNTS_ALLOCATIONS 1
#elif !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) && !__has_feature(memory_sanitizer)
#define VINCULUM_COUNTS_ALLOCATIONS 1
#endif
#endif

inline long allocations = 0;  ///< so far, in this program

#ifdef VINCULUM_COUNTS_ALLOCATIONS
extern "C" void* __libc_malloc(std::size_t size);
extern "C" __attribute__((weak)) void* malloc(std::size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}
#endif
