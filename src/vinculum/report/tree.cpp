#include "vinculum/report/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <ostream>

#include "vinculum/base/contract.hpp"
#include "vinculum/base/number_text.hpp"

namespace vinculum::report {
namespace {

std::string number_text(const Node& node, const UnitText& unit) {
  if (!node.shown_as.empty()) return node.shown_as;
  const double* number = std::get_if<double>(&node.value);
  return number == nullptr ? "-" : fmt::format("{:.15g}", shown(*number / unit.scale));
}

std::string remark_of(const Node& node) {
  const std::size_t count = node.not_unique.size();
  if (count == 0) return "";
  if (count == std::max<std::size_t>(1, node.parts.size())) return "   (not unique: redundant constraints)";
  return fmt::format("   ({} {} not unique: redundant constraints)", listed(node.not_unique),
                     count == 1 ? "is" : "are");
}

/// Writes a node on one line, for example "  C1 = [1, 2, 0] N in frame A   (C1.z is not unique: redundant
/// constraints)".
std::string line_of(const Node& node, std::size_t width) {
  std::vector<std::string> numbers;
  for (const Node& part : node.parts) {
    const bool has_own = !part.unit.shown.empty();
    numbers.push_back(number_text(part, has_own ? part.unit : node.unit) + (has_own ? behind(part.unit) : ""));
  }
  std::string text = node.form == Node::Form::kList ? listed(numbers) : number_text(node, node.unit);
  if (numbers.size() > 1) text = "[" + text + "]";
  return fmt::format("  {:<{}} = {}{}{}\n", node.name, width, text, behind(node.unit, node.frame), remark_of(node));
}

void add_number(std::string& line, double number) {
  if (!std::isfinite(number)) return;
  char digits[kNumberRoom];
  line.append(digits, write_shortest(digits, number));
}

void add_field(std::string& line, const Node::Value& value) {
  if (const auto* truth = std::get_if<bool>(&value)) line += *truth ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) line += std::to_string(*whole);
  if (const auto* number = std::get_if<double>(&value)) add_number(line, *number);
  const auto* text = std::get_if<std::string>(&value);
  if (text == nullptr) return;
  const bool is_quoted = text->find_first_of(",\"\n") != std::string::npos;
  if (is_quoted) line += '"';
  for (const char c : *text) line += c == '"' ? "\"\"" : std::string(1, c);
  if (is_quoted) line += '"';
}

/// Appends `count` fields separated by commas, and the end of the line.
template <class Add>
void add_line(std::string& line, std::size_t count, const Add& add) {
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) line += ',';
    add(i);
  }
  line += '\n';
}

std::string lines_ahead(const std::vector<Table::Column>& columns, std::string_view about) {
  std::string text;
  add_line(text, columns.size(), [&](std::size_t i) { add_field(text, columns[i].name); });
  text += "# ";
  add_line(text, columns.size(), [&](std::size_t i) { add_field(text, stated(columns[i].unit)); });
  return text + fmt::format("# vinculum-csv {}{}{}\n", kFormat, about.empty() ? "" : " ", about);
}

}  // namespace

Node Node::object(std::initializer_list<Member> members) {
  Node result;
  result.form = Form::kObject;
  for (const Member& member : members) result.add(member.name, member.node);
  return result;
}

Node& Node::add(std::string its_name, Node node) {
  node.name = std::move(its_name);
  return add(std::move(node));
}

Node& Node::add(Node node) { return parts.emplace_back(std::move(node)); }

void Node::say(std::string text) {
  if (parts.empty()) {
    said += text;
    return;
  }
  Node& behind = parts.emplace_back();
  behind.form = Form::kSaid;
  behind.said = std::move(text);
}

void Node::hush() {
  said.clear();
  is_hushed = true;
  for (Node& part : parts) part.hush();
}

const Node& Node::at(std::string_view member) const {
  const auto found = std::ranges::find(parts, member, &Node::name);
  VINCULUM_EXPECTS(found != parts.end());
  return *found;
}

std::string to_text(const Node& report) {
  std::string text = report.said;
  std::size_t width = 0;
  for (const Node& part : report.parts) width = std::max(width, part.name.size());
  for (const Node& part : report.parts) {
    if (!report.is_listed)
      text += to_text(part);
    else if (!part.is_hushed)
      text += line_of(part, width);
  }
  return text;
}

std::string aligned(const std::vector<std::vector<std::string>>& rows, std::string_view indent) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line(indent);
    for (std::size_t i = 0; i < row.size(); ++i)
      line += i == 0 ? fmt::format("{:<{}}", row[i], widths[i]) : fmt::format("  {:>{}}", row[i], widths[i]);
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string listed(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

std::string behind(const UnitText& unit, std::string_view frame) {
  return (unit.shown.empty() ? "" : " " + unit.shown) + (frame.empty() ? "" : fmt::format(" in frame {}", frame));
}

void write_csv(std::ostream& stream, const Table& table, std::string_view about) {
  stream << lines_ahead(table.columns, about);
  std::string line;
  for (std::size_t row = 0; row < table.rows; ++row) {
    line.clear();
    add_line(line, table.columns.size(), [&](std::size_t i) { add_field(line, table.cell(row, i)); });
    stream << line;
  }
}

CsvRows::CsvRows(std::ostream& stream, const std::vector<Table::Column>& columns, std::string_view about)
    : stream_(stream) {
  stream_ << lines_ahead(columns, about);
}

void CsvRows::write(std::span<const double> row) {
  // The buffer is made long enough for the longest line once, because appending each number to a string is slower.
  line_.resize(std::max(line_.size(), (kNumberRoom + 1) * row.size() + 1));
  char* const begin = line_.data();
  char* end = begin;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0) *end++ = ',';
    if (std::isfinite(row[i])) end = write_shortest(end, row[i]);
  }
  *end++ = '\n';
  stream_.write(begin, end - begin);
}

}  // namespace vinculum::report
