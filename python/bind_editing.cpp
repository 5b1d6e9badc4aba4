// Functions for editors (include/vinculum/tools.hpp), which the language server and tools/editors.py use.
#include <vinculum/tools.hpp>

#include "bindings.hpp"

namespace vinculum_python {

void bind_editing(nb::module_& m) {
  m.def(
      "outline",
      [](const std::string& text, const std::filesystem::path& path,
         const std::map<std::string, std::string>& unsaved) {
        const nb::gil_scoped_release others_may_run;
        return outline(text, path, UnsavedTexts(unsaved.begin(), unsaved.end()));
      },
      "text"_a, "path"_a, "unsaved"_a = std::map<std::string, std::string>(),
      "JSON with the diagnostics of a text and the names that it declares, with places and units (docs/json.md). The "
      "text may have errors. `unsaved`: texts that are taken instead of included files, by their real paths.");
  m.def("vocabulary", &vocabulary, "JSON with the words of the language, their forms and meanings (docs/json.md).");
  m.def(
      "format_text",
      [](const std::string& text, const std::string& name) { return taken([&] { return format_text(text, name); }); },
      "text"_a, "name"_a = "model.vin", "A text in canonical layout, as `format` of a file.");
}

}  // namespace vinculum_python
