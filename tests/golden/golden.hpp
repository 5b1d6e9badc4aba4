#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "support/models.hpp"

namespace vinculum::test_support {

/// Compares a text with a golden file; after a mismatch the text is in FILE.new. If VINCULUM_REWRITE_GOLDEN is set in
/// the environment, the golden file is rewritten instead.
inline void expect_golden(const std::filesystem::path& file, const std::string& text) {
  const bool rewrite = std::getenv("VINCULUM_REWRITE_GOLDEN") != nullptr;
  const std::string golden = std::filesystem::exists(file) ? read_text(file) : "";
  if (golden == text) return;
  std::ofstream(rewrite ? file : std::filesystem::path(file.string() + ".new"), std::ios::binary) << text;
  if (!rewrite) {
    ADD_FAILURE() << file << " differs; what was found is in " << file.filename().string() << ".new\n--- golden\n"
                  << golden << "--- found\n"
                  << text;
  }
}

}  // namespace vinculum::test_support
