#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "vinculum/api/shared.hpp"
#include "vinculum/diag/render.hpp"
#include "vinculum/diag/utf8.hpp"
#include "vinculum/elaborate/statements/declared_names.hpp"
#include "vinculum/elaborate/statements/elaborate.hpp"
#include "vinculum/lang/parser.hpp"
#include "vinculum/tools.hpp"

namespace vinculum {
namespace outline_detail {

using Json = nlohmann::ordered_json;
using elaborate::DeclaredName;

constexpr std::size_t kLongestStatement = 2000;  // [bytes] of a statement's text; a whole component is longer

/// The first bytes of a text, without a part of a character at the end.
std::string beginning_of(std::string_view text) {
  std::size_t end = std::min(text.size(), kLongestStatement);
  while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return std::string(text.substr(0, end));
}

Json as_json(const DeclaredName& name, const diag::SourceText& source) {
  const diag::Position begin = source.position(name.range.begin);
  Json json{{"name", name.name},
            {"kind", name.kind},
            {"file", begin.file},
            {"line", begin.line},
            {"column", begin.column},
            {"end_column", begin.column + diag::count_characters(source.slice(name.range))},
            {"first_line", source.position(name.statement.begin).line},
            {"last_line", source.position(name.statement.end).line},
            {"unit", name.unit.shown},
            {"si", name.unit.si},
            {"value", name.value ? Json(*name.value) : Json(nullptr)},
            {"quantity", name.quantity},
            {"text", beginning_of(source.slice(name.statement))},
            {"comments", name.comments}};
  json["scope"] = name.scope == diag::SourceRange()
                      ? Json(nullptr)
                      : Json{source.position(name.scope.begin).line, source.position(name.scope.end).line};
  return json;
}

/// Names of the model, then names of the file that the model does not have at the same place.
std::vector<DeclaredName> joined(std::vector<DeclaredName> names, const std::vector<DeclaredName>& written) {
  for (const DeclaredName& one : written) {
    const bool is_known = std::ranges::any_of(
        names, [&one](const DeclaredName& other) { return other.range == one.range && other.name == one.name; });
    if (!is_known) names.push_back(one);
  }
  return names;
}

}  // namespace outline_detail

std::string outline(std::string text, const std::filesystem::path& path, const UnsavedTexts& unsaved) {
  diag::SourceText source(path.string(), std::move(text));
  diag::Diagnostics said;
  const lang::LawForms laws = reaction_laws::laws().forms();
  const lang::ModelFile file = lang::parse(source, laws, said);
  elaborate::Options options = elaborate_options(std::filesystem::absolute(path).parent_path(), {});
  options.unsaved = &unsaved;
  std::vector<elaborate::DeclaredName> names;
  elaborate::Changes changes;
  changes.read = [&names](const elaborate::Context& context) { names = elaborate::declared_names(context); };
  (void)elaborate::elaborate(file, source, options, changes, said);

  std::vector<elaborate::DeclaredName> written = elaborate::written_names(file, source);
  const std::vector<diag::SourceRange> files = source.files();
  for (std::size_t i = 1; i < files.size(); ++i) {
    diag::Diagnostics known;  // the elaboration has reported them
    const auto more = elaborate::written_names(lang::parse(source, files[i], laws, known), source);
    written.insert(written.end(), more.begin(), more.end());
  }
  auto list = outline_detail::Json::array();
  for (const auto& name : outline_detail::joined(std::move(names), written))
    list.push_back(outline_detail::as_json(name, source));
  auto included = outline_detail::Json::array();
  for (const diag::SourceRange& one : files) included.push_back(source.file_at(one.begin));
  return outline_detail::Json{{"files", included},
                              {"diagnostics", outline_detail::Json::parse(diag::render_json(source, said.all()))},
                              {"names", list}}
      .dump(-1, ' ', false, outline_detail::Json::error_handler_t::replace);
}

}  // namespace vinculum
