#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "vinculum/diag/diagnostic.hpp"

namespace pugi {
class xml_node;
class xml_document;
}  // namespace pugi

namespace vinculum::imports {

using diag::SourceRange;

/// An XML file as a tree of elements, whose names, attributes and numbers have places in the text. Opens no other file:
/// document types and entities of their own are not read.
class XmlText {
 public:
  /// \param source, sink  must outlive the XmlText.
  XmlText(const diag::SourceText& source, diag::Sink& sink);
  ~XmlText();
  XmlText(const XmlText&) = delete;
  XmlText& operator=(const XmlText&) = delete;

  /// Reads the text.   \returns whether it is XML; otherwise the mistake is reported.
  bool parse();
  /// The outermost element. \pre parse() has succeeded.
  [[nodiscard]] pugi::xml_node root() const;

  [[nodiscard]] SourceRange range(const pugi::xml_node& element) const;  ///< of the element's name
  /// The place of an attribute's value; that of the element's name if the element has no such attribute.
  [[nodiscard]] SourceRange range(const pugi::xml_node& element, std::string_view attribute) const;

  /// The value of an attribute that must not be missing or empty; otherwise nothing, after a report.
  std::optional<std::string> text(const pugi::xml_node& element, const char* attribute);
  /// The numbers of an attribute that must have `count` of them, separated by blanks; nothing if the attribute is
  /// missing, or, after a report, if it has another form.
  std::optional<std::vector<double>> numbers(const pugi::xml_node& element, const char* attribute, std::size_t count);
  std::optional<double> number(const pugi::xml_node& element, const char* attribute);
  /// As `number`, but reports an attribute that is missing.
  std::optional<double> needed_number(const pugi::xml_node& element, const char* attribute);

  /// \name The content of an element, `<mass>2</mass>`
  /// @{
  [[nodiscard]] SourceRange content_range(const pugi::xml_node& element) const;  ///< the name's if there is no content
  /// A word; nothing, after a report, if the content is empty.
  std::optional<std::string> content(const pugi::xml_node& element);
  /// As `numbers`; nothing if the element is missing.
  std::optional<std::vector<double>> content_numbers(const pugi::xml_node& element, std::size_t count);
  std::optional<double> content_number(const pugi::xml_node& element);
  /// @}

  /// Reports an error, once if it is found several times.
  void error(diag::Kind kind, SourceRange range, std::string message, std::string hint = {});
  void warning(diag::Kind kind, SourceRange range, std::string message, std::string hint = {});
  /// Whether an error has been reported.
  [[nodiscard]] bool has_errors() const { return has_errors_; }

 private:
  [[nodiscard]] std::optional<double> number_of(SourceRange word);
  /// The numbers of a place in the text. \param what  the attribute or element that they belong to
  [[nodiscard]] std::optional<std::vector<double>> numbers_at(SourceRange whole, std::size_t count,
                                                              const std::string& what);

  const diag::SourceText& source_;
  diag::Sink& sink_;
  std::unique_ptr<pugi::xml_document> document_;
  bool has_errors_ = false;
  std::set<std::pair<SourceRange, std::string>> reported_;
};

}  // namespace vinculum::imports
