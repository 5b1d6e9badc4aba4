#pragma once

#include <cstddef>  // defines __GLIBC__

/// Marks a function whose loops gain from vectors of four doubles. The function is compiled a second time for
/// processors with AVX2, and the loader selects the version. Both versions do the same operations in the same order, so
/// they give the same bits (AVX2 does not include fused multiply-add, which is another extension). The macro expands to
/// nothing if the compiler or the system does not support this, and under a sanitizer, which is not yet initialized
/// when the loader selects.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VINCULUM_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define VINCULUM_WIDE
#endif
