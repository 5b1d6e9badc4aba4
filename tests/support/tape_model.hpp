#pragma once

#include <stdexcept>
#include <string>

#include "vinculum/vinculum.hpp"

namespace vinculum::test_support {

/// The model of a text through the public interface, without compilation to native code. If the text has errors, throws
/// with the diagnostics.
inline Model tape_model(const std::string& text) {
  Settings settings;
  settings.backend = Backend::kTape;
  settings.cache = "";
  auto model = Model::from_text(text, settings);
  if (!model) throw std::runtime_error(model.error().text());
  return *std::move(model);
}

}  // namespace vinculum::test_support
