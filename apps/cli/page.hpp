#pragma once

#include "command.hpp"

namespace vinculum::cli {

/// The name under which a page is written.
inline constexpr std::string_view kPageName = "report.html";

/// The page without a scene, as it is installed with the command: `share/vinculum/page.html` beside the folder of the
/// program. \returns an Error that says how to get it where it is missing.
[[nodiscard]] Result<std::string> blank_page();
/// `--samples`: which instants a page holds.
void add_samples(CLI::App* command, SceneSamples& samples);
/// Writes the scene's page into the folder and says so on stdout. \param scene  an Error is printed
/// \returns the status
[[nodiscard]] int write_page(const Result<Scene>& scene, const std::string& blank, const std::string& folder,
                             bool is_quiet = false);

}  // namespace vinculum::cli
