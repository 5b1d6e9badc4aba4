#pragma once

#include <filesystem>
#include <fstream>
#include <string>

namespace vinculum::cli {

/// Writes whole files or none: to a name beside, then renamed.   \param write  takes the stream. \returns whether the
/// file is there.
template <class Write>
bool write_file(const std::filesystem::path& path, Write&& write) {
  const std::filesystem::path temporary = path.string() + ".tmp";
  {
    std::ofstream stream(temporary, std::ios::binary);
    write(stream);
    stream.flush();
    if (!stream) return false;
  }
  std::error_code error;
  std::filesystem::rename(temporary, path, error);
  return !error;
}

}  // namespace vinculum::cli
