#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "vinculum/error.hpp"

/// Functions for editors, such as the language server of the Python package (docs/editors.md).
namespace vinculum {

/// Texts of files that are open in an editor and perhaps not saved, by their canonical paths.
using UnsavedTexts = std::map<std::filesystem::path, std::string>;

/// What an editor shows about the text of a model, which may have errors: its diagnostics, and the names that it
/// declares, with their places and units. Nothing is compiled or run; the only files that are read are those that the
/// text includes or reads tables from.
/// \param path     of the model, where included files are searched; the file is not opened.
/// \param unsaved  texts that are taken instead of included files.
/// \returns JSON, docs/json.md, "Outline".
[[nodiscard]] std::string outline(std::string text, const std::filesystem::path& path,
                                  const UnsavedTexts& unsaved = {});

/// The words of the language with their forms and meanings: statements, clauses, items of views, functions, laws,
/// joints, surfaces, units, methods and others, from the tables that the parser uses.
/// \returns JSON, docs/json.md, "Words of the language".
[[nodiscard]] std::string vocabulary();

/// A text in canonical layout, as `format` of a file.   \returns an Error if the text has errors.
[[nodiscard]] Result<std::string> format_text(std::string text, const std::string& name = "model.vin");

}  // namespace vinculum
