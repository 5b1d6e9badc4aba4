#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "vinculum/error.hpp"

/// Functions for the command `vinculum`, which uses nothing else than the public API.
namespace vinculum {

/// Reads a file that may contain a model. \returns an Error unless it is a regular file of at most 16 MiB.
[[nodiscard]] Result<std::string> read_text(const std::filesystem::path& path);
/// Writes the whole file, or leaves it unchanged.   \returns an Error if it cannot be written.
[[nodiscard]] Result<void> write_text(const std::filesystem::path& path, std::string_view text);
/// The name that a misspelled word most likely means, or "" if none is near.
[[nodiscard]] std::string nearest_name(std::string_view word, std::span<const std::string> names);

}  // namespace vinculum
