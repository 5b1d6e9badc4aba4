#pragma once

#include <string>
#include <string_view>

#include "command.hpp"

namespace vinculum::cli {

/// Converts an SVG to a PNG with two pixels per unit of the SVG, by the program rsvg-convert, without a shell and
/// without a named file. \returns an Error if the program is missing or cannot read the picture.
[[nodiscard]] Result<std::string> png_of(std::string_view svg);
/// Whether rsvg-convert is installed. Call it before a run whose drawing needs the program.
[[nodiscard]] bool has_pixels();

/// The message if rsvg-convert is missing.
inline constexpr const char* kWithoutPixels =
    "`--png` needs the program rsvg-convert, which is not installed (Debian: librsvg2-bin); `--svg` needs no other "
    "program";

}  // namespace vinculum::cli
