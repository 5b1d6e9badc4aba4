#pragma once

#include <cstddef>
#include <stdexcept>

namespace vinculum {

/// What is asked for takes more memory than there is. Says what, how much, and what to do.
class TooLarge : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Memory that this process may still take [bytes]: what the system has available, within its control group and within
/// its own limit; as much as there are numbers for where the system does not tell.   \cost some microseconds: a few
/// small files are read
[[nodiscard]] std::size_t memory_left();

}  // namespace vinculum
