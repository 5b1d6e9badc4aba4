#include "page.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace vinculum::cli {
namespace {

namespace fs = std::filesystem;

/// Path of the blank page, relative to the program, both for an installed command and for one in its build folder.
fs::path page_path() {
  std::error_code none;
  const fs::path program = fs::read_symlink("/proc/self/exe", none);
  return program.parent_path().parent_path() / "share" / "vinculum" / "page.html";
}

}  // namespace

Result<std::string> blank_page() {
  const fs::path path = page_path();
  std::ifstream stream(path, std::ios::binary);
  std::ostringstream text;
  if (stream && text << stream.rdbuf()) return text.str();
  Error error{Error::About::kCall, "call", "the page that shows motions is missing: " + path.string()};
  error.set_text("vinculum: " + error.message +
                 "\n  npm builds it from the sources: install npm (Node.js 18 or later), then run `page/build.sh "
                 "FOLDER` with the folder of this file\n");
  return Unexpected<Error>{std::move(error)};
}

void add_samples(CLI::App* command, SceneSamples& samples) {
  command
      ->add_option_function<std::string>(
          "--samples",
          [&samples](const std::string& word) { samples = word == "all" ? SceneSamples::kAll : SceneSamples::kFewest; },
          "samples on the page: fewest (straight lines between them show the motion; default) or all")
      ->type_name("WORD")
      ->check(CLI::IsMember({"fewest", "all"}));
}

int write_page(const Result<Scene>& scene, const std::string& blank, const std::string& folder, bool is_quiet) {
  if (!scene) return print(scene.error());
  const auto page = scene->page(blank);
  if (!page) return print(page.error());
  std::error_code made;
  fs::create_directories(folder, made);
  const fs::path path = fs::path(folder) / kPageName;
  if (const auto done = write_text(path, *page); !done) return print(done.error());
  if (!is_quiet) print("wrote " + path.string() + ": open it in a browser\n");
  return kRight;
}

}  // namespace vinculum::cli
