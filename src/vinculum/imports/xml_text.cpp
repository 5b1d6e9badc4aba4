#include "vinculum/imports/xml_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <pugixml.hpp>

#include "vinculum/diag/hints.hpp"
#include "vinculum/diag/utf8.hpp"

namespace vinculum::imports {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

/// The hint for a word that is not a number, although it may begin with one.
std::string hint_for(std::string_view word) {
  if (word.find("${") != word.npos || word.find("$(") != word.npos)
    return "this is a text for xacro; expand it first: `xacro robot.urdf.xacro > robot.urdf`";
  if (word.find(',') != word.npos) return "decimals have a point, and numbers are separated by blanks";
  double value = 0.0;
  const char* const end = word.data() + word.size();
  const char* const rest = std::from_chars(word.data(), end, value).ptr;
  if (rest == word.data()) return "write a number";
  return fmt::format("write the number alone, in m, rad, kg, s or N: this file has no units, so `{}` cannot follow it",
                     std::string_view(rest, static_cast<std::size_t>(end - rest)));
}

/// The mistake that pugixml found, in words. \param word  the text at its place
std::string reason_of(const pugi::xml_parse_result& result, std::string_view word) {
  switch (result.status) {
    case pugi::status_end_element_mismatch:
      return fmt::format("`</{}>` ends an element that begins with another name", word);
    case pugi::status_bad_end_element: return "the end of an element has the form `</name>`";
    case pugi::status_bad_start_element: return "a name of an element is expected after `<`";
    case pugi::status_bad_attribute: return "an attribute has the form `name=\"value\"`";
    case pugi::status_bad_comment: return "a comment `<!-- … -->` is not closed";
    case pugi::status_no_document_element: return "the text contains no element";
    case pugi::status_bad_cdata: return "a section `<![CDATA[ … ]]>` is not closed";
    case pugi::status_bad_doctype: return "a document type `<!DOCTYPE … >` is not closed";
    case pugi::status_bad_pi: return "an instruction `<? … ?>` is not closed";
    case pugi::status_bad_pcdata: return "the text ends inside an element";
    default: return "this is not XML";
  }
}

}  // namespace

XmlText::XmlText(const diag::SourceText& source, diag::Sink& sink)
    : source_(source), sink_(sink), document_(std::make_unique<pugi::xml_document>()) {}

XmlText::~XmlText() = default;

bool XmlText::parse() {
  const std::string_view text = source_.text();
  for (std::uint32_t at = 0; at < text.size();) {
    const diag::Character character = diag::read_character(text, at);
    if (!character.is_valid) {
      error(diag::Kind::kUnexpectedCharacter, {at, at + character.length}, "this byte is not part of a UTF-8 text",
            "save the file in the encoding UTF-8");
      return false;
    }
    at += character.length;
  }
  const pugi::xml_parse_result result =
      document_->load_buffer(text.data(), text.size(), pugi::parse_default, pugi::encoding_utf8);
  if (result) return true;
  const auto at = static_cast<std::uint32_t>(std::clamp<std::ptrdiff_t>(result.offset, 0, std::ssize(text)));
  const auto end = static_cast<std::uint32_t>(std::min(text.find_first_of("<> \t\r\n", at), text.size()));
  const SourceRange range{at, std::max(end, std::min(at + 1, static_cast<std::uint32_t>(text.size())))};
  error(diag::Kind::kBadXml, range, reason_of(result, source_.slice(range)),
        "every element is `<name …> … </name>` or `<name … />`, and is closed inside the element that contains it");
  return false;
}

pugi::xml_node XmlText::root() const { return document_->document_element(); }

SourceRange XmlText::range(const pugi::xml_node& element) const {
  const auto begin = static_cast<std::uint32_t>(std::max<std::ptrdiff_t>(0, element.offset_debug()));
  return {begin, begin + static_cast<std::uint32_t>(std::string_view(element.name()).size())};
}

SourceRange XmlText::range(const pugi::xml_node& element, std::string_view attribute) const {
  const SourceRange name = range(element);
  const std::string_view text = source_.text();
  std::size_t at = name.end;
  while ((at = text.find_first_not_of(kBlanks, at)) != text.npos && text[at] != '>' && text[at] != '/') {
    const std::size_t equals = text.find('=', at), quote = text.find_first_of("\"'", at);
    if (equals == text.npos || quote == text.npos) break;
    const std::size_t close = text.find(text[quote], quote + 1);
    if (close == text.npos) break;
    std::string_view found = text.substr(at, equals - at);
    found = found.substr(0, found.find_last_not_of(kBlanks) + 1);
    if (found == attribute) return {static_cast<std::uint32_t>(quote + 1), static_cast<std::uint32_t>(close)};
    at = close + 1;
  }
  return name;
}

std::optional<std::string> XmlText::text(const pugi::xml_node& element, const char* attribute) {
  std::string value = element.attribute(attribute).value();
  if (!value.empty()) return value;
  error(diag::Kind::kMissingStatement, range(element, attribute),
        fmt::format("`{}` needs the attribute `{}`", element.name(), attribute),
        fmt::format("write `<{} {}=\"…\">`", element.name(), attribute));
  return std::nullopt;
}

std::optional<double> XmlText::number_of(SourceRange word) {
  std::string_view digits = source_.slice(word);
  if (digits.starts_with('+')) digits.remove_prefix(1);
  double value = 0.0;
  const auto [rest, fault] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool is_whole = rest == digits.data() + digits.size();
  // A number too small for a double is 0.
  if (is_whole && fault == std::errc::result_out_of_range && digits.find_first_of("eE") + 1 == digits.find('-', 1))
    return 0.0;
  if (is_whole && fault == std::errc{} && std::isfinite(value)) return value;
  const bool is_not_finite = is_whole && fault != std::errc::invalid_argument;
  error(diag::Kind::kBadNumber, word,
        fmt::format("`{}` is not a {}number", source_.slice(word), is_not_finite ? "finite " : ""),
        is_not_finite ? "numbers are finite" : hint_for(digits));
  return std::nullopt;
}

std::optional<std::vector<double>> XmlText::numbers_at(SourceRange whole, std::size_t count, const std::string& what) {
  const std::string_view text = source_.slice(whole);
  std::vector<double> values;
  for (std::size_t at = text.find_first_not_of(kBlanks); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    const auto value =
        number_of({whole.begin + static_cast<std::uint32_t>(at), whole.begin + static_cast<std::uint32_t>(end)});
    if (!value) return std::nullopt;
    values.push_back(*value);
    at = text.find_first_not_of(kBlanks, end);
  }
  if (values.size() == count) return values;
  error(diag::Kind::kWrongArgumentCount, whole,
        fmt::format("{} needs {} number{}, found {}", what, count, count == 1 ? "" : "s", values.size()),
        "numbers are separated by blanks");
  return std::nullopt;
}

std::optional<std::vector<double>> XmlText::numbers(const pugi::xml_node& element, const char* attribute,
                                                    std::size_t count) {
  if (!element.attribute(attribute)) return std::nullopt;
  return numbers_at(range(element, attribute), count, fmt::format("`{}` of `{}`", attribute, element.name()));
}

SourceRange XmlText::content_range(const pugi::xml_node& element) const {
  const pugi::xml_node content = element.first_child();
  if (content.type() != pugi::node_pcdata || content.offset_debug() < 0) return range(element);
  const std::string_view text = source_.text();
  const auto offset = static_cast<std::size_t>(content.offset_debug());
  const std::size_t begin = std::min(text.find_first_not_of(kBlanks, offset), text.size());
  const std::size_t close = std::min(text.find('<', begin), text.size());
  const std::size_t end = text.find_last_not_of(kBlanks, close - 1) + 1;
  return {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(std::max(begin, end))};
}

std::optional<std::string> XmlText::content(const pugi::xml_node& element) {
  const std::string_view text = element.child_value();
  if (const std::size_t begin = text.find_first_not_of(kBlanks); begin != text.npos)
    return std::string(text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin));
  error(diag::Kind::kMissingStatement, range(element), fmt::format("`{}` is empty", element.name()),
        fmt::format("write `<{0}>…</{0}>`", element.name()));
  return std::nullopt;
}

std::optional<std::vector<double>> XmlText::content_numbers(const pugi::xml_node& element, std::size_t count) {
  if (!element || !content(element)) return std::nullopt;
  return numbers_at(content_range(element), count, fmt::format("`{}`", element.name()));
}

std::optional<double> XmlText::content_number(const pugi::xml_node& element) {
  const auto values = content_numbers(element, 1);
  return values ? std::optional(values->front()) : std::nullopt;
}

std::optional<double> XmlText::number(const pugi::xml_node& element, const char* attribute) {
  const auto values = numbers(element, attribute, 1);
  return values ? std::optional(values->front()) : std::nullopt;
}

std::optional<double> XmlText::needed_number(const pugi::xml_node& element, const char* attribute) {
  if (!element.attribute(attribute)) {
    (void)text(element, attribute);
    return std::nullopt;
  }
  return number(element, attribute);
}

void XmlText::error(diag::Kind kind, SourceRange range, std::string message, std::string hint) {
  has_errors_ = true;
  if (!reported_.emplace(range, message).second) return;
  sink_.report(diag::error(kind, range, std::move(message), std::move(hint)));
}

void XmlText::warning(diag::Kind kind, SourceRange range, std::string message, std::string hint) {
  diag::Diagnostic said = diag::error(kind, range, std::move(message), std::move(hint));
  said.severity = diag::Severity::kWarning;
  sink_.report(std::move(said));
}

}  // namespace vinculum::imports
