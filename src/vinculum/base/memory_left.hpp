#pragma once

#include <cstddef>
#include <stdexcept>

namespace vinculum {

/// A request needs more memory than is available. The message names the request, the memory it needs, and an
/// alternative.
class TooLarge : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Memory that this process may still allocate [bytes]: the least of the memory available in the system, in the control
/// group of the process, and under the process's own limit. A limit that cannot be read does not count. If none can be
/// read, the result is the largest std::size_t.
/// \cost some microseconds: a few small files are read
[[nodiscard]] std::size_t memory_left();

}  // namespace vinculum
