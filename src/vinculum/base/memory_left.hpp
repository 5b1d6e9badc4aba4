#pragma once

#include <cstddef>
#include <stdexcept>

namespace vinculum {

/// A request needs more memory than there is. The message names the request, the memory it needs, and an alternative.
class TooLarge : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Memory that this process may still allocate [bytes]: the least of the memory available in the system, the memory
/// left in the control group of the process, and the memory left under its own limit. A limit that cannot be read does
/// not count; if none can be read, the largest std::size_t.
/// \cost some microseconds: a few small files are read
[[nodiscard]] std::size_t memory_left();

}  // namespace vinculum
