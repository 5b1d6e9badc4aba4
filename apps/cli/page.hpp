#pragma once

#include "command.hpp"

namespace vinculum::cli {

/// File name of a page in a results folder.
inline constexpr std::string_view kPageName = "report.html";

/// The page without a scene, which is installed with the command: `share/vinculum/page.html` next to the folder of the
/// program. \returns an Error that says how to get the page if it is missing.
[[nodiscard]] Result<std::string> blank_page();
/// Adds the option `--samples`, which selects the instants in a page.
void add_samples(CLI::App* command, SceneSamples& samples);
/// Writes the page of a scene into the folder, and reports it on stdout.
/// \param scene  if it is an Error, the error is printed instead
/// \returns the status for the command
[[nodiscard]] int write_page(const Result<Scene>& scene, const std::string& blank, const std::string& folder,
                             bool is_quiet = false);

}  // namespace vinculum::cli
