#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

/// What the command tells of itself, all of it read off the one table that `--help` is printed from: the declared
/// subcommands with their options.
namespace vinculum::cli {

/// The manual page vinculum(1), troff with the macros of man(7).
[[nodiscard]] std::string manual(const CLI::App& app);
/// A script that completes commands, options, words that an option knows, model files and folders.
[[nodiscard]] std::string completion_of_bash(const CLI::App& app);
[[nodiscard]] std::string completion_of_zsh(const CLI::App& app);

/// The types of options that take a folder or a file, as `--help` shows them.
inline constexpr const char* kFolder = "FOLDER";
inline constexpr const char* kFile = "FILE";

/// The names of an option: "-o", "--output".
[[nodiscard]] std::vector<std::string> names_of(const CLI::Option& option);
/// The words that an option knows, of which one is taken; empty where anything may be said.
[[nodiscard]] std::vector<std::string> choices_of(const CLI::Option& option);
/// What stands for its value: "TEXT", "FOLDER"; empty for a flag.
[[nodiscard]] std::string value_of(const CLI::Option& option);

}  // namespace vinculum::cli
