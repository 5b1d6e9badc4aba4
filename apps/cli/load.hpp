#pragma once

#include <memory>
#include <optional>
#include <string>

#include "command.hpp"
#include "vinculum/diag/diagnostic.hpp"
#include "vinculum/mechanics/model.hpp"

namespace vinculum::cli {

/// A model file as far as it could be read.
struct Loaded {
  diag::SourceText source;
  diag::Diagnostics diagnostics;
  std::shared_ptr<const mechanics::Model> model;  ///< null when there were errors
  double seconds = 0.0;                           ///< reading, parsing, elaborating
};

/// Reads the bytes of a file; prints why and returns nothing when it cannot (missing, a folder, over 16 MiB).
[[nodiscard]] std::optional<std::string> read_file(const std::string& path);

/// Reads, parses and elaborates; says nothing about diagnostics. Nothing when the file cannot be read or an option of
/// the form `--set p=v` is not of that form (both are printed).
[[nodiscard]] std::optional<Loaded> load(const std::string& path, const CommonOptions& common);

/// Prints diagnostics on stderr, or as JSON on stdout.
void print_diagnostics(const Loaded& loaded, bool json);

}  // namespace vinculum::cli
