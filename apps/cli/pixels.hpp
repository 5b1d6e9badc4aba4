#pragma once

#include <string>
#include <string_view>

#include "command.hpp"

namespace vinculum::cli {

/// PNG of an SVG, two pixels per unit of the SVG, made by rsvg-convert. Uses no shell and no named file. \returns an
/// Error if the program is missing or cannot read the picture.
[[nodiscard]] Result<std::string> png_of(std::string_view svg);
/// Whether rsvg-convert is installed; ask before a run that needs it.
[[nodiscard]] bool has_pixels();

/// The message if it is missing.
inline constexpr const char* kWithoutPixels =
    "`--png` needs the program rsvg-convert, which is not installed (Debian: librsvg2-bin); `--svg` needs no other "
    "program";

}  // namespace vinculum::cli
