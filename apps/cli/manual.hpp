#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

/// Manual page and shell completion. Both are generated from the declared subcommands and their options, as `--help`
/// is.
namespace vinculum::cli {

/// The manual page vinculum(1) in troff with the macros of man(7).
[[nodiscard]] std::string manual(const CLI::App& app);
/// A script that completes commands, options, values of options, model files and folders.
[[nodiscard]] std::string completion_of_bash(const CLI::App& app);
[[nodiscard]] std::string completion_of_zsh(const CLI::App& app);

/// Types of options whose value is a folder or a file, as `--help` shows them.
inline constexpr const char* kFolder = "FOLDER";
inline constexpr const char* kFile = "FILE";

/// The names of an option: "-o", "--output".
[[nodiscard]] std::vector<std::string> names_of(const CLI::Option& option);
/// The allowed values of an option; empty if any text is allowed.
[[nodiscard]] std::vector<std::string> choices_of(const CLI::Option& option);
/// Name of an option's value in `--help`: "TEXT", "FOLDER"; empty for a flag.
[[nodiscard]] std::string value_of(const CLI::Option& option);

}  // namespace vinculum::cli
