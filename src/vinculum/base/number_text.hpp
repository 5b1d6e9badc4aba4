#pragma once

#include <cstddef>

namespace vinculum {

/// Size of the buffer for `write_shortest`, including scratch space; the text of a number has at most 24 characters.
inline constexpr std::size_t kNumberRoom = 48;

/// Writes the shortest decimal that reads back as this number. The bytes are those of fmt's "{}": "0.1", "-12",
/// "1e-05", "6.02e+23". An exponent is written for |x| < 1e-4 and |x| ≥ 1e16.
/// \param to  buffer of at least kNumberRoom characters.  \param x  finite.
/// \returns pointer to the character after the last one.
char* write_shortest(char* to, double x);

}  // namespace vinculum
