#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace vinculum::elaborate {

/// The place of a file with a given name, or the reason why the file must not be read.
struct Located {
  std::filesystem::path file;  ///< canonical path
  std::string problem;         ///< empty if the file may be read
};

/// Finds a file that a model names. It must be in or below the folder of the model: absolute names, `..` and links that
/// lead outside are rejected. So are files that are not regular or larger than `largest` bytes.
/// \param what  the thing that the file describes, with its article, for messages: "a table".
[[nodiscard]] Located locate_below(const std::filesystem::path& folder, const std::string& name, std::string_view what,
                                   std::uintmax_t largest);

}  // namespace vinculum::elaborate
