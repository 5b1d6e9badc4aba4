#include <cstdio>
#include <filesystem>
#include <fstream>

#include "pages.hpp"

/// reference_pages FOLDER: writes the pages of the reference there.
int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: reference_pages FOLDER\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = arguments[1];
  std::filesystem::create_directories(folder);
  for (const vinculum::reference::Page& page : vinculum::reference::pages()) {
    std::ofstream file(folder / (page.name + ".md"), std::ios::binary);
    file << page.text;
    if (!file.flush()) return 2;
  }
  return 0;
}
