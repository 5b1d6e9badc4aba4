#pragma once

#include <string>
#include <string_view>

#include "command.hpp"

namespace vinculum::cli {

/// A picture in pixels, twice as many as the SVG is units wide, by Debian's rsvg-convert: PNG. Nothing goes through a
/// shell or a named file. \returns an Error where the program is not there or cannot read the picture.
[[nodiscard]] Result<std::string> png_of(std::string_view svg);
/// Whether the program is there: asked before a run is made for its sake.
[[nodiscard]] bool has_pixels();

/// How to come by it.
inline constexpr const char* kWithoutPixels =
    "`--png` needs rsvg-convert, which is not there (Debian: librsvg2-bin); `--svg` needs nothing";

}  // namespace vinculum::cli
