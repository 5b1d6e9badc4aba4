#pragma once

#include <cstddef>  // __GLIBC__

/// Marks a function whose loops gain from vectors of four doubles: it is compiled a second time for processors with
/// AVX2, and the loader picks. The same operations in the same order either way, so the same bits: AVX2 brings no
/// contracted ones, which are another extension. Nothing where compiler or system cannot, nor under a sanitizer, which
/// is not ready yet when the loader picks.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define VINCULUM_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define VINCULUM_WIDE
#endif
