#pragma once

#include <cstddef>

namespace vinculum {

/// Room that `write_shortest` may use, in characters; a number has 24 at most.
inline constexpr std::size_t kNumberRoom = 48;

/// The shortest decimal that reads back as this number, the bytes of fmt's "{}": "0.1", "-12", "1e-05", "6.02e+23";
/// with an exponent below 1e-4 and from 1e16 on.   \param to  room for kNumberRoom characters.  \param x  finite.
/// \returns behind the last character.
char* write_shortest(char* to, double x);

}  // namespace vinculum
