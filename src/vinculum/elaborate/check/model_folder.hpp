#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace vinculum::elaborate {

/// The file that a name in a model stands for, or the reason why it may not be read.
struct Located {
  std::filesystem::path file;  ///< canonical
  std::string problem;         ///< empty when the file may be read
};

/// Files that a model names lie below its own folder and nowhere else: absolute names, `..` and links that lead outside
/// are refused, as is what is no regular file or larger than `largest` bytes.
/// \param what  the thing named, with its article, for messages: "a table".
[[nodiscard]] Located locate_below(const std::filesystem::path& folder, const std::string& name, std::string_view what,
                                   std::uintmax_t largest);

}  // namespace vinculum::elaborate
