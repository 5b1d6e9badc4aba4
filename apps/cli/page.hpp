#pragma once

#include "command.hpp"

namespace vinculum::cli {

/// File name of a page.
inline constexpr std::string_view kPageName = "report.html";

/// The page without a scene, as installed with the command: `share/vinculum/page.html` next to the folder of the
/// program. \returns if it is missing, an Error that says how to get it.
[[nodiscard]] Result<std::string> blank_page();
/// Adds `--samples`, which selects the instants in a page.
void add_samples(CLI::App* command, SceneSamples& samples);
/// Writes the page of a scene into the folder and reports it on stdout. \param scene  if it is an Error, prints it
/// \returns the status
[[nodiscard]] int write_page(const Result<Scene>& scene, const std::string& blank, const std::string& folder,
                             bool is_quiet = false);

}  // namespace vinculum::cli
