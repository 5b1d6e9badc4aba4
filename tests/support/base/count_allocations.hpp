#pragma once

#include <cstdlib>

// For test programs: counts every allocation, by `new` and by Eigen, which calls malloc directly. Not available with
// sanitizers, which replace malloc themselves, and with other C libraries.
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if !defined(__has_feature)
#define VINCULUM_COUNTS_ALLOCATIONS 1
#elif !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer) && !__has_feature(memory_sanitizer)
#define VINCULUM_COUNTS_ALLOCATIONS 1
#endif
#endif

inline long allocations = 0;  ///< so far in this program

#ifdef VINCULUM_COUNTS_ALLOCATIONS
extern "C" void* __libc_malloc(std::size_t size);
extern "C" __attribute__((weak)) void* malloc(std::size_t size) noexcept {
  ++allocations;
  return __libc_malloc(size);
}
#endif
